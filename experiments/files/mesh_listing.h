// The meshes of a folder.

#ifndef PLIANT_EXPERIMENTS_FILES_MESH_LISTING_H_
#define PLIANT_EXPERIMENTS_FILES_MESH_LISTING_H_

#include <filesystem>
#include <vector>

#include "experiments/files/listing.h"

namespace pliant {

// The OBJ, .msh and .vtk files of a folder and those below it, ordered by group and name; the summary is that of the
// comment at the top of an OBJ file.
std::vector<ListedFile> ListMeshes(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_MESH_LISTING_H_
