// A ring of 96 points that a ball of 0.2 m pushes 1.05 m: what is measured of it is what a slow, obvious program
// finds in the same points, in every formulation.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/contact/contact_meter.h"
#include "models/contact/passages.h"
#include "models/scene/shapes.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr int kPoints = 96;
constexpr double kRadius = 0.2, kWay = 1.05, kStep = kWay / 1024;  // m, m, s
constexpr int kRecords = 128;

struct Way {
  std::string backend, name;
  ParameterValues parameters;
  bool goes_through = false;  // where the ring is nailed
};

std::vector<Way> Ways() {
  const std::string surface = "surface", points = "points", impulse = "impulse";
  MatrixTable rigid;
  rigid.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  return {{"dynamic-ffd", "ffd", {{"obstacle_contact", surface}, {"modes", rigid}}, true},
          {"linear-deformation",
           "penalty",
           {{"obstacle_contact", surface}, {"stretch_stiffness", 1e3}},
           true},
          {"linear-deformation",
           "impulses",
           {{"obstacle_contact", surface}, {"stretch_stiffness", 1e3}, {"contact", impulse}},
           true},
          {"displacement-constraints", "net", {{"obstacle_contact", surface}}},
          {"displacement-constraints", "net_of_points", {{"obstacle_contact", points}}},
          {"position-based", "positions", {{"obstacle_contact", surface}}},
          {"finite-elements", "elements", {{"obstacle_contact", surface}}},
          {"kinematic-response", "response", {}}};
}

// Nailed at the top and at the bottom, but for kinematic response, whose surfaces are held.
Scene RingAndBall(bool nailed) {
  Scene scene;
  scene.name = "ring";
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeRing("ring", 0.5, kPoints, 1.0)};
  Material material;
  material.density = 800.0;
  material.youngs_modulus = 1e6;
  material.thickness = 0.02;
  material.stiffness_damping = 0.002;
  scene.bodies[0].material = material;
  Matrix3Xd keys(3, 2);
  keys << Vector3d(0.75, 0.0, 0.0), Vector3d(0.75 - kWay, 0.0, 0.0);
  scene.obstacles = {
      {"ball", Sphere{kRadius}, Path({0.0, kWay}, keys, Path::Interpolation::kLinear)}};
  if (nailed) {
    for (const int point : {kPoints / 4, 3 * kPoints / 4}) {
      scene.nails.push_back({"nail " + std::to_string(point),
                             {0, point},
                             Path::Still(scene.bodies[0].rest.col(point))});
    }
  }
  return scene;
}

struct Place {
  double depth;
  Vector2d normal;  // from the middle of the ball
};

Place PlaceOf(const Matrix3Xd& x, int edge, const Vector2d& middle) {
  const Vector2d a = x.col(edge).head<2>(), b = x.col((edge + 1) % kPoints).head<2>();
  const Vector2d side = b - a;
  const double at = std::clamp((middle - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
  const Vector2d from = a + at * side - middle;
  return {kRadius - from.norm(), from.normalized()};
}

bool Cross(const Matrix3Xd& x, int i, int j) {
  const auto side = [&x](int edge, int point) {
    const Vector2d a = x.col(edge).head<2>(), b = x.col((edge + 1) % kPoints).head<2>(),
                   p = x.col(point % kPoints).head<2>();
    return (b - a).x() * (p - a).y() - (b - a).y() * (p - a).x();
  };
  return side(i, j) * side(i, j + 1) < 0.0 && side(j, i) * side(j, i + 1) < 0.0;
}

// Has an edge come deeper than a quarter of the thickness of the ball and left it on the other side, where the normals
// make more than a right angle? By 400 places between two records. Grazing edges are decided by rounding: by a
// `margin` of both, surely where it is above 0 and perhaps where it is below.
class Watch {
 public:
  Watch(const Scene& scene, double margin)
      : motion_(scene.obstacles[0].motion), margin_(margin), edges_(kPoints) {}
  void Add(double time, const Matrix3Xd& x) {
    constexpr int kParts = 400;
    for (int part = 1; before_.cols() > 0 && part <= kParts; ++part) {
      const double share = static_cast<double>(part) / kParts;
      const Vector3d middle =
          (1.0 - share) * motion_.At(time_).position + share * motion_.At(time).position;
      const Matrix3Xd now = (1.0 - share) * before_ + share * x;
      for (int edge = 0; edge < kPoints; ++edge) Follow(PlaceOf(now, edge, middle.head<2>()), edge);
      if (found && !when) when = time_ + share * (time - time_);
    }
    before_ = x;
    time_ = time;
  }
  bool found = false;
  std::optional<double> when;

 private:
  struct Edge {
    bool inside = false;
    double deepest = 0.0;
    Vector2d normal;
  };
  void Follow(const Place& place, int number) {
    Edge& edge = edges_[number];
    if (place.depth > 0.0 && !edge.inside) edge = {true, 0.0, place.normal};
    if (!edge.inside) return;
    edge.deepest = std::max(edge.deepest, place.depth);
    if (place.depth > 0.0) return;
    edge.inside = false;
    found |= edge.deepest > (0.5 + margin_) * kRadius && edge.normal.dot(place.normal) < -margin_;
  }
  const Path& motion_;
  double margin_;
  std::vector<Edge> edges_;
  Matrix3Xd before_;
  double time_ = 0.0;
};

class RingPushedByABall : public testing::TestWithParam<int> {
 protected:
  const Way& way() const {
    static const std::vector<Way> ways = Ways();
    return ways[GetParam()];
  }
};
INSTANTIATE_TEST_SUITE_P(All, RingPushedByABall, testing::Range(0, 8),
                         [](const auto& info) { return Ways()[info.param].name; });

TEST_P(RingPushedByABall, IsMeasuredAsItIs) {
  const auto scene =
      std::make_shared<const Scene>(RingAndBall(way().backend != "kinematic-response"));
  Validate(*scene);
  Translation translation = FindBackend(way().backend)->Translate(scene, way().parameters);
  ASSERT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  ContactMeter meter(scene);
  Passages passages(scene);
  Watch surely(*scene, 0.05), perhaps(*scene, -0.05);
  Observation o;
  double deepest = 0.0, points = 0.0;
  int most = 0;
  for (int record = 0; record <= kRecords; ++record) {
    const double time = translation.simulation->time();
    translation.simulation->Observe(&o);
    const Vector2d middle = scene->obstacles[0].motion.At(time).position.head<2>();
    double depth = 0.0;
    int crossings = 0;
    for (int i = 0; i < kPoints; ++i) {
      depth = std::max(depth, PlaceOf(o.points, i, middle).depth);
      for (int j = i + 2; j < kPoints - (i == 0 ? 1 : 0); ++j) crossings += Cross(o.points, i, j);
    }
    const ContactMeasures measures = meter.Measure(time, o.points);
    for (int i = 0; i < kPoints; ++i) {
      points = std::max(points, kRadius - (o.points.col(i).head<2>() - middle).norm());
    }
    EXPECT_NEAR(*measures.obstacle_depth, depth, 1e-12) << time;
    EXPECT_EQ(*measures.self_crossings, crossings) << time;
    passages.Add(time, o.points);
    surely.Add(time, o.points);
    perhaps.Add(time, o.points);
    EXPECT_GE(!passages.found().empty(), surely.found) << time;
    EXPECT_LE(!passages.found().empty(), perhaps.found) << time;
    deepest = std::max(deepest, depth);
    most = std::max(most, crossings);
    for (int step = 0; step < 1024 / kRecords; ++step) translation.simulation->Advance(kStep);
  }
  EXPECT_EQ(!passages.found().empty(), way().goes_through);
  if (!passages.found().empty()) {
    EXPECT_GE(passages.found()[0].time, *perhaps.when - 1e-4);
    EXPECT_LE(passages.found()[0].time, *surely.when + 1e-4);
  }
  // Each point of a surface that responds is outside, and an edge goes across the ball.
  if (way().backend == "kinematic-response") {
    EXPECT_LT(points, 1e-9);
    EXPECT_GT(deepest, 0.18);
  }
  if (way().backend == "finite-elements") {
    EXPECT_GT(most, 0);
  }
}

}  // namespace
}  // namespace pliant
