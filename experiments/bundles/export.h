// A bundle's motion in the formats of other programs.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_
#define PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"

namespace pliant {

// To add a format, add its line in export.cc.
struct ExportFormat {
  std::string name;     // vtk, xdmf, obj, csv
  std::string meaning;  // one line: which program reads it, and which file to open
  // Writes into the folder and returns the file to open.
  std::filesystem::path (*write)(const Bundle& bundle, const std::filesystem::path& folder);
};
const std::vector<ExportFormat>& ExportFormats();

// Exports every frame into the folder `out`, which is created; files of these names are replaced.
// Returns the file to open. Throws BadInput for an unknown format, with a did-you-mean, and for a
// bundle without frames; StorageError when it cannot be written.
std::filesystem::path ExportBundle(const Bundle& bundle, const std::string& format,
                                   const std::filesystem::path& out);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_
