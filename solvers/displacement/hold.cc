#include "solvers/displacement/hold.h"

#include <Eigen/LU>

namespace pliant {

using Eigen::Vector3d;

Vector3d Reach(const Corrector& corrector, const Hold& hold) {
  const Vector3d at = corrector.Point(hold.at);
  return hold.nail() ? at : Vector3d(at - corrector.Point(hold.at_to));
}

void Pull(Corrector& corrector, const Vector3d& impulse, Hold* hold) {
  corrector.Push(hold->at, impulse);
  if (!hold->nail()) corrector.Push(hold->at_to, -impulse);
  hold->impulse += impulse;
}

void Relax(Corrector& corrector, Hold* hold) {
  const Vector3d gap = hold->goal - Reach(corrector, *hold);
  if (gap.isZero(0.0)) return;
  Eigen::Matrix3d mobility = corrector.Mobility(hold->at);
  if (!hold->nail()) mobility += corrector.Mobility(hold->at_to);
  Pull(corrector, mobility.inverse() * gap, hold);
}

}  // namespace pliant
