#include "app/workbench/view/quantity.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {
namespace {

Eigen::VectorXf StrainOf(const Scene& scene, const Eigen::Matrix3Xf& points) {
  Eigen::VectorXf strain = Eigen::VectorXf::Zero(points.cols());
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int offset = scene.Offset(static_cast<int>(b));
    for (const auto& [i, j] : body.edges) {
      const double rest = (body.rest.col(i) - body.rest.col(j)).norm();
      if (rest == 0.0) continue;
      const double now = (points.col(offset + i) - points.col(offset + j)).norm();
      const auto change = static_cast<float>(std::abs(now / rest - 1.0));
      for (const int end : {offset + i, offset + j}) strain[end] = std::max(strain[end], change);
    }
  }
  return strain;
}

}  // namespace

const std::vector<QuantityInfo>& Quantities() {
  static const std::vector<QuantityInfo> all = {
      {Quantity::kNone, "formulation", ""},
      {Quantity::kSpeed, "speed", "m/s"},
      {Quantity::kDisplacement, "displacement from the start", "m"},
      {Quantity::kStrain, "edge strain", ""},
      {Quantity::kReferenceDistance, "distance to the reference", "m"},
  };
  return all;
}

const QuantityInfo& InfoOf(Quantity quantity) {
  return Quantities()[static_cast<size_t>(quantity)];
}

std::optional<Eigen::VectorXf> ValuesOf(Quantity quantity, const Scene& scene,
                                        const PaneFrame& frame, const PaneFrame* reference) {
  switch (quantity) {
    case Quantity::kNone:
      break;
    case Quantity::kSpeed:
      if (frame.velocities.cols() == 0) break;
      return frame.velocities.colwise().norm();
    case Quantity::kDisplacement:
      return (frame.points - scene.InitialPoints().cast<float>()).colwise().norm();
    case Quantity::kStrain:
      return StrainOf(scene, frame.points);
    case Quantity::kReferenceDistance:
      if (reference == nullptr || reference->points.cols() != frame.points.cols()) break;
      return (frame.points - reference->points).colwise().norm();
  }
  return std::nullopt;
}

Colour ColourOf(double share) {
  static constexpr std::array<Colour, 9> kStops = {{{0x44, 0x01, 0x54},
                                                    {0x47, 0x2d, 0x7b},
                                                    {0x3b, 0x52, 0x8b},
                                                    {0x2c, 0x72, 0x8e},
                                                    {0x21, 0x91, 0x8c},
                                                    {0x28, 0xae, 0x80},
                                                    {0x5e, 0xc9, 0x62},
                                                    {0xad, 0xdc, 0x30},
                                                    {0xfd, 0xe7, 0x25}}};
  const double place = std::clamp(share, 0.0, 1.0) * (kStops.size() - 1);
  const auto low = std::min(static_cast<size_t>(place), kStops.size() - 2);
  const double part = place - static_cast<double>(low);
  auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + part * (b - a)));
  };
  const Colour &a = kStops[low], &b = kStops[low + 1];
  return {mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue)};
}

}  // namespace pliant
