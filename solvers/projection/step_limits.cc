#include "solvers/projection/step_limits.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "models/scene/metrics.h"
#include "solvers/integration/second_order.h"
#include "solvers/projection/rigid_pieces.h"

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Acceleration per force of each point along any one line, from above. The force on one point of a
// rigid body moves another one: by the translation of both, and by the product of their rotations.
struct Mobilities {
  VectorXd of_point;        // 1/kg; 0 where a nail holds or the body is rigid
  std::vector<int> rigid;   // by point, the rigid body, or −1
  VectorXd of_translation;  // 1/kg, by body
  VectorXd of_rotation;     // 1/√kg, by point: no more than this whatever the directions
};

// J^(−1/2) of a symmetric J ≥ 0; zero about an axis without inertia, from which no point is away
Matrix3d InverseRoot(const Matrix3d& inertia) {
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia);
  Vector3d roots = Vector3d::Zero();
  const double least = 1e-12 * solver.eigenvalues().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    if (solver.eigenvalues()[i] > least) roots[i] = 1.0 / std::sqrt(solver.eigenvalues()[i]);
  }
  return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

Matrix3d Cross(const Vector3d& r) {
  return (Matrix3d() << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0).finished();
}

Mobilities MobilitiesOf(const Scene& scene, const std::vector<std::string>& rigid_bodies) {
  const std::vector<bool> rigid = RigidBodiesOf(scene, rigid_bodies);
  Mobilities m{scene.Masses().cwiseInverse(), std::vector<int>(scene.PointCount(), -1),
               VectorXd::Zero(static_cast<Eigen::Index>(scene.bodies.size())),
               VectorXd::Zero(scene.PointCount())};
  const Matrix3Xd points = scene.InitialPoints();
  Eigen::Index first = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const Eigen::Index end = first + body.size();
    if (rigid[b]) {
      const Matrix3Xd arms = points.middleCols(first, body.size()).colwise() -
                             CentreOfMass(body.mass, points.middleCols(first, body.size()));
      Matrix3d inertia = Matrix3d::Zero();
      for (Eigen::Index i = 0; i < arms.cols(); ++i) {
        const Matrix3d cross = Cross(arms.col(i));
        inertia += body.mass[i] * cross.transpose() * cross;
      }
      if (scene.dimension == 2) {  // it turns about z alone
        inertia = Vector3d(0.0, 0.0, inertia(2, 2)).asDiagonal();
      }
      const Matrix3d root = InverseRoot(inertia);
      m.of_translation[static_cast<Eigen::Index>(b)] = 1.0 / body.mass.sum();
      for (Eigen::Index p = first; p < end; ++p) {
        m.rigid[p] = static_cast<int>(b);
        m.of_point[p] = 0.0;
        const Matrix3d turn = root * Cross(arms.col(p - first));
        const Matrix3d squared = turn * turn.transpose();
        m.of_rotation[p] = std::sqrt(
            std::max(0.0, Eigen::SelfAdjointEigenSolver<Matrix3d>(squared, Eigen::EigenvaluesOnly)
                              .eigenvalues()[2]));
      }
    }
    first = end;
  }
  for (const Nail& nail : scene.nails) {
    const int p = scene.Index(nail.point);
    if (nail.hold.always() && m.rigid[p] < 0) m.of_point[p] = 0.0;
  }
  return m;
}

// The largest row sum of (mobility) · (coefficient), with coefficients that `of` takes from springs
// [1/s² of stiffnesses, 1/s of dampings].
template <typename Coefficient>
double LargestRowSum(const Scene& scene, const Mobilities& m, const Coefficient& of) {
  VectorXd at_points = VectorXd::Zero(scene.PointCount());
  VectorXd of_bodies = VectorXd::Zero(m.of_translation.size());  // Σ k of the springs on a body
  VectorXd turns_of_bodies = of_bodies;                          // Σ k · (rotation)
  const auto for_ends = [&scene](const Spring& spring, const auto& visit) {
    visit(scene.Index(spring.a));
    if (spring.b) visit(scene.Index(*spring.b));
  };
  for (const Spring& spring : scene.springs) {
    for_ends(spring, [&](int p) {
      at_points[p] += of(spring) * m.of_point[p];
      if (m.rigid[p] < 0) return;
      of_bodies[m.rigid[p]] += of(spring);
      turns_of_bodies[m.rigid[p]] += of(spring) * m.of_rotation[p];
    });
  }
  double largest = 0.0;
  for (const Spring& spring : scene.springs) {
    if (of(spring) == 0.0) continue;
    double sum = 0.0;
    for_ends(spring, [&](int p) {
      const int b = m.rigid[p];
      sum += b < 0 ? at_points[p]
                   : of_bodies[b] * m.of_translation[b] + turns_of_bodies[b] * m.of_rotation[p];
    });
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

std::vector<StepLimit> StepLimitsOfSprings(const Scene& scene, const ProjectionOptions& options) {
  if (scene.springs.empty() && options.shape_stiffness == 0.0) return {};
  const Mobilities mobilities = MobilitiesOf(scene, options.rigid_bodies);
  const double squared =  // ω²
      options.shape_stiffness +
      LargestRowSum(scene, mobilities, [](const Spring& spring) { return spring.stiffness; });
  const double damping =  // γ
      LargestRowSum(scene, mobilities, [](const Spring& spring) { return spring.damping; });
  std::vector<StepLimit> limits;
  switch (options.velocity_update) {
    case VelocityUpdate::kVerlet:
      if (squared > 0.0)
        limits.push_back({"velocity Verlet with springs", 2.0 / std::sqrt(squared)});
      if (damping > 0.0) limits.push_back({"velocity Verlet with dampers", 2.0 / damping});
      break;
    case VelocityUpdate::kEulerCromer:
      if (squared > 0.0 || damping > 0.0) {
        limits.push_back(
            {"Euler-Cromer with springs and dampers", StableEulerStep(squared, damping)});
      }
      break;
    case VelocityUpdate::kCorrected:
    case VelocityUpdate::kPrinted:
      break;
  }
  return limits;
}

}  // namespace pliant
