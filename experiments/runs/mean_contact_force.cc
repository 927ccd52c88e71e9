#include "experiments/runs/mean_contact_force.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace pliant {

MeanContactForces::MeanContactForces(const std::vector<SeriesColumn>& columns) {
  constexpr std::string_view kBefore = "contact_force.", kAfter = "_N";
  for (size_t c = 0; c < columns.size(); ++c) {
    const std::string& name = columns[c].name;
    if (!name.starts_with(kBefore) || !name.ends_with(kAfter)) continue;
    const std::string pair = name.substr(kBefore.size(), name.size() - kBefore.size() - 2);
    Pair places{c, {}};
    bool found = true;
    for (size_t axis = 0; axis < 3; ++axis) {
      const std::string impulse =
          std::string("contact_impulse_") + "xyz"[axis] + "." + pair + "_N_s";
      const auto column = std::ranges::find(columns, impulse, &SeriesColumn::name);
      found = found && column != columns.end();
      places.impulse[axis] = static_cast<size_t>(column - columns.begin());
    }
    if (found) pairs_.push_back(places);
  }
}

void MeanContactForces::Apply(double time, std::vector<std::optional<double>>* row) {
  if (pairs_.empty()) return;
  const double passed = time - time_before_;
  if (!before_.empty() && passed > 0.0) {
    for (const Pair& pair : pairs_) {
      double squared = 0.0;
      bool defined = true;
      for (const size_t c : pair.impulse) {
        defined = defined && (*row)[c] && before_[c];
        if (defined) squared += (*(*row)[c] - *before_[c]) * (*(*row)[c] - *before_[c]);
      }
      if (defined) (*row)[pair.force] = std::sqrt(squared) / passed;
    }
  }
  time_before_ = time;
  before_ = *row;
}

}  // namespace pliant
