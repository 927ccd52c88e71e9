// Colours, dashes and markers of formulations.

#include "app/plots/style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace pliant {
namespace {

// Colours as people with the common deficiencies see them [Machado, Oliveira & Fernandes 2009,
// severity 1], compared in CIELAB.
using Triple = std::array<double, 3>;

Triple Times(const std::array<Triple, 3>& m, const Triple& v) {
  Triple out{};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out[i] += m[i][k] * v[k];
  }
  return out;
}

Triple LabOf(const Colour& colour, const std::array<Triple, 3>& vision) {
  auto linear = [](double value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  Triple rgb = Times(vision, {linear(colour.red), linear(colour.green), linear(colour.blue)});
  for (double& v : rgb) v = std::clamp(v, 0.0, 1.0);
  const Triple xyz =
      Times({{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}}, rgb);
  auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116.0; };
  const double x = f(xyz[0] / 0.9505), y = f(xyz[1]), z = f(xyz[2] / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(Styles, StayApartForEveryReader) {
  const std::map<std::string, std::array<Triple, 3>> visions = {
      {"full", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
      {"protanopia",
       {{{0.152286, 1.052583, -0.204868},
         {0.114503, 0.786281, 0.099216},
         {-0.003882, -0.048116, 1.051998}}}},
      {"deuteranopia",
       {{{0.367322, 0.860646, -0.227968},
         {0.280085, 0.672501, 0.047413},
         {-0.011820, 0.042940, 0.968881}}}},
      {"tritanopia",
       {{{1.255528, -0.076749, -0.178779},
         {-0.078411, 0.930809, 0.147602},
         {0.004733, 0.691367, 0.303900}}}}};
  const std::vector<LineStyle> styles =
      StylesOfRuns({"dynamic-ffd", "linear-deformation", "displacement-constraints",
                    "position-based", "kinematic-response"});
  for (const auto& [name, vision] : visions) {
    for (size_t i = 0; i < styles.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const Triple a = LabOf(styles[i].colour, vision), b = LabOf(styles[k].colour, vision);
        const double difference = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        EXPECT_GT(difference, 20) << name << " " << i << " " << k;
      }
    }
  }
}

TEST(Styles, CanBeToldApartWithoutColour) {
  const std::vector<LineStyle> styles =
      StylesOfRuns({"dynamic-ffd", "linear-deformation", "displacement-constraints",
                    "position-based", "kinematic-response"});
  for (size_t i = 0; i < styles.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      EXPECT_NE(styles[i].dash, styles[k].dash);
      EXPECT_NE(styles[i].marker, styles[k].marker);
    }
  }
}

TEST(Styles, FiveRunsOfOneFormulationAreToldApart) {
  for (const char* backend : {"dynamic-ffd", "linear-deformation", "displacement-constraints",
                              "position-based", "kinematic-response", "another"}) {
    const std::vector<LineStyle> styles = StylesOfRuns({5, backend});
    for (size_t i = 0; i < styles.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const Colour a = styles[i].colour, b = styles[k].colour;
        EXPECT_GT(std::abs(a.red - b.red) + std::abs(a.green - b.green) + std::abs(a.blue - b.blue),
                  60)
            << backend << " " << i << " " << k;
      }
    }
  }
}

TEST(Styles, BelongToTheBackendAndNotToItsPlace) {
  const auto one = StylesOfRuns({"kinematic-response"});
  const auto two = StylesOfRuns({"dynamic-ffd", "kinematic-response", "kinematic-response", "new"});
  EXPECT_EQ(one[0].colour, two[1].colour);
  EXPECT_NE(two[1].colour, two[2].colour) << "the second of a kind is told from the first";
  EXPECT_NE(two[1].dash, two[2].dash);
  EXPECT_NE(two[3].colour, two[0].colour);
}

}  // namespace
}  // namespace pliant
