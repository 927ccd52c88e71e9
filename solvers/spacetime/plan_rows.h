// Rows that the terms of every character share: those of the friction cone, and the scales of rows.

#ifndef PLIANT_SOLVERS_SPACETIME_PLAN_ROWS_H_
#define PLIANT_SOLVERS_SPACETIME_PLAN_ROWS_H_

#include <Eigen/Core>
#include <algorithm>

namespace pliant {

// Scales that make one violation comparable with another; tuned for a lamp of the size of plan_units.h.
constexpr double kMomentScale = 10.0;     // per N·m, or N·m·s
constexpr double kImpactScale = 10.0;     // per N·m·s
constexpr double kClearanceScale = 50.0;  // per m

// The multiplier of a limit on positions is not a density in time but a measure: where a motion
// touches its limit it has a point mass. Therefore its weight does not shrink with the mesh.
constexpr double kLimitWeight = 0.02;

// Of the height of a flying base. The base leaves the floor with zero velocity, so its height begins as the square of the time;
// up to kEarly the scale grows as the inverse of that square; otherwise a fine mesh would give the first nodes almost no weight.
inline double ClearanceScale(double since_takeoff) {
  constexpr double kEarly = 0.02;  // s
  const double early = std::max(1.0, kEarly / since_takeoff);
  return kClearanceScale * early * early;
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Rows of the cone of two contact points at the ends of the base, from (F_x, F_y, M_c):
// linear, so the same function maps values and derivatives.
constexpr int kConeRows = 4;
template <typename Contact, typename Put>
void Cone(double friction, double half_width, const Contact& contact, const Put& put) {
  put(0, friction * contact[1] - contact[0]);
  put(1, friction * contact[1] + contact[0]);
  put(2, half_width * contact[1] - contact[2]);
  put(3, half_width * contact[1] + contact[2]);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PLAN_ROWS_H_
