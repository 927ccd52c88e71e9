#include "experiments/bundles/points_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/bundles/hdf5.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Numbers that are all different: frame f, point i, coordinate k.
Eigen::Matrix3Xd PointsOf(int frame, int points) {
  Eigen::Matrix3Xd x(3, points);
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < 3; ++k) x(k, i) = frame + 1e-3 * i + 1e-7 * k + 0.1;
  }
  return x;
}

Eigen::VectorXd StateOf(int frame, int size) {
  return Eigen::VectorXd::LinSpaced(size, frame, frame + 1.5);
}

void WriteFrames(const std::filesystem::path& path, int frames, int points, bool velocities) {
  PointsWriter writer(path, points);
  for (int f = 0; f < frames; ++f) {
    std::optional<Eigen::Matrix3Xd> v;
    if (velocities) v = -2.0 * PointsOf(f, points);
    writer.Write(0.25 * f, PointsOf(f, points), v, StateOf(f, 7));
  }
  writer.Close();
}

// One dataset, all of it.
std::vector<double> NumbersOf(hid_t file, const std::string& name, std::vector<hsize_t>* shape) {
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << name;
  const hid_t space = H5Dget_space(dataset);
  shape->resize(static_cast<size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape->data(), nullptr);
  std::vector<double> numbers(static_cast<size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data());
  H5Sclose(space);
  H5Dclose(dataset);
  return numbers;
}

std::string TextOf(hid_t file, const std::string& dataset, const char* attribute) {
  const hid_t text = H5Aopen_by_name(file, dataset.c_str(), attribute, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(text, 0) << attribute;
  const hid_t type = H5Aget_type(text);
  std::string value(H5Tget_size(type), ' ');
  H5Aread(text, type, value.data());
  H5Tclose(type);
  H5Aclose(text);
  return value;
}

TEST(PointsFile, KeepsArraysFrameByFrameAndTheLayoutOfTheState) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "points.h5";
  constexpr int kFrames = 20;  // more than a block
  const auto value = [](int frame, int row, int column) {
    return 100.0 * frame + 10.0 * row + column;
  };
  PointsWriter writer(path, 1, {{"time", 1, "s"}, {"angles", 2, "rad"}});
  for (int f = 0; f < kFrames; ++f) {
    NamedArray array{"modes", "amplitudes.a", "1", "γ", {"bend", "twist"}, {}, {}};
    array.values.resize(2, 3);
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j) array.values(i, j) = value(f, i, j);
    }
    const NamedArray other{
        "levels", "offsets", "m", "d", {}, {}, Eigen::MatrixXd::Constant(1, 1, f)};
    std::vector<NamedArray> arrays = {array, other};
    if (f == 5) arrays.erase(arrays.begin());               // not there in this frame
    if (f == 6) arrays[0].values.conservativeResize(2, 2);  // another shape
    writer.Write(f, PointsOf(f, 1), std::nullopt, StateOf(f, 3), arrays);
  }
  writer.Close();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  std::vector<hsize_t> shape;
  const std::vector<double> numbers = NumbersOf(file, "modes/amplitudes.a", &shape);
  EXPECT_EQ(shape, (std::vector<hsize_t>{kFrames, 2, 3}));
  for (int f = 0, at = 0; f < kFrames; ++f) {
    for (int i = 0; i < 2; ++i) {
      for (int j = 0; j < 3; ++j, ++at) {
        if (f == 5 || f == 6) {
          EXPECT_TRUE(std::isnan(numbers[at])) << f;
        } else {
          EXPECT_EQ(numbers[at], value(f, i, j));
        }
      }
    }
  }
  EXPECT_EQ(TextOf(file, "modes/amplitudes.a", "rows"), "bend\ntwist\n");
  EXPECT_EQ(TextOf(file, "modes/amplitudes.a", "unit"), "1");
  EXPECT_EQ(NumbersOf(file, "levels/offsets", &shape).back(), kFrames - 1);
  EXPECT_EQ(TextOf(file, "state", "layout"), "0 1 [s] time\n1 2 [rad] angles\n");
  H5Fclose(file);
  const PointsReader reader(path, 1);  // reads what it knows
  EXPECT_EQ(reader.State(7), StateOf(7, 3));
}

// Attributes of the old form of HDF5 end at 64 kB.
TEST(PointsFile, KeepsTheLayoutAndTheLabelsOfThousandsOfBodies) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "points.h5";
  constexpr int kBodies = 5000;
  std::vector<StateBlock> layout;
  NamedArray array{"multipliers", "nails", "N", "λ", {}, {}, Eigen::MatrixXd::Ones(kBodies, 1)};
  std::string labels;
  for (int i = 0; i < kBodies; ++i) {
    layout.push_back({"coordinates of body 'b" + std::to_string(i) + "'", 1, "m"});
    array.rows.push_back("nail of body 'b" + std::to_string(i) + "'");
    labels += array.rows.back() + "\n";
  }
  PointsWriter writer(path, 1, layout);
  writer.Write(0.0, PointsOf(0, 1), std::nullopt, StateOf(0, kBodies), {array});
  writer.Close();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_THAT(TextOf(file, "state", "layout"),
              ::testing::EndsWith("\n4999 1 [m] coordinates of body 'b4999'\n"));
  EXPECT_EQ(TextOf(file, "multipliers/nails", "rows"), labels);
  H5Fclose(file);
  EXPECT_EQ(PointsReader(path, 1).State(0), StateOf(0, kBodies));
}

// Below, at and beyond a block of frames; one point; more points than a chunk holds frames of.
struct Size {
  int frames, points;
};
class PointsFileOfSize : public ::testing::TestWithParam<Size> {};

TEST_P(PointsFileOfSize, ReadsBackBitForBit) {
  const auto [frames, points] = GetParam();
  const ScratchFolder folder;
  WriteFrames(folder / "points.h5", frames, points, true);
  const PointsReader reader(folder / "points.h5", points);
  ASSERT_EQ(reader.frame_count(), static_cast<size_t>(frames));
  for (int f = frames - 1; f >= 0; --f) {  // in any order
    EXPECT_EQ(reader.Time(f), 0.25 * f);
    EXPECT_EQ(reader.Points(f), PointsOf(f, points));
    ASSERT_TRUE(reader.Velocities(f));
    EXPECT_EQ(*reader.Velocities(f), -2.0 * PointsOf(f, points));
    EXPECT_EQ(reader.State(f), StateOf(f, 7));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PointsFileOfSize,
                         ::testing::Values(Size{1, 1}, Size{15, 4}, Size{16, 4}, Size{35, 4},
                                           Size{33, 9000}, Size{2, 50000}));

TEST(PointsFile, WithoutVelocitiesHasNone) {
  const ScratchFolder folder;
  WriteFrames(folder / "points.h5", 3, 2, false);
  const PointsReader reader(folder / "points.h5", 2);
  EXPECT_EQ(reader.frame_count(), 3u);
  EXPECT_FALSE(reader.Velocities(1));
}

TEST(PointsFile, WithoutFramesCanBeRead) {
  const ScratchFolder folder;
  WriteFrames(folder / "points.h5", 0, 2, true);
  EXPECT_EQ(PointsReader(folder / "points.h5", 2).frame_count(), 0u);
}

TEST(PointsFile, EqualFramesAreEqualBytes) {
  const ScratchFolder folder;
  WriteFrames(folder / "a.h5", 20, 100, true);
  sleep(1);  // times of creation have a resolution of a second
  WriteFrames(folder / "b.h5", 20, 100, true);
  EXPECT_EQ(ReadFile(folder / "a.h5"), ReadFile(folder / "b.h5"));
}

// Other programs read the file: names, shapes, compression and units are a contract.
TEST(PointsFile, HasShapesUnitsAndCompressionAsDocumented) {
  const ScratchFolder folder;
  WriteFrames(folder / "points.h5", 3, 50000, true);
  const hid_t file = H5Fopen((folder / "points.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const std::vector<std::tuple<const char*, std::vector<hsize_t>, std::string>> expected = {
      {"/time", {3}, "s"},
      {"/points", {3, 50000, 3}, "m"},
      {"/velocities", {3, 50000, 3}, "m/s"},
      {"/state", {3, 7}, "see layout"}};
  for (const auto& [name, shape, unit] : expected) {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    ASSERT_GE(dataset, 0) << name;
    const hid_t space = H5Dget_space(dataset);
    std::vector<hsize_t> dims(H5Sget_simple_extent_ndims(space));
    H5Sget_simple_extent_dims(space, dims.data(), nullptr);
    EXPECT_EQ(dims, shape) << name;

    const hid_t creation = H5Dget_create_plist(dataset);
    std::vector<hsize_t> chunk(dims.size());
    ASSERT_EQ(H5Pget_chunk(creation, static_cast<int>(dims.size()), chunk.data()),
              static_cast<int>(dims.size()));
    hsize_t bytes = sizeof(double);
    for (hsize_t extent : chunk) bytes *= extent;
    EXPECT_LE(bytes, hsize_t{1} << 20) << name;
    EXPECT_EQ(H5Pget_nfilters(creation), 2) << name;
    unsigned flags = 0;
    size_t values = 1;
    unsigned level = 0;
    EXPECT_GE(H5Pget_filter_by_id2(creation, H5Z_FILTER_DEFLATE, &flags, &values, &level, 0,
                                   nullptr, nullptr),
              0);
    EXPECT_EQ(level, 1u);
    EXPECT_GE(H5Pget_filter_by_id2(creation, H5Z_FILTER_SHUFFLE, &flags, &(values = 0), nullptr, 0,
                                   nullptr, nullptr),
              0);

    const hid_t attribute = H5Aopen(dataset, "unit", H5P_DEFAULT);
    ASSERT_GE(attribute, 0) << name;
    const hid_t type = H5Aget_type(attribute);
    std::string text(H5Tget_size(type), ' ');
    H5Aread(attribute, type, text.data());
    EXPECT_TRUE(text.starts_with(unit)) << text;
    H5Tclose(type);
    H5Aclose(attribute);
    H5Pclose(creation);
    H5Sclose(space);
    H5Dclose(dataset);
  }
  H5Fclose(file);
}

TEST(PointsFile, AFullDiskIsAnErrorWithPathAndReason) {
  const ScratchFolder folder;
  const FullDisk full(30000);
  EXPECT_THAT([&] { WriteFrames(folder / "points.h5", 200, 1000, true); },
              ThrowsMessage<StorageError>(
                  HasSubstr((folder / "points.h5").string() + ": cannot write: File too large")));
}

TEST(PointsFile, AFullDiskAtTheEndIsAnErrorToo) {
  const ScratchFolder folder;
  const FullDisk full(4000);
  EXPECT_THAT([&] { WriteFrames(folder / "points.h5", 3, 1000, true); },
              ThrowsMessage<StorageError>(HasSubstr("File too large")));
}

// HDF5 cannot close a file on a full disk, and would stumble over it at the end of the program.
TEST(PointsFileDeathTest, AFullDiskDoesNotCrashTheEndOfTheProgram) {
  const ScratchFolder folder;
  EXPECT_EXIT(
      {
        const FullDisk full(4000);
        try {
          WriteFrames(folder / "points.h5", 3, 1000, true);
        } catch (const StorageError&) {
          std::exit(3);
        }
      },
      ::testing::ExitedWithCode(3), "");
}

TEST(PointsFile, APathBelowAFileIsAnErrorWithPathAndReason) {
  const ScratchFolder folder;
  WriteFile(folder / "file", "");
  testing::internal::CaptureStderr();
  EXPECT_THAT([&] { PointsWriter(folder / "file" / "points.h5", 1); },
              ThrowsMessage<StorageError>(HasSubstr("cannot create the file: Not a directory")));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // HDF5 keeps quiet
}

TEST(PointsFile, OfAnotherFormIsRefused) {
  const ScratchFolder folder;
  WriteFile(folder / "text.h5", "not HDF5 at all");
  EXPECT_THAT([&] { PointsReader(folder / "text.h5", 1); },
              ThrowsMessage<FileError>(HasSubstr("text.h5: cannot open: ")));
  WriteFrames(folder / "points.h5", 3, 5, true);
  EXPECT_THAT([&] { PointsReader(folder / "points.h5", 6); },
              ThrowsMessage<FileError>(HasSubstr("no dataset /points of 3×6×3")));
}

// HDF5 1.10 reads beyond the header of a file that says that it holds more numbers than it does.
TEST(PointsFile, NumbersInAHeaderAreRefused) {
  const ScratchFolder folder;
  {
    const hdf5::Handle file(
        H5Fcreate((folder / "points.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
        H5Fclose);
    const hsize_t frames = 2;
    const hdf5::Handle space(H5Screate_simple(1, &frames, nullptr), H5Sclose);
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_layout(creation.get(), H5D_COMPACT);
    const hdf5::Handle time(H5Dcreate2(file.get(), "time", H5T_NATIVE_DOUBLE, space.get(),
                                       H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                            H5Dclose);
    ASSERT_GE(time.get(), 0);
  }
  EXPECT_THAT(
      [&] { PointsReader(folder / "points.h5", 1); },
      ThrowsMessage<FileError>(HasSubstr("damaged: the numbers of /time are in its header")));
}

// Nor does it withstand chunks that the header says are large, or whose filter it does not mention.
TEST(PointsFile, ChunksThatAreNotTheirSizeAreRefused) {
  const ScratchFolder folder;
  const auto with_chunks = [&](hsize_t chunk) {
    const hdf5::Handle file(
        H5Fcreate((folder / "points.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
        H5Fclose);
    const hsize_t frames = 2, most = H5S_UNLIMITED;
    const hdf5::Handle space(H5Screate_simple(1, &frames, &most), H5Sclose);
    const hdf5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_chunk(creation.get(), 1, &chunk);
    const hdf5::Handle time(H5Dcreate2(file.get(), "time", H5T_NATIVE_DOUBLE, space.get(),
                                       H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                            H5Dclose);
    ASSERT_GE(time.get(), 0);
    const double times[] = {0.0, 1.0};
    if (chunk > 1000) return;
    H5Dwrite(time.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times);
  };
  with_chunks(hsize_t{1} << 28);
  EXPECT_THAT([&] { PointsReader(folder / "points.h5", 1); },
              ThrowsMessage<FileError>(HasSubstr("damaged: the chunks of /time are too large")));
  with_chunks(1);  // whole, without a filter: it lacks what comes after it
  EXPECT_THAT([&] { PointsReader(folder / "points.h5", 1); },
              ThrowsMessage<FileError>(HasSubstr("no dataset /points")));
  // Its deflate filter taken away: found by the fuzzer.
  EXPECT_THAT([&] { PointsReader("tests/fuzz/corpus/points/chunk-without-its-filter", 4); },
              ThrowsMessage<FileError>(HasSubstr("have not their size")));
}

}  // namespace
}  // namespace pliant
