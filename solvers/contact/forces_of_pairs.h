// The resultants of a tally as vectors.

#ifndef PLIANT_SOLVERS_CONTACT_FORCES_OF_PAIRS_H_
#define PLIANT_SOLVERS_CONTACT_FORCES_OF_PAIRS_H_

#include <Eigen/Core>

#include "solvers/contact/contact_tally.h"

namespace pliant {

// What was added to each pair since Begin(), 3×pairs.
inline Eigen::Matrix3Xd ForcesOfPairs(ContactTally* tally) {
  Eigen::Matrix3Xd forces(3, tally->pairs());
  for (int pair = 0; pair < tally->pairs(); ++pair) forces.col(pair) = tally->of_step(pair);
  return forces;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_FORCES_OF_PAIRS_H_
