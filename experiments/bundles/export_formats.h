// The writers behind ExportFormats(), and their shared helpers.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_EXPORT_FORMATS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_EXPORT_FORMATS_H_

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/bundles/export.h"

namespace pliant {

Exported ExportVtk(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options);
Exported ExportXdmf(const Bundle& bundle, const std::filesystem::path& folder,
                    const ExportOptions& options);
Exported ExportObj(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options);
Exported ExportCsv(const Bundle& bundle, const std::filesystem::path& folder,
                   const ExportOptions& options);

// "0007": as many digits for every frame, so that names sort; and "press_0007.obj".
std::string FrameNumber(const Bundle& bundle, size_t frame);
std::string FrameFile(const Bundle& bundle, size_t frame, const std::string& ending);

// Triangles and edges of all bodies by the columns of 3×n matrices. `edges` contains those of
// bodies without faces: the others are drawn by their faces.
struct Connectivity {
  std::vector<std::array<int, 3>> faces;
  std::vector<std::array<int, 2>> edges;
};
Connectivity ConnectivityOf(const Scene& scene);

// "1 2 3" for the three numbers of a column, in the shortest form that reads back.
std::string ThreeNumbers(const Eigen::Vector3d& numbers, char separator = ' ');

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_EXPORT_FORMATS_H_
