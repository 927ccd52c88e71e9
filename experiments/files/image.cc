#include "experiments/files/image.h"

#include <png.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "experiments/files/readable_file.h"

namespace pliant {
namespace {

constexpr std::uint64_t kMostPixels = std::uint64_t{1} << 24;  // 128 MB of numbers

template <typename Grey>
Eigen::MatrixXd Scaled(const std::vector<Grey>& grey, png_uint_32 rows, png_uint_32 columns) {
  constexpr double kWhite = std::numeric_limits<Grey>::max();
  Eigen::MatrixXd values(rows, columns);
  for (png_uint_32 i = 0; i < rows; ++i) {
    for (png_uint_32 j = 0; j < columns; ++j) {
      values(i, j) = grey[static_cast<size_t>(i) * columns + j] / kWhite;
    }
  }
  return values;
}

// Frees the memory of the library, however the reading ends.
struct Image {
  png_image png = {};
  Image() { png.version = PNG_IMAGE_VERSION; }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;
  ~Image() { png_image_free(&png); }
};

template <typename Grey>
Eigen::MatrixXd Finish(Image* image, png_uint_32 format, const std::string& name,
                       const FilePlace& asked_at) {
  image->png.format = format;
  std::vector<Grey> grey(static_cast<size_t>(image->png.width) * image->png.height);
  if (png_image_finish_read(&image->png, nullptr, grey.data(), 0, nullptr) == 0) {
    FailAt(asked_at, "cannot read the image '" + name + "': " + image->png.message);
  }
  return Scaled(grey, image->png.height, image->png.width);
}

}  // namespace

Eigen::MatrixXd ReadGreyImage(const std::filesystem::path& file, const FilePlace& asked_at) {
  const std::string name = file.string();
  RequireReadable(file, asked_at, kMostTextBytes);
  Image image;
  if (png_image_begin_read_from_file(&image.png, name.c_str()) == 0) {
    FailAt(asked_at, "cannot read the image '" + name + "': " + image.png.message,
           "save it as PNG");
  }
  if ((image.png.format & (PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)) != 0) {
    FailAt(asked_at, "the image '" + name + "' is coloured or transparent",
           "save it as grey levels");
  }
  // The header alone has been read so far: a file of a megabyte can stand for gigabytes of pixels.
  if (std::uint64_t{image.png.width} * image.png.height > kMostPixels) {
    FailAt(asked_at,
           "the image '" + name + "' has " + std::to_string(image.png.width) + " × " +
               std::to_string(image.png.height) + " pixels; at most " +
               std::to_string(kMostPixels) + " are read",
           "scale it down");
  }
  // The library treats 16 bits as linear and 8 bits as sRGB; neither is converted.
  return (image.png.format & PNG_FORMAT_FLAG_LINEAR) != 0
             ? Finish<std::uint16_t>(&image, PNG_FORMAT_LINEAR_Y, name, asked_at)
             : Finish<std::uint8_t>(&image, PNG_FORMAT_GRAY, name, asked_at);
}

}  // namespace pliant
