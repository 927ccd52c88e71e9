#include "solvers/holds/hold.h"

#include <Eigen/LU>

namespace pliant {

using Eigen::Vector3d;

std::vector<Hold> HoldsOf(const Scene& scene) {
  std::vector<Hold> holds;
  const auto add = [&](size_t i, const PointRef& point) -> Hold& {
    Hold hold;
    hold.index = static_cast<int>(i);
    hold.point = scene.Index(point);
    hold.at = WeightedPoint::Of(hold.point);
    return holds.emplace_back(hold);
  };
  for (size_t i = 0; i < scene.nails.size(); ++i) add(i, scene.nails[i].point);
  for (size_t i = 0; i < scene.attachments.size(); ++i) {
    Hold& hold = add(i, scene.attachments[i].a);
    hold.to = scene.Index(scene.attachments[i].b);
    hold.at_to = WeightedPoint::Of(hold.to);
  }
  return holds;
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

void HeldImpulses::Keep(const std::vector<Hold>& holds) {
  impulses_.clear();
  for (const Hold& hold : holds) impulses_.push_back(hold.impulse);
}

void HeldImpulses::PutBack(std::vector<Hold>* holds) const {
  for (size_t i = 0; i < holds->size(); ++i) (*holds)[i].impulse = impulses_[i];
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

}  // namespace pliant
