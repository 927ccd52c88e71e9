// The time of a phase, given or free between two bounds, in a program on a mesh.

#ifndef PLIANT_SOLVERS_SPACETIME_PHASE_TIME_H_
#define PLIANT_SOLVERS_SPACETIME_PHASE_TIME_H_

#include <optional>
#include <string>

#include "solvers/spacetime/program.h"

namespace pliant {

// The interval between nodes: h, or duration / intervals where the duration is a block of its own.
struct PhaseClock {
  double h;                       // s; of the first guess where the duration is unknown
  std::optional<int> block = {};  // of the duration [s]
  int intervals = 1;              // of the phase

  double Interval(const double* duration) const { return block ? *duration / intervals : h; }
};

// √(w T) of a phase of duration T as cost.
class PhaseTimeTerm : public SpacetimeTerm {
 public:
  // `clock`: the block of T [s], or absent where it is `duration`.
  PhaseTimeTerm(double time, double duration, std::optional<int> clock, double weight);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  double duration_, weight_;
};

// A free duration between two bounds [s].
class PhaseDurationTerm : public SpacetimeTerm {
 public:
  PhaseDurationTerm(const std::string& phase, double time, int block, double shortest,
                    double longest);
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override;

 private:
  double shortest_, longest_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_PHASE_TIME_H_
