// Camera, colours, curves: what panes show, without a window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "app/workbench/pages/curve_data.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/orbit_camera.h"
#include "app/workbench/view/quantity.h"
#include "app/workbench/view/scene_mesh.h"
#include "app/workbench/view/view_state.h"
#include "experiments/bundles/csv.h"
#include "models/scene/shapes.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

using Eigen::Vector2d;
using Eigen::Vector3d;

Scene SceneWithRope() {
  Scene scene;
  scene.bodies.push_back(MakeChain("rope", {0, 0, 0}, {1, 0, 0}, 3, 2.0));
  return scene;
}

// Where a world point is in a pane, in pixels from its middle.
Vector2d InPane(const OrbitCamera& orbit, const Vector2d& size, const Vector3d& x) {
  const Camera camera = orbit.InPane(size);
  const Vector2d at = camera.ToView(x).head<2>() - camera.window.center();
  return at * (size.x() / camera.window.sizes().x());
}

TEST(OrbitCameraTest, ZoomLeavesWhatIsUnderTheMouse) {
  OrbitCamera camera;
  camera.Reset(SceneWithRope());
  const Vector2d size(400, 300);
  const Vector3d x(0.8, 0.1, -0.3);
  const Vector2d before = InPane(camera, size, x);
  camera.Zoom(3.0, before, size);
  EXPECT_LT((InPane(camera, size, x) - before).norm(), 1e-9);
  EXPECT_NEAR((InPane(camera, size, Vector3d(0, 0, 0)) - before).norm() /
                  (InPane(camera, size, Vector3d(0, 0, 0)) - InPane(camera, size, x)).norm(),
              1.0, 1e-9);
}

TEST(OrbitCameraTest, PanFollowsTheMouse) {
  OrbitCamera camera;
  camera.Reset(SceneWithRope());
  const Vector2d size(400, 300);
  const Vector3d x(0.2, 0.1, 0.5);
  const Vector2d before = InPane(camera, size, x);
  camera.Pan(30, 20, size);  // right, down
  EXPECT_LT((InPane(camera, size, x) - before - Vector2d(30, -20)).norm(), 1e-9);
}

TEST(OrbitCameraTest, TurnsAboutTheMiddleAndKeepsUpUp) {
  OrbitCamera camera;
  camera.Reset(SceneWithRope());
  const Vector2d size(400, 400);
  const Camera before = camera.InPane(size);
  const Vector2d centre = before.window.center();
  const Vector3d middle =
      before.axes * Vector3d(centre.x(), centre.y(), before.ToView(Vector3d(0.5, 0, 0)).z());
  camera.Orbit(120, -40);
  EXPECT_LT(InPane(camera, size, middle).norm(), 1e-9);
  const Camera after = camera.InPane(size);
  EXPECT_NEAR(after.axes.col(0).y(), 0.0, 1e-12);  // the horizon stays level
  EXPECT_NEAR(after.axes.determinant(), 1.0, 1e-12);
  EXPECT_GT((after.axes - before.axes).norm(), 0.5);
  camera.LookFrom(0.0, 10.0);
  EXPECT_NEAR(camera.InPane(size).axes.col(2).y(), 1.0,
              1e-12);  // no farther than from above
}

TEST(OrbitCameraTest, OpensAsTheReportDraws) {
  Scene scene = SceneWithRope();
  OrbitCamera camera;
  camera.Reset(scene);
  EXPECT_LT((camera.InPane({100, 100}).axes - ViewAxes(scene)).norm(), 1e-12);
  scene.dimension = 2;
  camera.Reset(scene);
  EXPECT_LT((camera.InPane({100, 100}).axes - Eigen::Matrix3d::Identity()).norm(), 1e-12);
  const Camera fitted = FitCamera(scene, {});
  EXPECT_TRUE(camera.InPane({300, 100}).window.contains(fitted.window));
}

TEST(PaneRectsTest, TileTheArea) {
  const QRectF area(10, 20, 800, 600);
  for (int count = 1; count <= 6; ++count) {
    const std::vector<QRectF> rects = PaneRects(count, area);
    ASSERT_EQ(rects.size(), static_cast<size_t>(count));
    double sum = 0.0;
    for (const QRectF& rect : rects) {
      sum += rect.width() * rect.height();
      EXPECT_TRUE(area.adjusted(-1, -1, 1, 1).contains(rect));
      for (const QRectF& other : rects) {
        if (&other == &rect) continue;
        EXPECT_LT(rect.intersected(other).width(), 1e-6);
      }
    }
    EXPECT_NEAR(sum, area.width() * area.height(), 1e-6);
  }
  EXPECT_EQ(PaneRects(4, area)[3].topLeft(), QPointF(410, 320));
}

TEST(QuantityTest, SaysWhatItMeans) {
  const Scene scene = SceneWithRope();  // points at 0, 0.5, 1
  PaneFrame frame, other;
  frame.points = scene.InitialPoints().cast<float>();
  frame.points(0, 2) = 1.25F;  // the second edge is half as long again
  other.points = frame.points;
  other.points(1, 0) += 2.0F;
  const auto strain = ValuesOf(Quantity::kStrain, scene, frame, nullptr);
  ASSERT_TRUE(strain);
  EXPECT_NEAR((*strain - Eigen::Vector3f(0, 0.5F, 0.5F)).norm(), 0.0, 1e-6);
  const auto displacement = ValuesOf(Quantity::kDisplacement, scene, frame, nullptr);
  EXPECT_NEAR((*displacement - Eigen::Vector3f(0, 0, 0.25F)).norm(), 0.0, 1e-6);
  const auto distance = ValuesOf(Quantity::kReferenceDistance, scene, frame, &other);
  EXPECT_NEAR((*distance - Eigen::Vector3f(2, 0, 0)).norm(), 0.0, 1e-6);
  // Not defined is not 0.
  EXPECT_FALSE(ValuesOf(Quantity::kSpeed, scene, frame, nullptr));
  EXPECT_FALSE(ValuesOf(Quantity::kReferenceDistance, scene, frame, nullptr));
  frame.velocities.setConstant(3, 3, 2.0F);
  EXPECT_NEAR((*ValuesOf(Quantity::kSpeed, scene, frame, nullptr))[1], std::sqrt(12.0), 1e-5);
}

TEST(QuantityTest, ColoursGetLighter) {
  auto lightness = [](const Colour& c) { return 0.3 * c.red + 0.59 * c.green + 0.11 * c.blue; };
  for (double share = 0.0; share < 1.0; share += 0.01) {
    EXPECT_LT(lightness(ColourOf(share)), lightness(ColourOf(share + 0.01)) + 1.0) << share;
  }
  EXPECT_LT(lightness(ColourOf(0.0)) + 120.0, lightness(ColourOf(1.0)));
  EXPECT_EQ(ColourOf(-1.0), ColourOf(0.0));
  EXPECT_EQ(ColourOf(7.0), ColourOf(1.0));
}

TEST(SceneMeshTest, ObstaclesAreClosedAndFaceOutwards) {
  Obstacle sphere{"s", Sphere{0.5}};
  Obstacle capsule{"c", Capsule{{0, 0, 1}, 0.25}};
  Obstacle box{"b", Box{{0.5, 1.0, 2.0}}};
  const double pi = M_PI;
  const std::vector<std::pair<Obstacle, double>> cases = {
      {sphere, 4.0 / 3.0 * pi * 0.125},
      {capsule, 4.0 / 3.0 * pi * std::pow(0.25, 3) + 2.0 * pi * 0.0625},
      {box, 8.0}};
  for (const auto& [obstacle, expected] : cases) {
    const Mesh mesh = MeshOf(obstacle, {});
    double volume = 0.0;               // by the divergence theorem: only if it is closed and
                                       // faces outwards
    Vector3d area = Vector3d::Zero();  // of a closed surface the normals sum to nothing
    auto at = [&](size_t i) {
      const auto& p = mesh.vertices[mesh.triangles[i]].position;
      return Vector3d(p[0], p[1], p[2]);
    };
    for (size_t i = 0; i < mesh.triangles.size(); i += 3) {
      volume += at(i).dot(at(i + 1).cross(at(i + 2))) / 6.0;
      area += 0.5 * (at(i + 1) - at(i)).cross(at(i + 2) - at(i));
    }
    EXPECT_NEAR(volume / expected, 1.0, 0.03) << obstacle.name;
    EXPECT_LT(area.norm(), 1e-5) << obstacle.name;
    for (const Vertex& vertex : mesh.vertices) {
      const Vector3d normal(vertex.normal[0], vertex.normal[1], vertex.normal[2]);
      const Vector3d position(vertex.position[0], vertex.position[1], vertex.position[2]);
      EXPECT_NEAR(normal.norm(), 1.0, 1e-5);
      EXPECT_GT(normal.dot(position), 0.0);
    }
  }
}

TEST(SceneMeshTest, NormalsOfASheetAreItsOwn) {
  Scene scene;
  scene.bodies.push_back(MakeSheet("sheet", {1.0, 1.0}, {3, 3}, 1.0));
  const BodyTopology topology = TopologyOf(scene);
  EXPECT_EQ(topology.triangles.size(), 3 * scene.bodies[0].faces.size());
  Eigen::Matrix3Xf normals;
  NormalsOf(topology, scene.InitialPoints().cast<float>(), &normals);
  const Vector3d a = scene.InitialPoints().col(scene.bodies[0].faces[0][0]);
  const Vector3d b = scene.InitialPoints().col(scene.bodies[0].faces[0][1]);
  const Vector3d c = scene.InitialPoints().col(scene.bodies[0].faces[0][2]);
  const Vector3d expected = (b - a).cross(c - a).normalized();
  for (Eigen::Index i = 0; i < normals.cols(); ++i) {
    EXPECT_LT((normals.col(i).cast<double>() - expected).norm(), 1e-5);
  }
}

// Two panes as a session would have them after a run.
std::vector<Pane> TwoPanes() {
  static const FallingBackend backend;
  std::vector<Pane> panes(2);
  for (int i = 0; i < 2; ++i) {
    panes[i].label = i == 0 ? "a" : "b";
    panes[i].backend = &backend;
    panes[i].start.columns = {{"time_s", "s", "time"}, {"height_m", "m", "how high"}};
    for (int k = 0; k < 5; ++k) {
      auto frame = std::make_shared<PaneFrame>();
      frame->time = 0.1 * (i + 1) * k;
      frame->row = {frame->time, k == 2 ? std::nullopt : std::optional(10.0 * i + k)};
      panes[i].recording.Add(frame);
    }
  }
  return panes;
}

TEST(CurveTest, OffersEachColumnOnceAndDrawsGapsAsGaps) {
  const std::vector<Pane> panes = TwoPanes();
  std::vector<std::string> columns;
  for (const CurveChoice& choice : CurveChoices(panes)) {
    if (!choice.is_rule) columns.push_back(choice.words);
  }
  EXPECT_THAT(columns, ElementsAre("height [m]"));
  const Plot plot = CurvePlot(panes, {"height_m", "height [m]", "", false}, true);
  ASSERT_EQ(plot.panels.size(), 1u);
  EXPECT_TRUE(plot.panels[0].y.logarithmic);
  EXPECT_EQ(plot.panels[0].y.unit, "m");
  ASSERT_EQ(plot.panels[0].curves.size(), 2u);
  const PlottedCurve& curve = plot.panels[0].curves[1];
  EXPECT_EQ(curve.y[1], 11.0);
  EXPECT_TRUE(std::isnan(curve.y[2]));
}

TEST(CurveTest, AWindowKeepsOneNeighbourOnEachSide) {
  const std::vector<Pane> panes = TwoPanes();
  const Plot plot = Windowed(CurvePlot(panes, {"height_m", "height [m]", "", false}, false),
                             AxisRange{0.15, 0.25});
  EXPECT_THAT(plot.panels[0].curves[0].x,
              ElementsAre(::testing::DoubleEq(0.1), ::testing::DoubleEq(0.2),
                          ::testing::DoubleNear(0.3, 1e-12)));
}

TEST(CurveTest, CsvHoldsEveryNumber) {
  const ScratchFolder folder;
  const Plot plot = CurvePlot(TwoPanes(), {"height_m", "height [m]", "", false}, false);
  WritePlotCsv(plot, folder / "curves.csv");
  const CsvTable table = ReadCsv(folder / "curves.csv");
  EXPECT_THAT(table.names, ElementsAre("time_s", "height of a [m]", "height of b [m]"));
  ASSERT_EQ(table.rows.size(), 7u);  // 0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8
  EXPECT_THAT(table.rows[0], ElementsAre(Optional(0.0), Optional(0.0), Optional(10.0)));
  EXPECT_THAT(table.rows[2], ElementsAre(Optional(0.2), std::nullopt, Optional(11.0)));
  EXPECT_THAT(table.rows[6], ElementsAre(Optional(0.8), std::nullopt, Optional(14.0)));
}

// Against each other: the height of pane b, which is 10 + k, against twice as much.
std::vector<Pane> WithSpeeds() {
  std::vector<Pane> panes = TwoPanes();
  panes[1].start.columns.push_back({"speed_m_s", "m/s", "how fast"});
  Recording timed;
  for (int k = 0; k < 5; ++k) {
    auto frame = std::make_shared<PaneFrame>(panes[1].recording[static_cast<size_t>(k)]);
    frame->row.push_back(20.0 - 2.0 * k);
    timed.Add(frame);
  }
  panes[1].recording = std::move(timed);
  return panes;
}

TEST(CurveTest, ShowsOneColumnAgainstAnotherWhereARunHasBoth) {
  const CurveChoice height{"height_m", "height [m]", "how high", false};
  const CurveChoice speed{"speed_m_s", "speed [m/s]", "how fast", false};
  const Plot plot = CurvePlot(WithSpeeds(), height, false, &speed);
  EXPECT_EQ(plot.x.label, "speed");
  EXPECT_EQ(plot.x.unit, "m/s");
  ASSERT_EQ(plot.panels[0].curves.size(), 1u);
  const PlottedCurve& path = plot.panels[0].curves[0];
  EXPECT_EQ(path.run, "b");
  EXPECT_THAT(path.x, ElementsAre(20.0, 18.0, 16.0, 14.0, 12.0));
  EXPECT_EQ(path.y[1], 11.0);
  EXPECT_TRUE(std::isnan(path.y[2]));
  EXPECT_NEAR(path.t[3], 0.6, 1e-12);
  EXPECT_EQ(Windowed(plot, AxisRange{0.0, 0.1}).panels[0].curves[0].x.size(), 5u);

  const ScratchFolder folder;
  WritePlotCsv(plot, folder / "path.csv");
  const CsvTable table = ReadCsv(folder / "path.csv");
  EXPECT_THAT(table.names, ElementsAre("time_s", "speed of b [m/s]", "height of b [m]"));
  ASSERT_EQ(table.rows.size(), 5u);
  EXPECT_THAT(table.rows[1], ElementsAre(Optional(0.2), Optional(18.0), Optional(11.0)));
  EXPECT_THAT(table.rows[2], ElementsAre(Optional(0.4), Optional(16.0), std::nullopt));
}

// Bundles of two folders may have one name.
TEST(CurveTest, PathsOfOneNameAreEachTheirOwn) {
  std::vector<Pane> panes = TwoPanes();
  for (Pane& pane : panes) pane.label = "run";
  const CurveChoice height{"height_m", "height [m]", "how high", false};
  const Plot plot = CurvePlot(panes, height, false, &height);
  ASSERT_EQ(plot.panels[0].curves.size(), 2u);
  EXPECT_EQ(plot.panels[0].curves[0].x[1], 1.0);
  EXPECT_EQ(plot.panels[0].curves[1].x[1], 11.0);
}

TEST(CurveTest, AWindowCutsAreasWithWhatTheyStandOn) {
  Plot plot = CurvePlot(TwoPanes(), {"height_m", "height [m]", "", false}, false);
  plot.panels[0].curves.resize(1);
  plot.panels[0].curves[0].base = {0, 1, 2, 3, 4};
  EXPECT_THAT(Windowed(plot, AxisRange{0.15, 0.25}).panels[0].curves[0].base, ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace pliant
