// yardstick: the converged finite-element solution of a scene, with its error.

#include <fmt/format.h>

#include <thread>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "experiments/yardstick/yardstick.h"
#include "models/contact/has_contact.h"

namespace pliant {

int YardstickCommand(const RunRequest& request, std::optional<int> jobs) {
  const Experiment experiment = ReadExperiment(ExperimentNamed(request.file), OverridesOf(request));
  const InterruptWatch interrupt;
  Progress progress(HasContact(*experiment.scene) ? 4 : 3);
  YardstickHooks hooks;
  hooks.stop = interrupt.token();
  hooks.on_ladder = [&](const std::string& words) { progress.Begin(words); };
  hooks.on_progress = [&](double fraction) { progress.Update(fraction); };
  const int workers =
      jobs.value_or(std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  const Yardstick yardstick =
      MakeYardstick(experiment, request.out / kYardsticksFolder, workers, hooks);
  if (interrupt.token().stop_requested()) {
    PrintToStderr("pliant: stopped; the same command goes on where it was\n");
    return kRunFailed;
  }
  progress.End(yardstick.settled ? "settled" : "not settled");
  fmt::print("{}: {}\n{}", experiment.name, experiment.title, YardstickText(yardstick));
  if (yardstick.failure.empty()) fmt::print("yardstick: {}\n", yardstick.folder.string());
  return yardstick.settled && yardstick.spoiled.empty() ? kDone : kRunFailed;
}

}  // namespace pliant
