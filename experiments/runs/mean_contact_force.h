// contact_force.PAIR_N: the mean since the record before, by the impulses J of contact (columns
// contact_impulse_{x,y,z}.PAIR_N_s),
//
//   |J(t) − J(t₀)| / (t − t₀)      [N], t₀ the time of the record before
//
// The force of a moment shows no blow that begins and ends between two records, and that of a single step by impulses is
// large or 0 with how the steps fall. Of the first record, and where impulses are not known, it is that of the moment or of
// the last step.

#ifndef PLIANT_EXPERIMENTS_RUNS_MEAN_CONTACT_FORCE_H_
#define PLIANT_EXPERIMENTS_RUNS_MEAN_CONTACT_FORCE_H_

#include <array>
#include <optional>
#include <vector>

#include "solvers/series_column.h"

namespace pliant {

// What a contact force of a record is, whatever the method.
inline constexpr char kContactForceMeaning[] =
    "resultant contact force of {pair}, magnitude: its mean since the record before";

class MeanContactForces {
 public:
  explicit MeanContactForces(const std::vector<SeriesColumn>& columns);

  // Replaces the forces in the row of the record at `time` [s].
  void Apply(double time, std::vector<std::optional<double>>* row);

 private:
  struct Pair {
    size_t force;  // columns
    std::array<size_t, 3> impulse;
  };
  std::vector<Pair> pairs_;
  double time_before_ = 0.0;                   // s
  std::vector<std::optional<double>> before_;  // empty before the first record
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_MEAN_CONTACT_FORCE_H_
