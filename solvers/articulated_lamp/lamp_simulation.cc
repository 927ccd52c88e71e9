#include "solvers/articulated_lamp/lamp_simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector3d;

// Beyond this a run has diverged: nothing in a scene is at the scale of planets.
constexpr double kLargestValue = 1e9;

// The floor supports a lamp whose base is this close to it, in half widths of the base.
constexpr double kCarried = 1e-3;
// It touches an end of the base this close to it. A base that falls is not there before its rates have jumped.
constexpr double kTouches = 1e-6;
constexpr double kSameTime =
    1e-9;  // s, by which rounding may put the end of a step before a plan is due

}  // namespace

ArticulatedLampSimulation::ArticulatedLampSimulation(
    std::shared_ptr<const Scene> scene, LampBody body, LampStepper stepper, const HingeStops& stops,
    std::optional<HingeControl> control, std::optional<PlannedJump> plan,
    std::optional<LinkContact> links, const HingeControlOptions& options, LampIntegrator integrator,
    std::optional<HeadLoad> load)
    : Simulation(std::move(scene)),
      body_(std::move(body)),
      stepper_(std::move(stepper)),
      stops_(stops),
      control_(std::move(control)),
      plan_(std::move(plan)),
      options_(options),
      integrator_(integrator),
      load_(std::move(load)),
      pushed_points_(PointsActedOn(this->scene())),
      scene_forces_(this->scene(), pushed_points_),
      links_(std::move(links)),
      q_(body_.q),
      v_(body_.v),
      x_(3, body_.local.cols()) {
  if (plan_) {
    plan_work_ = plan_->Work();
    cost_of_transport_ = plan_->CostOfTransport();
  }
  if (plan_ && plan_->loops()) {
    const PlannedJump::State first = plan_->At(0.0);
    q_ = first.q;
    v_ = first.v;
  }
  for (const std::string_view name : kHingeNames) energies_.push_back({std::string(name)});
  StartControl();
}

std::optional<PlanRecord> ArticulatedLampSimulation::plan_record() const {
  return plan_ ? std::optional(plan_->Record()) : std::nullopt;
}

void ArticulatedLampSimulation::StartControl() {
  if (!control_) return;
  if (control_->feels()) body_.Place(stepper_.lamp(), q_, x_);
  control_->Start(time(), q_, x_);
}

bool ArticulatedLampSimulation::Retune(const ParameterValues& parameters) {
  if (parameters.size() != 1 || parameters.begin()->first != "control") return false;
  const auto* table = ValueAs<ControlTable>(parameters.begin()->second);
  if (table == nullptr || !control_) return false;
  const auto shared = std::make_shared<const Scene>(scene());
  control_ = BindHingeControl(shared, *table, options_);
  StartControl();
  return true;
}

// The load of the middle of the step; what it takes from the lamp is booked as work of a force.
StepOutcome ArticulatedLampSimulation::DoAdvance(double step) {
  if (!load_) return AdvanceLoaded(step);
  const double mass = load_->MassAt(time() + 0.5 * step);
  if (!load_->IsCarriedBy(stepper_.lamp(), mass)) stepper_.SetMasses(load_->Carrying(mass));
  const HeadLoad::Held before = load_->At(mass, q_, v_);
  const StepOutcome outcome = AdvanceLoaded(step);
  const HeadLoad::Held after = load_->At(mass, q_, v_);
  work_[WorkClass::kForce] -= after.energy - before.energy;
  work_.impulse.head<2>() -= after.momentum - before.momentum;
  work_.angular_impulse.z() -= after.angular_momentum - before.angular_momentum;
  return outcome;
}

StepOutcome ArticulatedLampSimulation::AdvanceLoaded(double step) {
  const Lamp& lamp = stepper_.lamp();
  if (control_ && control_->sets_velocities()) {
    const double energy = KineticEnergy<double>(lamp, q_, v_);
    control_->SetVelocities(lamp, q_, &v_);
    work_[WorkClass::kControl] += KineticEnergy<double>(lamp, q_, v_) - energy;
  }
  last_step_ = step;
  if (plan_ && time() >= plan_->NextPlan() - kSameTime) {
    plan_->PlanAgain(time(), q_, v_, EndsDown(LampPlacement(q_), q_));
  }
  GatherPushes(step);
  if (integrator_ == LampIntegrator::kMidpoint) {
    AdvanceByMidpoint(step);
  } else {
    AdvanceByEuler(step);
  }
  // What has come in within the step is seen by the next.
  if (links_ && (!touch_.pushes.empty() || links_->rubs()))
    work_[WorkClass::kContact] += links_->Update(stepper_, q_, v_);
  for (int k = 0; k < kLampDof; ++k) {
    if (std::abs(q_[k]) <= kLargestValue && std::abs(v_[k]) <= kLargestValue) continue;
    return {StepOutcome::Kind::kDiverged, "motion of body '" + scene().bodies[0].name + "'"};
  }
  if (control_) {
    if (control_->feels()) body_.Place(lamp, q_, x_);
    control_->Update(StepEnd(), step, q_, x_);
  }
  return {};
}

void ArticulatedLampSimulation::GatherPushes(double step) {
  forces_.clear();
  impulses_.clear();
  if (pushed_points_.empty()) return;
  const auto gather = [this](const Eigen::Matrix3Xd& values, std::vector<LampPush>* pushes) {
    for (size_t i = 0; i < pushed_points_.size(); ++i) {
      const Eigen::Vector2d value = values.col(static_cast<Eigen::Index>(i)).head<2>();
      if (value.isZero(0.0)) continue;
      const int point = pushed_points_[i];
      int link = 0;
      while (point >= body_.first[link + 1]) ++link;
      pushes->push_back({link, body_.local.col(point), value});
    }
  };
  const auto points = static_cast<Eigen::Index>(pushed_points_.size());
  Eigen::Matrix3Xd values = Eigen::Matrix3Xd::Zero(3, points);
  scene_forces_.AddTimedForces(time(), values);
  gather(values, &forces_);
  values.setZero();
  if (!scene_forces_.AddImpulses(time(), StepEnd(), values)) return;
  // Semi-implicit Euler spreads an impulse over the step, in which the floor answers.
  if (integrator_ == LampIntegrator::kSemiImplicitEuler) values /= step;
  gather(values, &impulses_);
}

void ArticulatedLampSimulation::AdvanceByEuler(double step) {
  const LampPlacement placement(q_);
  StepPart part;
  part.begin = 0.0;
  part.length = step;
  part.q = q_;
  part.v = v_;
  part.servos = ServoTorques(time(), step, 1.0, placement, q_, v_);
  HingeTorques all = stops_.Torques(step, q_, v_, &part.stopped);
  all += part.servos;
  const LampPushes forces = PushesAt(placement, q_, v_);
  std::vector<LampPush> pushes(forces.begin(), forces.end());
  pushes.insert(pushes.end(), impulses_.begin(), impulses_.end());
  impulse_ = part.impulse = stepper_.Step(step, placement, all, &q_, &v_, pushes);
  part.after = v_;
  part.pushed = !impulses_.empty();
  Account(step, part);
  AccountMomentum(part, placement, part.q);
  AccountPushes(forces_, step, WorkClass::kForce, part, placement, part.q);
  AccountPushes(impulses_, step, WorkClass::kImpulse, part, placement, part.q);
  AccountTouch(part, placement, part.q);
}

void ArticulatedLampSimulation::AdvanceByMidpoint(double step) {
  impulse_.setZero();
  torques_.setZero();
  const auto law = [this](double begin, double length, const LampPlacement& placement,
                          const LampVector& q, const LampVector& v) {
    return ServoTorques(time() + begin, length, 0.5, placement, q, v);
  };
  const auto book = [this, step](const StepPart& part) {
    impulse_ += part.impulse;
    Account(step, part);
    const LampVector middle = part.q + 0.5 * part.length * part.v;
    const LampPlacement placement(middle);
    AccountMomentum(part, placement, middle);
    AccountPushes(forces_, part.length, WorkClass::kForce, part, placement, middle);
    if (part.pushed) AccountPushes(impulses_, 1.0, WorkClass::kImpulse, part, placement, middle);
    if (part.length > 0.0) AccountTouch(part, placement, middle);
  };
  const auto forces = [this](const LampPlacement& placement, const LampVector& q,
                             const LampVector& v) { return PushesAt(placement, q, v); };
  AdvanceLocated(step, stepper_, stops_, law, book, &q_, &v_, forces, impulses_);
}

LampPushes ArticulatedLampSimulation::PushesAt(const LampPlacement& placement, const LampVector& q,
                                               const LampVector& v) {
  if (!links_) return forces_;
  links_->Find(stepper_, placement, q, v, &touch_);
  if (touch_.pushes.empty()) return forces_;
  all_ = forces_;
  all_.insert(all_.end(), touch_.pushes.begin(), touch_.pushes.end());
  return all_;
}

int ArticulatedLampSimulation::EndsDown(const LampPlacement& placement, const LampVector& q) const {
  const double touching = kTouches * stepper_.lamp().parameters().half_width;
  const std::array<double, 2> gaps = stepper_.Gaps(placement, q);
  return (gaps[0] <= touching) + (gaps[1] <= touching);
}

HingeTorques ArticulatedLampSimulation::ServoTorques(double begin, double step, double share,
                                                     const LampPlacement& placement,
                                                     const LampVector& q,
                                                     const LampVector& v) const {
  const Lamp& lamp = stepper_.lamp();
  if (!plan_ && (!control_ || control_->sets_velocities())) return {};
  if (plan_) {
    return plan_->Torques(begin, step, options_.torque_limit, q, v, EndsDown(placement, q), share);
  }
  const double w = lamp.parameters().half_width;
  const bool carried = stepper_.Clearance(placement, q) <= kCarried * w;
  const double ahead = share * step;
  const double then = share == 1.0 ? StepEnd() : begin + ahead;
  HingeTorques torques = control_->Torques(lamp, then, ahead, carried, placement, q, v);
  torques.resistance *= share;
  return torques;
}

// The rates jump at an impact. This jump is not an acceleration, and would count more the shorter
// the step.
bool ArticulatedLampSimulation::IsImpact(double resting_speed, const StepPart& part) const {
  if (part.length == 0.0 || part.pushed) return true;
  if (part.impulse.isZero(0.0)) return false;
  const double approach = stepper_.lamp().parameters().half_width * std::abs(part.v[2]) -
                          Under().normal.dot(part.v.head<2>());
  return approach > resting_speed;
}

// The ground below the middle of the base; there is always ground.
const LampFloor& ArticulatedLampSimulation::Under() const {
  const LampFloor* under = stepper_.Under(q_.head<2>());
  return under != nullptr ? *under : stepper_.ground().front();
}

// For a constant mass matrix, the work of an impulse is exactly that along the mean of the
// velocities before and after.
void ArticulatedLampSimulation::Account(double step, const StepPart& part) {
  const double length = part.length;
  const LampAngles change = (part.after - part.v).tail<3>();
  const LampVector mean = 0.5 * (part.v + part.after);
  const LampAngles torques = part.servos.During(change);
  if (length == step) {
    torques_ = torques;
  } else {
    torques_ += length / step * torques;
  }
  torque_squares_ += length * torques.squaredNorm();
  const double resting_speed = LampStepper::kRestingSpeed * step * stepper_.lamp().gravity();
  if (!IsImpact(resting_speed, part)) acceleration_squares_ += change.squaredNorm() / length;
  if (plan_) {
    const LampAngles planned = plan_->PlannedTorques(time() + part.begin, length);
    tracking_squares_ += length * (torques - planned).squaredNorm();
  }
  const bool euler = integrator_ == LampIntegrator::kSemiImplicitEuler;
  for (int i = 0; i < kLampHinges; ++i) {
    const double work = length * torques[i] * mean[3 + i];
    energies_[i].work += work;
    energies_[i].spent += std::abs(work);
    work_[WorkClass::kControl] += work;
    if (part.stopped[i]) {  // the rate that the damper has seen
      const double rate = euler ? part.after[3 + i] : mean[3 + i];
      work_[WorkClass::kDamping] -= length * stops_.damping() * rate * mean[3 + i];
    }
  }
  work_[WorkClass::kContact] += part.impulse.dot(mean.head<3>());
}

// From outside come the weight and the impulse of the floor, both at `where`; torques of hinges are
// between links. Laws that set velocities make momentum, which nothing explains.
void ArticulatedLampSimulation::AccountMomentum(const StepPart& part,
                                                const LampPlacement& placement,
                                                const LampVector& where) {
  const Lamp& lamp = stepper_.lamp();
  const Vector3d& impulse = part.impulse;
  double centre = where.x();  // of mass, x
  for (int j = 0; j < kLampLinks; ++j) {
    centre += lamp.first_moment(j) / lamp.mass() * placement.sine[j];
  }
  const double weight = part.length * lamp.mass() * lamp.gravity();
  work_.impulse += Vector3d(impulse.x(), impulse.y() - weight, 0.0);
  work_.angular_impulse.z() +=
      where.x() * impulse.y() - where.y() * impulse.x() - impulse.z() - centre * weight;
}

void ArticulatedLampSimulation::AccountPushes(LampPushes pushes, double time, WorkClass work,
                                              const StepPart& part, const LampPlacement& placement,
                                              const LampVector& where) {
  if (pushes.empty()) return;
  const LampStepper::Pushed pushed = stepper_.Push(placement, pushes);
  work_[work] += time * pushed.Power(0.5 * (part.v + part.after));
  AddMomentum(pushed, time, where);
}

void ArticulatedLampSimulation::AccountTouch(const StepPart& part, const LampPlacement& placement,
                                             const LampVector& where) {
  if (touch_.pushes.empty()) return;
  work_[WorkClass::kContact] +=
      part.length * stepper_.Push(placement, touch_.working).Power(0.5 * (part.v + part.after));
  AddMomentum(stepper_.Push(placement, touch_.pushes), part.length, where);
}

void ArticulatedLampSimulation::AddMomentum(const LampStepper::Pushed& pushed, double time,
                                            const LampVector& where) {
  const Eigen::Vector2d impulse = time * pushed.sum;
  work_.impulse.head<2>() += impulse;
  work_.angular_impulse.z() +=
      where.x() * impulse.y() - where.y() * impulse.x() - time * pushed.links.sum();
}

}  // namespace pliant::articulated_lamp
