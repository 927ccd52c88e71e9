// Transfers the state of a body from one set of modes to another, at an instant: coordinates and
// velocities of the new set that come nearest to the positions and velocities of the points,
//
//   q′ = argmin Σ m |x′(q′) − x|²,      v′ = argmin Σ m |J′ v′ − ẋ|²
//
// Translations are among the coordinates of either set, so that Σ m (J′ v′ − ẋ) = 0: the centre of
// mass and the linear momentum are kept, up to rounding, whatever the modes. So is Σ m x′ × ẋ: the
// angular momentum changes only by the lost part of the shape. This part takes its potential energy
// with it, and the kinetic energy that the new modes cannot represent; the latter never grows.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CHANGE_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CHANGE_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

struct CarriedState {
  Eigen::VectorXd q, v;
};

// (q, v) of `from` as a state of `to`: the same points and masses with other modes; (q, v) itself
// when the modes are the same. Driven amplitudes, of which both have as many, keep their values and
// rates. Gauss–Newton from the same place with γ = 0, each step halved until it comes nearer; it
// ends when the points move by less than 1e-14 of the size of the body, or after 30 steps. O(n D²)
// each.
CarriedState CarryOver(const FfdBody& from, const VectorRef& q, const VectorRef& v,
                       const FfdBody& to);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CHANGE_H_
