// By how much an edge or a face is deeper in an obstacle than its points say: what a penalty on edges
// and faces adds to one on points.
//
// With the depth d ≥ 0 of a place and d_j that of the corners, the excess of a part is
//
//   φ = max over weights w of  ½ d(Σ w_j x_j)² − Σ w_j ½ d_j²
//
// Where no corner is inside it is ½ d² at the deepest place. It is 0 in a plane, where the place is a
// corner, and on a part that is small beside the obstacle it is small of second order: a fine body is
// pushed by its points. φ depends on the corners alone, and where the shape is round its gradient
//   ∂φ/∂x_j = w_j (−d n + d_j n_j)
// (the envelope theorem: the weights count as constant) is continuous, also when the place leaves a
// corner, where φ and its gradient are 0, or when a corner comes in. The edges of polyhedra are kinks
// of d, as they are to points.
//
// Since ½ d² = max over τ ≥ 0 of τ d − ½ τ², the place is that of least distance with the tilt
// ½ d_j²/τ of the corners (supports.h) and τ = d there. Of a ball there is one place beside the
// corners on an edge, since d² is concave between two convex ends; of several, as along a capsule that
// lies askew, the one with most is taken. Where the axis of a round shape goes through a face there is
// no normal, and no place: it has gone through.
//
// The same holds of every convex f(d) in place of ½ d², with f(0) = f′(0) = 0: since f(d) = max over slopes
// p of p d − f*(p), the tilt is f(d_j)/p and p = f′(d) at the place.

#ifndef PLIANT_MODELS_CONTACT_EXCESS_H_
#define PLIANT_MODELS_CONTACT_EXCESS_H_

#include <Eigen/Core>

#include "models/contact/clearance.h"

namespace pliant {

// Weights below this are those of a place that is a corner, or on a side.
inline constexpr double kOnSide = 1e-9;

struct Excess {
  double value = 0.0;                                 // φ [m²]; 0: the points say it all
  double depth = 0.0;                                 // d of the place [m]
  Eigen::Vector3d weights = Eigen::Vector3d::Zero();  // of the corners
  // Outwards: −∂d/∂x. Shorter than 1 where planes of a polyhedron meet.
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
};

// f of a depth ≥ 0 [m]: convex, f(0) = f′(0) = 0.
class DepthEnergy {
 public:
  virtual ~DepthEnergy() = default;
  virtual double Value(double depth) const = 0;
  virtual double Slope(double depth) const = 0;
};

// Of an edge or a face in an obstacle whose origin is at `origin`; `depths` are d_j. With ½ d², or with
// f: then the value has its unit.
Excess ExcessOf(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                const PartCorners& corners, const Eigen::Vector3d& depths);
Excess ExcessOf(const ObstacleShape& shape, const Eigen::Vector3d& origin,
                const PartCorners& corners, const Eigen::Vector3d& depths,
                const DepthEnergy& energy);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_EXCESS_H_
