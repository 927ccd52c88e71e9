#include "solvers/displacement_constraints/hold.h"

#include <Eigen/LU>

namespace pliant::displacement_constraints {

using Eigen::Vector3d;

bool HoldsThrough(const HoldTime& hold, double end) {
  return (hold.from <= 0.0 || hold.from < end) && end <= hold.until;
}

Vector3d Reach(const PointMover& mover, const Hold& hold) {
  const Vector3d at = mover.Point(hold.at);
  return hold.nail() ? at : Vector3d(at - mover.Point(hold.at_to));
}

void Pull(PointMover& mover, const Vector3d& impulse, Hold* hold) {
  mover.Push(hold->at, impulse);
  if (!hold->nail()) mover.Push(hold->at_to, -impulse);
  hold->impulse += impulse;
}

void AddHoldImpulses(const std::vector<Hold>& holds, MutablePointsRef impulses) {
  for (const Hold& hold : holds) {
    if (!hold.on) continue;
    impulses.col(hold.point) += hold.impulse;
    if (!hold.nail()) impulses.col(hold.to) -= hold.impulse;
  }
}

double Misfit(const PointMover& mover, const Hold& hold) {
  return hold.on ? (hold.goal - Reach(mover, hold)).norm() : 0.0;
}

void Relax(PointMover& mover, Hold* hold) {
  if (!hold->on) return;
  const Vector3d gap = hold->goal - Reach(mover, *hold);
  if (gap.isZero(0.0)) return;
  Eigen::Matrix3d mobility = mover.Mobility(hold->at);
  if (!hold->nail()) mobility += mover.Mobility(hold->at_to);
  Pull(mover, mobility.inverse() * gap, hold);
}

}  // namespace pliant::displacement_constraints
