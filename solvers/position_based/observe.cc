// The observations and the saved state of a simulation of position-based dynamics.

#include <algorithm>
#include <cmath>

#include "solvers/holds/held_points.h"
#include "solvers/position_based/position_based_simulation.h"

namespace pliant::position_based {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

void PositionBasedSimulation::DoObserve(Observation* observation) const {
  observation->points = points_;
  observation->velocities = velocities_;
  observation->elastic_energy.reset();
  if (options_.compliance > 0.0 || loads_.has_shape()) {
    observation->elastic_energy = elastic_energy_ + loads_.ShapeEnergy(points_);
  }
  observation->spring_energy.reset();
  if (loads_.has_springs()) observation->spring_energy = loads_.SpringEnergy(points_);
  const HeldGaps held = MeasureHeldGaps(scene(), time(), points_, velocities_);
  double gap = std::max(held.gap, guides_.FindWorst(time(), points_).size), rate = held.rate;
  if (options_.compliance == 0.0) {  // else edges are springs
    solver_.strips().ForEachEdge([&](int e, int a, int b) {
      const Vector3d d = points_.col(b) - points_.col(a);
      const double distance = d.norm();
      gap = std::max(gap, std::abs(distance - solver_.strips().lengths()[e]));
      rate = std::max(rate, std::abs(d.dot(velocities_.col(b) - velocities_.col(a))) / distance);
    });
  }
  ledger_.Show(scene(), gap, rate, observation);
}

std::vector<UnmetConstraint> PositionBasedSimulation::UnmetConstraints() const {
  std::vector<UnmetConstraint> unmet;
  solver_.strips().ForEachEdge([&](int e, int a, int b) {
    const double misfit =
        std::abs((points_.col(b) - points_.col(a)).norm() - solver_.strips().lengths()[e]);
    if (options_.compliance > 0.0 || misfit <= tolerance_) return;
    unmet.push_back({Describe({WorstMisfit::Kind::kBody, e, misfit}), misfit, "m"});
  });
  AddUnmetHolds(scene(), time(), points_, tolerance_, &unmet);
  guides_.AddUnmet(time(), points_, tolerance_, &unmet);
  surfaces_.AddUnmet(scene(), time(), points_, &unmet);
  SortWorstFirst(&unmet);
  return unmet;
}

std::optional<Matrix3Xd> PositionBasedSimulation::ConstraintForces() const {
  if (last_step_ == 0.0 || coarse_) return std::nullopt;
  Matrix3Xd impulses = Matrix3Xd::Zero(3, points_.cols());
  AddHoldImpulses(holds_, impulses);
  guides_.AddSliderImpulses(impulses);
  for (const auto& [p, nail] : held_) impulses.col(p) += nail_impulses_.col(nail);
  return Matrix3Xd(impulses / (last_step_ * last_step_));
}

std::optional<Matrix3Xd> PositionBasedSimulation::ContactForces() const {
  if (last_step_ == 0.0) return std::nullopt;
  Matrix3Xd impulses = surfaces_.impulses();
  if (impulses.cols() == 0) impulses.setZero(3, points_.cols());
  for (const Contact& contact : contacts_) AddImpulse(contact, &impulses);
  return Matrix3Xd(impulses / (last_step_ * last_step_));
}

std::string PositionBasedSimulation::Describe(const WorstMisfit& worst) const {
  if (worst.kind != WorstMisfit::Kind::kBody) return NameOfWorst(scene(), worst, corrections());
  const auto [a, b] = solver_.strips().Ends(worst.index);
  return "length from " + NameOfPoint(scene(), a) + " to " + NameOfPoint(scene(), b);
}

int PositionBasedSimulation::DoStateSize() const {
  return static_cast<int>(points_.size() + velocities_.size() + broken_.size()) + 1 +
         nails_.numbers() + RigidPieces::kNumbers * rigid_.size() + ledger_.numbers();
}

void PositionBasedSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
  StateWriter write(state);
  write(points_);
  write(velocities_);
  for (const char broken : broken_) write(broken != 0 ? 1.0 : 0.0);
  write(elastic_energy_);
  nails_.Save(&write);
  rigid_.Save(&write);
  ledger_.Save(&write);
}

void PositionBasedSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  StateReader read(state);
  read(points_);
  read(velocities_);
  solver_.Mend();
  for (size_t e = 0; e < broken_.size(); ++e) {
    broken_[e] = read() != 0.0 ? 1 : 0;
    if (broken_[e] != 0) solver_.Break(static_cast<int>(e));
  }
  if (!broken_.empty()) RemoveTornFaces();
  elastic_energy_ = read();
  nails_.Restore(&read);
  rigid_.Restore(&read);
  ledger_.Restore(&read);
  last_step_ = 0.0;
}

}  // namespace pliant::position_based
