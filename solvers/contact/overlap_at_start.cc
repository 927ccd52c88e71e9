#include "solvers/contact/overlap_at_start.h"

#include <algorithm>
#include <map>
#include <optional>

#include "models/collision/crossing.h"
#include "models/contact/scene_parts.h"
#include "models/contact/solid_surface.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Pair = std::pair<int, int>;
using EdgesOfPair = std::map<Pair, std::vector<int>>;

// The edges of the first body of a pair that go through the surface of the second.
EdgesOfPair CrossingEdges(const SceneParts& parts, const PointColumns& x) {
  EdgesOfPair crossing;
  const BoxTree edge_tree = TreeOf(parts.edges, x);
  if (parts.dimension == 2) {
    edge_tree.ForEachPairWithin([&](int i, int j) {
      const Pair bodies{parts.body_of_edge[i], parts.body_of_edge[j]};
      if (bodies.first == bodies.second || !EdgesCross(x, parts.edges[i], parts.edges[j])) return;
      crossing[bodies].push_back(i);
      crossing[{bodies.second, bodies.first}].push_back(j);
    });
    return crossing;
  }
  if (parts.faces.empty()) return crossing;
  edge_tree.ForEachPair(TreeOf(parts.faces, x), [&](int e, int f) {
    const Pair bodies{parts.body_of_edge[e], parts.body_of_face[f]};
    if (bodies.first == bodies.second || !EdgeCrossesFace(x, parts.edges[e], parts.faces[f]))
      return;
    crossing[bodies].push_back(e);
  });
  return crossing;
}

// The deepest of some places of these edges.
double DeepestOf(const std::vector<int>& edges, const SolidSurface& solid, const SceneParts& parts,
                 const PointColumns& x) {
  constexpr int kPlaces = 16;
  double deepest = 0.0;
  for (const int e : edges) {
    const auto [i, j] = parts.edges[e];
    for (int k = 1; k < kPlaces; ++k) {
      const double part = static_cast<double>(k) / kPlaces;
      deepest = std::max(deepest, -solid.DistanceAt((1.0 - part) * x.col(i) + part * x.col(j)));
    }
  }
  return deepest;
}

}  // namespace

std::vector<OverlapAtStart> OverlapsAtStart(const Scene& scene, double tolerance) {
  const int bodies = static_cast<int>(scene.bodies.size());
  if (bodies < 2) return {};
  const SceneParts parts(scene);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  std::vector<Bounds> boxes(bodies, Bounds::Empty());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    boxes[parts.body_of_point[i]].Take(Eigen::Vector3d(x.col(i)));
  }
  const MeetingBodies meeting(scene);
  const EdgesOfPair crossing = CrossingEdges(parts, x);
  std::vector<std::optional<SolidSurface>> solids(bodies);
  const auto depth_in = [&](int solid, int other) {
    if (!parts.solid[solid]) return 0.0;
    if (!solids[solid]) solids[solid].emplace(parts, solid, x);
    const double depth = DeepestInside(*solids[solid], parts, other, x);
    const auto edges = crossing.find({other, solid});
    return edges == crossing.end()
               ? depth
               : std::max(depth, DeepestOf(edges->second, *solids[solid], parts, x));
  };
  std::vector<OverlapAtStart> overlaps;
  BoxTree(boxes).ForEachPairWithin([&](int i, int j) {
    const auto [a, b] = std::minmax(i, j);
    const BodyContact contact = meeting.Of(a, b);
    if (contact.ignored) return;
    const double depth = std::max(depth_in(a, b), depth_in(b, a));
    if (depth > tolerance) overlaps.push_back({a, b, depth, contact});
  });
  return overlaps;
}

std::vector<ObstacleOverlap> ObstacleOverlapsAtStart(const Scene& scene) {
  if (scene.obstacles.empty()) return {};
  const SceneParts parts(scene);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  std::vector<ObstacleOverlap> overlaps;
  for (size_t o = 0; o < scene.obstacles.size(); ++o) {
    const Obstacle& obstacle = scene.obstacles[o];
    const Eigen::Vector3d origin = obstacle.motion.At(0.0).position;
    const Plane* plane = PlaneOf(obstacle.shape);
    const Eigen::AlignedBox3d extent =
        plane == nullptr ? BoundsOf(obstacle.shape).box : Eigen::AlignedBox3d();
    const Bounds box{origin + extent.min(), origin + extent.max()};
    std::vector<double> depths(scene.bodies.size(), 0.0);
    for (const SceneParts::Part& part : parts.parts) {
      double& depth = depths[part.body];
      if (plane != nullptr) {
        depth = std::max(depth,
                         -(plane->normal.transpose() * (part.At(x).colwise() - origin)).minCoeff());
      } else if (part.BoundsAt(x).Overlaps(box)) {
        depth = std::max(depth, -ClearanceOf(obstacle.shape, origin, part.At(x)).distance);
      }
    }
    for (size_t b = 0; b < depths.size(); ++b) {
      if (depths[b] > 0.0)
        overlaps.push_back({static_cast<int>(o), static_cast<int>(b), depths[b]});
    }
  }
  return overlaps;
}

std::string InWords(const Scene& scene, const OverlapAtStart& overlap) {
  return "bodies '" + scene.bodies[overlap.a].name + "' and '" + scene.bodies[overlap.b].name +
         "' begin " + ThreeDigits(overlap.depth) + " m inside each other";
}

std::string MendOf(const Scene& scene, const OverlapAtStart& overlap, const std::string& before) {
  return "move them apart, or set ignore = true in [" + before +
         ContactName(scene, overlap.contact) + "]";
}

void WarnOfOverlap(const Scene& scene, double tolerance, std::vector<std::string>* warnings) {
  for (const OverlapAtStart& overlap : OverlapsAtStart(scene, tolerance)) {
    warnings->push_back(InWords(scene, overlap) +
                        ", and contact does not lead them apart: " + MendOf(scene, overlap));
  }
}

}  // namespace pliant
