#include "app/workbench/session/recording.h"

#include <algorithm>
#include <cmath>

namespace pliant {

std::optional<size_t> Recording::IndexAt(double time) const {
  if (frames_.empty()) return std::nullopt;
  const double rounded = time + RoundingAt(time);
  const auto after = std::upper_bound(frames_.begin(), frames_.end(), rounded,
                                      [](double t, const auto& frame) { return t < frame->time; });
  return after == frames_.begin() ? 0 : static_cast<size_t>(after - frames_.begin()) - 1;
}

std::shared_ptr<const PaneFrame> Recording::At(double time) const {
  const std::optional<size_t> index = IndexAt(time);
  return index ? frames_[*index] : nullptr;
}

}  // namespace pliant
