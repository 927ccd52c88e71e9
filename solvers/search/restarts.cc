#include "solvers/search/restarts.h"

#include <mutex>

#include "solvers/parallel/work_queue.h"

namespace pliant {

std::vector<SearchHistory> RunRestarts(
    const std::vector<Restart>& restarts,
    const std::function<std::unique_ptr<MotionProblem>()>& make_problem, int threads,
    const RestartHooks& hooks) {
  std::vector<SearchHistory> histories(restarts.size());
  std::vector<std::unique_ptr<MotionProblem>> problems(WorkersFor(restarts.size(), threads));
  std::mutex telling;
  RunWorkQueue(restarts.size(), threads, hooks.stop, [&](const WorkItem& item) {
    std::unique_ptr<MotionProblem>& problem = problems[item.worker];
    if (problem == nullptr) problem = make_problem();
    SearchHooks search_hooks;
    search_hooks.stop = item.stop;
    search_hooks.seconds = restarts[item.number].seconds;
    if (hooks.on_trial) {
      search_hooks.on_trial = [&](const Trial& trial) {
        const std::lock_guard lock(telling);
        hooks.on_trial(item.number, trial);
      };
    }
    const Restart& restart = restarts[item.number];
    const std::unique_ptr<Search> search = restart.start();
    histories[item.number] =
        RunSearch(search.get(), problem.get(), restart.budget, restart.past, search_hooks);
  });
  return histories;
}

}  // namespace pliant
