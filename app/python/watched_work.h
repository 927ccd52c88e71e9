// Long work that Python starts: it runs on its own thread while the calling thread waits with the interpreter lock
// released, passes reports on to a Python callable, and looks for signals. Ctrl-C asks the work to stop as it does at
// the command line; what the work then leaves (cancelled bundles) is complete before KeyboardInterrupt is raised.

#ifndef PLIANT_APP_PYTHON_WATCHED_WORK_H_
#define PLIANT_APP_PYTHON_WATCHED_WORK_H_

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace pliant {

// What the work says, from any thread.
class WorkReports {
 public:
  struct Report {
    std::string kind;  // "begin", "say", "progress", "end"
    std::string text;
    double fraction = 0.0;
  };

  void Begin(const std::string& text) { Post({"begin", text}); }
  void Say(const std::string& text) { Post({"say", text}); }
  void End(const std::string& text) { Post({"end", text, 1.0}); }
  void Progress(double fraction) {  // the last one counts
    const std::lock_guard lock(mutex_);
    progress_ = fraction;
  }

  std::deque<Report> Take();  // empties
  void Finish();
  bool WaitUntilFinished(std::chrono::milliseconds time);

 private:
  void Post(Report report) {
    const std::lock_guard lock(mutex_);
    progress_.reset();  // of what was before
    reports_.push_back(std::move(report));
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Report> reports_;
  std::optional<double> progress_;
  bool finished_ = false;
};

// Calls work(reports, stop) as above and returns its result. `listener`, called with (kind, text, fraction), may be
// None; what it raises stops the work and is raised here.
class WatchedThread {
 public:
  explicit WatchedThread(pybind11::object listener) : listener_(std::move(listener)) {}
  // With the interpreter lock held. Throws what `work` throws, or error_already_set.
  void Run(const std::function<void(WorkReports&, const std::stop_token&)>& work);

 private:
  void PassOn();

  pybind11::object listener_;
  WorkReports reports_;
};

template <typename Work>
auto RunWatched(const pybind11::object& listener, Work&& work) {
  std::optional<decltype(work(std::declval<WorkReports&>(),
                              std::declval<const std::stop_token&>()))>
      result;
  WatchedThread(listener).Run([&](WorkReports& reports, const std::stop_token& stop) {
    result.emplace(work(reports, stop));
  });
  return std::move(*result);
}

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_WATCHED_WORK_H_
