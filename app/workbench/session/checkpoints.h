// States of a run at some of its times, from which any other can be had again: a simulation that is
// restored goes on bit for bit. Plain data; threads may share it.

#ifndef PLIANT_APP_WORKBENCH_SESSION_CHECKPOINTS_H_
#define PLIANT_APP_WORKBENCH_SESSION_CHECKPOINTS_H_

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace pliant {

class Checkpoints {
 public:
  // Kept at most. When there are more every second one is given up, and from then on only every
  // second one taken: they stay spread over the whole run.
  static constexpr size_t kMost = 32;

  struct State {
    double time;  // s
    std::shared_ptr<const Eigen::VectorXd> numbers;
  };

  // States come in the order of their times. Copies `numbers` where it keeps them.
  void Offer(double time, const Eigen::VectorXd& numbers);

  // The last one at or before `time`, but for rounding; null numbers when there is none.
  State Before(double time) const;

 private:
  mutable std::mutex mutex_;  // of all below
  std::vector<State> states_;
  size_t stride_ = 1, offered_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_CHECKPOINTS_H_
