#include "solvers/dynamic_ffd/stable_step.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "models/geometry/spectrum.h"
#include "solvers/parallel/cancellation.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Largest eigenvalues of M⁻¹K [1/s²] and M⁻¹C [1/s].
struct Rates {
  double stiffness = 0.0;
  double damping = 0.0;

  double LargestStep(const IntegratorOptions& integrator) const {
    return LargestStableStep(integrator, stiffness, damping);
  }

  void Widen(const Rates& other) {
    stiffness = std::max(stiffness, other.stiffness);
    damping = std::max(damping, other.damping);
  }
};

// Of a positive semidefinite matrix: below zero is rounding.
double LargestRate(const MatrixXd& matrix, const MatrixXd& mass) {
  return std::max(0.0, LargestEigenvalue(matrix, mass));
}

// Isotropic stiffness (row 0, N/m) and damping (row 1, N s/m) of what holds each point. A spring
// between two points counts twice on each: [k −k; −k k] is at most 2k on the diagonal.
Eigen::Matrix2Xd HoldOfPoints(const Scene& scene, const ConstraintSpringOptions& constraints) {
  Eigen::Matrix2Xd hold = Eigen::Matrix2Xd::Zero(2, scene.PointCount());
  for (const Spring& spring : scene.springs) {
    const Eigen::Vector2d constants(spring.stiffness, spring.damping);
    hold.col(scene.Index(spring.a)) += spring.b ? 2.0 * constants : constants;
    if (spring.b) hold.col(scene.Index(*spring.b)) += 2.0 * constants;
  }
  const Eigen::Vector2d constants(constraints.stiffness, constraints.damping);
  for (const Nail& nail : scene.nails) hold.col(scene.Index(nail.point)) += constants;
  for (const Attachment& attachment : scene.attachments) {
    hold.col(scene.Index(attachment.a)) += 2.0 * constants;
    hold.col(scene.Index(attachment.b)) += 2.0 * constants;
  }
  return hold;
}

// Obstacles that an edge or a face can touch besides the points. A place between points moves with a mean of theirs, and
// so gives way no more than the one that gives way most.
double PlacesBetweenPoints(const Scene& scene, const PenaltyOptions& contact) {
  if (contact.obstacles == ObstaclesMeet::kPoints) return 0.0;
  return static_cast<double>(
      std::count_if(scene.obstacles.begin(), scene.obstacles.end(),
                    [](const Obstacle& o) { return PlaneOf(o.shape) == nullptr; }));
}

}  // namespace

StableStep EstimateStableStep(const Scene& scene, const DynamicFfdSystem& system, const VectorXd& q,
                              const PenaltyOptions& contact,
                              const ConstraintSpringOptions& constraints,
                              const IntegratorOptions& integrator) {
  const Eigen::Matrix2Xd hold = HoldOfPoints(scene, constraints);
  double contact_stiffness = 0.0, contact_damping = 0.0;
  if (!scene.obstacles.empty()) {
    contact_stiffness = std::max(contact.normal_stiffness(), contact.tangential_stiffness);
    contact_damping = std::max(contact.normal_damping(), contact.tangential_damping);
  }
  Rates free, one, all;
  size_t done = 0;
  for (const FfdPart& part : system.parts()) {
    AtPreparation("stable step of body", done++, system.parts().size());
    const FfdBody& body = part.body;
    const PointHold met =
        HoldByBodies(system.body_contact(), static_cast<int>(&part - system.parts().data()));
    const double stiffness_in_contact = std::max(contact_stiffness, met.stiffness);
    const double damping_in_contact = std::max(contact_damping, met.damping);
    const VectorXd q_part = q.segment(part.first_q, body.coordinates());
    const int free_count = body.velocities() - body.driven();
    const MatrixXd mass = part.inertia->MassMatrix(q_part).topLeftCorner(free_count, free_count);
    const Eigen::LLT<MatrixXd> factor(mass);
    MatrixXd stiffness = MatrixXd::Zero(mass.rows(), mass.cols());
    const int modes = body.free_modes();
    stiffness.bottomRightCorner(modes, modes) = 2.0 * part.stiffness.topLeftCorner(modes, modes);
    MatrixXd damping = MatrixXd::Zero(mass.rows(), mass.cols());
    damping.bottomRightCorner(modes, modes) = part.damping.topLeftCorner(modes, modes);
    // An exponent above 2 is soft at rest: evaluate it at the amplitude of the mode, at least 1.
    const VectorXd reached = q_part.segment(body.pose_size(), modes).cwiseAbs().cwiseMax(1.0);
    stiffness.diagonal().tail(modes) += PowerCurvature(part.powers, reached);
    if (part.material) {
      const auto gamma = q_part.tail(body.modes());
      stiffness.bottomRightCorner(modes, modes) +=
          part.material->Hessian(gamma).topLeftCorner(modes, modes);
      damping.bottomRightCorner(modes, modes) +=
          part.material->Viscosity(gamma).topLeftCorner(modes, modes);
      damping += part.material->material().mass_damping * mass;
    }
    for (const ModeControl& control : system.controls()) {
      if (&system.parts()[control.body()] != &part) continue;
      for (const PdServo& servo : control.servos().servos()) {
        const int row = body.twist_size() + servo.coordinate;
        stiffness(row, row) += servo.stiffness;
        damping(row, row) += servo.damping;
      }
    }
    if (const auto& plan = system.plan()) {
      stiffness.diagonal().tail(modes) += plan->servo_stiffness();
      damping.diagonal().tail(modes) += plan->servo_damping();
    }
    MatrixXd everywhere = MatrixXd::Zero(mass.rows(), mass.cols());  // Σ JᵀJ
    double most_sensitive = 0.0;  // 1/kg, largest eigenvalue of J_n M⁻¹ J_nᵀ
    for (int n = 0; n < body.points(); ++n) {
      const MatrixXd jacobian = body.Jacobian(q_part, n).leftCols(free_count);
      const MatrixXd square = jacobian.transpose() * jacobian;
      const auto held = hold.col(part.first_point + n);
      stiffness += held[0] * square;
      damping += held[1] * square;
      everywhere += square;
      const Eigen::Matrix3d mobility = jacobian * factor.solve(jacobian.transpose());
      most_sensitive = std::max(most_sensitive, Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(
                                                    mobility, Eigen::EigenvaluesOnly)
                                                    .eigenvalues()[2]);
    }
    const Rates own = {LargestRate(stiffness, mass), LargestRate(damping, mass)};
    free.Widen(own);
    const double between = PlacesBetweenPoints(scene, contact) * most_sensitive;
    const Rates touched = {
        LargestRate(stiffness + stiffness_in_contact * everywhere, mass) +
            contact_stiffness * between,
        LargestRate(damping + damping_in_contact * everywhere, mass) + contact_damping * between};
    all.Widen(touched);
    // Two bounds for one point: the sum of both largest rates, and all points at once, which are no softer.
    one.Widen({std::min(own.stiffness + stiffness_in_contact * most_sensitive, touched.stiffness),
               std::min(own.damping + damping_in_contact * most_sensitive, touched.damping)});
  }
  return {free.LargestStep(integrator), one.LargestStep(integrator), all.LargestStep(integrator)};
}

}  // namespace pliant::dynamic_ffd
