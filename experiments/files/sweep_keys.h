// The keys of the [sweep] table.

#ifndef PLIANT_EXPERIMENTS_FILES_SWEEP_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_SWEEP_KEYS_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/files/keys.h"
#include "experiments/files/sweep_plan.h"

namespace pliant {

EnumWords<SweepCombination> WordsOf(SweepCombination);

enum class AxisScale { kLinear, kLogarithmic };
EnumWords<AxisScale> WordsOf(AxisScale);

struct SweepVaryKeys {
  static constexpr char kTitle[] = "[[sweep.vary]]";
  std::string key;
  std::optional<std::vector<AnyValue>> values;
  std::optional<AnyValue> from, to;
  std::optional<int> count;
  AxisScale scale = AxisScale::kLinear;
  std::optional<std::string> label;
  std::string unit = "1";
  void Bind(KeyBinder& b);
};

struct SweepCurveKeys {
  static constexpr char kTitle[] = "[[sweep.curve]]";
  std::string figure;
  AxisScale scale = AxisScale::kLinear;
  void Bind(KeyBinder& b);
};

struct SweepKeys {
  static constexpr char kTitle[] = "[sweep]";
  SweepCombination combine = SweepCombination::kGrid;
  std::vector<FileValue*> vary;
  std::optional<std::vector<FileValue*>> curve;
  void Bind(KeyBinder& b);
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SWEEP_KEYS_H_
