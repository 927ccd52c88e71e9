// Grey images in tables of matrices, and what is wrong with them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <vector>

#include "tests/experiments/files/samples.h"
#include "tests/says.h"

namespace pliant {
namespace {

using samples::Folder;
using testing::HasSubstr;

template <typename Channel>
void WritePng(const Folder& folder, png_uint_32 format, int columns, int rows,
              const std::vector<Channel>& values) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = columns;
  image.height = rows;
  image.format = format;
  const std::string file = (folder.path() / "grey.png").string();
  ASSERT_NE(png_image_write_to_file(&image, file.c_str(), 0, values.data(), 0, nullptr), 0);
}

constexpr char kMappedScene[] =
    "name = \"skin\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"skin\"\nshape = \"sheet\"\n"
    "size = [1, 1]\npoints = [3, 3]\nmass = 1.0\n";

std::filesystem::path WrittenWithMap(const Folder& folder, const std::string& entry) {
  folder.Write("scene.toml", kMappedScene);
  folder.Write("maps.toml", "[[entry]]\nname = \"spots\"\n" + entry);
  return folder.Write("sample.toml",
                      "name = \"sample\"\nscene = \"scene.toml\"\n[run]\nduration = 0.3\n"
                      "step = 0.01\nrecord_every = 0.1\n[backends.kinematic-response]\n"
                      "maps = \"maps.toml\"\n");
}

const Eigen::MatrixXd& ValuesIn(const Experiment& experiment) {
  return ValueAs<MatrixTable>(experiment.backends[0].parameters.at("maps"))->entries[0].values;
}

// What reading and translating says; "" when nothing is wrong.
std::string Complaint(const Folder& folder, const std::string& entry) {
  return samples::TranslationErrorOf(WrittenWithMap(folder, entry));
}

TEST(GreyImage, IsAMatrixFromTheTop) {
  const Folder folder;
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 3, 2, {0, 51, 255, 102, 1, 204});
  const Experiment experiment =
      ReadExperiment(WrittenWithMap(folder, "control = \"absorption\"\nimage = \"grey.png\"\n"));
  Eigen::MatrixXd expected(2, 3);
  expected << 0, 51, 255, 102, 1, 204;
  EXPECT_EQ(ValuesIn(experiment), expected / 255.0);
}

TEST(GreyImage, KeepsSixteenBits) {
  const Folder folder;
  WritePng<std::uint16_t>(folder, PNG_FORMAT_LINEAR_Y, 2, 2, {0, 65535, 257, 12345});
  const Experiment experiment =
      ReadExperiment(WrittenWithMap(folder, "control = \"absorption\"\nimage = \"grey.png\"\n"));
  Eigen::MatrixXd expected(2, 2);
  expected << 0, 65535, 257, 12345;
  EXPECT_EQ(ValuesIn(experiment), expected / 65535.0);
}

TEST(GreyImage, IsWrittenIntoTheResolvedExperiment) {
  const Folder folder, elsewhere;
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 3, 3, {0, 51, 255, 102, 1, 204, 7, 8, 9});
  const Experiment experiment = ReadExperiment(WrittenWithMap(
      folder, "control = \"absorption\"\nimage = \"grey.png\"\nformula = \"map / 2\"\n"));
  const Experiment again =
      ReadExperiment(elsewhere.Write("experiment.toml", experiment.Resolved(0)));
  EXPECT_EQ(ValuesIn(again), ValuesIn(experiment));
  EXPECT_NE(TranslateFor(again, 0).simulation, nullptr);
}

TEST(GreyImage, IsRefusedAtItsPlace) {
  const Folder folder;
  const std::string entry = "control = \"absorption\"\nimage = \"grey.png\"\n";
  EXPECT_THAT(Complaint(folder, entry), Says({"maps.toml:4:9", "there is no file"}));
  folder.Write("grey.png", "P2 1 1 255 7");
  EXPECT_THAT(Complaint(folder, entry), Says({"maps.toml:4:9", "save it as PNG"}));
  WritePng<std::uint8_t>(folder, PNG_FORMAT_RGB, 1, 1, {1, 2, 3});
  EXPECT_THAT(Complaint(folder, entry), HasSubstr("coloured or transparent"));
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GA, 1, 1, {1, 2});
  EXPECT_THAT(Complaint(folder, entry), HasSubstr("coloured or transparent"));
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 3, 3, std::vector<std::uint8_t>(9, 255));
  EXPECT_EQ(Complaint(folder, entry), "");
  EXPECT_THAT(Complaint(folder, entry + "values = [[1]]\n"), HasSubstr("values or an image"));
  // 25 million pixels in a file of some kilobytes.
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 5000, 5000,
                         std::vector<std::uint8_t>(25'000'000, 7));
  EXPECT_THAT(Complaint(folder, entry),
              Says({"maps.toml:4:9", "5000 × 5000 pixels; at most 16777216"}));
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 3, 3, std::vector<std::uint8_t>(9, 255));
  // The file ends in the middle of the picture.
  const auto file = folder.path() / "grey.png";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 20);
  EXPECT_THAT(Complaint(folder, entry), HasSubstr("cannot read the image"));
}

TEST(BehaviourMapFile, IsRefusedAtTheLineOfWhatIsWrong) {
  const Folder folder;
  EXPECT_THAT(Complaint(folder, "control = \"absorption\"\nformula = \"0.2 * uv\"\n"),
              testing::AllOf(HasSubstr("maps.toml:4:11"), HasSubstr("column 7 of the formula")));
  EXPECT_THAT(Complaint(folder, "control = \"absorption\"\nlevel = 7\nformula = \"1\"\n"),
              testing::AllOf(HasSubstr("maps.toml:4:9"), HasSubstr("give 0 to 1")));
  WritePng<std::uint8_t>(folder, PNG_FORMAT_GRAY, 3, 2, {0, 51, 255, 102, 1, 204});
  EXPECT_THAT(Complaint(folder, "control = \"absorption\"\nimage = \"grey.png\"\n"),
              testing::AllOf(HasSubstr("maps.toml:1:1"), HasSubstr("has 3 by 2 values")));
}

}  // namespace
}  // namespace pliant
