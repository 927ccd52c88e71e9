// The start of a simulation by displacement constraints: nails and attachments on all levels, the
// initial assembly [Palazzi 1993, Sec. 3.4], velocities.

#include "solvers/displacement_constraints/displacement_simulation.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Vector3d;

constexpr int kAssemblySweeps = 2000;

}  // namespace

WeightedPoint DisplacementConstraintsSimulation::SeenFrom(int l, int point) const {
  return l == 0 ? WeightedPoint::Of(point) : grids_->SeenFrom(l, point);
}

void DisplacementConstraintsSimulation::MakeHolds() {
  const std::vector<Hold> holds = HoldsOf(scene());
  for (size_t l = 0; l < levels_.size(); ++l) {
    if (levels_[l].hold_share == 0.0) continue;
    levels_[l].holds = holds;
    for (Hold& hold : levels_[l].holds) SeeFrom(static_cast<int>(l), &hold);
  }
}

void DisplacementConstraintsSimulation::SeeFrom(int l, Hold* hold) const {
  hold->at = SeenFrom(l, hold->point);
  if (!hold->nail()) hold->at_to = SeenFrom(l, hold->to);
}

void DisplacementConstraintsSimulation::Assemble() {
  Corrector corrector = CorrectorOf(0);
  PieceMover mover(corrector, rigid_);
  SwitchHolds(time());
  SetHoldGoals(0, time());
  guides_.Begin();
  WorstMisfit worst = FindWorst(0, time(), mover);
  for (int i = 0; i < kAssemblySweeps && worst.size > levels_[0].tolerance; ++i) {
    AtPreparation("assembly, sweep", i, kAssemblySweeps);
    Sweep(0, i, time(), corrector, mover);
    worst = FindWorst(0, time(), mover);
  }
  assembly_gap_ = worst.size;
  corrector.NormaliseAxes();
  TakePositions();
}

// Rigid motion of each body about its centre of mass; all of it on level 0. Rigid pieces have
// theirs already.
void DisplacementConstraintsSimulation::SetInitialVelocities() {
  SegmentSystem& segments = levels_[0].segments;
  const bool thin = options_.inertia != SegmentInertia::kIdentity;
  std::vector<const Body*> body_of_point;
  std::vector<Vector3d> centre_of_point;  // the centre of mass of its body
  for (const Body& body : scene().bodies) {
    const auto offset = static_cast<Eigen::Index>(body_of_point.size());
    const Vector3d centre =
        levels_[0].start.middleCols(offset, body.size()) * body.mass / body.mass.sum();
    body_of_point.insert(body_of_point.end(), body.size(), &body);
    centre_of_point.insert(centre_of_point.end(), body.size(), centre);
  }
  for (int s = 0; s < segments.net().segments(); ++s) {
    if (!segments.net().IsThere(s)) continue;
    const int point = segments.net().edges()[s][0];
    const Body& body = *body_of_point[point];
    const Vector3d axis = segments.axes.col(s),
                   arm = segments.centres.col(s) - centre_of_point[point];
    const Vector3d& spin = body.angular_velocity;
    segments.velocities.col(s) = body.velocity + spin.cross(arm);
    segments.spins.col(s) = thin ? Vector3d(spin - spin.dot(axis) * axis) : spin;
  }
}

}  // namespace pliant::displacement_constraints
