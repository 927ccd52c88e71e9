// The observations and the saved state of a simulation by displacement constraints.

#include <algorithm>
#include <cmath>
#include <utility>

#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/displacement_constraints/phase_pictures.h"
#include "solvers/holds/held_points.h"

namespace pliant::displacement_constraints {

void DisplacementConstraintsSimulation::DoObserve(Observation* observation) const {
  const SegmentSystem& segments = levels_[0].segments;
  observation->points = levels_[0].start;
  observation->velocities = Velocities();
  observation->elastic_energy.reset();
  if (shape_.acts()) observation->elastic_energy = shape_.Energy(observation->points);
  observation->spring_energy.reset();
  if (scene_forces_.has_springs()) {
    observation->spring_energy = scene_forces_.SpringEnergy(observation->points);
  }

  double gap = segments.LargestGap().size, rate = segments.LargestGapRate().size;
  const auto& x = observation->points;
  const auto& v = *observation->velocities;
  const HeldGaps held = MeasureHeldGaps(scene(), time(), x, v);
  gap = std::max({gap, held.gap, guides_.FindWorst(time(), x).size});
  rate = std::max(rate, held.rate);
  ledger_.Show(scene(), gap, rate, observation);
}

std::vector<StepLimit> DisplacementConstraintsSimulation::StepLimits() const {
  if (options_.inertia != SegmentInertia::kLumped) return {};
  return StepLimitsOfSprings(scene(), options_);
}

void DisplacementConstraintsSimulation::ShowPhases(StepViewer viewer) {
  if (!viewer) {
    watcher_ = {};
    return;
  }
  watcher_ = [this, viewer = std::move(viewer)](const PhaseView& view) {
    if (view.phase != StepPhase::kSweep || IsShownSweep(view.sweeps)) {
      viewer(PictureOf(view, levels_[0].segments));
    }
  };
}

std::vector<MethodPieces> DisplacementConstraintsSimulation::Pieces() const {
  std::vector<MethodPieces> pieces;
  for (size_t l = levels_.size(); l-- > 0;) {
    const std::string of_level = levels_.size() > 1 ? " of level " + std::to_string(l) : "";
    pieces.push_back({"segments" + of_level, EndsOf(levels_[l].segments)});
  }
  return pieces;
}

std::vector<UnmetConstraint> DisplacementConstraintsSimulation::UnmetConstraints() const {
  const Level& finest = levels_[0];
  std::vector<UnmetConstraint> unmet;
  for (int p = 0; p < finest.segments.net().points(); ++p) {
    const double gap = finest.segments.GapAt(p);
    if (!(gap <= finest.tolerance)) {
      unmet.push_back({"joint at " + NameOfPoint(scene(), p), gap, "m"});
    }
  }
  AddUnmetHolds(scene(), time(), finest.start, finest.tolerance, &unmet);
  guides_.AddUnmet(time(), finest.start, finest.tolerance, &unmet);
  surfaces_.AddUnmet(scene(), time(), finest.start, &unmet);
  SortWorstFirst(&unmet);
  return unmet;
}

std::optional<Eigen::Matrix3Xd> DisplacementConstraintsSimulation::ConstraintForces() const {
  if (last_step_ == 0.0 || coarse_) return std::nullopt;
  Eigen::Matrix3Xd impulses = Eigen::Matrix3Xd::Zero(3, scene().PointCount());
  for (const Level& level : levels_) AddHoldImpulses(level.holds, impulses);
  guides_.AddSliderImpulses(impulses);
  return Eigen::Matrix3Xd(ShareTaken() / (last_step_ * last_step_) * impulses);
}

std::optional<Eigen::Matrix3Xd> DisplacementConstraintsSimulation::ContactForces() const {
  if (last_step_ == 0.0) return std::nullopt;
  Eigen::Matrix3Xd impulses = surfaces_.impulses();
  if (impulses.cols() == 0) impulses.setZero(3, scene().PointCount());
  for (const Level& level : levels_) {
    for (const Contact& contact : level.contacts) AddImpulse(contact, &impulses);
  }
  return Eigen::Matrix3Xd(ShareTaken() / (last_step_ * last_step_) * impulses);
}

double DisplacementConstraintsSimulation::ShareTaken() const {
  return options_.correction == CorrectionRule::kCorrected ? 1.0 : options_.translation_factor;
}

std::string DisplacementConstraintsSimulation::Describe(int l, const WorstMisfit& worst) const {
  const std::string where = l == 0 ? "" : " on level " + std::to_string(l);
  if (worst.kind != WorstMisfit::Kind::kBody) {
    return NameOfWorst(scene(), worst, CorrectionsOf(l)) + where;
  }
  const int point = l == 0 ? worst.index : grids_->FinestPoint(l, worst.index);
  return "joint at " + NameOfPoint(scene(), point) + where;
}

int DisplacementConstraintsSimulation::DoStateSize() const {
  int size = ledger_.numbers() + RigidPieces::kNumbers * rigid_.size() + nails_.numbers() +
             static_cast<int>(broken_.size());
  for (size_t l = 0; l < levels_.size(); ++l) {
    size += (l == 0 ? 12 : 6) * levels_[l].segments.net().segments();
    if (options_.warm_start > 0.0) {
      size += static_cast<int>(levels_[l].joint_forces.size() + 3 * levels_[l].holds.size());
    }
  }
  return size;
}

// Positions of the coarser levels follow from those of level 0.
void DisplacementConstraintsSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
  StateWriter write(state);
  for (const char broken : broken_) write(broken != 0 ? 1.0 : 0.0);
  write(levels_[0].segments.centres);
  write(levels_[0].segments.axes);
  for (const Level& level : levels_) {
    write(level.segments.velocities);
    write(level.segments.spins);
    if (options_.warm_start > 0.0) {
      write(level.joint_forces);
      for (const Hold& hold : level.holds) write(hold.force);
    }
  }
  nails_.Save(&write);
  rigid_.Save(&write);
  ledger_.Save(&write);
}

void DisplacementConstraintsSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  StateReader read(state);
  for (char& broken : broken_) broken = read() != 0.0 ? 1 : 0;
  if (!broken_.empty()) SetBroken();
  read(levels_[0].segments.centres);
  read(levels_[0].segments.axes);
  for (Level& level : levels_) {
    read(level.segments.velocities);
    read(level.segments.spins);
    if (options_.warm_start > 0.0) {
      read(level.joint_forces);
      for (Hold& hold : level.holds) read(hold.force);
    }
  }
  nails_.Restore(&read);
  rigid_.Restore(&read);
  ledger_.Restore(&read);
  TakePositions();
  last_step_ = 0.0;
}

}  // namespace pliant::displacement_constraints
