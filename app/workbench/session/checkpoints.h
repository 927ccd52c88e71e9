// States of a run at some of its times, from which every other state can be recomputed: a restored
// simulation continues bit for bit. Plain data; threads may share it.

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
  // The most that are kept. When there are more, every second one is dropped, and from then on only
  // every second one is kept: they stay spread over the whole run.
  static constexpr size_t kMost = 32;

  struct State {
    double time;  // s
    std::shared_ptr<const Eigen::VectorXd> numbers;
  };

  // Times increase from call to call. Copies `numbers` if it keeps them.
  void Offer(double time, const Eigen::VectorXd& numbers);

  // The last state at or before `time`, up to rounding; null numbers when there is none.
  State Before(double time) const;

 private:
  mutable std::mutex mutex_;  // of all below
  std::vector<State> states_;
  size_t stride_ = 1, offered_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_SESSION_CHECKPOINTS_H_
