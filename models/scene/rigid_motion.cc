#include "models/scene/rigid_motion.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

Matrix3d InertiaOf(const Eigen::Ref<const Eigen::VectorXd>& masses, const PointsRef& arms) {
  Matrix3d inertia = Matrix3d::Zero();
  for (Eigen::Index i = 0; i < arms.cols(); ++i) {
    const Vector3d r = arms.col(i);
    inertia += masses[i] * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
  }
  return inertia;
}

Matrix3d BestRotation(const Eigen::VectorXd& masses, const PointsRef& rest, const PointsRef& now) {
  const Matrix3d b = now * masses.asDiagonal() * rest.transpose();            // Σ m x pᵀ
  const Vector3d z(b(2, 1) - b(1, 2), b(0, 2) - b(2, 0), b(1, 0) - b(0, 1));  // Σ m p × x
  Matrix4d davenport;
  davenport(0, 0) = b.trace();
  davenport.block<3, 1>(1, 0) = z;
  davenport.block<1, 3>(0, 1) = z.transpose();
  davenport.block<3, 3>(1, 1) = b + b.transpose() - b.trace() * Matrix3d::Identity();
  const Eigen::SelfAdjointEigenSolver<Matrix4d> solver(davenport);
  Vector4d q = solver.eigenvectors().col(3);
  // Points on a line may turn about it: of all best rotations the one nearest to none.
  constexpr double kSame = 1e-9;  // of the largest eigenvalue
  const Vector4d& values = solver.eigenvalues();
  if (values[3] - values[2] <= kSame * std::abs(values[3])) {
    const Vector4d other = solver.eigenvectors().col(2);
    const Vector4d nearest = q * q[0] + other * other[0];
    if (nearest.squaredNorm() > kSame) q = nearest.normalized();
  }
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

DistanceParts PartsOfDistance(const Scene& scene, const PointsRef& x, const PointsRef& y) {
  DistanceParts squared;
  double mass = 0.0;
  Eigen::Index offset = 0;
  for (const Body& body : scene.bodies) {
    const auto of_x = x.middleCols(offset, body.size()), of_y = y.middleCols(offset, body.size());
    offset += body.size();
    mass += body.mass.sum();
    if (of_x == of_y) continue;  // the best rotation would be the identity up to rounding
    const Vector3d x_centre = of_x * body.mass / body.mass.sum();
    const Vector3d y_centre = of_y * body.mass / body.mass.sum();
    const Eigen::Matrix3Xd arms = of_y.colwise() - y_centre;
    const Matrix3d turn = BestRotation(body.mass, arms, of_x.colwise() - x_centre);
    const Eigen::Matrix3Xd moved = (turn * arms).colwise() + x_centre;
    squared.points += (of_x - of_y).colwise().squaredNorm().dot(body.mass);
    squared.shape += (of_x - moved).colwise().squaredNorm().dot(body.mass);
    squared.placement += (moved - of_y).colwise().squaredNorm().dot(body.mass);
  }
  return {std::sqrt(squared.points / mass), std::sqrt(squared.shape / mass),
          std::sqrt(squared.placement / mass)};
}

double RigidKineticEnergy(const Eigen::Ref<const Eigen::VectorXd>& masses, const PointsRef& x,
                          const PointsRef& v) {
  const double mass = masses.sum();
  const Vector3d centre = x * masses / mass, momentum = v * masses;
  const Eigen::Matrix3Xd arms = x.colwise() - centre;
  Vector3d spin = Vector3d::Zero();  // angular momentum about the centre
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    spin += masses[i] * arms.col(i).cross(v.col(i));
  }
  double energy = 0.5 * momentum.squaredNorm() / mass;
  // Points on a line have no inertia about it, and no angular momentum.
  constexpr double kNone = 1e-12;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> axes(InertiaOf(masses, arms));
  for (int i = 0; i < 3; ++i) {
    const double about = axes.eigenvalues()[i];
    if (!(about > kNone * axes.eigenvalues()[2])) continue;
    const double along = axes.eigenvectors().col(i).dot(spin);
    energy += 0.5 * along * along / about;
  }
  return energy;
}

std::optional<double> RigidShare(const Scene& scene, const PointsRef& x, const PointsRef& v) {
  double rigid = 0.0, kinetic = 0.0;
  Eigen::Index offset = 0;
  for (const Body& body : scene.bodies) {
    const Eigen::Index n = body.size();
    rigid += RigidKineticEnergy(body.mass, x.middleCols(offset, n), v.middleCols(offset, n));
    kinetic += 0.5 * v.middleCols(offset, n).colwise().squaredNorm().dot(body.mass);
    offset += n;
  }
  if (!(kinetic > 0.0)) return std::nullopt;
  return rigid / kinetic;
}

}  // namespace pliant
