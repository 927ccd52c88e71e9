#include <vector>

#include "experiments/bundles/hdf5.h"
#include "experiments/bundles/points_file.h"
#include "experiments/files/experiment.h"

namespace pliant {
namespace {

using hdf5::Handle;

// Times, or numbers of a state. A dataset may claim any size and store nothing of it.
constexpr hsize_t kMostValues = hsize_t{1} << 27;

hid_t Require(hid_t result, const std::filesystem::path& path, const std::string& what) {
  if (result < 0) throw FileError(path.string() + ": " + what + ": " + hdf5::Reason());
  return result;
}

// A chunk that Pliant writes has 1 MB at most. HDF5 makes room for one whatever its header says.
constexpr hsize_t kMostChunkBytes = hsize_t{1} << 26;

// HDF5 1.10 takes a chunk that nothing has compressed for as long as the header says, however few bytes are stored.
void RequireWholeChunks(hid_t dataset, hid_t creation, const std::vector<hsize_t>& shape,
                        const std::string& what) {
  std::vector<hsize_t> chunk(shape.size()), offset(shape.size());
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const int rank = static_cast<int>(shape.size());
  if (H5Pget_chunk(creation, rank, chunk.data()) != rank) throw FileError(what + "have no shape");
  hsize_t bytes = H5Tget_size(type.get());
  for (const hsize_t extent : chunk) {
    if (bytes != 0 && extent > kMostChunkBytes / bytes) throw FileError(what + "are too large");
    bytes *= extent;
  }
  const bool deflated = H5Pget_filter_by_id2(creation, H5Z_FILTER_DEFLATE, nullptr, nullptr,
                                             nullptr, 0, nullptr, nullptr) >= 0;
  hsize_t count = 0;
  H5Dget_num_chunks(dataset, space.get(), &count);
  for (hsize_t i = 0; i < count; ++i) {
    unsigned skipped = 0;  // filters
    haddr_t address;
    hsize_t stored = 0;
    if (H5Dget_chunk_info(dataset, space.get(), i, offset.data(), &skipped, &address, &stored) <
            0 ||
        ((!deflated || skipped != 0) && stored != bytes)) {
      throw FileError(what + "have not their size");
    }
  }
}

// One dataset: frames along its first axis.
struct StoredFrames {
  std::filesystem::path path;
  Handle dataset;
  std::vector<hsize_t> shape;  // n, then that of a frame

  bool Open(hid_t file, const std::filesystem::path& file_path, const std::string& name);
  // The numbers of one frame, into `values`.
  void Read(hsize_t frame, double* values) const;
};

// False when the file has no dataset of that name.
bool StoredFrames::Open(hid_t file, const std::filesystem::path& file_path,
                        const std::string& name) {
  path = file_path;
  if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return false;
  dataset = Handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  Require(dataset.get(), path, "cannot open /" + name);
  // Pliant writes chunks. Of numbers inside the header HDF5 1.10 reads as many as the shape says, however few there are.
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  if (H5Pget_layout(creation.get()) == H5D_COMPACT) {
    throw FileError(path.string() + ": damaged: the numbers of /" + name + " are in its header");
  }
  const Handle space(H5Dget_space(dataset.get()), H5Sclose);
  shape.resize(static_cast<size_t>(
      Require(H5Sget_simple_extent_ndims(space.get()), path, "cannot read /" + name)));
  H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  if (H5Pget_layout(creation.get()) == H5D_CHUNKED) {
    RequireWholeChunks(dataset.get(), creation.get(), shape,
                       path.string() + ": damaged: the chunks of /" + name + " ");
  }
  return true;
}

void StoredFrames::Read(hsize_t frame, double* values) const {
  hdf5::Prepare();
  std::vector<hsize_t> start(shape.size(), 0), count = shape;
  start[0] = frame;
  count[0] = 1;
  const Handle there(H5Dget_space(dataset.get()), H5Sclose);
  Require(H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr),
          path, "has no frame " + std::to_string(frame));
  const Handle here(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                    H5Sclose);
  Require(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, here.get(), there.get(), H5P_DEFAULT, values),
          path, "cannot read frame " + std::to_string(frame));
}

}  // namespace

struct PointsReader::Impl {
  Handle file;  // outlives the datasets
  StoredFrames points, velocities, state;
  std::vector<double> times;
};

PointsReader::PointsReader(const std::filesystem::path& path, int points)
    : impl_(std::make_unique<Impl>()) {
  hdf5::Prepare();
  Impl& p = *impl_;
  p.file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  Require(p.file.get(), path, "cannot open");
  StoredFrames time;
  if (!time.Open(p.file.get(), path, "time") || time.shape.size() != 1) {
    throw FileError(path.string() + ": has no dataset /time [n]");
  }
  const hsize_t frames = time.shape[0];
  if (frames > kMostValues) {
    throw FileError(path.string() + ": damaged: says " + std::to_string(frames) + " times");
  }
  p.times.resize(frames);
  if (frames > 0) {
    Require(H5Dread(time.dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                    p.times.data()),
            path, "cannot read /time");
  }
  const std::vector<hsize_t> expected = {frames, static_cast<hsize_t>(points), 3};
  const std::string shape =
      std::to_string(frames) + "×" + std::to_string(points) + "×3, as /time and the scene require";
  if (!p.points.Open(p.file.get(), path, "points") || p.points.shape != expected) {
    throw FileError(path.string() + ": has no dataset /points of " + shape);
  }
  if (p.velocities.Open(p.file.get(), path, "velocities") && p.velocities.shape != expected) {
    throw FileError(path.string() + ": /velocities is not " + shape);
  }
  const bool has_state = p.state.Open(p.file.get(), path, "state");
  if (frames > 0 && (!has_state || p.state.shape.size() != 2 || p.state.shape[0] != frames)) {
    throw FileError(path.string() + ": has no dataset /state [n×dof] with a row for each time");
  }
  if (frames > 0 && p.state.shape[1] > kMostValues) {
    throw FileError(path.string() + ": damaged: says a state of " +
                    std::to_string(p.state.shape[1]) + " numbers");
  }
}

PointsReader::PointsReader(PointsReader&&) noexcept = default;
PointsReader::~PointsReader() = default;

size_t PointsReader::frame_count() const { return impl_->times.size(); }

double PointsReader::Time(size_t frame) const { return impl_->times.at(frame); }

Eigen::Matrix3Xd PointsReader::Points(size_t frame) const {
  Eigen::Matrix3Xd points(3, impl_->points.shape[1]);
  impl_->points.Read(frame, points.data());
  return points;
}

std::optional<Eigen::Matrix3Xd> PointsReader::Velocities(size_t frame) const {
  if (!impl_->velocities.dataset) return std::nullopt;
  Eigen::Matrix3Xd velocities(3, impl_->velocities.shape[1]);
  impl_->velocities.Read(frame, velocities.data());
  return velocities;
}

Eigen::VectorXd PointsReader::State(size_t frame) const {
  Eigen::VectorXd state(impl_->state.shape[1]);
  impl_->state.Read(frame, state.data());
  return state;
}

}  // namespace pliant
