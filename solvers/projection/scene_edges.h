// The edges of constant length of a scene, and the initial positions of their points.

#ifndef PLIANT_SOLVERS_PROJECTION_SCENE_EDGES_H_
#define PLIANT_SOLVERS_PROJECTION_SCENE_EDGES_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

using SceneEdge = std::array<int, 2>;  // two points, numbered over all bodies

// All edges of all bodies that are not `rigid`. Those of a grid are sorted by their axis, along
// rows first, so that a sweep reads memory in order; on a sheet of segments that lists them left,
// right, upper, lower at each point.
std::vector<SceneEdge> SceneEdges(const Scene& scene, const std::vector<bool>& rigid);

// Distances between the ends of the edges [m]; `points` 3×n.
Eigen::VectorXd EdgeLengths(const std::vector<SceneEdge>& edges, const PointsRef& points);

// n of the longest of all shortest ways along n edges, attachments among them, from point to point.
// Found from a point farthest from another: exact without closed ways, at most twice too small with.
int EdgesAcross(const Scene& scene);

// The largest gap that may stay open [m]: `tolerance` of the shortest edge, of rigid bodies too; of
// 1 m where there is none.
double GapTolerance(const Scene& scene, double tolerance);

// Where the points start, 3×n: as the scene says but without initial stretch, which edges of fixed
// length cannot have; the centre of mass of each body stays where the stretch puts it.
Eigen::Matrix3Xd UnstretchedPoints(const Scene& scene);

// Why the edges of a body do not determine the positions of all its points; empty when they do.
std::string WhyNotJoined(const Body& body);

// The number of parts of a body that no edge joins.
int SeparateParts(const Body& body);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_SCENE_EDGES_H_
