#include "solvers/articulated_lamp/hinge_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace pliant::articulated_lamp {

HingeControl::HingeControl(PoseGraph graph, std::vector<PdServo> servos, Sensors sensors,
                           const HingeControlOptions& options)
    : graph_(std::move(graph)),
      servos_(std::move(servos)),
      sensors_(std::move(sensors)),
      options_(options) {
  assert(static_cast<int>(servos_.size()) == graph_.channels());
  assert(sensors_.size() == graph_.sensors());
}

void HingeControl::Start(double time, const LampVector& q, const PointsRef& x) {
  if (feels()) sensors_.Read(time, x, &readings_);
  state_ = graph_.Start(time, readings_);
  from_ = q.tail<3>();
}

void HingeControl::Update(double time, double step, const LampVector& q, const PointsRef& x) {
  if (feels()) sensors_.Read(time, x, &readings_);
  if (graph_.Advance(time, step, readings_, &state_)) from_ = q.tail<3>();
}

std::optional<double> HingeControl::Duration() const {
  std::optional<double> least;
  for (const PoseTransition& next : graph_.nodes()[state_.pose].next) {
    if (!next.sensor) least = std::min(least.value_or(next.after), next.after);
  }
  return least;
}

void HingeControl::SetVelocities(const Lamp& lamp, const LampVector& q, LampVector* v) const {
  const Eigen::VectorXd& targets = graph_.Targets(state_);
  const double duration = options_.timed ? Duration().value_or(1.0) : 1.0;
  const double sense = options_.law == HingeLaw::kPrinted ? 1.0 : -1.0;
  const Eigen::Vector2d centre = CentreOfMass(lamp, q);
  const auto links = LinkStates<double>(lamp, q, *v);
  Eigen::Vector4d rates = LinkAngles(*v, 0.0);
  for (size_t i = 0; i < servos_.size(); ++i) {
    const int hinge = servos_[i].coordinate, link = hinge + 1;
    const double lack = q[3 + hinge] - targets[static_cast<Eigen::Index>(i)];
    const double distance = (links[link].origin - centre).norm() * duration;
    const double speed = options_.speed * lamp.link(link).mass / distance;
    rates[link] = std::abs(lack) <= options_.dead_band ? 0.0 : std::copysign(speed, lack) * sense;
  }
  for (int i = 0; i < kLampHinges; ++i) (*v)[3 + i] = rates[i + 1] - rates[i];
}

HingeTorques HingeControl::Torques(const Lamp& lamp, double end, double step, bool carried,
                                   const LampPlacement& placement, const LampVector& q,
                                   const LampVector& v) const {
  const Eigen::VectorXd& targets = graph_.Targets(state_);
  LampAngles held = LampAngles::Zero();  // against gravity
  if (carried && options_.gravity_compensation) {
    double moment = 0.0;
    for (int j = kLampLinks - 1; j > 0; --j) {
      moment -= lamp.first_moment(j) * lamp.gravity() * placement.sine[j];
      held[j - 1] = moment;
    }
  }
  double way = 1.0, way_rate = 0.0;  // progress of the reference, 0 to 1
  if (options_.timed) {
    if (const std::optional<double> duration = Duration()) {
      const double s = std::clamp((end - state_.since) / *duration, 0.0, 1.0);
      way = s * s * (3.0 - 2.0 * s);
      way_rate = 6.0 * s * (1.0 - s) / *duration;
    }
  }
  HingeTorques torques;
  for (size_t i = 0; i < servos_.size(); ++i) {
    const PdServo& servo = servos_[i];
    const int hinge = servo.coordinate;
    const double distance = targets[static_cast<Eigen::Index>(i)] - from_[hinge];
    const double reference = from_[hinge] + way * distance;
    const double rate = v[3 + hinge];
    const double torque = servo.stiffness * (reference - q[3 + hinge] - step * rate) +
                          servo.damping * (way_rate * distance - rate) + held[hinge];
    torques.start[hinge] = std::clamp(torque, -options_.torque_limit, options_.torque_limit);
    if (torques.start[hinge] == torque) {
      torques.resistance[hinge] = step * servo.stiffness + servo.damping;
    }
  }
  return torques;
}

void HingeControl::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  graph_.Save(state_, state.head(graph_.StateSize()));
  state.tail<kLampHinges>() = from_;
}

void HingeControl::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  state_ = graph_.Restored(state.head(graph_.StateSize()));
  from_ = state.tail<kLampHinges>();
}

}  // namespace pliant::articulated_lamp
