#include "solvers/control/noticing.h"

#include <cmath>
#include <numeric>

#include "solvers/control/sensors.h"

namespace pliant {
namespace {

// A delay ends up to this fraction of a step early, because times have rounding errors.
constexpr double kTimeRounding = 1e-6;

}  // namespace

Noticing::Noticing(std::shared_ptr<const Scene> scene, const Notice& notice)
    : scene_(std::move(scene)), notice_(notice) {
  points_.resize(scene_->bodies[notice.body].size());
  std::iota(points_.begin(), points_.end(), scene_->Offset(notice.body));
}

void Noticing::Update(double time, double step, const PointsRef& x,
                      const Eigen::Matrix3d& rotation) {
  if (aware_) return;
  if (Touches(*scene_, time, x, points_)) {
    alone_since_.reset();
    return;
  }
  if (!alone_since_) alone_since_ = time;
  const bool waited =
      notice_.delay && time >= *alone_since_ + *notice_.delay - kTimeRounding * step;
  const double down = (rotation * notice_.gaze).dot(Gravity(*scene_).acceleration().normalized());
  const bool looked = notice_.looks_down && down >= std::sin(*notice_.looks_down);
  aware_ = waited || looked;
}

void Noticing::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state << (aware_ ? 1.0 : 0.0), (alone_since_ ? 1.0 : 0.0), alone_since_.value_or(0.0);
}

void Noticing::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  aware_ = state[0] != 0.0;
  alone_since_.reset();
  if (state[1] != 0.0) alone_since_ = state[2];
}

}  // namespace pliant
