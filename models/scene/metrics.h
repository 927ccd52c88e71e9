// Metrics that are computed from the material points alone, by this one code path for every
// formulation, so that backends can be compared and not merely plotted.

#ifndef PLIANT_MODELS_SCENE_METRICS_H_
#define PLIANT_MODELS_SCENE_METRICS_H_

#include <Eigen/Core>
#include <optional>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

double KineticEnergy(const Eigen::VectorXd& masses, const PointsRef& velocities);   // J
Eigen::Vector3d LinearMomentum(const Eigen::VectorXd& masses, const PointsRef& v);  // kg m/s
Eigen::Vector3d CentreOfMass(const Eigen::VectorXd& masses, const PointsRef& x);    // m
// The angular momentum about the point `about` [m], in kg m²/s.
Eigen::Vector3d AngularMomentum(const Eigen::VectorXd& masses, const PointsRef& x,
                                const PointsRef& v, const Eigen::Vector3d& about);

// Strain of the edges of all bodies, (ℓ − ℓ_rest)/ℓ_rest; not defined where no body has an edge.
struct EdgeStrain {
  double max = 0.0;  // largest magnitude
  double rms = 0.0;
};
std::optional<EdgeStrain> MeasureEdgeStrain(const Scene& scene, const PointsRef& x);

// The extent of all faces divided by their extent at rest: volume for blocks and closed surfaces
// (divergence theorem), area for the others. Not defined for a scene without faces.
std::optional<double> ExtentRatio(const Scene& scene, const PointsRef& x);

// The same with its sign: the volume of closed surfaces, and in a planar scene the area, are negative
// where a body is turned inside out, and less where a part of it is folded over. Not defined without
// such a body.
std::optional<double> SignedExtentRatio(const Scene& scene, const PointsRef& x);

// The smallest of all cells, as a ratio to its extent at rest: the signed area of a face in a planar
// scene; the determinant of the three edges at a corner of a cell of a block, which is at every
// corner what a trilinear cell is stretched by there. Below 0 the cell is inverted, even where the
// body as a whole is not. Not defined without such a cell.
std::optional<double> SmallestCellRatio(const Scene& scene, const PointsRef& x);

// The first body that is turned inside out: one whose faces enclose a volume, or lie in a planar
// scene, and that has volume or signed area ≤ 0, where it was positive at rest.
std::optional<int> TurnedInsideOut(const Scene& scene, const PointsRef& x);

// Depth of the points inside obstacles at `time`: largest, and rms over all points.
struct Penetration {
  double max = 0.0;  // m
  double rms = 0.0;  // m
};
std::optional<Penetration> MeasurePenetration(const Scene& scene, double time, const PointsRef& x);

// Rms and largest distance between two sets of the same points.
struct PointDistance {
  double rms = 0.0;  // m
  double max = 0.0;  // m
};
PointDistance DistanceBetween(const PointsRef& x, const PointsRef& y);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_METRICS_H_
