// The transfer between the levels of a simulation by displacement constraints: forces from fine to
// coarse, positions and velocities from coarse to fine (hierarchy.h).

#include "solvers/displacement_constraints/displacement_simulation.h"

namespace pliant::displacement_constraints {

using Eigen::Matrix3Xd;

// The fraction φ_ℓ of the forces restricted to level ℓ acts on it, spread over neighbours by the
// filter; the forces restricted further are not filtered [Palazzi 1993, Sec. 4.2.1]. Gravity acts
// on all segments of all levels alike.
void DisplacementConstraintsSimulation::SpreadOverLevels() {
  rigid_.SetForces(levels_[0].forces, scene().gravity);
  for (size_t l = 0; l < levels_.size(); ++l) {
    Level& level = levels_[l];
    const SegmentNet& net = level.segments.net();
    Matrix3Xd& felt = sums_[l].scratch;
    felt = level.forces;
    for (int p = 0; p < net.points(); ++p) {
      if (level.neighbours[p] > 0) felt.col(p) *= 1.0 - options_.filter_fraction;
    }
    if (options_.filter_fraction > 0.0) {
      for (int e = 0; e < level.filter_edges; ++e) {
        if (!net.IsThere(e)) continue;
        const auto [a, b] = net.edges()[e];
        felt.col(a) += (options_.filter_fraction / level.neighbours[b]) * level.forces.col(b);
        felt.col(b) += (options_.filter_fraction / level.neighbours[a]) * level.forces.col(a);
      }
    }
    level.segments.ClearForces();
    level.segments.AddPointForces(level.fraction, felt);
    level.segments.AddGravity(level.fraction * scene().gravity);
    if (!level.left_out.empty()) ApplyForcesOfMissingLevels(static_cast<int>(l));
    if (l + 1 == levels_.size()) break;
    felt = level.forces;
    grids_->Restrict(static_cast<int>(l), felt, levels_[l + 1].forces);
  }
}

void DisplacementConstraintsSimulation::Prolongate(int l) {
  Level &from = levels_[l], &to = levels_[l - 1];
  from.segments.Points(from.points);
  grids_->Prolongate(l - 1, Passed(l - 1), from.points, to.points);
  Balance(l - 1, GridLevels::Shift::kBack, &to.points);
  to.segments.Place(to.points);
  Show(StepPhase::kProlongation, l - 1);
}

void DisplacementConstraintsSimulation::TakePositions() {
  Level& finest = levels_[0];
  FinestPoints(&scratch_);
  displacements_ = scratch_ - finest.start;
  finest.start = scratch_;
  for (size_t l = 1; l < levels_.size(); ++l) {
    const int finer = static_cast<int>(l) - 1;
    if (grids_->keeps_momentum()) {
      levels_[finer].balanced = levels_[finer].start;
      Balance(finer, GridLevels::Shift::kForward, &levels_[finer].balanced);
    }
    grids_->Subsample(finer, Passed(finer), levels_[l].start);
    levels_[l].segments.PlaceAndMeasure(levels_[l].start);
  }
}

void DisplacementConstraintsSimulation::Balance(int l, GridLevels::Shift shift,
                                                Matrix3Xd* points) const {
  if (!grids_->keeps_momentum()) return;
  grids_->Balance(l, shift, *points, sums_[l].shifts, sums_[l + 1].shifts);
}

const Matrix3Xd& DisplacementConstraintsSimulation::Passed(int l) const {
  return grids_->keeps_momentum() ? levels_[l].balanced : levels_[l].start;
}

const Matrix3Xd& DisplacementConstraintsSimulation::Velocities() const {
  return SumOverLevels([this](const SegmentSystem& segments, Matrix3Xd* rates) {
    segments.PointVelocities(*rates);
    rigid_.PointVelocities(*rates);
  });
}

}  // namespace pliant::displacement_constraints
