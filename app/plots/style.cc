#include "app/plots/style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace pliant {
namespace {

struct BackendStyle {
  std::string_view backend;
  LineStyle style;
};

constexpr std::array<BackendStyle, 6> kBackendStyles = {{
    {"dynamic-ffd", {{0x00, 0x5f, 0x9e}, Dash::kSolid, Marker::kCircle}},
    {"linear-deformation", {{0xd5, 0x5e, 0x00}, Dash::kDashed, Marker::kSquare}},
    {"displacement-constraints", {{0x00, 0x9e, 0x73}, Dash::kDashDotted, Marker::kTriangle}},
    {"position-based", {{0x77, 0x22, 0xdd}, Dash::kDotted, Marker::kFallingTriangle}},
    {"kinematic-response", {{0x88, 0x22, 0x55}, Dash::kLongDashed, Marker::kDiamond}},
    {"finite-elements", {{0x33, 0x33, 0x33}, Dash::kSolid, Marker::kNone}},
}};

// For backends that are not in the table yet.
constexpr std::array<LineStyle, 3> kSpareStyles = {{
    {{0x56, 0xb4, 0xe9}, Dash::kDotted, Marker::kCircle},
    {{0xb8, 0x86, 0x00}, Dash::kDotted, Marker::kSquare},
    {{0x55, 0x55, 0x55}, Dash::kDotted, Marker::kTriangle},
}};

constexpr std::array<LineStyle, kPartStyles> kPartStyle = {{
    {{0xe6, 0x9f, 0x00}, Dash::kSolid},
    {{0x33, 0x88, 0xcc}, Dash::kDashed},
    {{0x66, 0x44, 0x99}, Dash::kDashDotted},
    {{0x11, 0x77, 0x33}, Dash::kLongDashed},
    {{0xcc, 0x66, 0x77}, Dash::kDotted},
    {{0x66, 0x66, 0x66}, Dash::kDotted},
    {{0x00, 0x99, 0x99}, Dash::kDashed},
    {{0x99, 0x55, 0x11}, Dash::kDashDotted},
}};

}  // namespace

Colour Lighten(const Colour& colour, double amount) {
  const double target = amount >= 0.0 ? 255.0 : 0.0;
  const double share = std::clamp(std::abs(amount), 0.0, 1.0);
  auto mix = [&](std::uint8_t value) {
    return static_cast<std::uint8_t>(std::lround(value + share * (target - value)));
  };
  return {mix(colour.red), mix(colour.green), mix(colour.blue)};
}

std::string ToHex(const Colour& colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", static_cast<unsigned>(colour.red),
                static_cast<unsigned>(colour.green), static_cast<unsigned>(colour.blue));
  return text.data();
}

std::vector<double> LengthsOf(Dash dash) {
  switch (dash) {
    case Dash::kSolid:
      break;
    case Dash::kDashed:
      return {5.0, 2.2};
    case Dash::kDotted:
      return {1.3, 1.6};
    case Dash::kDashDotted:
      return {6.0, 2.0, 1.4, 2.0};
    case Dash::kLongDashed:
      return {8.0, 2.6};
  }
  return {};
}

std::vector<LineStyle> StylesOfRuns(const std::vector<std::string>& backends) {
  constexpr std::array<Dash, 3> kDashesOfRepeats = {Dash::kDotted, Dash::kDashed,
                                                    Dash::kDashDotted};
  // Alternate darker and lighter shades, so that four runs of a formulation remain distinguishable.
  constexpr std::array<double, 4> kShadesOfRepeats = {-0.45, 0.45, -0.8, 0.7};
  std::vector<LineStyle> styles;
  std::vector<std::pair<std::string, LineStyle>> spares;  // given away so far
  for (size_t i = 0; i < backends.size(); ++i) {
    const auto known = std::find_if(kBackendStyles.begin(), kBackendStyles.end(),
                                    [&](const auto& s) { return s.backend == backends[i]; });
    LineStyle style;
    if (known != kBackendStyles.end()) {
      style = known->style;
    } else {
      auto spare = std::find_if(spares.begin(), spares.end(),
                                [&](const auto& s) { return s.first == backends[i]; });
      if (spare == spares.end()) {
        spares.emplace_back(backends[i], kSpareStyles[spares.size() % kSpareStyles.size()]);
        spare = spares.end() - 1;
      }
      style = spare->second;
    }
    const auto repeats = std::count(backends.begin(), backends.begin() + i, backends[i]);
    if (repeats > 0) {
      const auto repeat = static_cast<size_t>(repeats - 1);
      style.colour = Lighten(style.colour, kShadesOfRepeats[repeat % kShadesOfRepeats.size()]);
      style.dash = kDashesOfRepeats[repeat % kDashesOfRepeats.size()];
    }
    styles.push_back(style);
  }
  return styles;
}

LineStyle StyleOfPart(int index) { return kPartStyle[index % kPartStyles]; }

LineStyle StyleOfTotal() { return {{0x00, 0x00, 0x00}, Dash::kSolid, Marker::kNone, 2.2}; }

}  // namespace pliant
