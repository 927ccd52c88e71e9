// contact_force.PAIR_N of methods that count impulses J of contact (columns contact_impulse_{x,y,z}.PAIR_N_s): the mean since
// the record before,
//
//   |J(t) − J(t₀)| / (t − t₀)      [N], t₀ the time of the record before
//
// Their force of a single step is large or 0 with how the steps fall, and says little of a record. Of the first record it
// is that of the last step.

#ifndef PLIANT_EXPERIMENTS_RUNS_MEAN_CONTACT_FORCE_H_
#define PLIANT_EXPERIMENTS_RUNS_MEAN_CONTACT_FORCE_H_

#include <array>
#include <optional>
#include <vector>

#include "solvers/series_column.h"

namespace pliant {

// What a contact force of a record is, whatever the method.
inline constexpr char kContactForceMeaning[] =
    "resultant contact force of {pair}, magnitude; of methods that count impulses of contact its "
    "mean since the record before";

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
