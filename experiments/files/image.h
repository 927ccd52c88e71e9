// Grey images as matrices.

#ifndef PLIANT_EXPERIMENTS_FILES_IMAGE_H_
#define PLIANT_EXPERIMENTS_FILES_IMAGE_H_

#include <Eigen/Core>
#include <filesystem>

#include "experiments/files/document.h"

namespace pliant {

// The grey levels of a PNG file, 8 or 16 bits, from 0 (black) to 1 (white), row by row from the
// top. Throws FileError, placed at `asked_at`, for a file that is missing, no PNG, coloured or
// transparent.
Eigen::MatrixXd ReadGreyImage(const std::filesystem::path& file, const FilePlace& asked_at);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_IMAGE_H_
