#include "solvers/articulated_lamp/hinge_control.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "models/problem.h"

namespace pliant::articulated_lamp {

HingeControl::HingeControl(PoseGraph graph, std::vector<PdServo> servos, Sensors sensors,
                           const HingeControlOptions& options)
    : graph_(std::move(graph)),
      servos_(std::move(servos)),
      sensors_(std::move(sensors)),
      options_(options) {
  assert(static_cast<int>(servos_.size()) == graph_.channels());
  assert(sensors_.size() == graph_.sensors());
  if (splined()) FindTimes();
}

void HingeControl::FindTimes() {
  times_ = {0.0};
  int pose = graph_.Start(0.0, std::vector<bool>(graph_.sensors())).pose;
  while (!graph_.nodes()[pose].is_final) {
    const std::vector<PoseTransition>& next = graph_.nodes()[pose].next;
    const bool again = std::ranges::find(order_, pose) != order_.end();
    if (again || next.size() != 1 || next.front().sensor) {
      throw BadInput({"pose[" + std::to_string(pose) + "]",
                      "a spline leads through poses that follow each other by time up to a final "
                      "one; pose '" +
                          graph_.nodes()[pose].pose.name +
                          (again ? "' comes again" : "' waits for a sensor"),
                      "set interpolation = \"smoothstep\""});
    }
    order_.push_back(pose);
    times_.push_back(times_.back() + next.front().after);
    pose = next.front().to;
  }
}

void HingeControl::MakeSpline() {
  Eigen::Matrix3Xd keys = from_.replicate(1, static_cast<Eigen::Index>(times_.size()));
  for (size_t k = 0; k < order_.size(); ++k) {
    const Eigen::VectorXd& targets = graph_.nodes()[order_[k]].pose.targets;
    for (size_t i = 0; i < servos_.size(); ++i) {
      keys(servos_[i].coordinate, static_cast<Eigen::Index>(k) + 1) =
          targets[static_cast<Eigen::Index>(i)];
    }
  }
  spline_.emplace(times_, std::move(keys), Path::Interpolation::kCubic);
}

void HingeControl::Start(double time, const LampVector& q, const PointsRef& x) {
  if (feels()) sensors_.Read(time, x, &readings_);
  state_ = graph_.Start(time, readings_);
  from_ = q.tail<3>();
  if (splined()) MakeSpline();
}

void HingeControl::Update(double time, double step, const LampVector& q, const PointsRef& x) {
  if (feels()) sensors_.Read(time, x, &readings_);
  if (graph_.Advance(time, step, readings_, &state_) && !splined()) from_ = q.tail<3>();
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
    const Eigen::Vector2d& from =
        options_.distance == CorrectionDistance::kHinge ? links[link].origin : links[link].centre;
    const double distance = (from - centre).norm() * duration;
    const double speed = options_.speed * lamp.link(link).mass / distance;
    rates[link] = std::abs(lack) <= options_.dead_band ? 0.0 : std::copysign(speed, lack) * sense;
  }
  for (int i = 0; i < kLampHinges; ++i) (*v)[3 + i] = rates[i + 1] - rates[i];
}

HingeControl::Reference HingeControl::ReferenceAt(double time) const {
  if (splined()) {
    const auto place = std::ranges::find(order_, state_.pose) - order_.begin();
    if (place < std::ssize(order_)) {
      const PathPoint at = spline_->At(times_[place] + (time - state_.since));
      return {at.position, at.velocity};
    }
  }
  double way = 1.0, way_rate = 0.0;  // progress to the pose, 0 to 1
  if (options_.timed) {
    if (const std::optional<double> duration = Duration()) {
      const double s = std::clamp((time - state_.since) / *duration, 0.0, 1.0);
      way = s * s * (3.0 - 2.0 * s);
      way_rate = 6.0 * s * (1.0 - s) / *duration;
    }
  }
  const Eigen::VectorXd& targets = graph_.Targets(state_);
  Reference reference{from_, LampAngles::Zero()};
  for (size_t i = 0; i < servos_.size(); ++i) {
    const int hinge = servos_[i].coordinate;
    const double distance = targets[static_cast<Eigen::Index>(i)] - from_[hinge];
    reference.angles[hinge] = from_[hinge] + way * distance;
    reference.rates[hinge] = way_rate * distance;
  }
  return reference;
}

HingeTorques HingeControl::Torques(const Lamp& lamp, double end, double step, bool carried,
                                   const LampPlacement& placement, const LampVector& q,
                                   const LampVector& v) const {
  LampAngles held = LampAngles::Zero();  // against gravity
  if (carried && options_.gravity_compensation) {
    double moment = 0.0;
    for (int j = kLampLinks - 1; j > 0; --j) {
      moment -= lamp.first_moment(j) * lamp.gravity() * placement.sine[j];
      held[j - 1] = moment;
    }
  }
  const Reference reference = ReferenceAt(end);
  HingeTorques torques;
  for (const PdServo& servo : servos_) {
    const int hinge = servo.coordinate;
    const double rate = v[3 + hinge];
    const double torque = servo.stiffness * (reference.angles[hinge] - q[3 + hinge] - step * rate) +
                          servo.damping * (reference.rates[hinge] - rate) + held[hinge];
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
  if (splined()) MakeSpline();
}

}  // namespace pliant::articulated_lamp
