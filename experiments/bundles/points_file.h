// points.h5: the motion of the material points, frame by frame, in HDF5.
//
//   /time        n          s
//   /points      n×N×3      m, world
//   /velocities  n×N×3      m/s, world; missing where the formulation has none
//   /state       n×dof      what Simulation::Save() gives; its attribute `layout` says, a line for
//                           each block: first number, size, unit, name
//   /GROUP/NAME  n×rows×columns   arrays that [run] records; attributes unit, meaning, rows and
//                           columns (labels, a line each); NaN in frames in which an array was
//                           not there, or of another shape
//
// Doubles in chunks of at most 1 MB, shuffled and gzipped; equal runs leave equal bytes (no times
// of creation). Frames go to the disk in blocks of 16: written singly, 1000 frames of 4225 points
// took 62 s instead of 0.6 s.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_POINTS_FILE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_POINTS_FILE_H_

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solvers/arrays.h"

namespace pliant {

class PointsWriter {
 public:
  // For scenes of `points` material points. Throws StorageError, as does everything below.
  PointsWriter(const std::filesystem::path& path, int points,
               const std::vector<StateBlock>& layout = {});
  ~PointsWriter();

  // Velocities exist in every frame or in none.
  void Write(double time, const Eigen::Matrix3Xd& points,
             const std::optional<Eigen::Matrix3Xd>& velocities, const Eigen::VectorXd& state,
             const std::vector<NamedArray>& arrays = {});
  void Close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class PointsReader {
 public:
  // Throws FileError when the file is not of the form above, or holds another number of points.
  PointsReader(const std::filesystem::path& path, int points);
  PointsReader(PointsReader&&) noexcept;
  ~PointsReader();

  size_t frame_count() const;
  double Time(size_t frame) const;
  Eigen::Matrix3Xd Points(size_t frame) const;
  std::optional<Eigen::Matrix3Xd> Velocities(size_t frame) const;
  Eigen::VectorXd State(size_t frame) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_POINTS_FILE_H_
