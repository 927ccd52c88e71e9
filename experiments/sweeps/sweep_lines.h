// The lines of a sweep: what one backend measures along the first varied key that is a number, and the power law that fits
// a line best where both axes are logarithmic.
//
//   y = c x^p       p and ln |c| of least squares of ln |y| against ln x, where y has one sign; p's standard error from
//                   what they leave

#ifndef PLIANT_EXPERIMENTS_SWEEPS_SWEEP_LINES_H_
#define PLIANT_EXPERIMENTS_SWEEPS_SWEEP_LINES_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/sweeps/sweep.h"
#include "experiments/sweeps/sweep_table.h"
#include "solvers/translation.h"

namespace pliant {

struct SweepLine {
  std::string
      name;  // "dynamic-ffd", and in a grid the values of the other keys: "…, integrator = rk4"
  std::string backend;                          // its formulation
  std::vector<std::pair<double, size_t>> rows;  // x, number of the row of the table; x ascends
};

// The number of the key on the x axis; absent when no key is a number.
std::optional<size_t> KeyOfX(const SweepPlan& plan);

// Those of one backend stand together, in the order of the backends.
std::vector<SweepLine> LinesOf(const Sweep& sweep, const SweepTable& table, size_t key_of_x);

// The reference of a curve at a point: the value that the file gives, which has no band, or else that of the experiment;
// absent where it does not define the figure.
std::optional<FigureLimit> ReferenceAt(const SweepCurve& curve, const SweepTable& table,
                                       size_t point);

// What a curve shows of a row of the table: its figure, or the difference of that from the reference. Absent where one
// of them is not defined, and where the difference is relative to 0.
std::optional<double> CurveValue(const SweepCurve& curve, const SweepTable& table, size_t row);

// "sag_min_m", "sag_min_m − reference", "(sag_min_m − reference)/reference", with another word for the figure too.
std::string CurveName(const SweepCurve& curve, const std::string& figure);

// The values of a curve along a line; NaN where a run did not reach its end, or has none.
struct LineValues {
  std::vector<double> x, y;
  std::vector<double> band =
      {};  // of a difference, by the error of the reference: below it nothing can be told
  std::vector<bool> crossed =
      {};  // of a run that is not to be trusted, which no slope counts; empty: of none
};
LineValues ValuesOf(const SweepLine& line, const SweepTable& table, const SweepCurve& curve);

struct PowerLaw {
  double exponent = 0.0, error = 0.0;  // p and its standard error
  double factor = 1.0;                 // c, below 0 where the values are
  int points = 0;                      // that were fitted
};
// Of all points with x > 0 and a finite y that is not 0, nor within the band, nor crossed; absent with fewer than three
// different x, where y changes sign, and where the points do not lie on a line. That is so where the slopes of their lower
// and of their upper half (which share the middle) differ by more than kMostBend of an order, or of the slope where that
// is below 1: orders of methods are whole numbers, and a fit of points that bend more tells none, as that of an error
// which has come to a floor.
inline constexpr double kMostBend = 0.5, kLeastBend = 0.1;
std::optional<PowerLaw> FitPowerLaw(const LineValues& values);
// Why there is none: "its values change sign", "its points do not lie on a line: the slope goes from 0.01 to 0.85"; empty
// where there is one.
std::string WhyNoPowerLaw(const LineValues& values);

// Whether every value that is defined is at most 0, and one below: its slope is that of the magnitude.
bool IsNegative(const LineValues& values);

// "2.01 ± 0.03".
std::string ExponentText(const PowerLaw& law);

// The fit of each line of each [[sweep.curve]] whose axes are both logarithmic, or why there is none. What is
// negative is named by its magnitude, |sag_min_m|, and so is every difference.
FindingTable TableOfSlopes(const Sweep& sweep, const SweepTable& table);

// How to get the slopes of curves against a logarithmic key that are on a linear axis themselves, a line for each.
std::vector<std::string> MendsOfNoSlopes(const SweepPlan& plan);

// Is the line that of the run which is the reference of the experiment?
bool IsReference(const SweepLine& line, const Sweep& sweep, const SweepTable& table);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_SWEEP_LINES_H_
