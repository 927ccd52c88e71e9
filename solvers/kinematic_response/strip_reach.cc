#include "solvers/kinematic_response/strip_reach.h"

#include <algorithm>

#include "solvers/kinematic_response/press_strip.h"

namespace pliant::kinematic_response {

using Eigen::AlignedBox3d;
using Eigen::Vector3d;

StripReach::StripReach(const MultiresolutionSurface& model)
    : prolongation_(model.prolongation()), coarse_(model.grid(model.levels() - 2)) {
  const GridSize& fine = model.finest();
  const StripMap strips(fine);
  per_row_ = strips.per_row();
  for (int strip = 0; strip < per_row_; ++strip) {
    const int begin = strip * kStripLength, end = std::min(begin + kStripLength, fine.nu);
    along_.push_back(ReachOnAxis(prolongation_, coarse_.nu, coarse_.wraps_u, begin, end));
  }
  for (int row = 0; row < fine.nv; ++row) {
    across_.push_back(coarse_.curve()
                          ? AxisReach{0, 0, 1.0}
                          : ReachOnAxis(prolongation_, coarse_.nv, coarse_.wraps_v, row, row + 1));
  }
  boxes_.resize(static_cast<size_t>(per_row_) * coarse_.nv);
  rest_.resize(strips.size());
  FindRest(model);
}

void StripReach::FindRest(const MultiresolutionSurface& model) {
  const GridSize& fine = model.finest();
  const GridVectors& rest = model.rest(model.levels() - 1);
  for (int row = 0; row < fine.nv; ++row) {
    for (int strip = 0; strip < per_row_; ++strip) {
      const int begin = strip * kStripLength, count = std::min(kStripLength, fine.nu - begin);
      rest_[strip + per_row_ * row] =
          rest.middleRows(fine.Index(begin, row), count).rowwise().norm().maxCoeff();
    }
  }
}

void StripReach::Follow(const GridVectors& surface, const StripMap& changed, int first_row,
                        int last_row) {
  for (int row = first_row; row < last_row; ++row) {
    if (!changed.AnyInRow(row)) continue;
    for (int strip = 0; strip < per_row_; ++strip) {
      AlignedBox3d& box = boxes_[strip + per_row_ * row];
      box.setEmpty();
      const auto add = [&](int begin, int end) {
        begin = std::max(begin, 0);
        end = std::min(end, coarse_.nu);
        if (begin < end) box.extend(BoxAround(surface, coarse_.Index(begin, row), end - begin));
      };
      const auto& [first, last, weight] = along_[strip];
      add(first, last + 1);
      if (!coarse_.wraps_u) continue;
      add(first + coarse_.nu, coarse_.nu);
      add(0, last + 1 - coarse_.nu);
    }
  }
}

AlignedBox3d StripReach::BoxOf(int strip, int row) const {
  const AxisReach& across = across_[row];
  AlignedBox3d box;
  for (int v = across.first; v <= across.last; ++v) {
    box.extend(boxes_[strip + per_row_ * ((v + coarse_.nv) % coarse_.nv)]);
  }
  const double larger = 0.5 * (along_[strip].weight * across.weight - 1.0);
  const Vector3d margin = larger * box.sizes() + Vector3d::Constant(rest_[strip + per_row_ * row]);
  return {box.min() - margin, box.max() + margin};
}

bool StripReach::Meets(int strip, int row, std::span<const AlignedBox3d> boxes) const {
  const AlignedBox3d own = BoxOf(strip, row);
  return std::any_of(boxes.begin(), boxes.end(), [&own](const AlignedBox3d& box) {
    // Also where its own bounds are no numbers.
    return !((own.min().array() > box.max().array()).any() ||
             (own.max().array() < box.min().array()).any());
  });
}

}  // namespace pliant::kinematic_response
