// A job on its own thread whose progress a page displays: it can be paused, resumed and stopped,
// and its news are collected without waiting. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_BACKGROUND_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_BACKGROUND_JOB_H_

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

#include "app/workbench/jobs/retired_jobs.h"
#include "app/workbench/jobs/thread_priority.h"

namespace pliant {

// `News` is what the job reports. Its member `end`, a std::optional<std::string>, says how the job
// ended.
template <typename News>
class BackgroundJob {
 public:
  // Returns how the work ended; the message of an exception is an end too. The work calls Report()
  // and WaitWhilePaused().
  using Work = std::function<std::string(BackgroundJob* job, const std::stop_token& stop)>;

  explicit BackgroundJob(Work work)
      : thread_([this, work = std::move(work)](const std::stop_token& stop) {
          LowerThreadPriority();
          std::string end;
          try {
            end = work(this, stop);
          } catch (const std::exception& thrown) {
            end = thrown.what();
          }
          const std::lock_guard lock(mutex_);
          news_.end = std::move(end);
          finished_ = true;
        }) {}
  ~BackgroundJob() = default;  // waits for the next WaitWhilePaused()
  BackgroundJob(const BackgroundJob&) = delete;
  BackgroundJob& operator=(const BackgroundJob&) = delete;

  void SetPaused(bool paused) {  // takes effect at the next WaitWhilePaused()
    {
      const std::lock_guard lock(mutex_);
      paused_ = paused;
    }
    unpaused_.notify_all();
  }
  void Stop() {
    thread_.request_stop();
  }                 // ends the job at the next WaitWhilePaused(); never waits
  News Collect() {  // what is new since the last call
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
  }
  bool finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
  }

  // Called by the work: adds to the news.
  template <typename Add>
  void Report(Add add) {
    const std::lock_guard lock(mutex_);
    add(&news_);
  }
  // Called by the work: waits for `seconds`, and as long as the job is paused. False when the job
  // must end.
  bool WaitWhilePaused(const std::stop_token& stop, double seconds = 0.0) {
    std::unique_lock lock(mutex_);
    if (seconds > 0.0) {
      unpaused_.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
    }
    unpaused_.wait(lock, stop, [this] { return !paused_; });
    return !stop.stop_requested();
  }

 private:
  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable_any unpaused_;
  News news_;
  bool paused_ = false, finished_ = false;
  std::jthread thread_;  // last: it uses the others
};

// The job that a page displays, one at a time. A job that is replaced stops in the background. For
// use by one thread.
template <typename News>
class CurrentJob {
 public:
  void Begin(std::unique_ptr<BackgroundJob<News>> job) {
    Leave();
    job_ = std::move(job);
  }
  // Stops the job and discards its further news.
  void Leave() {
    retired_.Retire(std::move(job_));
    paused_ = false;
  }
  bool works() const { return job_ != nullptr; }
  bool paused() const { return paused_; }
  // No effect without a job.
  void SetPaused(bool paused) {
    if (job_ == nullptr) return;
    paused_ = paused;
    job_->SetPaused(paused);
  }
  void Stop() {
    if (job_ != nullptr) job_->Stop();
  }
  // Absent without a job. News with an end are the last ones of the job.
  std::optional<News> Collect() {
    retired_.DropFinished();
    if (job_ == nullptr) return std::nullopt;
    News news = job_->Collect();
    if (news.end) Leave();
    return news;
  }

 private:
  std::unique_ptr<BackgroundJob<News>> job_;
  RetiredJobs<BackgroundJob<News>> retired_;
  bool paused_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_BACKGROUND_JOB_H_
