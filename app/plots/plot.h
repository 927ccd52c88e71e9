// What is to be plotted, free of how it is drawn: axes, curves, and the arithmetic between a column
// of numbers and a line on paper. No Qt.
//
// "Not defined" is NaN in a curve and a gap on paper, never 0.

#ifndef PLIANT_APP_PLOTS_PLOT_H_
#define PLIANT_APP_PLOTS_PLOT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/plots/style.h"

namespace pliant {

struct PlottedCurve {
  std::string name;  // in the legend; empty: not there
  std::string run;   // the run it is of
  LineStyle style;
  std::vector<double> x, y;  // of equal size, x ascending; a y that is not finite is not defined
  bool diverged = false;     // a cross marks its end
  // The lower edge of an area at each x; its upper edge is base + y. Empty for a line.
  std::vector<double> base = {};
  // Of a path through the plane of two quantities, whose x need not ascend: the time of each point
  // [s], ascending; empty for a curve.
  std::vector<double> t = {};
  // Values that are not to be trusted, by their places: each has a cross.
  std::vector<size_t> crossed = {};
};

// The height of a point on paper: of an area that of its upper edge.
inline double TopOf(const PlottedCurve& curve, size_t i) {
  return curve.base.empty() ? curve.y[i] : curve.base[i] + curve.y[i];
}

// Stacks areas on each other in this order: positive values upwards from 0, negative ones
// downwards. Undefined values take no room. All areas have the same x.
void StackAreas(const std::vector<PlottedCurve*>& areas);

struct AxisRange {
  double lower = 0.0, upper = 1.0;
  bool operator==(const AxisRange&) const = default;
};

struct Axis {
  std::string label;
  std::string unit;  // "1" for a pure number
  bool logarithmic = false;
  double decades = 18.0;                // most of a logarithmic axis, counted from its top
  std::optional<AxisRange> range = {};  // that somebody asked for; absent: as the curves need
};

struct Panel {
  std::string title;  // empty: the axis says it all, and each curve is a run
  Axis y;
  std::vector<PlottedCurve> curves;
};

// One figure: panels over a common x axis, and one legend for all.
struct Plot {
  std::string key;      // a file name without ending
  std::string title;    // what is plotted
  std::string reading;  // one line: what it shows and how to read it
  Axis x;
  double least_x = 0.0;  // width of a linear x axis at least: a first record stands at its begin
  std::vector<Panel> panels;
  bool common_y = false;           // panels share one vertical range
  bool zero_line = false;          // signed quantity: the axis shows where 0 is
  bool mark_values = false;        // each value is a measurement of its own, and has its mark
  std::vector<std::string> notes;  // lines under the figure, besides those of NotesOf()
};

// Range of the x axis over all defined and undefined points of all curves, at least `least_x`; at
// least a decade when logarithmic, and up to the next power of ten where that is near; never empty. Where each value has
// its mark, a logarithmic axis is as long as they need, with a margin, and at least a factor of two.
AxisRange RangeOfX(const Plot& plot);

// Vertical range of each panel: all defined values with a margin, whole decades when logarithmic unless each value has
// its mark; never empty, also for one value, equal values or none. The second half of a diverged curve does
// not squash the rest: it may triple the range the rest needs, and leaves it beyond that. The same
// holds for a few values far below all others on a logarithmic axis.
std::vector<AxisRange> RangesOfY(const Plot& plot);

// Are all values whole numbers, as of what is counted: levels, sweeps, points?
bool CountsInX(const Plot& plot);
bool CountsInY(const Panel& panel);

// What the drawing cannot show, in words: curves that are not defined, that a logarithmic axis
// cannot hold, that leave their range by more than rounding, that end by diverging; then
// plot.notes.
std::vector<std::string> NotesOf(const Plot& plot);

// Tick numbers between 1 and 1000: multiply values by `factor`, and label the axis with `unit`.
// Plain units get a prefix (mJ, µs), others a power of ten. Linear axes only.
struct UnitScale {
  double factor = 1.0;
  std::string unit;  // empty for a pure number that needs no power of ten
};
UnitScale ScaleFor(const AxisRange& range, const std::string& unit);

// A stretch of a curve without gap.
struct Polyline {
  std::vector<double> x, y;
};

// Stretches of defined values inside `range`: gaps separate, and where a line leaves the range it
// is cut exactly at the border (in logarithms on a logarithmic axis). O(points).
std::vector<Polyline> VisibleStretches(const PlottedCurve& curve, const AxisRange& range,
                                       bool logarithmic);

// The same line on `columns` pixel columns of `x_range`: of each column the first, last, lowest and
// highest point stay, so that the drawing does not change [Jugel et al. 2014, M4]. O(points).
Polyline Decimate(const Polyline& line, const AxisRange& x_range, int columns);

// The same path without the points that come within `distance` of the last that stays, both axes
// measured in their ranges; gaps and both ends of stretches stay. O(points).
PlottedCurve Thin(const PlottedCurve& path, const AxisRange& x_range, const AxisRange& y_range,
                  double distance);

// What a line covers of one column of pixels: all of it between two heights.
struct ColumnBar {
  int column = 0;            // covers x from it to the next
  double low = 0, high = 0;  // px
  bool gap = false;          // between two dashes
};

// The bars of a line in pixels whose x do not fall, in order, without a hole: none of its extremes
// is lost. `dashes` [px] are lengths of dash and gap in turn, along the middle of the bars; none:
// the line is whole. O(points + columns).
std::vector<ColumnBar> BarsOf(const Polyline& line, const std::vector<double>& dashes);

// "a, b": names in a line of text.
std::string Join(const std::vector<std::string>& names);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_PLOT_H_
