// One step of the equations of motion M q̈ + ∂E/∂q = f of a discretisation, under linear constraints.
//
//   energy-momentum   M (v₁ − v₀)/h + ∇̄E(q₀, q₁) = f̄,  (v₀ + v₁)/2 = (q₁ − q₀)/h
//                     keeps energy and momenta for every step [Simo & Tarnow 1992; Gonzalez 2000]; of
//                     second order
//   generalised-α     M a_α + (1 − α_f) ∂E(q₁) + α_f ∂E(q₀) = f̄ with Newmark's β and γ of the
//                     spectral radius ρ at infinity [Chung & Hulbert 1993]; of second order; loses
//                     energy of high frequencies
//   implicit-euler    M (v₁ − v₀)/h + ∂E(q₁) = f₁, v₁ = (q₁ − q₀)/h: of first order, loses energy
//
// f̄ contains gravity, timed forces (constant in a step), springs and contact; damping and friction act
// along q₁ − q₀ in each scheme, friction with the push of the same step. No force of contact contains
// the step. Newton's iteration never moves surfaces through one another. Constraints hold at the end of the step exactly (reduction.h). Newton's
// iteration with a symmetric tangent, kept while it contracts.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_TIME_STEP_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_TIME_STEP_H_

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <vector>

#include "solvers/finite_elements/contact.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/generalised_alpha.h"
#include "solvers/finite_elements/krylov_subspace.h"
#include "solvers/finite_elements/point_forces.h"
#include "solvers/finite_elements/reduced_matrix.h"
#include "solvers/finite_elements/reduction.h"
#include "solvers/finite_elements/row_gram.h"

namespace pliant::finite_elements {

// The last is no step of motion (statics.h).
enum class TimeScheme { kEnergyMomentum, kGeneralisedAlpha, kImplicitEuler, kStatic };

struct TimeOptions {
  TimeScheme scheme = TimeScheme::kEnergyMomentum;
  double spectral_radius = 0.8;  // ρ of generalised-α at infinity
  double tolerance = 1e-9;       // of the largest unbalanced force, relative to the largest force
  int most_iterations = 40;      // of a step
};

struct MotionState {
  Eigen::Matrix3Xd q, v;  // 3×m, world [m], [m/s]
  Eigen::Matrix3Xd a;     // 3×m [m/s²], of generalised-α, else unused
};

// What acted on the nodes in the last step, 3×m [N]; to each belongs its work over the step.
struct StepForces {
  Eigen::Matrix3Xd points;   // springs
  Eigen::Matrix3Xd contact;  // the push of obstacles and other surfaces
  Eigen::Matrix3Xd friction;
  Eigen::Matrix3Xd damping;      // of springs and material
  Eigen::Matrix3Xd constraints;  // of the rows
  Eigen::VectorXd multipliers;   // of each row [N]
};

class TimeStep {
 public:
  // All references must outlive it.
  TimeStep(const Discretisation& bodies, const PointForces& point_forces, Contact* contact,
           const Reduction& reduction, const TimeOptions& options);

  enum class Result { kConverged, kNotConverged, kFailed };
  // From t to t + h, to the values b of the rows at t + h, under constant nodal forces [N] (gravity,
  // timed). Not converged: the state is the best found; failed: it is as it was, and forces() are of no step.
  Result Advance(double t, double h, const Eigen::Matrix3Xd& constant, const Eigen::VectorXd& b,
                 MotionState* state);
  const StepForces& forces() const { return forces_; }
  // Work of obstacles that move, in a step from t to t + h and from q₀ to q₁ [J].
  ObstacleContact::Work ObstacleWork(double t, double h, const Eigen::Matrix3Xd& q0,
                                     const Eigen::Matrix3Xd& q1) const;

  // v ← v + M⁻¹ p with the impulses p on the nodes, 3×m [N s], where the rows keep the rates
  // `rates` [m/s]: the velocities nearest in energy that they allow. Returns the impulses of the
  // constraints on the nodes; forces().multipliers are those of the rows [N s].
  Eigen::Matrix3Xd ApplyImpulses(const Eigen::Matrix3Xd& impulses, const Eigen::VectorXd& rates,
                                 Eigen::Matrix3Xd* v);
  // Accelerations at the state, for generalised-α: M a = f − ∂E/∂q where nothing is held.
  void InitialAccelerations(double t, const Eigen::Matrix3Xd& constant, MotionState* state);

  // The forces of the rows among what is left unbalanced, 3×m [N], into forces().
  void SplitConstraints(const Eigen::Matrix3Xd& residual);

  std::int64_t iterations() const { return iterations_; }
  std::int64_t factorisations() const { return factorisations_; }
  void set_counts(std::int64_t iterations, std::int64_t factorisations) {
    iterations_ = iterations;
    factorisations_ = factorisations;
  }

 private:
  struct Coefficients {
    double mass;     // of M (q₁ − …) in the residual [1/s²]
    double tangent;  // of ∂²E/∂q² in its derivative
  };
  Coefficients CoefficientsOf(double h) const;
  // Residual at q₁ = q₀ + change, 3×m [N]; returns the largest single term. Fills forces_ but
  // constraints.
  double Residual(double t, double h, const Eigen::Matrix3Xd& constant, const MotionState& state,
                  const Eigen::Matrix3Xd& change, Eigen::Matrix3Xd* residual);
  void AddContact(const NodeMotion& motion);
  void MakeMatrix();
  void AssembleTangent(double t, double h, const Eigen::Matrix3Xd& q0, const Eigen::Matrix3Xd& q1);
  void Finish(double h, const Eigen::Matrix3Xd& change, MotionState* state) const;
  void MoveConstrained(const Eigen::Matrix3Xd& q0, const Eigen::VectorXd& b,
                       Eigen::Matrix3Xd* change) const;
  Eigen::Matrix3Xd Points(const Eigen::Matrix3Xd& q) const { return q * places_transposed_; }

  const Discretisation& bodies_;
  const PointForces& point_forces_;
  Contact& contact_;
  const Reduction& reduction_;
  TimeOptions options_;
  GeneralisedAlpha alpha_;
  Eigen::SparseMatrix<double> places_transposed_;  // m×n, of the springs
  std::unique_ptr<ReducedMatrix> matrix_;          // of the links of contact that are known now
  std::vector<NodeCombination> links_;
  RowGram gram_;
  KrylovSubspace subspace_;  // of the present factorisation
  StepForces forces_;
  Eigen::Matrix3Xd x0_, x1_, point_sum_;  // of the points; scratch
  double rounding_ = 0.0;                 // of forces, in the present step [N]
  std::int64_t iterations_ = 0, factorisations_ = 0;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_TIME_STEP_H_
