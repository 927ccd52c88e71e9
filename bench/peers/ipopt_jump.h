// A spacetime program in Ipopt [Wächter & Biegler 2006], as it suits an interior-point method: rows
// that bound one unknown are bounds, the other constraints are rows scaled as their violation is
// measured, of which Ipopt receives only the entries that are not zero. Derivatives are those of
// the terms.

#ifndef PLIANT_BENCH_PEERS_IPOPT_JUMP_H_
#define PLIANT_BENCH_PEERS_IPOPT_JUMP_H_

#include <Eigen/Core>

#include "solvers/spacetime/program.h"

namespace pliant {

enum class IpoptHessian {
  kExact,        // of the Lagrangian: JᵀJ of the cost and one-sided differences of the Jacobians
  kGaussNewton,  // JᵀJ of the cost alone
  kLimitedMemory,  // L-BFGS, Ipopt's own
};

struct IpoptOptions {
  IpoptHessian hessian = IpoptHessian::kExact;
  double tolerance = 1e-4;            // of the scaled optimality error
  double violation_tolerance = 1e-8;  // scaled, of the worst row
  bool adaptive_barrier = true;
  bool scale_by_gradient = true;  // Ipopt's own scaling on top
};

struct IpoptResult {
  bool converged;  // "solve succeeded", and nothing weaker
  int iterations;
  double seconds_in_terms;  // CPU, evaluating rows and derivatives
};

// `x` holds the guess and receives the solution. MUMPS, one thread.
IpoptResult SolveByIpopt(const SpacetimeProgram& program, const IpoptOptions& options,
                         Eigen::VectorXd* x);

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_IPOPT_JUMP_H_
