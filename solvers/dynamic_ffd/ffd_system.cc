#include "solvers/dynamic_ffd/ffd_system.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "solvers/dynamic_ffd/mode_limits.h"

namespace pliant::dynamic_ffd {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

DynamicFfdSystem::DynamicFfdSystem(std::shared_ptr<const Scene> scene, std::vector<FfdPart> parts,
                                   const PenaltyOptions& contact,
                                   const ConstraintSpringOptions& constraints)
    : scene_(std::move(scene)),
      parts_(std::move(parts)),
      forces_(*scene_),
      contact_(*scene_, contact),
      bodies_contact_(*scene_, contact),
      constraints_(*scene_, constraints) {
  int points = 0;
  for (FfdPart& part : parts_) {
    part.first_q = coordinates_;
    part.first_v = velocities_;
    part.first_point = points;
    coordinates_ += part.body.coordinates();
    velocities_ += part.body.velocities();
    modes_ += part.body.modes();
    points += part.body.points();
    bodies_.points.emplace_back(part.body);
  }
  for (Matrix3Xd* scratch : {&x_, &x_dot_, &point_forces_, &class_forces_, &other_}) {
    scratch->setZero(3, points);
  }
  at_rest_.setZero(velocities_);
  for (std::vector<int>* of : {&control_of_, &key_frames_of_, &noticing_of_, &morph_of_}) {
    of->assign(parts_.size(), -1);
  }
  led_.assign(parts_.size(), false);
  part_rates_.resize(parts_.size());
  energy_before_.assign(parts_.size(), 0.0);
  overcome_.assign(parts_.size(), 0.0);
  for (const Notice& notice : scene_->notices) {
    noticing_of_[notice.body] = static_cast<int>(noticing_.size());
    noticing_.emplace_back(scene_, notice);
  }
  for (size_t i = 0; i < scene_->morphs.size(); ++i) {
    const int body = scene_->morphs[i].body;
    if (parts_[body].body.driven() > 0) morph_of_[body] = static_cast<int>(i);
  }
  FindHeldPoints();
  FindUncoupled();
}

void DynamicFfdSystem::FindUncoupled() {
  for (const FfdPart& part : parts_) {
    Eigen::MatrixX2d& constants = uncoupled_.emplace_back();
    if (!part.stiffness.isDiagonal(0.0) || !part.damping.isDiagonal(0.0)) continue;
    constants.resize(part.body.modes(), 2);
    constants.col(0) = 2.0 * part.stiffness.diagonal();
    constants.col(1) = part.damping.diagonal();
  }
}

template <typename Visit>
void DynamicFfdSystem::ForEachPart(const Visit& visit) {
  const size_t parts = parts_.size(), pieces = std::min<size_t>(parts, 4 * team_.threads());
  team_.Run(static_cast<int>(pieces), [&](int piece, int) {
    const size_t end = parts * (piece + 1) / pieces;
    for (size_t b = parts * piece / pieces; b < end; ++b) visit(b);
  });
}

void DynamicFfdSystem::Locate(const VectorXd& q) {
  if (bodies_.version > 0 && q == placed_q_) return;
  ForEachPart([&](size_t b) { bodies_.points[b].Place(Coordinates(parts_[b], q)); });
  placed_q_ = q;
  ++bodies_.version;
}

DynamicFfdSystem::PartRates DynamicFfdSystem::AccelerateAlone(size_t b, const VectorXd& q,
                                                              const VectorXd& v, VectorXd* a) {
  const FfdPart& part = parts_[b];
  const auto q_part = Coordinates(part, q);
  const auto v_part = Velocities(part, v);
  auto a_part = Velocities(part, a);
  const int modes = part.body.modes();
  const ModePowerOf of_modes =
      AddModeForces(b, q_part.tail(modes), v_part.tail(modes), a_part.tail(modes));
  if (!IsAlone(b)) return {of_modes, false};
  const bool solved =
      part.inertia->Accelerate(q_part, v_part, forces_.gravity().acceleration(), a_part);
  if (!solved) a_part.setConstant(std::numeric_limits<double>::quiet_NaN());
  return {of_modes, !solved};
}

// What parts do by themselves is shared among threads; their sums are made in the order of the parts.
void DynamicFfdSystem::Rates(double t, const VectorXd& q, const VectorXd& v, VectorXd* a,
                             Exchange* power) {
  if (plan_) plan_->Place(t);
  a->setZero(velocities_);
  if (!held_.empty() || !contact_.empty()) Locate(q);
  if (!held_.empty()) AddForcesOnHeldPoints(t, v, a, power);
  if (!contact_.empty()) contact_.AddForces(t, parts_, bodies_, v, a, power);
  if (!bodies_contact_.empty()) AddBodyContact(t, q, v, a, power);
  ForEachPart([&](size_t b) {
    if (!led_[b]) part_rates_[b] = AccelerateAlone(b, q, v, a);
  });
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    if (led_[b]) {
      LeadPart(b, t, q, v, a, power);
      continue;
    }
    (*power)[WorkClass::kDamping] += part_rates_[b].of_modes.damping;
    (*power)[WorkClass::kControl] += part_rates_[b].of_modes.control;
    if (!IsAlone(b)) {
      AcceleratePart(b, t, q, v, a, power);
    } else if (part_rates_[b].singular) {
      CannotFactorise(part, q);
    } else {
      AddWeight(part, q, power);
    }
    if (MassDamping(part) > 0.0) AddMassDamping(part, q, v, a, power);
  }
}

void DynamicFfdSystem::AddForceOf(const FfdPart& part, const VectorXd& q, const VectorXd& Q,
                                  Exchange* rates) {
  const bool planar = part.body.dimension() == 2;
  const Vector3d force = planar ? Vector3d(Q[0], Q[1], 0.0) : Vector3d(Q.head<3>());
  const Vector3d torque = planar ? Vector3d(0.0, 0.0, Q[2]) : Vector3d(Q.segment<3>(3));
  const auto q_part = Coordinates(part, q);
  const Vector3d origin = planar ? Vector3d(q_part[0], q_part[1], 0.0) : Vector3d(q_part.head<3>());
  rates->AddForceAt(origin, force);
  rates->angular_impulse += torque;
}

void DynamicFfdSystem::AddWeight(const FfdPart& part, const VectorXd& q, Exchange* rates) {
  if (!forces_.gravity().acts()) return;
  weight_.setZero(part.body.velocities());
  part.inertia->AddGravity(forces_.gravity().acceleration(), weight_);
  AddForceOf(part, q, weight_, rates);
}

void DynamicFfdSystem::AddPowerAt(double t, const VectorXd& q, const VectorXd& v,
                                  const VectorXd& other, Exchange* power) {
  const VectorXd* of_free = &other;
  if (!key_frames_.empty()) {
    of_free_ = other;
    for (size_t b = 0; b < parts_.size(); ++b) {
      if (led_[b]) Velocities(parts_[b], &of_free_).setZero();
    }
    of_free = &of_free_;
  }
  if (!held_.empty()) AddPowerOnHeldPointsAt(t, *of_free, power);
  if (!contact_.empty()) {
    (*power)[WorkClass::kContact] += contact_.PowerAt(parts_, bodies_, *of_free);
  }
  if (!bodies_contact_.empty()) (*power)[WorkClass::kContact] += PowerOfBodyContact(q, *of_free);
  for (size_t b = 0; b < parts_.size(); ++b) {
    if (!led_[b]) AddPartPowerAt(b, q, v, other, power);
  }
}

void DynamicFfdSystem::AddPartPowerAt(size_t b, const VectorXd& q, const VectorXd& v,
                                      const VectorXd& other, Exchange* power) {
  const FfdPart& part = parts_[b];
  const int modes = part.body.modes();
  const auto gamma_dot = Velocities(part, v).tail(modes);
  const auto other_dot = Velocities(part, other).tail(modes);
  if (const Eigen::MatrixX2d& constants = uncoupled_[b]; constants.rows() > 0) {
    for (Eigen::Index k = 0; k < constants.rows(); ++k) {
      (*power)[WorkClass::kDamping] -= constants(k, 1) * gamma_dot[k] * other_dot[k];
    }
  } else {
    (*power)[WorkClass::kDamping] -= other_dot.dot(part.damping.lazyProduct(gamma_dot));
  }
  if (part.material) {
    (*power)[WorkClass::kDamping] +=
        part.material->ViscousPower(Coordinates(part, q).tail(modes), gamma_dot, other_dot);
    if (MassDamping(part) > 0.0) {
      const VectorXd momentum =
          part.inertia->MassMatrix(Coordinates(part, q)) * Velocities(part, v);
      (*power)[WorkClass::kDamping] -= MassDamping(part) * momentum.dot(Velocities(part, other));
    }
  }
  if (control_of_[b] >= 0) {
    (*power)[WorkClass::kControl] +=
        controls_[control_of_[b]].PowerAt(Coordinates(part, q).tail(modes), gamma_dot, other_dot);
  }
  if (plan_) {
    (*power)[WorkClass::kControl] +=
        plan_->PowerAt(Coordinates(part, q).tail(modes), gamma_dot, other_dot);
  }
  if (FindHeldUp(b, q)) {
    (*power)[WorkClass::kControl] -= held_up_.dot(Velocities(part, other));
  }
  // Against inertia a morph works at its own rate, which depends on time and ends at zero.
  if (morph_of_[b] >= 0) {
    (*power)[WorkClass::kControl] -= overcome_[b] * other_dot.tail<1>()[0];
  }
}

DynamicFfdSystem::ModePowerOf DynamicFfdSystem::AddModeForces(size_t b, const VectorRef& gamma,
                                                              const VectorRef& gamma_dot,
                                                              MutableVectorRef forces) const {
  const FfdPart& part = parts_[b];
  ModePowerOf power{0.0, 0.0};
  if (const Eigen::MatrixX2d& constants = uncoupled_[b]; constants.rows() > 0) {
    for (Eigen::Index k = 0; k < constants.rows(); ++k) {
      const double damping = constants(k, 1) * gamma_dot[k];
      forces[k] -= constants(k, 0) * gamma[k] + damping;
      power.damping -= gamma_dot[k] * damping;
    }
  } else {
    forces -= 2.0 * part.stiffness.lazyProduct(gamma) + part.damping.lazyProduct(gamma_dot);
    power.damping = -gamma_dot.dot(part.damping.lazyProduct(gamma_dot));
  }
  if (!part.powers.empty()) AddPowerForces(part.powers, gamma, forces);
  if (part.material) power.damping += part.material->AddForces(gamma, gamma_dot, forces);
  if (control_of_[b] >= 0) {
    power.control = controls_[control_of_[b]].AddForces(gamma, gamma_dot, forces);
  }
  if (plan_) power.control += plan_->AddForces(gamma, gamma_dot, forces);
  return power;
}

void DynamicFfdSystem::ApplyImpulses(const VectorXd& q, const PointsRef& p, VectorXd* v,
                                     Exchange* work) {
  Points(q, &x_);
  VectorXd impulse = VectorXd::Zero(velocities_);
  Matrix3Xd local;
  for (const FfdPart& part : parts_) {
    part.body.AddGeneralizedForces(Coordinates(part, q), PointsOf(part, x_), PointsOf(part, p),
                                   &local, Velocities(part, &impulse));
  }
  // Jᵀp·v is Σ p·ẋ, so the work needs no point velocities.
  for (Eigen::Index i = 0; i < p.cols(); ++i) work->AddForceAt(x_.col(i), p.col(i));
  (*work)[WorkClass::kImpulse] += 0.5 * impulse.dot(*v);
  VectorXd change = impulse;
  for (const FfdPart& part : parts_) {
    const int driven = part.body.driven();
    Velocities(part, &change).tail(driven).setZero();  // a driven amplitude keeps its rate
    // Without velocities and gravity only the impulse accelerates.
    if (!part.inertia->Accelerate(Coordinates(part, q), Velocities(part, at_rest_),
                                  Eigen::Vector3d::Zero(), Velocities(part, &change))) {
      CannotFactorise(part, q);
    }
    if (driven == 0) continue;
    const VectorXd needed = part.inertia->MassMatrix(Coordinates(part, q)).bottomRows(driven) *
                            Velocities(part, change);
    (*work)[WorkClass::kControl] +=
        (needed - Velocities(part, impulse).tail(driven)).dot(Velocities(part, *v).tail(driven));
  }
  *v += change;
  (*work)[WorkClass::kImpulse] += 0.5 * impulse.dot(*v);
}

double DynamicFfdSystem::Energy(double t, const VectorXd& q, const VectorXd& v) {
  Points(q, &x_);
  PointVelocities(q, v, x_, &x_dot_);
  double of_bodies = 0.0;
  if (has_mass_between_points()) {
    for (const FfdPart& part : parts_) {
      const MaterialSums sums = SumsOf(part, q, v);
      of_bodies += sums.kinetic_energy + sums.gravitational_energy;
    }
  } else {
    of_bodies = 0.5 * x_dot_.colwise().squaredNorm().dot(forces_.masses()) +
                forces_.GravitationalEnergy(x_);
  }
  return of_bodies + ModeEnergy(q) + forces_.SpringEnergy(x_) + constraints_.Energy(t, x_) +
         ContactEnergy(t, x_);
}

void DynamicFfdSystem::HoldLimits(double t, VectorXd* q, VectorXd* v, Exchange* work) {
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    if (part.lower.size() == 0 || led_[b]) continue;
    auto q_part = q->segment(part.first_q, part.body.coordinates());
    auto v_part = Velocities(part, v);
    if (!MeetsLimit(part, q_part, v_part)) continue;
    const double before = Energy(t, *q, *v);
    if (!StopAtLimits(part, q_part, v_part)) singular_ = &part;
    (*work)[WorkClass::kDamping] += Energy(t, *q, *v) - before;
  }
}

void DynamicFfdSystem::CannotFactorise(const FfdPart& part, const VectorXd& q) {
  const auto amplitudes = Coordinates(part, q).tail(part.body.modes());
  if ((amplitudes.array().abs() <= kLargestAmplitude).all()) singular_ = &part;
}

const FfdPart* DynamicFfdSystem::TakeSingular() { return std::exchange(singular_, nullptr); }

void DynamicFfdSystem::ConfigurationRate(const VectorXd& q, const VectorXd& v,
                                         VectorXd* q_dot) const {
  q_dot->resize(coordinates_);
  for (const FfdPart& part : parts_) {
    part.body.ConfigurationRate(Coordinates(part, q), Velocities(part, v),
                                q_dot->segment(part.first_q, part.body.coordinates()));
  }
}

void DynamicFfdSystem::Project(VectorXd* q) const {
  for (const FfdPart& part : parts_) {
    part.body.Normalize(q->segment(part.first_q, part.body.coordinates()));
  }
}

void DynamicFfdSystem::Points(const VectorXd& q, Matrix3Xd* x) const {
  x->resize(3, forces_.masses().size());
  for (const FfdPart& part : parts_) {
    part.body.Points(Coordinates(part, q), PointsOf(part, *x));
  }
}

void DynamicFfdSystem::PointVelocities(const VectorXd& q, const VectorXd& v, const Matrix3Xd& x,
                                       Matrix3Xd* x_dot) const {
  x_dot->resize(3, forces_.masses().size());
  for (const FfdPart& part : parts_) {
    part.body.PointVelocities(Coordinates(part, q), Velocities(part, v), PointsOf(part, x),
                              PointsOf(part, *x_dot));
  }
}

double DynamicFfdSystem::ModeEnergy(const VectorXd& q) const {
  double energy = 0.0;
  for (const FfdPart& part : parts_) {
    energy += ModeEnergyOf(part, Coordinates(part, q).tail(part.body.modes()));
  }
  return energy;
}

double DynamicFfdSystem::ModeEnergyOf(const FfdPart& part, const VectorRef& gamma) {
  const double energy =
      gamma.dot(part.stiffness.lazyProduct(gamma)) + PowerEnergy(part.powers, gamma);
  return part.material ? energy + part.material->Energy(gamma) : energy;
}

}  // namespace pliant::dynamic_ffd
