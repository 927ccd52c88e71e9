#include "app/plots/camera.h"

#include <algorithm>
#include <cmath>

#include "models/geometry/angles.h"

namespace pliant {
namespace {

using Eigen::AlignedBox2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kAzimuth = 30.0;       // degrees, to the right of the front
constexpr double kElevation = 24.0;     // degrees, above the horizon
constexpr double kWindowMargin = 0.05;  // of the window on each side
constexpr double kLeastAspect = 0.3;

// The window that holds some things, seen along `axes`.
class Window {
 public:
  explicit Window(const Eigen::Matrix3d& axes) : axes_(axes) {}

  void Include(const Vector3d& x, double radius = 0.0) {
    if (!x.allFinite()) return;
    const Vector2d centre = (axes_.transpose() * x).head<2>();
    box_.extend(Vector2d(centre.array() - radius));
    box_.extend(Vector2d(centre.array() + radius));
  }
  void IncludeAll(const Eigen::Matrix3Xd& points) {
    for (Eigen::Index i = 0; i < points.cols(); ++i) Include(points.col(i));
  }
  void Include(const Obstacle& obstacle, double time) {
    const Vector3d origin = obstacle.motion.At(time).position;
    for (const Ball& ball : HullOf(obstacle.shape)) Include(origin + ball.centre, ball.radius);
  }
  void Merge(const Window& other) { box_.extend(other.box_); }

  double size() const { return box_.isEmpty() ? 0.0 : box_.diagonal().norm(); }
  const AlignedBox2d& box() const { return box_; }

 private:
  Eigen::Matrix3d axes_;
  AlignedBox2d box_;
};

Window Joined(Window a, const Window& b) {
  a.Merge(b);
  return a;
}

// Bodies where they start; obstacles, nails and sliders that hold, and anchors, at the times shown.
Window OfScene(const Scene& scene, const Eigen::Matrix3d& axes, const std::vector<double>& times) {
  Window window(axes);
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  window.IncludeAll(start);
  for (const double time : times) {
    for (const Obstacle& obstacle : scene.obstacles) window.Include(obstacle, time);
    for (const Nail& nail : scene.nails) {
      if (Holds(nail.hold, time)) window.Include(nail.path.At(time).position);
    }
    for (const Slider& slider : scene.sliders) {
      if (!Holds(slider.hold, time)) continue;
      if (slider.kind == Slider::Kind::kCurve) window.IncludeAll(slider.corners);
      if (slider.kind == Slider::Kind::kBall) window.Include(slider.through, slider.radius);
    }
  }
  for (const Spring& spring : scene.springs) {
    if (!spring.b) window.Include(spring.anchor);
  }
  // The foot of the bodies on each plane, unless the plane is far off.
  if (start.cols() == 0) return window;
  const double near = 3.0 * window.size();
  for (const Obstacle& obstacle : scene.obstacles) {
    const Plane* plane = PlaneOf(obstacle.shape);
    if (plane == nullptr) continue;
    const Vector3d origin = obstacle.motion.At(0.0).position, middle = start.rowwise().mean();
    const double height = plane->normal.dot(middle - origin);
    if (std::abs(height) < near) window.Include(middle - height * plane->normal);
  }
  return window;
}

}  // namespace

bool Holds(const HoldTime& hold, double time) { return hold.from <= time && time < hold.until; }

Eigen::Matrix3d ViewAxes(const Scene& scene) {
  if (scene.dimension == 2) return Eigen::Matrix3d::Identity();
  const Eigen::AngleAxisd turn(Radians(kAzimuth), Vector3d::UnitY());
  const Eigen::AngleAxisd tilt(-Radians(kElevation), Vector3d::UnitX());
  return (turn * tilt).toRotationMatrix();
}

Camera FitCamera(const Scene& scene, const std::vector<ShownRun>& runs) {
  return FitCamera(scene, runs, ViewAxes(scene));
}

Camera FitCamera(const Scene& scene, const std::vector<ShownRun>& runs,
                 const Eigen::Matrix3d& axes) {
  Camera camera;
  camera.axes = axes;
  std::vector<double> times = {0.0};
  for (const ShownRun& run : runs) times.insert(times.end(), run.times.begin(), run.times.end());

  const Window scene_window = OfScene(scene, camera.axes, times);
  std::vector<Window> healthy, diverged;
  for (const ShownRun& run : runs) {
    Window window(camera.axes);
    for (const Eigen::Matrix3Xd& points : run.points) window.IncludeAll(points);
    (run.diverged ? diverged : healthy).push_back(Joined(scene_window, window));
  }
  Window all = scene_window;
  auto by_size = [](const Window& a, const Window& b) { return a.size() < b.size(); };
  std::sort(healthy.begin(), healthy.end(), by_size);
  if (!healthy.empty()) {
    const double most = kFarAway * healthy.front().size();
    for (const Window& window : healthy) {
      if (window.size() <= most) all.Merge(window);
    }
  }
  std::sort(diverged.begin(), diverged.end(), by_size);
  for (const Window& window : diverged) {
    if (Joined(all, window).size() <= kFarAwayDiverged * all.size()) all.Merge(window);
  }

  AlignedBox2d box = all.box();
  if (box.isEmpty()) box = AlignedBox2d(Vector2d(-0.5, -0.5), Vector2d(0.5, 0.5));
  Vector2d size = box.sizes();
  if (size.maxCoeff() == 0.0) size.setOnes();
  size = (1.0 + 2.0 * kWindowMargin) * size.cwiseMax(kLeastAspect * size.maxCoeff());
  const Vector2d centre = box.center();
  camera.window = AlignedBox2d(centre - 0.5 * size, centre + 0.5 * size);
  return camera;
}

double ScaleBarLength(double most) {
  const double decade = std::pow(10.0, std::floor(std::log10(most)));
  for (const double step : {5.0, 2.0}) {
    if (step * decade <= most) return step * decade;
  }
  return decade;
}

}  // namespace pliant
