#include "models/displacement_constraints/reference_shape.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

Matrix3d BestRotation(const Eigen::VectorXd& masses, const PointsRef& rest, const PointsRef& now) {
  const Matrix3d b = now * masses.asDiagonal() * rest.transpose();            // Σ m x pᵀ
  const Vector3d z(b(2, 1) - b(1, 2), b(0, 2) - b(2, 0), b(1, 0) - b(0, 1));  // Σ m p × x
  Matrix4d davenport;
  davenport(0, 0) = b.trace();
  davenport.block<3, 1>(1, 0) = z;
  davenport.block<1, 3>(0, 1) = z.transpose();
  davenport.block<3, 3>(1, 1) = b + b.transpose() - b.trace() * Matrix3d::Identity();
  const Eigen::SelfAdjointEigenSolver<Matrix4d> solver(davenport);
  const Vector4d q = solver.eigenvectors().col(3);
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

template <typename Visit>
void ReferenceShape::ForEachBody(const PointsRef& x, const Visit& visit) const {
  Eigen::Index first = 0;
  for (const Body& body : scene_->bodies) {
    const double mass = body.mass.sum();
    const Vector3d rest_centre = body.rest * body.mass / mass;
    const Vector3d centre = x.middleCols(first, body.size()) * body.mass / mass;
    const Matrix3Xd rest = body.rest.colwise() - rest_centre;
    const Matrix3Xd now = x.middleCols(first, body.size()).colwise() - centre;
    const Matrix3Xd ways = BestRotation(body.mass, rest, now) * rest - now;
    visit(body, first, ways);
    first += body.size();
  }
}

void ReferenceShape::AddForces(const PointsRef& x, MutablePointsRef forces) const {
  if (!acts()) return;
  ForEachBody(x, [&](const Body& body, Eigen::Index first, const Matrix3Xd& ways) {
    forces.middleCols(first, body.size()) += stiffness_ * ways * body.mass.asDiagonal();
  });
}

double ReferenceShape::Energy(const PointsRef& x) const {
  double sum = 0.0;
  if (!acts()) return sum;
  ForEachBody(x, [&](const Body& body, Eigen::Index, const Matrix3Xd& ways) {
    sum += ways.colwise().squaredNorm().dot(body.mass);
  });
  return 0.5 * stiffness_ * sum;
}

}  // namespace pliant
