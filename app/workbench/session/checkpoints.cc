#include "app/workbench/session/checkpoints.h"

#include <algorithm>
#include <cmath>

#include "app/workbench/session/recording.h"

namespace pliant {

void Checkpoints::Offer(double time, const Eigen::VectorXd& numbers) {
  const std::lock_guard lock(mutex_);
  if (offered_++ % stride_ != 0) return;
  states_.push_back({time, std::make_shared<const Eigen::VectorXd>(numbers)});
  if (states_.size() <= kMost) return;
  size_t kept = 0;
  for (size_t i = 0; i < states_.size(); i += 2) states_[kept++] = std::move(states_[i]);
  states_.resize(kept);
  stride_ *= 2;
}

Checkpoints::State Checkpoints::Before(double time) const {
  const std::lock_guard lock(mutex_);
  const double rounded = time + RoundingAt(time);
  const auto after = std::upper_bound(states_.begin(), states_.end(), rounded,
                                      [](double t, const State& state) { return t < state.time; });
  return after == states_.begin() ? State{0.0, nullptr} : *std::prev(after);
}

}  // namespace pliant
