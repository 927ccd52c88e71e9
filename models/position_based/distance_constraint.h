// The one constraint of position-based dynamics here [Müller 2007, Sec. 4.1; Macklin 2016]: two
// points a and b keep their distance.
//
//   C(x) = |x_b − x_a| − ℓ,   ∇_b C = n,   ∇_a C = −n,   n = (x_b − x_a)/|x_b − x_a|
//   V(x) = C²/(2α)            of a constraint with compliance α > 0 [m/N]; none for α = 0
//
// The body is its points, each with its mass, and one such constraint for each of its edges: only
// lengths along edges resist, bending and (on a grid) shear are free.

#ifndef PLIANT_MODELS_POSITION_BASED_DISTANCE_CONSTRAINT_H_
#define PLIANT_MODELS_POSITION_BASED_DISTANCE_CONSTRAINT_H_

#include <Eigen/Core>

namespace pliant::position_based {

// C [m].
inline double Stretch(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double length) {
  return (b - a).norm() - length;
}

// ∇_b C = n; zero where the points coincide.
inline Eigen::Vector3d StretchGradient(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return (b - a).normalized();
}

// V of constraints with Σ C² = `sum_of_squares` [m²] and compliance α > 0 [m/N], [J].
inline double ElasticEnergy(double sum_of_squares, double compliance) {
  return 0.5 * sum_of_squares / compliance;
}

}  // namespace pliant::position_based

#endif  // PLIANT_MODELS_POSITION_BASED_DISTANCE_CONSTRAINT_H_
