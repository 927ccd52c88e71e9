// The tables of an experiment file, each with its keys.

#ifndef PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/files/claim.h"
#include "experiments/files/experiment.h"
#include "experiments/files/keys.h"
#include "experiments/files/refine_plan.h"
#include "experiments/files/yardstick_plan.h"

namespace pliant {

struct ExperimentKeys {
  std::optional<std::string> name, title;
  std::string description;
  std::variant<std::string, FileValue*> scene;
  std::optional<FileValue*> set;
  RunPlan run;
  std::vector<FileValue*> probes;  // read once the scene is known
  FileValue* backends = nullptr;
  std::optional<std::string> reference;
  std::optional<FileValue*> optimize;  // read by experiments/searches
  std::optional<FileValue*> sweep;
  std::optional<RefinePlan> refine;
  std::optional<YardstickPlan> yardstick;
  std::vector<Claim> claims;
};

// The keys of a backend besides its parameters.
struct BackendKeys {
  std::optional<std::string> formulation;
  std::optional<double> step;
  std::optional<std::variant<std::string, FileValue*>> scene;  // these three: scene_variant.h
  std::vector<std::string> unset, variant;
};

void Bind(KeyBinder& b, RunPlan& plan);
void Bind(KeyBinder& b, ExperimentKeys& keys);
void Bind(KeyBinder& b, BackendKeys& keys);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_
