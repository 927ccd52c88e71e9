// What a plan gains between its samples. The laws of motion hold at the samples alone: a motion that is too fast for its mesh may
// gain between them what they forbid. In flight nothing but weight acts, so that
//
//   defect = max(|p(T) − p(0) + m g T y|, |L(T) − L(0)|/h) / (m g T)
//
// is 0 of a motion that obeys them, p its momentum and L that about its centre of mass.

#ifndef PLIANT_SOLVERS_SPACETIME_FLIGHT_MOMENTUM_H_
#define PLIANT_SOLVERS_SPACETIME_FLIGHT_MOMENTUM_H_

#include <Eigen/Core>
#include <string>

namespace pliant {

struct FlightMomentum {
  double mass, gravity, duration;  // m [kg], g [m/s²] towards −y, T [s]
  double height;                   // h [m], about that of the centre of mass of what stands
  Eigen::Vector3d begin, end;      // (p_x, p_y) [N s], L [N m s]
};

// The largest share of a plan.
inline constexpr double kMostMomentumDefect = 0.01;

// Without gravity the share of |p(0)|; 0 where there is neither.
double MomentumDefect(const FlightMomentum& flight);

// Why a motion with more of it is no plan, one line.
std::string TooFastForItsMesh(double defect);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_FLIGHT_MOMENTUM_H_
