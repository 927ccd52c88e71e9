// The tables of [optimize] in an experiment file, each with its keys.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_SEARCH_KEYS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_SEARCH_KEYS_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/keys.h"
#include "experiments/searches/motion_cost.h"
#include "experiments/searches/varied_numbers.h"

namespace pliant {

EnumWords<MotionCostFunction::Form> WordsOf(MotionCostFunction::Form);
EnumWords<MotionCostFunction::End> WordsOf(MotionCostFunction::End);

// One key for each measure, the energies of single modes, and the figures of probes.
struct CostWeights {
  std::array<double, kMeasures> weights{};
  std::map<std::string, double> energy_of, net_energy_of, probe;
};

struct SearchKeys {
  std::optional<std::string> backend, body;
  int trials = 0;
  std::optional<double> seconds;
  int restarts = 1;
  MotionCostFunction cost;
  std::vector<std::string> against;
  std::vector<Varied> vary;
  std::optional<FileValue*> methods;
};

// The keys of a method besides its options.
struct MethodKeys {
  std::optional<std::string> method;
};

void Bind(KeyBinder& b, Varied& varied);
void Bind(KeyBinder& b, CostWeights& keys);
void Bind(KeyBinder& b, MotionCostFunction::Limit& limit);
void Bind(KeyBinder& b, MotionCostFunction& cost);
void Bind(KeyBinder& b, SearchKeys& keys);
void Bind(KeyBinder& b, MethodKeys& keys);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_SEARCH_KEYS_H_
