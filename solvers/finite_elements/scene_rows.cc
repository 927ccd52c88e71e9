#include "solvers/finite_elements/scene_rows.h"

#include <map>
#include <utility>
#include <variant>

namespace pliant::finite_elements {

using Eigen::Vector3d;
using Eigen::VectorXd;

HeldRows::HeldRows(const Scene& scene, const Discretisation& bodies)
    : constraints_(SceneRows(scene)) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> embedding = bodies.embedding();
  std::vector<bool> in_plane(bodies.node_count(), false);
  for (int p = 0; p < bodies.part_count(); ++p) {
    if (!bodies.part(p).planar()) continue;
    for (int n = bodies.first(p); n < bodies.first(p + 1); ++n) {
      in_plane[n] = true;
      zero_.push_back(3 * n + 2);
    }
  }
  for (int c = 0; c < static_cast<int>(constraints_.size()); ++c) {
    const ConstraintRow& constraint = constraints_[c];
    if (const Path* path = std::get_if<Path>(&constraint.target)) {
      has_corners_ |= path->moves() && path->interpolation() == Path::Interpolation::kLinear;
    }
    std::vector<Vector3d> directions;
    if (constraint.along) {
      directions = {*constraint.along};
    } else {
      directions = {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
    }
    for (const Vector3d& along : directions) {
      std::map<int, double> row;
      bool free = false;  // true if the constraint involves a free degree of freedom
      for (const Combination::Term& term : constraint.terms) {
        const int point = scene.Index(term.point);
        using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
        for (Rows::InnerIterator it(embedding, point); it; ++it) {
          for (int axis = 0; axis < 3; ++axis) {
            if (along[axis] == 0.0) continue;
            row[3 * static_cast<int>(it.col()) + axis] += term.weight * it.value() * along[axis];
            free |= axis < 2 || !in_plane[it.col()];
          }
        }
      }
      if (!free) continue;
      rows_.emplace_back(row.begin(), row.end());
      of_.push_back({{{c, 1.0}}, along});
    }
  }
  HoldBetween(scene, bodies, in_plane);
}

void HeldRows::HoldBetween(const Scene& scene, const Discretisation& bodies,
                           const std::vector<bool>& in_plane) {
  std::vector<int> nail_of(scene.PointCount(), -1);  // constraint, −1: none
  for (int c = 0; c < static_cast<int>(constraints_.size()); ++c) {
    const ConstraintRow& constraint = constraints_[c];
    if (!constraint.name.starts_with("nail.")) continue;
    nail_of[scene.Index(constraint.terms[0].point)] = c;
  }
  int first_point = 0;
  for (int p = 0; p < bodies.part_count(); ++p) {
    const auto& between = bodies.part(p).between();
    for (int node = 0; node < between.rows(); ++node) {
      std::vector<std::pair<int, double>> nails;
      bool held = true;
      using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
      for (Rows::InnerIterator it(between, node); it && held; ++it) {
        const int nail = nail_of[first_point + it.col()];
        held = nail >= 0 &&
               (nails.empty() || constraints_[nail].name == constraints_[nails.front().first].name);
        nails.emplace_back(nail, it.value());
      }
      if (!held || nails.size() < 2) continue;
      for (int axis = 0; axis < 3; ++axis) {
        if (axis == 2 && in_plane[bodies.first(p) + node]) continue;
        rows_.push_back({{3 * (bodies.first(p) + node) + axis, 1.0}});
        of_.push_back({nails, Vector3d::Unit(axis)});
      }
    }
    first_point += static_cast<int>(bodies.part(p).embedding().rows());
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
