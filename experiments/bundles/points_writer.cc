#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <vector>

#include "experiments/bundles/hdf5.h"
#include "experiments/bundles/points_file.h"
#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

using hdf5::Handle;

constexpr hsize_t kBlock = 16;  // frames written at once

// Throws for what failed on `path` unless `result` is a success.
hid_t Check(hid_t result, const std::filesystem::path& path, const char* what) {
  if (result < 0) throw StorageError(path.string() + ": " + what + ": " + hdf5::Reason());
  return result;
}

// Frames per chunk and entries per chunk along the second axis, so that a chunk is ≤ 1 MB. A power
// of two, so that a block of frames fills whole chunks.
std::vector<hsize_t> ChunkOf(const std::vector<hsize_t>& frame_shape) {
  constexpr hsize_t kNumbers = (hsize_t{1} << 20) / sizeof(double);
  hsize_t size = 1;
  for (hsize_t extent : frame_shape) size *= extent;
  std::vector<hsize_t> chunk = {kBlock};
  while (chunk[0] > 1 && chunk[0] * size > kNumbers) chunk[0] /= 2;
  for (hsize_t extent : frame_shape) chunk.push_back(std::max<hsize_t>(extent, 1));
  if (size > kNumbers) chunk[1] = std::max<hsize_t>(kNumbers / (size / frame_shape[0]), 1);
  return chunk;
}

// One dataset that grows by frames, and the frames of the present block.
struct FrameDataset {
  Handle dataset;
  std::vector<hsize_t> frame_shape;  // {} for /time, {N, 3} for /points, {dof} for /state
  hsize_t written = 0;               // frames
  std::vector<double> block;

  void Create(hid_t file, const std::filesystem::path& path, const char* name,
              std::vector<hsize_t> shape, const std::string& unit);
  void Flush(const std::filesystem::path& path, hsize_t frames);
};

void SetText(hid_t object, const std::filesystem::path& path, const char* name,
             const std::string& text) {
  Check(hdf5::SetText(object, name, text), path, "cannot write an attribute");
}

// Attributes of more than 64 kB do not fit into the objects of HDF5 1.6: the layout of the state of
// some hundred bodies. Datasets that are created from here on have the form of HDF5 1.8 then.
void MakeRoomFor(size_t longest_text, hid_t file, const std::filesystem::path& path) {
  constexpr size_t kFits = 60'000;
  if (longest_text <= kFits) return;
  Check(H5Fset_libver_bounds(file, H5F_LIBVER_V18, H5F_LIBVER_LATEST), path,
        "cannot set the HDF5 format version");
}

void FrameDataset::Create(hid_t file, const std::filesystem::path& path, const char* name,
                          std::vector<hsize_t> shape, const std::string& unit) {
  frame_shape = std::move(shape);
  std::vector<hsize_t> now = {0}, largest = {H5S_UNLIMITED};
  now.insert(now.end(), frame_shape.begin(), frame_shape.end());
  largest.insert(largest.end(), frame_shape.begin(), frame_shape.end());
  const std::vector<hsize_t> chunk = ChunkOf(frame_shape);
  const int rank = static_cast<int>(now.size());

  const Handle space(H5Screate_simple(rank, now.data(), largest.data()), H5Sclose);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(creation.get(), rank, chunk.data());
  H5Pset_shuffle(creation.get());
  H5Pset_deflate(creation.get(), 1);
  H5Pset_obj_track_times(creation.get(), 0);
  dataset = Handle(
      H5Dcreate2(file, name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  Check(dataset.get(), path, "cannot create a dataset");
  SetText(dataset.get(), path, "unit", unit);
}

void FrameDataset::Flush(const std::filesystem::path& path, hsize_t frames) {
  std::vector<hsize_t> extent = {written + frames}, start = {written}, count = {frames};
  extent.insert(extent.end(), frame_shape.begin(), frame_shape.end());
  start.resize(extent.size(), 0);
  count.insert(count.end(), frame_shape.begin(), frame_shape.end());
  Check(H5Dset_extent(dataset.get(), extent.data()), path, "cannot grow a dataset");
  const Handle there(H5Dget_space(dataset.get()), H5Sclose);
  H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Handle here(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                    H5Sclose);
  Check(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, here.get(), there.get(), H5P_DEFAULT,
                 block.data()),
        path, "cannot write");
  written += frames;
  block.clear();
}

std::string LayoutText(const std::vector<StateBlock>& layout) {
  std::string text;
  int first = 0;
  for (const StateBlock& block : layout) {
    text += std::to_string(first) + " " + std::to_string(block.size) + " [" + block.unit + "] " +
            block.name + "\n";
    first += block.size;
  }
  return text;
}

}  // namespace

struct PointsWriter::Impl {
  std::filesystem::path path;
  Handle file;  // outlives the datasets
  FrameDataset time, points, velocities, state;
  // Of the arrays of the first frame, by "group/name".
  std::vector<Handle> groups;
  std::map<std::string, FrameDataset> arrays;
  std::string layout;  // of the state
  bool has_velocities = false;
  hsize_t buffered = 0, written = 0;  // frames

  void Flush();
  void Create(const NamedArray& array);
  void Write(const std::vector<NamedArray>& arrays);
};

void PointsWriter::Impl::Create(const NamedArray& array) {
  if (H5Lexists(file.get(), array.group.c_str(), H5P_DEFAULT) <= 0) {
    groups.emplace_back(
        H5Gcreate2(file.get(), array.group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Gclose);
    Check(groups.back().get(), path, "cannot create a group");
  }
  const std::string name = array.group + "/" + array.name;
  const std::string row_labels = hdf5::LinesOf(array.rows),
                    column_labels = hdf5::LinesOf(array.columns);
  MakeRoomFor(std::max(row_labels.size(), column_labels.size()), file.get(), path);
  FrameDataset& frames = arrays[name];
  frames.Create(
      file.get(), path, name.c_str(),
      {static_cast<hsize_t>(array.values.rows()), static_cast<hsize_t>(array.values.cols())},
      array.unit);
  SetText(frames.dataset.get(), path, "meaning", array.meaning);
  if (!row_labels.empty()) SetText(frames.dataset.get(), path, "rows", row_labels);
  if (!column_labels.empty()) SetText(frames.dataset.get(), path, "columns", column_labels);
}

// Each dataset gets one frame.
void PointsWriter::Impl::Write(const std::vector<NamedArray>& now) {
  for (auto& [name, frames] : arrays) {
    const hsize_t rows = frames.frame_shape[0], columns = frames.frame_shape[1];
    const auto found = std::find_if(
        now.begin(), now.end(),
        [&name = name](const NamedArray& array) { return array.group + "/" + array.name == name; });
    const bool fits = found != now.end() && static_cast<hsize_t>(found->values.rows()) == rows &&
                      static_cast<hsize_t>(found->values.cols()) == columns;
    for (hsize_t i = 0; i < rows; ++i) {
      for (hsize_t j = 0; j < columns; ++j) {
        frames.block.push_back(
            fits ? found->values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j))
                 : std::nan(""));
      }
    }
  }
}

PointsWriter::PointsWriter(const std::filesystem::path& path, int points,
                           const std::vector<StateBlock>& layout)
    : impl_(std::make_unique<Impl>()) {
  hdf5::Prepare();
  Impl& p = *impl_;
  p.path = path;
  p.layout = LayoutText(layout);
  p.file = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  Check(p.file.get(), path, "cannot create the file");
  p.time.Create(p.file.get(), path, "time", {}, "s");
  p.points.Create(p.file.get(), path, "points", {static_cast<hsize_t>(points), 3}, "m");
}

PointsWriter::~PointsWriter() = default;

void PointsWriter::Write(double time, const Eigen::Matrix3Xd& points,
                         const std::optional<Eigen::Matrix3Xd>& velocities,
                         const Eigen::VectorXd& state, const std::vector<NamedArray>& arrays) {
  hdf5::Prepare();
  Impl& p = *impl_;
  if (p.written + p.buffered == 0) {
    p.has_velocities = velocities.has_value();
    if (p.has_velocities) {
      p.velocities.Create(p.file.get(), p.path, "velocities", p.points.frame_shape, "m/s");
    }
    MakeRoomFor(p.layout.size(), p.file.get(), p.path);
    p.state.Create(p.file.get(), p.path, "state", {static_cast<hsize_t>(state.size())},
                   "see layout");
    if (!p.layout.empty()) SetText(p.state.dataset.get(), p.path, "layout", p.layout);
    for (const NamedArray& array : arrays) {
      if (array.values.size() > 0) p.Create(array);
    }
  }
  assert(velocities.has_value() == p.has_velocities);
  assert(static_cast<hsize_t>(points.cols()) == p.points.frame_shape[0]);
  assert(static_cast<hsize_t>(state.size()) == p.state.frame_shape[0]);
  // A 3×N column-major matrix is an N×3 row-major dataset.
  p.time.block.push_back(time);
  p.points.block.insert(p.points.block.end(), points.data(), points.data() + points.size());
  if (p.has_velocities) {
    p.velocities.block.insert(p.velocities.block.end(), velocities->data(),
                              velocities->data() + velocities->size());
  }
  p.state.block.insert(p.state.block.end(), state.data(), state.data() + state.size());
  p.Write(arrays);
  if (++p.buffered == kBlock) p.Flush();
}

void PointsWriter::Impl::Flush() {
  if (buffered == 0) return;
  time.Flush(path, buffered);
  points.Flush(path, buffered);
  if (has_velocities) velocities.Flush(path, buffered);
  state.Flush(path, buffered);
  for (auto& [name, frames] : arrays) frames.Flush(path, buffered);
  written += std::exchange(buffered, 0);
  // Flush: the file of a killed writer is readable up to here, and a full disk is noticed.
  Check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), path, "cannot write");
}

void PointsWriter::Close() {
  hdf5::Prepare();
  Impl& p = *impl_;
  p.Flush();
  bool closed = true;
  for (FrameDataset* frames : {&p.time, &p.points, &p.velocities, &p.state}) {
    closed = frames->dataset.Close() && closed;
  }
  for (auto& [name, frames] : p.arrays) closed = frames.dataset.Close() && closed;
  for (Handle& group : p.groups) closed = group.Close() && closed;
  closed = p.file.Close() && closed;
  Check(closed ? 0 : -1, p.path, "cannot close the file");
}

}  // namespace pliant
