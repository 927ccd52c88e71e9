// A surface of 17 × 17 points that a ball presses, for the tests of the algorithm on one surface.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_BALL_ON_SHEET_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_BALL_ON_SHEET_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "solvers/kinematic_response/kinematic_response.h"
#include "tests/solvers/kinematic_response/oracle.h"

namespace pliant::kinematic_response {

inline constexpr int kSide = 17;  // levels 0 … 4
inline constexpr int kLevels = 5;
inline constexpr int kMiddle = kSide / 2 + kSide * (kSide / 2);
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A sheet of 2 m over the xy-plane, flat or hilly.
inline GridVectors Sheet(double hill) {
  GridVectors points(kSide * kSide, 3);
  for (int v = 0; v < kSide; ++v) {
    for (int u = 0; u < kSide; ++u) {
      const double x = 2.0 * u / (kSide - 1) - 1.0, y = 2.0 * v / (kSide - 1) - 1.0;
      points.row(u + kSide * v) << x, y, hill * std::sin(2.0 * x + 0.3) * std::cos(3.0 * y);
    }
  }
  return points;
}

// Displacement vectors out of a sphere along −z, or along another unit vector.
struct Ball {
  Eigen::Vector3d centre;
  double radius = 0.5;
  Eigen::Vector3d direction = -Eigen::Vector3d::UnitZ();

  Eigen::Vector3d Exit(const Eigen::Vector3d& x) const {
    const Eigen::Vector3d w = x - centre;
    if (w.norm() >= radius) return Eigen::Vector3d::Zero();
    const double along = w.dot(direction);
    return direction * (-along + std::sqrt(along * along - w.squaredNorm() + radius * radius));
  }
  oracle::Field operator()(const oracle::Field& surface) const {
    oracle::Field d;
    for (const Eigen::Vector3d& x : surface) d.push_back(Exit(x));
    return d;
  }
  double Depth(const GridVectors& surface) const {
    return std::max(0.0,
                    radius - (surface.rowwise() - centre.transpose()).rowwise().norm().minCoeff());
  }
};

inline std::vector<LevelControls> Uniform(LevelControls controls) {
  return std::vector<LevelControls>(kLevels, controls);
}

// A surface with its offsets, stepped by hand-made displacement vectors.
struct Subject {
  explicit Subject(double hill, Prolongation prolongation = Prolongation::kCubic,
                   Restriction restriction = Restriction::kAverage)
      : response(MultiresolutionSurface({kSide, kSide}, Sheet(hill), prolongation), restriction),
        offsets(response.model().ZeroOffsets()) {}

  DeformationSummary Step(const std::vector<LevelControls>& controls,
                          const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& exit) {
    response.Relax(controls, offsets);
    GridVectors& d = *response.displacements();
    for (Eigen::Index i = 0; i < d.rows(); ++i) {
      d.row(i) = exit(response.relaxed().row(i).transpose()).transpose();
    }
    response.RestrictDisplacements();
    return response.Deform(controls, &offsets);
  }
  DeformationSummary Step(const std::vector<LevelControls>& controls, const Ball& ball) {
    return Step(controls, [&ball](const Eigen::Vector3d& x) { return ball.Exit(x); });
  }
  DeformationSummary StepFree(const std::vector<LevelControls>& controls) {
    return Step(controls, [](const Eigen::Vector3d&) { return Eigen::Vector3d(0, 0, 0); });
  }

  const GridVectors& surface() const { return response.surface(); }
  double z(int vertex) const { return surface()(vertex, 2); }

  KinematicResponse response;
  SurfaceOffsets offsets;
};

// A contact that stands still: the ball at `centre`, pressed up to 0.2 m deep into a flat sheet.
inline const Ball kHeldBall{{0, 0, 0.3}};

inline std::vector<LevelControls> CoarsestTakesHalf(double retention) {
  auto controls = Uniform({.absorption = 0.0, .retention = retention});
  controls[0].absorption = 0.5;
  return controls;
}

// Sinks, slides askew and comes up again.
inline Ball BallAt(int step) {
  const double t = step / 12.0;
  return {{0.13 + 0.4 * t, -0.21 + 0.1 * t, 0.75 - 0.5 * std::sin(2.6 * t)},
          0.5,
          Eigen::Vector3d(0.3 * t, 0.1, -1.0).normalized()};
}

// Controls that vary from vertex to vertex; three columns: with the direction too.
inline std::vector<LevelControls> Mapped(int columns) {
  static std::map<int, std::vector<std::array<Eigen::MatrixXd, 4>>> all;
  std::vector<std::array<Eigen::MatrixXd, 4>>& maps = all[columns];
  std::mt19937 random(17);
  const auto between = [&random](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / std::mt19937::max();
  };
  const bool fill = maps.empty();
  if (fill) maps.resize(kLevels);
  std::vector<LevelControls> controls(kLevels);
  for (int level = 0; level < kLevels; ++level) {
    const int side = (1 << level) + 1;
    const std::array<std::array<double, 2>, 4> ranges = {
        {{-0.3, 0.5}, {0.2, 1.0}, {0.4, 1.0}, {0.0, 0.1}}};
    for (size_t i = 0; i < ranges.size() && fill; ++i) {
      maps[level][i].resize(side * side, columns);
      for (double& value : maps[level][i].reshaped()) value = between(ranges[i][0], ranges[i][1]);
    }
    const auto values = [&](int i) {
      return VertexValues(maps[level][i], maps[level][i].minCoeff());
    };
    controls[level] = {values(0), values(1), values(2), values(3)};
  }
  return controls;
}

struct Case {
  std::string name;
  std::vector<LevelControls> controls;
};
inline std::vector<Case> Cases() {
  std::vector<Case> cases = {
      {"elastic", Uniform({.absorption = 0.2, .retention = 0.9})},
      {"viscous", Uniform({.absorption = 0.3, .damping = 0.4, .retention = 0.8})},
      {"plastic", Uniform({.absorption = 0.15, .damping = 0.7, .retention = 0.7, .yield = 0.02})},
      {"mixed", Uniform({.absorption = 0.1, .retention = 0.95})}};
  cases.push_back({"stiff", Uniform({.absorption = 0.3, .retention = 0.9, .stiffness = 0.7})});
  cases.push_back({"mapped", Mapped(1)});
  cases.push_back({"directed", Mapped(3)});
  cases[3].controls[1] = {.absorption = -0.3, .damping = 0.8, .retention = 0.5, .yield = 0.01};
  cases[3].controls[2] = {.absorption = 0.6, .retention = 1.0, .yield = 0.0};
  cases[3].controls[4] = {.absorption = 0.0, .damping = 0.9, .retention = 0.3};
  return cases;
}

}  // namespace pliant::kinematic_response

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_BALL_ON_SHEET_H_
