#include "app/python/watched_work.h"

namespace pliant {
namespace {

namespace py = pybind11;

constexpr std::chrono::milliseconds kLookAgain{50};  // for signals and reports

}  // namespace

std::deque<WorkReports::Report> WorkReports::Take() {
  const std::lock_guard lock(mutex_);
  std::deque<Report> taken = std::move(reports_);
  reports_.clear();
  if (progress_) taken.push_back({"progress", "", *progress_});
  progress_.reset();
  return taken;
}

void WorkReports::Finish() {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  changed_.notify_all();
}

bool WorkReports::WaitUntilFinished(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [this] { return finished_; });
}

void WatchedThread::PassOn() {
  for (const WorkReports::Report& report : reports_.Take()) {
    if (!listener_.is_none()) listener_(report.kind, report.text, report.fraction);
  }
}

void WatchedThread::Run(const std::function<void(WorkReports&, const std::stop_token&)>& work) {
  std::stop_source stop;
  std::exception_ptr failed, interrupted;
  std::thread thread([&] {
    try {
      work(reports_, stop.get_token());
    } catch (...) {
      failed = std::current_exception();
    }
    reports_.Finish();
  });
  for (bool finished = false; !finished;) {
    {
      const py::gil_scoped_release release;
      finished = reports_.WaitUntilFinished(kLookAgain);
    }
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      PassOn();
    } catch (py::error_already_set&) {
      // A second Ctrl-C changes nothing: what is being written is finished.
      if (!interrupted) interrupted = std::current_exception();
      stop.request_stop();
    }
  }
  {
    const py::gil_scoped_release release;
    thread.join();
  }
  if (interrupted) std::rethrow_exception(interrupted);
  if (failed) std::rethrow_exception(failed);
}

}  // namespace pliant
