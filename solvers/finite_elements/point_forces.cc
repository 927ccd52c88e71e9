#include "solvers/finite_elements/point_forces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "models/scene/touch.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

NodeCombination CombinationOf(const Eigen::SparseMatrix<double, Eigen::RowMajor>& embedding, int a,
                              int b) {
  std::map<int, double> weights;
  const auto add = [&](int point, double sign) {
    using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    for (Rows::InnerIterator it(embedding, point); it; ++it) {
      weights[static_cast<int>(it.col())] += sign * it.value();
    }
  };
  add(a, 1.0);
  if (b >= 0) add(b, -1.0);
  return {weights.begin(), weights.end()};
}

}  // namespace

PointForces::PointForces(const Scene& scene, const Eigen::SparseMatrix<double>& embedding,
                         double contact_stiffness)
    : obstacles_(scene.obstacles), contact_stiffness_(contact_stiffness) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = embedding;
  for (const Spring& spring : scene.springs) {
    springs_.push_back({scene.Index(spring.a), spring.b ? scene.Index(*spring.b) : -1,
                        spring.anchor, spring.stiffness, spring.damping, spring.rest_length});
    links_.push_back(CombinationOf(rows, springs_.back().a, springs_.back().b));
  }
  if (obstacles_.empty()) return;
  for (int point = 0, count = scene.PointCount(); point < count; ++point) {
    links_.push_back(CombinationOf(rows, point, -1));
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

double PointForces::ContactEnergy(double time, const Matrix3Xd& x) const {
  double energy = 0.0;
  ForEachTouch(obstacles_, time, x, 0.0, [&](const Touch& touch) {
    energy += 0.5 * contact_stiffness_ * touch.at.distance * touch.at.distance;
  });
  return energy;
}

void PointForces::AddForces(double time, const Matrix3Xd& x, Matrix3Xd* forces) const {
  for (const PointSpring& spring : springs_) {
    const Vector3d d = Span(spring, x);
    const double length = d.norm();
    const Vector3d force =
        length > 0.0 ? Vector3d(-spring.stiffness * (1.0 - spring.rest_length / length) * d)
                     : Vector3d::Zero();
    forces->col(spring.a) += force;
    if (spring.b >= 0) forces->col(spring.b) -= force;
  }
  ForEachTouch(obstacles_, time, x, 0.0, [&](const Touch& touch) {
    forces->col(touch.point) -= contact_stiffness_ * touch.at.distance * touch.at.normal;
  });
}

void PointForces::AddTangent(double time, const Matrix3Xd& x, double factor,
                             ReducedMatrix* matrix) const {
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
  ForEachTouch(obstacles_, time, x, 0.0, [&](const Touch& touch) {
    matrix->AddLink(static_cast<int>(springs_.size()) + touch.point,
                    factor * contact_stiffness_ * touch.at.normal * touch.at.normal.transpose());
  });
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
  ForEachContact(motion, [&](int, int point, const Vector3d& normal, double push, double,
                             const Vector3d& change, double correction) {
    forces->col(point) -= push * normal + correction * change;
  });
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
  ForEachContact(motion, [&](int, int point, const Vector3d& normal, double, double slope,
                             const Vector3d&, double) {
    matrix->AddLink(static_cast<int>(springs_.size()) + point, slope * normal * normal.transpose());
  });
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

template <typename Visit>
void PointForces::ForEachContact(const PointMotion& motion, const Visit& visit) const {
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const Obstacle& obstacle = obstacles_[o];
    const Vector3d origin0 = obstacle.motion.At(motion.t0).position;
    const Vector3d origin1 = obstacle.motion.At(motion.t1).position;
    for (int point = 0; point < static_cast<int>(motion.x1.cols()); ++point) {
      const Vector3d xi0 = motion.x0.col(point) - origin0, xi1 = motion.x1.col(point) - origin1;
      const double s0 = SignedDistance(obstacle.shape, Vector3d::Zero(), xi0).distance;
      const double s1 = SignedDistance(obstacle.shape, Vector3d::Zero(), xi1).distance;
      if (s0 >= 0.0 && s1 >= 0.0) continue;
      const double e0 = std::min(0.0, s0), e1 = std::min(0.0, s1), change = s1 - s0;
      const Vector3d normal =
          SignedDistance(obstacle.shape, Vector3d::Zero(), 0.5 * (xi0 + xi1)).normal;
      const double K = contact_stiffness_;
      double push, slope;
      if (e0 < 0.0 && e1 < 0.0) {
        push = 0.5 * K * (e0 + e1);
        slope = 0.5 * K;
      } else if (e1 < 0.0) {  // comes in
        push = 0.5 * K * e1 * e1 / change;
        slope = 0.5 * K * (e1 * e1 - 2.0 * e1 * s0) / (change * change);
      } else {  // leaves
        push = -0.5 * K * e0 * e0 / change;
        slope = 0.5 * K * e0 * e0 / (change * change);
      }
      const Vector3d moved = xi1 - xi0;
      const double square = moved.squaredNorm();
      const double correction = square > 0.0 ? push * (change - normal.dot(moved)) / square : 0.0;
      visit(o, point, normal, push, slope, moved, correction);
    }
  }
}

double PointForces::ObstacleWork(const PointMotion& motion) const {
  double work = 0.0;
  ForEachContact(motion, [&](int o, int, const Vector3d& normal, double push, double,
                             const Vector3d& change, double correction) {
    const Vector3d shift =
        obstacles_[o].motion.At(motion.t1).position - obstacles_[o].motion.At(motion.t0).position;
    work -= (push * normal + correction * change).dot(shift);
  });
  return work;
}

double PointForces::ObstacleWork(const PointMotion& motion, double time, const Matrix3Xd& x) const {
  double work = 0.0;
  ForEachTouch(obstacles_, time, x, 0.0, [&](const Touch& touch) {
    const Path& path = obstacles_[touch.obstacle].motion;
    const Vector3d shift = path.At(motion.t1).position - path.At(motion.t0).position;
    work -= contact_stiffness_ * touch.at.distance * touch.at.normal.dot(shift);
  });
  return work;
}

}  // namespace pliant::finite_elements
