// The [sweep] table of an experiment file: the varied keys and their values, and the headline
// figures drawn against them.

#ifndef PLIANT_EXPERIMENTS_FILES_SWEEP_PLAN_H_
#define PLIANT_EXPERIMENTS_FILES_SWEEP_PLAN_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

enum class SweepCombination {
  kGrid,  // every value of each key with every value of the others
  kZip,   // the first values of all keys, then the second of all, …
};

struct VariedKey {
  std::string key;                // as for --set: "run.step"
  std::string label;              // of the axis
  std::string unit = "1";         // "1" for a pure number
  bool logarithmic = false;       // the axis
  std::vector<FileValue> values;  // at least one; in a grid no two alike
  FilePlace place;                // of the key

  // Whether all values are numbers, so that the key can be the x axis of a curve.
  bool IsNumeric() const;
};

// What a curve shows.
enum class CurveDifference {
  kNone,      // the figure
  kAbsolute,  // the figure less its reference
  kRelative,  // the same, divided by the reference
};

struct SweepCurve {
  std::string figure;        // name of a headline figure
  bool logarithmic = false;  // its axis
  FilePlace place;
  std::optional<double> reference;  // a value that is known otherwise, in the figure's unit
  std::string reference_name = "reference";  // of its line
  CurveDifference difference =
      CurveDifference::kNone;  // from `reference`, or that of the experiment
  FilePlace difference_place;
  std::optional<std::array<double, 2>> x_range, y_range;  // of the axes; absent: as the curves need
  FilePlace x_range_place;
};

struct SweepPlan {
  SweepCombination combination = SweepCombination::kGrid;
  std::vector<VariedKey> vary;  // at least one
  std::vector<SweepCurve> curves;

  size_t PointCount() const;
  // The number of the value of each key at a point. In a grid the last key changes fastest.
  std::vector<size_t> ValuesAt(size_t point) const;
};

// Their keys.
class KeyBinder;
void Bind(KeyBinder& b, VariedKey& varied);
void Bind(KeyBinder& b, SweepCurve& curve);
void Bind(KeyBinder& b, SweepPlan& plan);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SWEEP_PLAN_H_
