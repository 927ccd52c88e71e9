// The rules by which a step converts accelerations and corrections into positions and velocities.
// From x, v under the acceleration a, x' and v' = v + h a are the free motion of a step of h, c the
// displacement by all corrections, and x' + c the new position:
//
//   corrected      x' = x + h (v + v')/2,   v ← v' + c/h
//   euler-cromer   x' = x + h v',           v ← (x' + c − x)/h = v' + c/h
//   printed        x' = x + h (v + v')/2,   v ← (x' + c − x)/h, which halves every acceleration
//                  [Palazzi 1993, App. A]

#ifndef PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_
#define PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_

namespace pliant {

enum class VelocityUpdate { kCorrected, kEulerCromer, kPrinted };

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_
