// The errors of a run against a reference as headline figures, beside the largest distances of its points
// (comparison_table.h): what is early, over time and at the end; energies, extent and reactions; the phase.
//
//   _early_     the largest in the first quarter of the duration: short horizons, before motions part
//   _over_time_ root mean square over the common times (trapezoidal)
//   _final_     at the last common time
//   _max_       the largest over time
//
// Reactions: what is given (gravity, forces, impulses) pushes all formulations alike, so that the difference of the momenta of two
// runs is that of the impulses of what holds, touches or pulls by springs.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_ERRORS_H_
#define PLIANT_EXPERIMENTS_COMPARISON_ERRORS_H_

#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/kept_yardstick.h"
#include "experiments/comparison/distance.h"
#include "experiments/runs/oscillation.h"

namespace pliant {

inline constexpr double kEarly = 0.25;  // of the duration

// Figures that say how far a run is from the reference of that label.
std::vector<SeriesColumn> ErrorColumns(const std::string& reference);

// "error_of_sag_max_m" and _early, _over_time, _final of a column "sag_m" with this unit, in this order.
std::vector<SeriesColumn> HeadlineColumns(const std::string& column, const std::string& unit,
                                          const std::string& meaning);
// The four of an error ≥ 0 over time; absent without a value.
std::vector<std::optional<double>> HeadlinesOf(const Curve& error, double duration);

// Whether a figure of this name says how far a run is from a reference.
bool IsAgainstReference(const std::string& figure);

// The figure that says how far the yardstick itself may be off in `figure`; empty where there is none.
std::string YardstickErrorName(const std::string& figure);

struct MeasuredErrors {
  std::vector<std::optional<double>>
      values;                         // in the order of ErrorColumns(); absent = not defined
  std::optional<double> oscillation;  // m, see PhaseOfPoints::amplitude
};
MeasuredErrors MeasureErrors(const Bundle& run, const Bundle& reference,
                             const DistanceSeries& distance);

// How far the yardstick itself may be off in each of them, up to the last of `times`: its error bar at these times,
// taken as the figure takes the error; of the phase asin(error of the points / amplitude of the oscillation). Absent where nothing
// is known.
std::vector<std::optional<double>> ErrorsOfYardstick(const KeptYardstick& kept,
                                                     const DistanceSeries& distance,
                                                     double duration,
                                                     const std::optional<double>& oscillation);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_ERRORS_H_
