// Work on a thread of its own that someone looks on at: it halts, goes on and ends when it is asked
// to, and what is new is collected without waiting. No Qt.

#ifndef PLIANT_APP_WORKBENCH_JOBS_WATCHED_JOB_H_
#define PLIANT_APP_WORKBENCH_JOBS_WATCHED_JOB_H_

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

#include "app/workbench/jobs/give_way.h"
#include "app/workbench/jobs/retired_jobs.h"

namespace pliant {

// `News`: what is told, with an `end`: how it ended, in words, as std::optional<std::string>.
template <typename News>
class WatchedJob {
 public:
  // Returns how it ended; what it throws is the end too. It tells and rests by the job.
  using Work = std::function<std::string(WatchedJob* job, const std::stop_token& stop)>;

  explicit WatchedJob(Work work)
      : thread_([this, work = std::move(work)](const std::stop_token& stop) {
          GiveWayToTheWindow();
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
  ~WatchedJob() = default;  // waits for where the work rests next
  WatchedJob(const WatchedJob&) = delete;
  WatchedJob& operator=(const WatchedJob&) = delete;

  void SetPaused(bool paused) {  // halts where it rests next, and goes on
    {
      const std::lock_guard lock(mutex_);
      paused_ = paused;
    }
    unpaused_.notify_all();
  }
  void Stop() { thread_.request_stop(); }  // ends where it rests next; never waits
  News Collect() {                         // what is new since the last call
    const std::lock_guard lock(mutex_);
    return std::exchange(news_, {});
  }
  bool finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
  }

  // By the work: adds to the news.
  template <typename Add>
  void Tell(Add add) {
    const std::lock_guard lock(mutex_);
    add(&news_);
  }
  // By the work: waits for `seconds` and while it is paused. False when it shall end.
  bool Rest(const std::stop_token& stop, double seconds = 0.0) {
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

// The job that a page looks on at, one at a time: the last one ends in peace. One thread uses it.
template <typename News>
class JobInSight {
 public:
  void Begin(std::unique_ptr<WatchedJob<News>> job) {
    Leave();
    job_ = std::move(job);
  }
  // Stops it; nothing is heard of it any more.
  void Leave() {
    retired_.Retire(std::move(job_));
    paused_ = false;
  }
  bool works() const { return job_ != nullptr; }
  bool paused() const { return paused_; }
  // Nothing where none works.
  void SetPaused(bool paused) {
    if (job_ == nullptr) return;
    paused_ = paused;
    job_->SetPaused(paused);
  }
  void Stop() {
    if (job_ != nullptr) job_->Stop();
  }
  // With its end the job is left. Absent where none works.
  std::optional<News> Collect() {
    retired_.DropFinished();
    if (job_ == nullptr) return std::nullopt;
    News news = job_->Collect();
    if (news.end) Leave();
    return news;
  }

 private:
  std::unique_ptr<WatchedJob<News>> job_;
  RetiredJobs<WatchedJob<News>> retired_;
  bool paused_ = false;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_WATCHED_JOB_H_
