// The cubic between two nodes of a mesh, with given values and rates at both.

#ifndef PLIANT_SOLVERS_SPACETIME_HERMITE_CUBIC_H_
#define PLIANT_SOLVERS_SPACETIME_HERMITE_CUBIC_H_

namespace pliant {

// Value, rate and acceleration of the cubic at s ∈ [0, 1] of an interval of h seconds, as weights
// of (q₀, q̇₀, q₁, q̇₁).
struct HermiteWeights {
  double value[4], rate[4], acceleration[4];
};
HermiteWeights HermiteAt(double s, double h);

// An interval of a mesh, and s ∈ [0, 1] within it.
struct MeshPlace {
  int interval;
  double s;
};
// So many steps of the mesh from its start; of what lies before or after the mesh, its nearest end.
MeshPlace PlaceInMesh(double steps, int intervals);

// The two Gauss points of an interval, each with weight h/2.
inline constexpr double kGaussPoints[2] = {0.21132486540518711775, 0.78867513459481288225};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_HERMITE_CUBIC_H_
