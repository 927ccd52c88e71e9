#include "experiments/files/static_experiment.h"

#include <fmt/format.h>

#include "models/problem.h"

namespace pliant {
namespace {

constexpr int kMostLoadSteps = 100000;

}  // namespace

Experiment ReadStaticExperiment(const std::filesystem::path& file,
                                std::vector<std::string> overrides, int load_steps) {
  if (load_steps < 1 || load_steps > kMostLoadSteps) {
    throw BadInput({"load-steps", fmt::format("there are {} load steps", load_steps),
                    fmt::format("use 1 to {}", kMostLoadSteps)});
  }
  const double duration = ReadExperiment(file, overrides).plan.duration;
  const double step = duration / load_steps;
  overrides.push_back(fmt::format("run.step={:.17g}", step));
  overrides.push_back(fmt::format("run.record_every={:.17g}", step));
  overrides.push_back("backends.finite-elements.time_scheme=\"static\"");
  overrides.push_back(fmt::format("backends.finite-elements.load_time={:.17g}", duration));
  Experiment experiment = ReadExperiment(file, overrides);
  KeepBackends(&experiment, {"finite-elements"});
  return experiment;
}

}  // namespace pliant
