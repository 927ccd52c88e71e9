#include "experiments/runs/sinking_meter.h"

#include <algorithm>
#include <limits>

#include "models/geometry/extent.h"
#include "models/scene/touch.h"

namespace pliant {

SinkingMeter::SinkingMeter(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)), least_size_(std::numeric_limits<double>::infinity()) {
  const Eigen::Matrix3Xd start = scene_->InitialPoints();
  int first = 0;
  for (const Body& body : scene_->bodies) {
    const auto points = start.middleCols(first, body.size());
    const double size = DiagonalOf(points);
    body_of_point_.insert(body_of_point_.end(), body.size(), static_cast<int>(sizes_.size()));
    sizes_.push_back(size);
    if (size > 0.0) least_size_ = std::min(least_size_, size);
    first += body.size();
  }
}

void SinkingMeter::Add(double time, const Eigen::Matrix3Xd& points, double deepest) {
  const double before = sunk_ ? sunk_->share : kSunkShare;
  if (!(deepest > before * least_size_)) return;
  ForEachTouch(scene_->obstacles, time, points, 0.0, [&](const Touch& touch) {
    const int body = body_of_point_[touch.point];
    const double depth = -touch.at.distance, share = depth / sizes_[body];
    if (sizes_[body] == 0.0 || !(share > (sunk_ ? sunk_->share : kSunkShare))) return;
    sunk_ = {
        scene_->bodies[body].name, scene_->obstacles[touch.obstacle].name, "", depth, share, time};
  });
}

void SinkingMeter::AddBodies(double time, int body, int other, double depth) {
  const double share = depth / sizes_[body];
  if (sizes_[body] == 0.0 || !(share > (sunk_ ? sunk_->share : kSunkShare))) return;
  sunk_ = {scene_->bodies[body].name, "", scene_->bodies[other].name, depth, share, time};
}

}  // namespace pliant
