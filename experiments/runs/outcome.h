// How a run ended.

#ifndef PLIANT_EXPERIMENTS_RUNS_OUTCOME_H_
#define PLIANT_EXPERIMENTS_RUNS_OUTCOME_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/simulation.h"

namespace pliant {

// From the best to the worst; a run has the worst that applies.
enum class OutcomeKind {
  kCompleted,
  kNotConverged,  // ran to its end; more of its steps than [run] allows did not converge
  kLostEnergy,    // ran to its end; the discretisation lost more energy than [run] allows
  kGainedEnergy,  // ran to its end; its passive parts made more energy than [run] allows
  kTurnedInsideOut,  // ran to its end; a body, or an element, had no positive volume or area at a recorded time
  kWentThrough,     // ran to its end; a body went through something where [run] forbids it
  kBudgetExceeded,  // stopped: its steps took longer than [run] allows
  kCancelled,       // stopped by the user
  kDiverged,        // stopped: the state is meaningless from here on
  kUnsupported      // refused
};
inline constexpr std::array kAllOutcomes = {
    OutcomeKind::kCompleted,      OutcomeKind::kNotConverged,    OutcomeKind::kLostEnergy,
    OutcomeKind::kGainedEnergy,   OutcomeKind::kTurnedInsideOut, OutcomeKind::kWentThrough,
    OutcomeKind::kBudgetExceeded, OutcomeKind::kCancelled,       OutcomeKind::kDiverged,
    OutcomeKind::kUnsupported};
std::string_view ToString(OutcomeKind kind);

// Whether all steps were made, even if their result is not to be trusted.
bool RanToItsEnd(OutcomeKind kind);

// Where a body came to lie deepest in an obstacle or in another body (experiments/runs/sinking_meter.h).
struct Sunk {
  std::string body, obstacle, other;  // obstacle or other: what it lies in
  double depth = 0.0;                 // m
  double share = 0.0;                 // of the size of the body
  double time = 0.0;                  // s
};

struct RunOutcome {
  OutcomeKind kind = OutcomeKind::kCompleted;
  std::int64_t step = 0;  // steps done; for diverged: the step that diverged
  double time = 0.0;      // s, of the last good state
  std::string
      quantity;  // what diverged, did not converge, made energy, turned inside out or went through
  std::string reason;  // in words; empty when completed
  std::int64_t not_converged_steps = 0;
  double wall_seconds = 0.0;              // of the steps alone
  double cpu_seconds = 0.0;               // of the same steps, of the thread that makes them
  double preparation_seconds = 0.0;       // CPU time of the translation
  double preparation_wall_seconds = 0.0;  // of the same by the clock
  // J, against which made_energy_J and residuals are judged; absent where they are not defined.
  std::optional<double> energy_at_stake;
  std::vector<SimulationEvent> events;
  // Constraints that are violated at the end: the worst of them, and their number.
  std::vector<UnmetConstraint> unmet;
  std::int64_t unmet_count = 0;
  // Absent where no body sank in by more than a small part of its size, or where it went through and an event says so.
  std::optional<Sunk> sunk;
};

// "open at the end: nail 'hook' by 0.12 m, and 3 more"; empty when nothing is.
std::string UnmetInWords(const RunOutcome& outcome);

// "body 'lamp' is 0.67 m deep in obstacle 'ground' at 1.2 s, 102 % of its size: …"; empty when nothing is.
std::string SunkInWords(const RunOutcome& outcome);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_OUTCOME_H_
