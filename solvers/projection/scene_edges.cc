#include "solvers/projection/scene_edges.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace pliant {

std::vector<SceneEdge> SceneEdges(const Scene& scene, const std::vector<bool>& rigid) {
  std::vector<SceneEdge> edges;
  int offset = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    std::vector<SceneEdge> own;
    if (!rigid[b]) own = body.edges;
    if (body.grid[0] > 0) {  // the stride between the two points tells the axis
      std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) {
        return std::abs(a[1] - a[0]) < std::abs(b[1] - b[0]);
      });
    }
    for (const auto& edge : own) edges.push_back({offset + edge[0], offset + edge[1]});
    offset += body.size();
  }
  return edges;
}

int EdgesAcross(const Scene& scene) {
  std::vector<std::vector<int>> next(scene.PointCount());
  const auto join = [&next](int a, int b) {
    next[a].push_back(b);
    next[b].push_back(a);
  };
  for (const auto& [a, b] : SceneEdges(scene, std::vector<bool>(scene.bodies.size(), false))) {
    join(a, b);
  }
  for (const Attachment& attachment : scene.attachments) {
    join(scene.Index(attachment.a), scene.Index(attachment.b));
  }
  // Points in the order of their distance from the first one, of its part of the scene.
  std::vector<int> distance, order;
  const auto spread = [&](int from) {
    distance.assign(next.size(), -1);
    distance[from] = 0;
    order = {from};
    for (size_t i = 0; i < order.size(); ++i) {
      for (const int p : next[order[i]]) {
        if (distance[p] >= 0) continue;
        distance[p] = distance[order[i]] + 1;
        order.push_back(p);
      }
    }
    return order.back();
  };
  int across = 0;
  std::vector<bool> seen(next.size(), false);
  for (size_t p = 0; p < next.size(); ++p) {
    if (seen[p]) continue;
    const int farthest = spread(static_cast<int>(p));
    for (const int q : order) seen[q] = true;
    across = std::max(across, distance[spread(farthest)]);
  }
  return across;
}

double GapTolerance(const Scene& scene, double tolerance) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Body& body : scene.bodies) {
    for (const auto& [a, b] : body.edges) {
      const double length = (body.rest.col(b) - body.rest.col(a)).norm();
      if (length > 0.0) shortest = std::min(shortest, length);
    }
  }
  return tolerance * (std::isfinite(shortest) ? shortest : 1.0);
}

Eigen::Matrix3Xd UnstretchedPoints(const Scene& scene) {
  Eigen::Matrix3Xd points = scene.InitialPoints();
  int offset = 0;
  for (const Body& body : scene.bodies) {
    if (body.stretch != Eigen::Matrix3d::Identity()) {
      const Eigen::Vector3d centre = body.rest * body.mass / body.mass.sum();
      points.middleCols(offset, body.size()) =
          (body.orientation.toRotationMatrix() * (body.rest.colwise() - centre)).colwise() +
          (body.position + body.orientation * (body.stretch * centre));
    }
    offset += body.size();
  }
  return points;
}

Eigen::VectorXd EdgeLengths(const std::vector<SceneEdge>& edges, const PointsRef& points) {
  Eigen::VectorXd lengths(static_cast<Eigen::Index>(edges.size()));
  for (size_t s = 0; s < edges.size(); ++s) {
    lengths[static_cast<Eigen::Index>(s)] =
        (points.col(edges[s][1]) - points.col(edges[s][0])).norm();
  }
  return lengths;
}

std::string WhyNotJoined(const Body& body) {
  std::vector<bool> joined(body.size(), false);
  for (const auto& [a, b] : body.edges) {
    if (a == b || body.rest.col(a) == body.rest.col(b)) {
      return "the edge from point " + std::to_string(a) + " to point " + std::to_string(b) +
             " has no length, and an edge without length has no direction";
    }
    joined[a] = joined[b] = true;
  }
  for (int i = 0; i < body.size(); ++i) {
    if (!joined[i]) {
      return "point " + std::to_string(i) + " has no edge, and only edges hold points together";
    }
  }
  return "";
}

int SeparateParts(const Body& body) {
  std::vector<int> part(body.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&part](int point) {
    while (part[point] != point) point = part[point] = part[part[point]];
    return point;
  };
  int parts = body.size();
  for (const auto& [a, b] : body.edges) {
    const int first = root(a), second = root(b);
    if (first == second) continue;
    part[second] = first;
    --parts;
  }
  return parts;
}

}  // namespace pliant
