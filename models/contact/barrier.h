// A barrier between surfaces [Li et al. 2020, Eq. 6]: with the room r that is left of a thickness d,
//
//   b(r) = −(r − d)²/d ln(r/d) for r < d, and 0 beyond,                     [m]
//
// twice continuously differentiable, convex, and +∞ at r = 0. An energy per area is modulus · b, with
// a modulus in Pa: at equal pressure the room is the same part of the thickness, so that what the
// barrier changes vanishes with the thickness. Below r = d/100 it continues as the parabola that
// fits there, so that an obstacle that is led into a body pushes it out instead of ending the run.

#ifndef PLIANT_MODELS_CONTACT_BARRIER_H_
#define PLIANT_MODELS_CONTACT_BARRIER_H_

namespace pliant {

class Barrier {
 public:
  explicit Barrier(double thickness) : thickness_(thickness) {}

  double thickness() const { return thickness_; }
  double Value(double room) const;      // b [m]
  double Slope(double room) const;      // b′ ≤ 0 [1]
  double Curvature(double room) const;  // b″ ≥ 0 [1/m]
  // (b(r₁) − b(r₀))/(r₁ − r₀), b′ where both are the same: to rounding also where they are close.
  double DividedDifference(double r0, double r1) const;
  // Its derivative by r₁, ≥ 0; to the order of r₁ − r₀ where they are close.
  double DividedSlope(double r0, double r1) const;

 private:
  double Parabola() const;  // the room where it begins

  double thickness_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_BARRIER_H_
