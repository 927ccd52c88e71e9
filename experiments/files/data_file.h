// Files that an experiment names: by a path, or by the short name of one that ships.

#ifndef PLIANT_EXPERIMENTS_FILES_DATA_FILE_H_
#define PLIANT_EXPERIMENTS_FILES_DATA_FILE_H_

#include <filesystem>
#include <string>

#include "experiments/files/document.h"

namespace pliant {

// The folder of the data that ship with the program, which has the folders scenes, modes, poses and others; set once,
// before anything is read. Without it short names mean files in the folder data above an experiment alone.
void SetShippedData(const std::filesystem::path& data);

// Of data/scenes; of data/modes, poses, skeletons and maps; of data/meshes.
enum class DataKind { kScene, kTable, kMesh };

// The file that `name` means at this place: a path relative to the file that contains it; or, where there is no such
// file, a name without a folder, with or without its ending, in the nearest folder data above that file, or in that of the
// program: "link" is data/modes/link.toml. A file that cannot be found this way is returned as a path, or refused with the
// nearest name: throws FileError.
std::filesystem::path DataFileNamed(const std::string& name, DataKind kind, const FilePlace& place);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_DATA_FILE_H_
