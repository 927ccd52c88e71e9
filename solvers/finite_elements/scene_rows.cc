#include "solvers/finite_elements/scene_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

namespace pliant::finite_elements {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

std::vector<Vector3d> DirectionsOf(const ConstraintRow& constraint) {
  if (constraint.along) return {*constraint.along};
  return {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
}

// What a node lies between: points of the scene, ascending, and their weights.
struct Between {
  std::vector<int> corners;
  std::vector<double> weights;
};

Between BetweenOf(const ElasticPart& part, int node, int first_point) {
  Between between;
  for (Rows::InnerIterator it(part.between(), node); it; ++it) {
    between.corners.push_back(first_point + static_cast<int>(it.col()));
    between.weights.push_back(it.value());
  }
  return between;
}

}  // namespace

HeldRows::HeldRows(const Scene& scene, const Discretisation& bodies)
    : constraints_(SceneRows(scene)), places_(scene, constraints_, bodies) {
  in_plane_.assign(bodies.node_count(), false);
  for (int p = 0; p < bodies.part_count(); ++p) {
    if (!bodies.part(p).planar()) continue;
    for (int n = bodies.first(p); n < bodies.first(p + 1); ++n) {
      in_plane_[n] = true;
      zero_.push_back(3 * n + 2);
    }
  }
  ByPoint at(scene.PointCount());
  for (int c = 0; c < static_cast<int>(constraints_.size()); ++c) {
    const ConstraintRow& constraint = constraints_[c];
    if (const Path* path = std::get_if<Path>(&constraint.target)) {
      has_corners_ |= path->moves() && path->interpolation() == Path::Interpolation::kLinear;
    }
    NodeWeights nodes;
    for (const Combination::Term& term : constraint.terms) {
      const int point = scene.Index(term.point);
      at[point].push_back(c);
      for (Rows::InnerIterator it(places_.rows(), point); it; ++it) {
        nodes[static_cast<int>(it.col())] += term.weight * it.value();
      }
    }
    AddRows(nodes, {{c, 1.0}});
  }
  HoldBetween(bodies, at);
  JoinBetween(scene, bodies, at);
}

void HeldRows::AddRows(const NodeWeights& nodes, const std::vector<Target>& targets) {
  for (const Vector3d& along : DirectionsOf(constraints_[targets[0].first])) {
    LinearRow row;
    bool free = false;  // true if the constraint involves a free degree of freedom
    for (const auto& [node, weight] : nodes) {
      for (int axis = 0; axis < 3; ++axis) {
        if (along[axis] == 0.0) continue;
        row.emplace_back(3 * node + axis, weight * along[axis]);
        free |= axis < 2 || !in_plane_[node];
      }
    }
    if (!free) continue;
    rows_.push_back(std::move(row));
    of_.push_back({targets, along});
  }
}

void HeldRows::HoldBetween(const Discretisation& bodies, const ByPoint& at) {
  int first_point = 0;
  for (int p = 0; p < bodies.part_count(); ++p) {
    const ElasticPart& part = bodies.part(p);
    for (int node = 0; node < part.between().rows(); ++node) {
      const auto [corners, weights] = BetweenOf(part, node, first_point);
      if (corners.size() < 2 || !places_.Held(p, corners)) continue;
      for (const int first : at[corners[0]]) {
        if (constraints_[first].name != places_.holder(corners[0])) continue;
        std::vector<Target> targets;
        for (size_t i = 0; i < corners.size(); ++i) {
          const auto alike = std::find_if(at[corners[i]].begin(), at[corners[i]].end(), [&](int c) {
            return constraints_[c].name == constraints_[first].name &&
                   constraints_[c].along == constraints_[first].along;
          });
          if (alike != at[corners[i]].end()) targets.emplace_back(*alike, weights[i]);
        }
        if (targets.size() == corners.size()) AddRows({{bodies.first(p) + node, 1.0}}, targets);
      }
    }
    first_point += static_cast<int>(part.embedding().rows());
  }
}

void HeldRows::JoinBetween(const Scene& scene, const Discretisation& bodies, const ByPoint& at) {
  // Points of the other side, ascending, and weights in parts of 10⁻⁶.
  using Place = std::vector<std::pair<int, long>>;
  std::map<Place, int> node_at;
  struct Joint {
    int node;
    Place other;
    std::vector<Target> targets;
  };
  std::vector<Joint> joints;
  int first_point = 0;
  for (int p = 0; p < bodies.part_count(); ++p) {
    const ElasticPart& part = bodies.part(p);
    for (int node = 0; node < part.between().rows(); ++node) {
      const auto [corners, weights] = BetweenOf(part, node, first_point);
      if (corners.size() < 2 || !places_.Joined(p, corners)) continue;
      Place own;
      Joint joint{bodies.first(p) + node, {}, {}};
      for (size_t i = 0; i < corners.size(); ++i) {
        const long part_of_it = std::lround(1e6 * weights[i]);
        own.emplace_back(corners[i], part_of_it);
        for (const int c : at[corners[i]]) {
          const auto& terms = constraints_[c].terms;
          if (constraints_[c].name != places_.joint(corners[i])) continue;
          if (scene.Index(terms[0].point) != corners[i]) continue;
          joint.other.emplace_back(scene.Index(terms[1].point), part_of_it);
          joint.targets.emplace_back(c, weights[i]);
          break;
        }
      }
      node_at[own] = joint.node;
      if (joint.targets.size() != corners.size()) continue;
      std::sort(joint.other.begin(), joint.other.end());
      joints.push_back(std::move(joint));
    }
    first_point += static_cast<int>(part.embedding().rows());
  }
  for (const Joint& joint : joints) {
    const auto other = node_at.find(joint.other);
    if (other == node_at.end() || other->second == joint.node) continue;
    AddRows({{joint.node, 1.0}, {other->second, -1.0}}, joint.targets);
  }
}

VectorXd HeldRows::Along(double time, Vector3d PathPoint::*part) const {
  VectorXd values(size());
  for (int r = 0; r < size(); ++r) {
    values[r] = 0.0;
    for (const auto& [c, weight] : of_[r].targets) {
      const PathPoint at = std::visit([time](const auto& target) { return target.At(time); },
                                      constraints_[c].target);
      values[r] += weight * of_[r].along.dot(at.*part);
    }
  }
  return values;
}

VectorXd HeldRows::Values(double time) const { return Along(time, &PathPoint::position); }
VectorXd HeldRows::Rates(double time) const { return Along(time, &PathPoint::velocity); }

void HeldRows::AddPointForces(const Scene& scene, const VectorXd& multipliers,
                              Eigen::Matrix3Xd* forces) const {
  for (int r = 0; r < size(); ++r) {
    for (const auto& [c, weight] : of_[r].targets) {
      for (const Combination::Term& term : constraints_[c].terms) {
        forces->col(scene.Index(term.point)) +=
            multipliers[r] * weight * term.weight * of_[r].along;
      }
    }
  }
}

}  // namespace pliant::finite_elements
