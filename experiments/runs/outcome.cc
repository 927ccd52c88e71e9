#include "experiments/runs/outcome.h"

#include "models/scene/number_text.h"

namespace pliant {

std::string_view ToString(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::kCompleted:
      return "completed";
    case OutcomeKind::kNotConverged:
      return "did not converge";
    case OutcomeKind::kLostEnergy:
      return "lost energy";
    case OutcomeKind::kGainedEnergy:
      return "gained energy";
    case OutcomeKind::kTurnedInsideOut:
      return "turned inside out";
    case OutcomeKind::kWentThrough:
      return "went through";
    case OutcomeKind::kBudgetExceeded:
      return "budget exceeded";
    case OutcomeKind::kCancelled:
      return "cancelled";
    case OutcomeKind::kDiverged:
      return "diverged";
    case OutcomeKind::kUnsupported:
      return "unsupported";
  }
  return "";
}

bool RanToItsEnd(OutcomeKind kind) {
  return kind == OutcomeKind::kCompleted || kind == OutcomeKind::kNotConverged ||
         kind == OutcomeKind::kLostEnergy || kind == OutcomeKind::kGainedEnergy ||
         kind == OutcomeKind::kTurnedInsideOut || kind == OutcomeKind::kWentThrough;
}

std::string UnmetInWords(const RunOutcome& outcome) {
  if (outcome.unmet.empty()) return "";
  const UnmetConstraint& worst = outcome.unmet[0];
  std::string words =
      "open at the end: " + worst.name + " by " + ThreeDigits(worst.size) + " " + worst.unit;
  if (outcome.unmet_count > 1)
    words += ", and " + std::to_string(outcome.unmet_count - 1) + " more";
  return words;
}

std::string SunkInWords(const RunOutcome& outcome) {
  if (!outcome.sunk) return "";
  const Sunk& sunk = *outcome.sunk;
  const std::string in =
      sunk.other.empty() ? "obstacle '" + sunk.obstacle + "'" : "body '" + sunk.other + "'";
  return "body '" + sunk.body + "' is " + ThreeDigits(sunk.depth) + " m deep in " + in + " at " +
         ThreeDigits(sunk.time) + " s, " + ThreeDigits(100.0 * sunk.share) + " % of its size, " +
         (sunk.other.empty()
              ? "which the obstacle does not carry: the translation record says what "
                "of the body touches it"
              : "which contact does not keep apart");
}

}  // namespace pliant
