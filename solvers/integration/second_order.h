// Time integration of second-order systems  q̇ = N(q) v,  v̇ = a(t, q, v).
//
// q may have more entries than v: a unit quaternion turns with q̇ = ½ [0, ω] q. The work of each
// force class is integrated beside the motion by the same scheme, ẇ = P(t, q, v), so that the
// ledger is as accurate as the motion.
//
//   semi-implicit Euler   v⁺ = v + h a(t, q, v),          q⁺ = q + h N(q) v⁺          order 1
//                         the differences of [Faloutsos 1995, Eqs. 4.22–4.23] with q̈ of step n−1,
//                         which the source calls explicit: q_n = 2 q_{n−1} − q_{n−2} + h² q̈_{n−1}
//                         Its forces are those of the step's begin and change the kinetic energy by
//                         h Q·(v + v⁺)/2, M being constant: the work is booked so, P(t, q, v) with
//                         the power of the same forces at h a/2. At v alone a damper that stops
//                         within the step would have taken twice what there was.
//   Runge–Kutta 4         the classical four stages                                   order 4
//   implicit midpoint     z⁺ = z + h f(t + h/2, (z + z⁺)/2), fixed-point iteration    order 2,
//                         conserves quadratic invariants (also the norm of a quaternion)
//   Bogacki–Shampine      3(2) pair, as many substeps as its error estimate asks for  order 3
//
// What begins or ends does so at the bounds of a step (Simulation::Advance), and holds for begin ≤ t < end. A stage
// at the end of the step is therefore evaluated a few roundings before it: the limit from within the step.
//
// The error of a substep is that of the pair, each entry of q and v against absolute + relative ·
// its size, the largest counting: err = max_i |y_i − ŷ_i| / (a + r max(|y_i|, |y⁺_i|)). A substep
// is taken when err ≤ 1; the next is 0.9 err^(−1/3) times as long, within a fifth and five times. A
// step of the run always ends on time: its last two substeps share the remaining time. The
// requested length of the substep carries over to the next step and is state.

#ifndef PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_
#define PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <string_view>

#include "solvers/simulation.h"

namespace pliant {

class SecondOrderSystem {
 public:
  virtual ~SecondOrderSystem() = default;

  // a = v̇ (size of v) and power [W] by class, at (t, q, v). Called once per stage; may use
  // scratch memory of its own but must not change what it computes from.
  virtual void Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                     Eigen::VectorXd* a, Exchange* power) = 0;

  // Power [W] that the forces of the last call of Rates(), which was at (t, q, v), would have at
  // the velocities `other`; only of those whose work is not in an energy. The default is none.
  virtual void AddPowerAt(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          const Eigen::VectorXd& other, Exchange* power) {
    (void)t, (void)q, (void)v, (void)other, (void)power;
  }

  // q̇ = N(q) v. The default is q̇ = v.
  virtual void ConfigurationRate(const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                 Eigen::VectorXd* q_dot) const {
    (void)q;
    *q_dot = v;
  }

  // Projects q back onto its manifold (unit quaternions) after rounding or truncation.
  virtual void Project(Eigen::VectorXd* q) const { (void)q; }
};

enum class Scheme { kSemiImplicitEuler, kRungeKutta4, kImplicitMidpoint, kBogackiShampine };

struct IntegratorOptions {
  Scheme scheme = Scheme::kSemiImplicitEuler;
  double tolerance = 1e-12;  // 1, relative change at which the implicit midpoint iteration stops
  int max_iterations = 50;   // of the implicit midpoint rule
  double relative_tolerance = 1e-6;  // 1, r of the adaptive scheme
  double absolute_tolerance = 1e-8;  // units of the coordinates, a of the adaptive scheme
  double smallest_substep = 1e-8;    // s, of the adaptive scheme
  void Bind(ParameterBinder& binder);
};

// Semi-implicit Euler is stable on ẍ = −stiffness x − damping ẋ for steps below this [s]; stiffness
// in 1/s², damping in 1/s, both ≥ 0. 2/ω without damping; infinite when both are 0.
double StableEulerStep(double stiffness, double damping);

// The same of any scheme: Runge–Kutta 4 by its region of stability, 2.83/ω without damping, and the
// implicit midpoint rule, which is stable at any step, by the iteration that solves it: that is to
// reach its tolerance in the iterations it has, (h ω/2)ⁿ ≤ tolerance. Infinite for Bogacki–Shampine,
// which chooses its substeps.
double LargestStableStep(const IntegratorOptions& options, double stiffness, double damping);
// What such a limit is one of, in words: "semi-implicit Euler", "Runge–Kutta 4", …
std::string_view NameOf(Scheme scheme);

class Integrator {
 public:
  explicit Integrator(const IntegratorOptions& options) : options_(options) {}

  // Advances (q, v, work) by h from time t. No allocation after the first call of a size. Not
  // converged: the implicit midpoint rule, q, v hold its last iterate; or the adaptive scheme
  // needed a substep below the smallest and used the smallest.
  StepOutcome Step(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                   Eigen::VectorXd* v, Exchange* work);

  // Evaluations of the rates since construction; for the implicit rule one per iteration.
  std::int64_t evaluations() const { return evaluations_; }
  void set_evaluations(std::int64_t evaluations) { evaluations_ = evaluations; }

  // Length of the next substep of the adaptive scheme [s]; 0 before the first, which tries the
  // whole step.
  double substep() const { return substep_; }
  void set_substep(double substep) { substep_ = substep; }

 private:
  StepOutcome SemiImplicitEuler(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                                Eigen::VectorXd* v, Exchange* work);
  StepOutcome RungeKutta4(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                          Eigen::VectorXd* v, Exchange* work);
  StepOutcome ImplicitMidpoint(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                               Eigen::VectorXd* v, Exchange* work);
  StepOutcome BogackiShampine(SecondOrderSystem& system, double t, double h, Eigen::VectorXd* q,
                              Eigen::VectorXd* v, Exchange* work);
  // Of one trial of length h from (q, v), whose rates are the first stage: the result in stage_q_,
  // stage_v_, its rates the last stage, its work in trial_work_. Returns the error.
  double TrySubstep(SecondOrderSystem& system, double t, double h, const Eigen::VectorXd& q,
                    const Eigen::VectorXd& v);

  // Time of a stage, within the step.
  double Within(double stage) const { return std::min(stage, last_moment_); }

  IntegratorOptions options_;
  double last_moment_ = 0.0;  // s, before the end of the step by more than its rounding
  std::int64_t evaluations_ = 0;
  double substep_ = 0.0;
  Eigen::VectorXd stage_q_, stage_v_, sum_q_, sum_v_, rate_q_, rate_v_;  // scratch
  // Scratch of the adaptive scheme: rates and power of its four stages.
  struct Stage {
    Eigen::VectorXd q_dot, v_dot;
    Exchange power;
  };
  std::array<Stage, 4> stages_;
  Exchange trial_work_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_INTEGRATION_SECOND_ORDER_H_
