// How deep bodies come to lie in obstacles and in one another: nothing passes a plane, of which no other side is there, so that
// what falls through it "went through" nothing (models/contact/passages.h), however deep; and what stays inside has not gone
// through.
//
//   depth   of a point of a body inside an obstacle at a recorded time, as penetration_m; of a part of a body inside another, as
//           body_depth_m
//   share   of it in the size of the body: the diagonal of its box at the start
//
// Soft contact lets a body sink in by a few hundredths of its size (shipped scenes: at most 0.06). Above a tenth, what
// the obstacle should carry is not carried by it.

#ifndef PLIANT_EXPERIMENTS_RUNS_SINKING_METER_H_
#define PLIANT_EXPERIMENTS_RUNS_SINKING_METER_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "experiments/runs/outcome.h"
#include "models/scene/scene.h"

namespace pliant {

inline constexpr double kSunkShare = 0.1;

class SinkingMeter {
 public:
  explicit SinkingMeter(std::shared_ptr<const Scene> scene);

  // `deepest`: the largest depth of any point [m], which spares the search where it is small.
  void Add(double time, const Eigen::Matrix3Xd& points, double deepest);

  // One body deepest in another, by this much [m].
  void AddBodies(double time, int body, int other, double depth);

  // The largest share so far, if above kSunkShare.
  const std::optional<Sunk>& sunk() const { return sunk_; }

 private:
  std::shared_ptr<const Scene> scene_;
  std::vector<int> body_of_point_;
  std::vector<double> sizes_;  // m, of each body; 0 of a lone point, of which no share is defined
  double least_size_;          // m, above 0
  std::optional<Sunk> sunk_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_SINKING_METER_H_
