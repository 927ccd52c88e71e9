// The rules by which a step converts accelerations and corrections into positions and velocities.
// From x, v under the acceleration a, x' and v' = v + h a are the free motion of a step of h, c the
// displacement by all corrections, and x' + c the new position:
//
//   verlet         x' = x + h (v + v')/2,   v ← v + h (a + a⁺)/2 + c/h, with a⁺ what springs give
//                  at the new position: velocity Verlet, with corrections as in SHAKE. Where a is
//                  constant, as under gravity and timed forces, it is `corrected`
//   corrected      x' = x + h (v + v')/2,   v ← v' + c/h. With a spring of angular frequency ω the
//                  places obey x₊ − 2 x + x₋ + ½ (ω h)² (x + x₋) = 0: their amplitude grows by the
//                  factor √(1 + ½ (ω h)²) in every step, whatever h is
//   euler-cromer   x' = x + h v',           v ← (x' + c − x)/h = v' + c/h
//   printed        x' = x + h (v + v')/2,   v ← (x' + c − x)/h, which halves every acceleration
//                  [Palazzi 1993, App. A]

#ifndef PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_
#define PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_

namespace pliant {

enum class VelocityUpdate { kVerlet, kCorrected, kEulerCromer, kPrinted };

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_VELOCITY_UPDATE_H_
