// Control of a body: key frames, servos, a morph, and weight that is not noticed. The part of
// DynamicFfdSystem that deals with control.

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

using Eigen::VectorXd;

void DynamicFfdSystem::AddControl(ModeControl control) {
  assert(control_of_[control.body()] < 0);
  control_of_[control.body()] = static_cast<int>(controls_.size());
  controls_.push_back(std::move(control));
}

void DynamicFfdSystem::RemoveControls() {
  controls_.clear();
  control_of_.assign(parts_.size(), -1);
}

void DynamicFfdSystem::AddKeyFrames(KeyFramedBody key_frames) {
  assert(key_frames_of_[key_frames.part()] < 0);
  key_frames_of_[key_frames.part()] = static_cast<int>(key_frames_.size());
  key_frames_.push_back(std::move(key_frames));
}

// Prescribed motion works against all other forces on the body. Gravity, inertia and the potentials
// of its modes are not included here: their part is the change of the body's energy, in EndStep().
void DynamicFfdSystem::LeadPart(size_t b, double t, const VectorXd& q, const VectorXd& v,
                                VectorXd* a, Exchange* power) {
  const FfdPart& part = parts_[b];
  const auto v_part = Velocities(part, v);
  auto a_part = Velocities(part, a);
  const auto gamma_dot = v_part.tail(part.body.modes());
  double lost = gamma_dot.dot(part.damping.lazyProduct(gamma_dot));
  if (part.material) {
    lost -= part.material->ViscousPower(Coordinates(part, q).tail(part.body.modes()), gamma_dot,
                                        gamma_dot);
    if (MassDamping(part) > 0.0) {
      lost +=
          MassDamping(part) * v_part.dot(part.inertia->MassMatrix(Coordinates(part, q)) * v_part);
    }
  }
  (*power)[WorkClass::kDamping] -= lost;
  (*power)[WorkClass::kControl] += lost - a_part.dot(v_part);
  led_q_.resize(part.body.coordinates());
  led_v_.resize(part.body.velocities());
  key_frames_[key_frames_of_[b]].At(part.body, t, led_q_, led_v_, a_part);
}

// The general case: bodies that have not noticed that they should fall, and bodies that morph.
void DynamicFfdSystem::AcceleratePart(size_t b, double t, const VectorXd& q, const VectorXd& v,
                                      VectorXd* a, Exchange* power) {
  const FfdPart& part = parts_[b];
  const auto q_part = Coordinates(part, q);
  const auto v_part = Velocities(part, v);
  auto a_part = Velocities(part, a);
  Eigen::Vector3d gravity = forces_.gravity().acceleration();
  if (FindHeldUp(b, q)) {
    (*power)[WorkClass::kControl] -= held_up_.dot(v_part);
    gravity.setZero();
  }
  const bool feels_weight = !gravity.isZero(0.0);
  const int driven = part.body.driven();
  assert(driven <= 1);  // a body has one morph
  double given = 0.0;   // force on the driven amplitude
  if (driven > 0)
    given = std::exchange(a_part.tail<1>()[0], scene_->morphs[morph_of_[b]].At(t).acceleration);
  if (!part.inertia->Accelerate(q_part, v_part, gravity, a_part)) {
    CannotFactorise(part, q);
    a_part.setConstant(std::numeric_limits<double>::quiet_NaN());
    return;
  }
  if (feels_weight) AddWeight(part, q, power);
  if (driven == 0 || (v_part.tail<1>()[0] == 0.0 && a_part.tail<1>()[0] == 0.0)) return;
  // The driving force is the remainder in the row of the driven amplitude.
  held_up_.setZero(a_part.size());
  part.inertia->AddGravity(gravity, held_up_);
  part.inertia->AddVelocityForces(v_part, held_up_);
  const double needed = part.inertia->MassMatrix(q_part).bottomRows(1).row(0).dot(a_part);
  overcome_[b] = given + held_up_.tail<1>()[0];
  (*power)[WorkClass::kControl] += (needed - overcome_[b]) * v_part.tail<1>()[0];
}

bool DynamicFfdSystem::FindHeldUp(size_t b, const VectorXd& q) {
  if (noticing_of_[b] < 0 || !noticing_[noticing_of_[b]].weightless()) return false;
  const FfdPart& part = parts_[b];
  part.inertia->Place(Coordinates(part, q));
  held_up_.setZero(part.body.velocities());
  part.inertia->AddGravity(forces_.gravity().acceleration(), held_up_);
  return true;
}

void DynamicFfdSystem::StartControl(double t, VectorXd* q, VectorXd* v) {
  VectorXd a(velocities_);
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    auto q_part = q->segment(part.first_q, part.body.coordinates());
    if (key_frames_of_[b] >= 0) {
      key_frames_[key_frames_of_[b]].At(part.body, t, q_part, Velocities(part, v),
                                        Velocities(part, &a));
    } else if (morph_of_[b] >= 0) {
      q_part.tail<1>()[0] = scene_->morphs[morph_of_[b]].At(t).value;
      Velocities(part, v).tail<1>()[0] = scene_->morphs[morph_of_[b]].At(t).rate;
    }
  }
  PlaceFelt(*q);
  UpdateNoticing(t, 0.0, *q);
  for (ModeControl& control : controls_) control.Start(t, x_);
}

void DynamicFfdSystem::BeginStep(double t, double step, const VectorXd& q, const VectorXd& v) {
  for (const KeyFramedBody& key_frames : key_frames_) {
    const size_t b = key_frames.part();
    led_[b] = key_frames.Leads(t, step);
    if (led_[b]) energy_before_[b] = PartEnergy(parts_[b], q, v);
  }
}

void DynamicFfdSystem::EndStep(double t, VectorXd* q, VectorXd* v, Exchange* work) {
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    auto q_part = q->segment(part.first_q, part.body.coordinates());
    if (led_[b]) {
      led_v_.resize(part.body.velocities());
      key_frames_[key_frames_of_[b]].At(part.body, t, q_part, Velocities(part, v), led_v_);
      (*work)[WorkClass::kControl] += PartEnergy(part, *q, *v) - energy_before_[b];
    } else if (morph_of_[b] >= 0) {
      const Morph::Fraction fraction = scene_->morphs[morph_of_[b]].At(t);
      q_part.tail<1>()[0] = fraction.value;
      Velocities(part, v).tail<1>()[0] = fraction.rate;
    }
  }
}

bool DynamicFfdSystem::UpdateControl(double t, double step, const VectorXd& q) {
  if (controls_.empty() && noticing_.empty()) return false;
  PlaceFelt(q);
  UpdateNoticing(t, step, q);
  bool changed = false;
  for (ModeControl& control : controls_) {
    // The graph of a body with key frames begins when the body is free.
    if (led_[control.body()]) {
      control.Start(t, x_);
    } else {
      changed = control.Update(t, step, x_) || changed;
    }
  }
  return changed;
}

void DynamicFfdSystem::PlaceFelt(const VectorXd& q) {
  const bool felt =
      !noticing_.empty() || std::any_of(controls_.begin(), controls_.end(),
                                        [](const ModeControl& control) { return control.feels(); });
  if (felt) Points(q, &x_);
}

void DynamicFfdSystem::UpdateNoticing(double t, double step, const VectorXd& q) {
  for (Noticing& noticing : noticing_) {
    const FfdPart& part = parts_[noticing.body()];
    noticing.Update(t, step, x_, part.body.Rotation(Coordinates(part, q)));
  }
}

double DynamicFfdSystem::PartEnergy(const FfdPart& part, const VectorXd& q, const VectorXd& v) {
  auto x = PointsOf(part, x_);
  auto x_dot = PointsOf(part, x_dot_);
  part.body.Points(Coordinates(part, q), x);
  part.body.PointVelocities(Coordinates(part, q), Velocities(part, v), x, x_dot);
  const VectorXd& m = part.body.masses();
  if (part.volume) {
    const MaterialSums sums = SumsOf(part, q, v);
    return sums.kinetic_energy + sums.gravitational_energy +
           ModeEnergyOf(part, Coordinates(part, q).tail(part.body.modes()));
  }
  return 0.5 * x_dot.colwise().squaredNorm().dot(m) + forces_.gravity().Energy(m, x) +
         ModeEnergyOf(part, Coordinates(part, q).tail(part.body.modes()));
}

int DynamicFfdSystem::ControlStateSize() const {
  int size = static_cast<int>(noticing_.size()) * Noticing::kStateSize;
  for (const ModeControl& control : controls_) size += control.StateSize();
  return size;
}

void DynamicFfdSystem::SaveControl(MutableVectorRef state) const {
  Eigen::Index at = 0;
  for (const ModeControl& control : controls_) {
    control.Save(state.segment(at, control.StateSize()));
    at += control.StateSize();
  }
  for (const Noticing& noticing : noticing_) {
    noticing.Save(state.segment(at, Noticing::kStateSize));
    at += Noticing::kStateSize;
  }
}

void DynamicFfdSystem::RestoreControl(const VectorRef& state) {
  Eigen::Index at = 0;
  for (ModeControl& control : controls_) {
    control.Restore(state.segment(at, control.StateSize()));
    at += control.StateSize();
  }
  for (Noticing& noticing : noticing_) {
    noticing.Restore(state.segment(at, Noticing::kStateSize));
    at += Noticing::kStateSize;
  }
}

void DynamicFfdSystem::ModePowers(double t, const VectorXd& q, const VectorXd& v, VectorXd* power) {
  if (plan_) plan_->Place(t);
  power->setZero(modes_);
  Eigen::Index at = 0;
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    const int modes = part.body.modes();
    const auto gamma_dot = Velocities(part, v).tail(modes);
    auto of_part = power->segment(at, modes);
    AddModeForces(b, Coordinates(part, q).tail(modes), gamma_dot, of_part);
    of_part.array() *= gamma_dot.array();
    at += modes;
  }
}

}  // namespace pliant::dynamic_ffd
