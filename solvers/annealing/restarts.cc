#include "solvers/annealing/restarts.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace pliant {

std::vector<SearchHistory> RunRestarts(
    const std::vector<Restart>& restarts,
    const std::function<std::unique_ptr<MotionProblem>()>& make_problem, int threads,
    const RestartHooks& hooks) {
  std::vector<SearchHistory> histories(restarts.size());
  std::vector<std::exception_ptr> errors(restarts.size());
  std::atomic<size_t> next = 0;
  std::stop_source failed;  // the others need not go on
  std::mutex telling;

  auto run = [&](size_t index, MotionProblem* problem) {
    SearchHooks search_hooks;
    std::stop_source either;
    const std::stop_callback on_stop(hooks.stop, [&either] { either.request_stop(); });
    const std::stop_callback on_failure(failed.get_token(), [&either] { either.request_stop(); });
    search_hooks.stop = either.get_token();
    if (hooks.on_trial) {
      search_hooks.on_trial = [&](const Trial& trial) {
        const std::lock_guard lock(telling);
        hooks.on_trial(index, trial);
      };
    }
    const Restart& restart = restarts[index];
    const std::unique_ptr<Search> search = restart.start();
    histories[index] = RunSearch(search.get(), problem, restart.budget, restart.past, search_hooks);
  };
  auto work = [&] {
    std::unique_ptr<MotionProblem> problem;
    for (size_t index = next++; index < restarts.size(); index = next++) {
      try {
        if (problem == nullptr) problem = make_problem();
        run(index, problem.get());
      } catch (...) {
        errors[index] = std::current_exception();
        failed.request_stop();
      }
    }
  };

  const size_t workers = std::min(restarts.size(), static_cast<size_t>(std::max(threads, 1)));
  {
    std::vector<std::jthread> pool;
    for (size_t i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return histories;
}

}  // namespace pliant
