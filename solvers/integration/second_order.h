// Time integration of second-order systems  q̇ = N(q) v,  v̇ = a(t, q, v).
//
// q may have more entries than v: a unit quaternion turns with q̇ = ½ [0, ω] q. The work of each
// force class is integrated beside the motion by the same scheme, ẇ = P(t, q, v), so that the
// ledger is as accurate as the motion.
//
//   semi-implicit Euler   v⁺ = v + h a(t, q, v),          q⁺ = q + h N(q) v⁺          order 1
//                         the differences of [Faloutsos 1995, Eqs. 4.22–4.23] with q̈ of step n−1,
//                         which the source calls explicit: q_n = 2 q_{n−1} − q_{n−2} + h² q̈_{n−1}
//   Runge–Kutta 4         the classical four stages                                   order 4
//   implicit midpoint     z⁺ = z + h f(t + h/2, (z + z⁺)/2), fixed-point iteration    order 2,
//                         conserves quadratic invariants (also the norm of a quaternion)

#ifndef PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_
#define PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_

#include <Eigen/Core>

#include "solvers/simulation.h"

namespace pliant {

class SecondOrderSystem {
 public:
  virtual ~SecondOrderSystem() = default;

  // a = v̇ (size of v) and power [W] by class, at (t, q, v). Called once per stage; may use
  // scratch memory of its own but must not change what it computes from.
  virtual void Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     Eigen::VectorXd* a, WorkByClass* power) = 0;

  // q̇ = N(q) v. The default is q̇ = v.
  virtual void ConfigurationRate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd* q_dot) const {
    (void)q;
    *q_dot = v;
  }

  // Puts q back where rounding or truncation took it off its manifold (unit quaternions).
  virtual void Project(Eigen::VectorXd* q) const { (void)q; }
};

// Semi-implicit Euler is stable on ẍ = −stiffness x − damping ẋ for steps below this [s]; stiffness
// in 1/s², damping in 1/s, both ≥ 0. 2/ω without damping; infinite when both are 0.
double StableEulerStep(double stiffness, double damping);

enum class Scheme { kSemiImplicitEuler, kRungeKutta4, kImplicitMidpoint };

struct IntegratorOptions {
  Scheme scheme = Scheme::kSemiImplicitEuler;
  double tolerance = 1e-12;  // 1, relative change at which the implicit midpoint iteration stops
  int max_iterations = 50;   // of the implicit midpoint rule
  void Bind(ParameterBinder& binder);
};

class Integrator {
 public:
  explicit Integrator(const IntegratorOptions& options) : options_(options) {}

  // Advances (q, v, work) by h from time t. No allocation after the first call of a size.
  // Not converged only for the implicit midpoint rule; q, v hold its last iterate.
  StepOutcome Step(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                   Eigen::VectorXd* v, WorkByClass* work);

  // Evaluations of the rates since construction; for the implicit rule one per iteration.
  std::int64_t evaluations() const { return evaluations_; }
  void set_evaluations(std::int64_t evaluations) { evaluations_ = evaluations; }

 private:
  StepOutcome SemiImplicitEuler(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                                Eigen::VectorXd* v, WorkByClass* work);
  StepOutcome RungeKutta4(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                          Eigen::VectorXd* v, WorkByClass* work);
  StepOutcome ImplicitMidpoint(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                               Eigen::VectorXd* v, WorkByClass* work);

  IntegratorOptions options_;
  std::int64_t evaluations_ = 0;
  Eigen::VectorXd stage_q_, stage_v_, sum_q_, sum_v_, rate_q_, rate_v_;  // scratch
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_
