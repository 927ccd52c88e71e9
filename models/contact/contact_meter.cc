#include "models/contact/contact_meter.h"

#include <algorithm>
#include <array>

#include "models/scene/body_contact.h"

namespace pliant {
using Eigen::Vector3d;

namespace {

std::vector<Bounds> BoundsOfBodies(const SceneParts& parts, size_t bodies, const PointColumns& x) {
  std::vector<Bounds> bounds(bodies, Bounds::Empty());
  for (const SceneParts::Part& part : parts.parts) bounds[part.body].Take(part.BoundsAt(x));
  return bounds;
}

}  // namespace

ContactMeter::ContactMeter(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)), parts_(*scene_) {
  const Eigen::Matrix3Xd start = scene_->InitialPoints();
  std::vector<Bounds> boxes;
  for (const SceneParts::Part& part : parts_.parts) boxes.push_back(part.BoundsAt(start));
  part_tree_ = BoxTree(boxes);
  edge_tree_ = TreeOf(parts_.edges, start);
  face_tree_ = TreeOf(parts_.faces, start);
  const auto bodies = static_cast<int>(scene_->bodies.size());
  solids_.resize(bodies);
  body_tree_ = BoxTree(BoundsOfBodies(parts_, solids_.size(), start));
  for (int b = 0; b < bodies && bodies > 1; ++b) {
    if (parts_.solid[b]) solids_[b].emplace(parts_, b, start);
  }
  FindCrossingsAtRest();
}

// Body by body: at rest all lie at the origin, on top of each other.
void ContactMeter::FindCrossingsAtRest() {
  const bool planar = parts_.dimension == 2;
  const auto bodies = static_cast<int>(scene_->bodies.size());
  std::vector<std::vector<int>> edges(bodies), faces(bodies);
  for (size_t e = 0; e < parts_.edges.size(); ++e) {
    edges[parts_.body_of_edge[e]].push_back(static_cast<int>(e));
  }
  for (size_t f = 0; f < parts_.faces.size() && !planar; ++f) {
    faces[parts_.body_of_face[f]].push_back(static_cast<int>(f));
  }
  Eigen::Matrix3Xd rest(3, scene_->PointCount());
  int first = 0;
  for (const Body& body : scene_->bodies) {
    rest.middleCols(first, body.size()) = body.rest;
    first += body.size();
  }
  const auto tree_of = [&](const std::vector<int>& numbers, const auto& parts) {
    std::vector<Bounds> boxes;
    for (const int number : numbers) boxes.push_back(BoundsAround(parts[number], rest));
    return BoxTree(boxes);
  };
  for (int b = 0; b < bodies; ++b) {
    const BoxTree edge_tree = tree_of(edges[b], parts_.edges);
    if (planar) {
      edge_tree.ForEachPairWithin([&](int i, int j) {
        const auto [e, other] = std::minmax(edges[b][i], edges[b][j]);
        if (EdgesCross(rest, parts_.edges[e], parts_.edges[other])) {
          crossing_at_rest_.push_back({e, other});
        }
      });
      continue;
    }
    edge_tree.ForEachPair(tree_of(faces[b], parts_.faces), [&](int i, int j) {
      const int e = edges[b][i], f = faces[b][j];
      if (EdgeCrossesFace(rest, parts_.edges[e], parts_.faces[f])) {
        crossing_at_rest_.push_back({e, f});
      }
    });
  }
  std::sort(crossing_at_rest_.begin(), crossing_at_rest_.end());
}

ContactMeasures ContactMeter::Measure(double time, const PointColumns& x) {
  ContactMeasures measures;
  part_tree_.Refit([&](int i) { return parts_.parts[i].BoundsAt(x); });
  if (!scene_->obstacles.empty()) measures.obstacle_depth = ObstacleDepth(time, x);
  if (std::any_of(solids_.begin(), solids_.end(), [](const auto& s) { return s.has_value(); })) {
    MeasureBodyDepth(x, &measures);
  }
  if (parts_.dimension == 2 ? parts_.edges.size() > 1 : !parts_.faces.empty()) {
    CountCrossings(x, &measures);
  }
  return measures;
}

double ContactMeter::ObstacleDepth(double time, const PointColumns& x) const {
  double deepest = 0.0;
  for (const Obstacle& obstacle : scene_->obstacles) {
    const Vector3d origin = obstacle.motion.At(time).position;
    if (const Plane* plane = PlaneOf(obstacle.shape)) {
      deepest = std::max(deepest, -(plane->normal.transpose() * (x.colwise() - origin)).minCoeff());
      continue;
    }
    const Eigen::AlignedBox3d box = BoundsOf(obstacle.shape).box;
    part_tree_.ForEachOverlap({origin + box.min(), origin + box.max()}, [&](int i) {
      const Clearance clearance = ClearanceOf(obstacle.shape, origin, parts_.parts[i].At(x));
      deepest = std::max(deepest, -clearance.distance);
    });
  }
  return deepest;
}

void ContactMeter::MeasureBodyDepth(const PointColumns& x, ContactMeasures* measures) {
  double deepest = 0.0;
  const std::vector<Bounds> bounds = BoundsOfBodies(parts_, solids_.size(), x);
  body_tree_.Refit([&](int b) { return bounds[b]; });
  std::vector<char> placed(solids_.size(), 0);
  const auto look = [&](int solid, int other) {
    if (!solids_[solid]) return;
    if (placed[solid] == 0) solids_[solid]->Refit(x);
    placed[solid] = 1;
    const double depth = DeepestInside(*solids_[solid], parts_, other, x);
    deepest = std::max(deepest, depth);
    if (!(depth > measures->deepest) || ContactOf(*scene_, solid, other).ignored) return;
    measures->deepest = depth;
    measures->deepest_body = other;
    measures->deepest_in = solid;
  };
  body_tree_.ForEachPairWithin([&](int a, int b) {
    look(a, b);
    look(b, a);
  });
  measures->body_depth = deepest;
}

template <typename Visit>
void ContactMeter::ForEachCrossing(const PointColumns& x, const Visit& visit) {
  edge_tree_.Refit([&](int e) { return BoundsAround(parts_.edges[e], x); });
  if (parts_.dimension == 2) {
    edge_tree_.ForEachPairWithin([&](int i, int j) {
      const auto [a, b] = std::minmax(i, j);
      if (EdgesCross(x, parts_.edges[a], parts_.edges[b])) visit(a, b);
    });
    return;
  }
  face_tree_.Refit([&](int f) { return BoundsAround(parts_.faces[f], x); });
  edge_tree_.ForEachPair(face_tree_, [&](int e, int f) {
    if (EdgeCrossesFace(x, parts_.edges[e], parts_.faces[f])) visit(e, f);
  });
}

void ContactMeter::CountCrossings(const PointColumns& x, ContactMeasures* measures) {
  const bool planar = parts_.dimension == 2;
  int own = 0, between = 0;
  ForEachCrossing(x, [&](int edge, int other) {
    const int body = planar ? parts_.body_of_edge[other] : parts_.body_of_face[other];
    if (parts_.body_of_edge[edge] != body) {
      ++between;
    } else if (!std::binary_search(crossing_at_rest_.begin(), crossing_at_rest_.end(),
                                   std::array<int, 2>{edge, other})) {
      ++own;
    }
  });
  measures->self_crossings = own;
  if (scene_->bodies.size() > 1) measures->body_crossings = between;
}

}  // namespace pliant
