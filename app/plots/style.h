// Colours, dashes and markers: fixed for each backend, so that a reader who has learnt one figure
// can read all of them, and a curve, its key frames and its column in a table share a colour.
//
// The colours stay apart under the common colour-vision deficiencies [Okabe & Ito 2008; Tol 2021];
// dash and marker distinguish curves without any colour.

#ifndef PLIANT_APP_PLOTS_STYLE_H_
#define PLIANT_APP_PLOTS_STYLE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

// Mixes the colour with white by `amount` in [0, 1] (with black for [−1, 0]).
Colour Lighten(const Colour& colour, double amount);

// "#0072b2".
std::string ToHex(const Colour& colour);

enum class Dash { kSolid, kDashed, kDotted, kDashDotted, kLongDashed };
// Lengths of dash and gap in turn, in widths of the line; none for a whole one.
std::vector<double> LengthsOf(Dash dash);

enum class Marker { kNone, kCircle, kSquare, kTriangle, kDiamond, kFallingTriangle };

struct LineStyle {
  Colour colour;
  Dash dash = Dash::kSolid;
  Marker marker = Marker::kNone;
  double width = 1.8;  // px
};

// Styles of the runs of a comparison from the names of their backends, in order. A backend that
// stands in the comparison more than once keeps its hue and gets darker; one that has no colour of
// its own takes the next spare one.
std::vector<LineStyle> StylesOfRuns(const std::vector<std::string>& backends);

// Styles of the parts of a whole (kinds of energy, classes of work), by their index.
LineStyle StyleOfPart(int index);
inline constexpr int kPartStyles = 8;

// The style of a sum over parts: a thicker black line.
LineStyle StyleOfTotal();

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_STYLE_H_
