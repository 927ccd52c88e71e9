#include "solvers/finite_elements/point_forces.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

NodeCombination CombinationOf(const Rows& places, int a, int b) {
  std::map<int, double> weights;
  const auto add = [&](int point, double sign) {
    for (Rows::InnerIterator it(places, point); it; ++it) {
      weights[static_cast<int>(it.col())] += sign * it.value();
    }
  };
  add(a, 1.0);
  if (b >= 0) add(b, -1.0);
  return {weights.begin(), weights.end()};
}

}  // namespace

PointForces::PointForces(const Scene& scene, const Rows& places) : places_(places) {
  for (const Spring& spring : scene.springs) {
    springs_.push_back({scene.Index(spring.a), spring.b ? scene.Index(*spring.b) : -1,
                        spring.anchor, spring.stiffness, spring.damping, spring.rest_length});
    links_.push_back(CombinationOf(places_, springs_.back().a, springs_.back().b));
  }
}

Vector3d PointForces::Span(const PointSpring& spring, const Matrix3Xd& x) const {
  return x.col(spring.a) - (spring.b < 0 ? spring.anchor : Vector3d(x.col(spring.b)));
}

double PointForces::SpringEnergy(const Matrix3Xd& x) const {
  double energy = 0.0;
  for (const PointSpring& spring : springs_) {
    const double excess = Span(spring, x).norm() - spring.rest_length;
    energy += 0.5 * spring.stiffness * excess * excess;
  }
  return energy;
}

void PointForces::AddForces(const Matrix3Xd& x, Matrix3Xd* forces) const {
  for (const PointSpring& spring : springs_) {
    const Vector3d d = Span(spring, x);
    const double length = d.norm();
    const Vector3d force =
        length > 0.0 ? Vector3d(-spring.stiffness * (1.0 - spring.rest_length / length) * d)
                     : Vector3d::Zero();
    forces->col(spring.a) += force;
    if (spring.b >= 0) forces->col(spring.b) -= force;
  }
}

void PointForces::AddTangent(const Matrix3Xd& x, double factor, ReducedMatrix* matrix) const {
  for (size_t s = 0; s < springs_.size(); ++s) {
    const PointSpring& spring = springs_[s];
    const Vector3d d = Span(spring, x);
    const double length = d.norm();
    if (length == 0.0) continue;
    const double across = std::max(0.0, 1.0 - spring.rest_length / length);
    const Matrix3d along = d * d.transpose() / (length * length);
    matrix->AddLink(static_cast<int>(s),
                    factor * spring.stiffness * (along + across * (Matrix3d::Identity() - along)));
  }
}

void PointForces::AddDiscreteForces(const PointMotion& motion, Matrix3Xd* forces) const {
  for (const PointSpring& spring : springs_) {
    const Vector3d d0 = Span(spring, motion.x0), d1 = Span(spring, motion.x1);
    const double lengths = d0.norm() + d1.norm();
    const double factor =
        spring.rest_length == 0.0
            ? spring.stiffness
            : (lengths > 0.0 ? spring.stiffness * (1.0 - 2.0 * spring.rest_length / lengths) : 0.0);
    const Vector3d force = -0.5 * factor * (d0 + d1);
    forces->col(spring.a) += force;
    if (spring.b >= 0) forces->col(spring.b) -= force;
  }
}

void PointForces::AddDiscreteTangent(const PointMotion& motion, ReducedMatrix* matrix) const {
  for (size_t s = 0; s < springs_.size(); ++s) {
    const PointSpring& spring = springs_[s];
    const Vector3d d0 = Span(spring, motion.x0), d1 = Span(spring, motion.x1);
    const double l0 = d0.norm(), l1 = d1.norm();
    Matrix3d stiffness = 0.5 * spring.stiffness * Matrix3d::Identity();
    if (spring.rest_length > 0.0) {
      if (l0 + l1 == 0.0 || l1 == 0.0) continue;
      const double factor = 1.0 - 2.0 * spring.rest_length / (l0 + l1);
      const Vector3d mean = 0.5 * (d0 + d1);
      stiffness *= std::max(0.0, factor);
      stiffness += spring.stiffness * 2.0 * spring.rest_length / ((l0 + l1) * (l0 + l1) * l1) *
                   mean * mean.transpose();
    }
    matrix->AddLink(static_cast<int>(s), stiffness);
  }
}

void PointForces::AddSpringDamping(const PointMotion& motion, Matrix3Xd* forces) const {
  const double h = motion.t1 - motion.t0;
  for (const PointSpring& spring : springs_) {
    if (spring.damping == 0.0) continue;
    const Vector3d d0 = Span(spring, motion.x0), d1 = Span(spring, motion.x1);
    Vector3d rate = (d1 - d0) / h;
    if (spring.rest_length > 0.0) {
      const Vector3d along = (d0 + d1).normalized();
      rate = along.dot(rate) * along;
    }
    forces->col(spring.a) -= spring.damping * rate;
    if (spring.b >= 0) forces->col(spring.b) += spring.damping * rate;
  }
}

void PointForces::AddDampingTangent(const PointMotion& motion, ReducedMatrix* matrix) const {
  const double h = motion.t1 - motion.t0;
  for (size_t s = 0; s < springs_.size(); ++s) {
    const PointSpring& spring = springs_[s];
    if (spring.damping == 0.0) continue;
    Matrix3d directions = Matrix3d::Identity();
    if (spring.rest_length > 0.0) {
      const Vector3d along = (Span(spring, motion.x0) + Span(spring, motion.x1)).normalized();
      directions = along * along.transpose();
    }
    matrix->AddLink(static_cast<int>(s), spring.damping / h * directions);
  }
}

}  // namespace pliant::finite_elements
