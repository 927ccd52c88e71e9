#include "experiments/files/static_experiment.h"

#include <fmt/format.h>

#include "experiments/files/chosen_backends.h"
#include "experiments/files/experiment_document.h"
#include "models/problem.h"

namespace pliant {
namespace {

constexpr int kMostLoadSteps = 100000;
constexpr char kLabel[] = "finite-elements";

}  // namespace

Experiment ReadStaticExperiment(const std::filesystem::path& file,
                                std::vector<std::string> overrides, int load_steps) {
  if (load_steps < 1 || load_steps > kMostLoadSteps) {
    throw BadInput({"load-steps", fmt::format("there are {} load steps", load_steps),
                    fmt::format("use 1 to {}", kMostLoadSteps)});
  }
  const std::vector<std::string> only = {kLabel};
  const Experiment moving = ReadExperimentOf(file, overrides, only);
  const double duration = moving.plan.duration, step = duration / load_steps;
  // A step of the backend's own is the one that counts.
  const FileValue* own = moving.document->root.Find("backends")->Find(kLabel);
  const bool has_step = own->Find("step") != nullptr;
  overrides.push_back(
      fmt::format("{}.step={:.17g}", has_step ? fmt::format("backends.{}", kLabel) : "run", step));
  overrides.push_back(fmt::format("run.record_every={:.17g}", step));
  overrides.push_back("backends.finite-elements.time_scheme=\"static\"");
  overrides.push_back(fmt::format("backends.finite-elements.load_time={:.17g}", duration));
  return ReadExperimentOf(file, overrides, only);
}

}  // namespace pliant
