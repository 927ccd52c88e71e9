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
      bool free = false;  // does it ask anything of what can move?
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
      of_.push_back({c, along});
    }
  }
}

VectorXd HeldRows::Along(double time, Vector3d PathPoint::*part) const {
  VectorXd values(size());
  for (int r = 0; r < size(); ++r) {
    const ConstraintRow& constraint = constraints_[of_[r].constraint];
    const PathPoint at =
        std::visit([time](const auto& target) { return target.At(time); }, constraint.target);
    values[r] = of_[r].along.dot(at.*part);
  }
  return values;
}

VectorXd HeldRows::Values(double time) const { return Along(time, &PathPoint::position); }
VectorXd HeldRows::Rates(double time) const { return Along(time, &PathPoint::velocity); }

void HeldRows::AddPointForces(const Scene& scene, const VectorXd& multipliers,
                              Eigen::Matrix3Xd* forces) const {
  for (int r = 0; r < size(); ++r) {
    for (const Combination::Term& term : constraints_[of_[r].constraint].terms) {
      forces->col(scene.Index(term.point)) += multipliers[r] * term.weight * of_[r].along;
    }
  }
}

}  // namespace pliant::finite_elements
