// Meshes of tetrahedra and hexahedra: Gmsh's .msh (4.1, text or binary) and VTK's legacy .vtk (text). VTK's XML is refused in words.
// Read here and not by their libraries, which are large and say nothing of the line of a mistake. Cells of lower dimension are
// skipped; prisms, pyramids and cells of higher order are refused. Nodes that no cell uses are left out.

#ifndef PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_READER_H_
#define PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_READER_H_

#include <memory>
#include <string_view>

#include "experiments/files/document.h"

namespace pliant {

// By the first words of the file.
bool IsGmsh(std::string_view text);
bool IsVtk(std::string_view text);
bool IsVtu(std::string_view text);

// The keys of a mesh, each entry at its line of the file. Throw FileError in one line: file, line, what, mend.
struct VolumeMeshKeys {
  FileValue::Array vertices, tetrahedra, hexahedra;
};
VolumeMeshKeys ReadGmsh(std::string_view text, const std::shared_ptr<const FileSource>& source);
VolumeMeshKeys ReadVtk(std::string_view text, const std::shared_ptr<const FileSource>& source);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_VOLUME_MESH_READER_H_
