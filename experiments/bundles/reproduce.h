// Checks that a bundle's experiment still gives the bundle's result.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_REPRODUCE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_REPRODUCE_H_

#include <optional>
#include <string>

#include "experiments/bundles/bundle.h"

namespace pliant {

// Two numbers agree within tolerance when they differ by no more than this part of their scale: the
// largest magnitude in the bundle among the series columns of the same unit, or in the same dataset
// of points.h5; for a pure number that of its own column, and at least 1. Thus a column that should
// be zero, and holds only rounding errors, is not measured against these errors.
inline constexpr double kReproductionTolerance = 1e-9;

struct Reproduction {
  enum class Verdict {
    kIdentical,  // every number bit for bit, but for times of steps; same outcome and translation
    kWithinTolerance,  // the same numbers are defined, and agree within kReproductionTolerance
    kDifferent,
  };
  Verdict verdict = Verdict::kIdentical;
  // If different: the first quantity that differs, in the order of time and then of columns. If
  // within tolerance: the one that deviates most. A column of the series, a dataset of points.h5
  // such as "/points", or another part of the bundle ("outcome").
  std::string quantity;
  std::optional<double> time;       // s, of it
  std::optional<double> deviation;  // of it, as part of its scale
  std::string words;                // the verdict in one line
  bool same_program = false;        // whether this very executable made the bundle
};

// Runs the experiment of the bundle again, in memory, up to where its run ended (a cancelled one
// was cut short), and compares. Nothing when hooks.stop stopped it before. A number, frame or
// column that is missing on one side, or NaN on one side, is a difference, and so is a bundle
// without frames whose run had some. Throws FileError when the scene no longer translates.
std::optional<Reproduction> Reproduce(const Bundle& bundle, const RunHooks& hooks = {});

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_REPRODUCE_H_
