// A bundle's motion in the formats of other programs.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_
#define PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "solvers/parallel/cancellation.h"

namespace pliant {

struct ExportOptions {
  // Restore the simulation at each frame and make its last steps again, for forces and for elements
  // of the method (exported_motion.h): takes as long as the run. Without, they are left out.
  bool again = true;
  // Called with the part that is done, 0 to 1.
  std::function<void(double)> progress = nullptr;

  // Before each frame. Throws Cancelled.
  void Progress(size_t done, size_t all) const {
    ThrowIfCancelled();
    if (progress) progress(static_cast<double>(done) / static_cast<double>(all));
  }
};

struct Exported {
  std::filesystem::path file;  // to open
  // Frames whose steps, made again, led elsewhere: forces of their last step are NaN.
  size_t frames_elsewhere = 0;
};

// To add a format, add its line in export.cc.
struct ExportFormat {
  std::string name;     // vtk, xdmf, obj, csv
  std::string meaning;  // one line: which program reads it, and which file to open
  Exported (*write)(const Bundle& bundle, const std::filesystem::path& folder,
                    const ExportOptions& options);
};
const std::vector<ExportFormat>& ExportFormats();

// Exports every frame into the folder `out`, which is created; files of these names are replaced.
// Throws BadInput for an unknown format, with a did-you-mean, and for a bundle without frames;
// StorageError when it cannot be written; Cancelled within a CancelScope.
Exported ExportBundle(const Bundle& bundle, const std::string& format,
                      const std::filesystem::path& out, const ExportOptions& options = {});

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_EXPORT_H_
