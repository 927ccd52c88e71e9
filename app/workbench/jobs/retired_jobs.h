// Jobs that are no longer needed: they are asked to stop and kept until they have stopped, so that
// the window never waits for them. `Job` has Stop(), which does not wait, and finished().

#ifndef PLIANT_APP_WORKBENCH_JOBS_RETIRED_JOBS_H_
#define PLIANT_APP_WORKBENCH_JOBS_RETIRED_JOBS_H_

#include <memory>
#include <utility>
#include <vector>

namespace pliant {

template <typename Job>
class RetiredJobs {
 public:
  void Retire(std::unique_ptr<Job> job) {  // nothing when null
    if (job == nullptr) return;
    job->Stop();
    jobs_.push_back(std::move(job));
  }
  void DropFinished() {
    std::erase_if(jobs_, [](const auto& job) { return job->finished(); });
  }

 private:
  std::vector<std::unique_ptr<Job>> jobs_;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_RETIRED_JOBS_H_
