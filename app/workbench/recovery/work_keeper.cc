#include "app/workbench/recovery/work_keeper.h"

#include <exception>
#include <utility>

namespace pliant {

WorkKeeper::WorkKeeper(std::unique_ptr<WorkFolder> folder)
    : folder_(std::move(folder)), thread_([this](const std::stop_token& stop) { Work(stop); }) {}

WorkKeeper::~WorkKeeper() = default;

void WorkKeeper::Keep(KeptWork work) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(work);
    up_to_date_ = false;
  }
  given_.notify_all();
}

bool WorkKeeper::UpToDate() const {
  const std::lock_guard lock(mutex_);
  return up_to_date_;
}

std::string WorkKeeper::CollectFailure() {
  const std::lock_guard lock(mutex_);
  return std::exchange(failure_, {});
}

void WorkKeeper::Forget() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    next_.reset();
  }
  thread_.request_stop();
  thread_.join();
  folder_->Remove();
}

void WorkKeeper::Work(const std::stop_token& stop) {
  std::string last_failure;
  while (true) {
    KeptWork work;
    {
      std::unique_lock lock(mutex_);
      given_.wait(lock, stop, [this] { return next_.has_value(); });
      if (!next_) return;  // stopped, and nothing is left to write
      work = std::move(*next_);
      next_.reset();
    }
    std::string failure;
    try {
      folder_->Write(work);
    } catch (const std::exception& thrown) {
      failure = thrown.what();
    }
    const std::lock_guard lock(mutex_);
    up_to_date_ = failure.empty() && !next_;
    if (failure != last_failure)
      failure_ = failure;  // report a persistent failure (a full disk) only once
    last_failure = failure;
  }
}

}  // namespace pliant
