// The tables of [optimize] in an experiment file, each with its keys.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_OPTIMIZE_KEYS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_OPTIMIZE_KEYS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/searches/motion_cost.h"

namespace pliant {

EnumWords<MotionCostFunction::Form> WordsOf(MotionCostFunction::Form);

struct VaryKeys {
  static constexpr char kTitle[] = "[[optimize.vary]]";
  std::string numbers;
  double lower = 0.0, upper = 0.0;
  void Bind(KeyBinder& b);
};

// One key for each measure, and the energies of single modes.
struct WeightKeys {
  static constexpr char kTitle[] = "[optimize.cost.weights]";
  std::array<double, kMeasures> weights{};
  std::map<std::string, double> energy_of, net_energy_of;
  void Bind(KeyBinder& b);
};

struct CostKeys {
  static constexpr char kTitle[] = "[optimize.cost]";
  MotionCostFunction function;
  std::optional<WeightKeys> weights;
  void Bind(KeyBinder& b);
};

struct OptimizeKeys {
  static constexpr char kTitle[] = "[optimize]";
  std::optional<std::string> backend, body;
  int trials = 0;
  std::optional<double> seconds;
  int restarts = 1;
  CostKeys cost;
  std::optional<std::vector<std::string>> against;
  std::vector<FileValue*> vary;
  std::optional<FileValue*> methods;
  void Bind(KeyBinder& b);
};

// The keys of a method beside its options.
struct MethodKeys {
  static constexpr char kTitle[] = "[optimize.methods.LABEL]";
  std::optional<std::string> method;
  void Bind(KeyBinder& b);
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_OPTIMIZE_KEYS_H_
