#include "app/workbench/view/orbit_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kRadiansPerPixel = 0.008;
constexpr double kRoom = 1.15;  // around the scene, for titles
constexpr double kHighest = 0.5 * std::numbers::pi;
constexpr double kLeastExtent = 1e-6, kLargestExtent = 1e6;  // m

}  // namespace

void OrbitCamera::Reset(const Scene& scene, double room) {
  const Vector3d back = ViewAxes(scene).col(2);  // towards the viewer
  azimuth_ = std::atan2(back.x(), back.z());
  elevation_ = std::asin(std::clamp(back.y(), -1.0, 1.0));
  Fit(scene, {}, room);
}

void OrbitCamera::Fit(const Scene& scene, const std::vector<ShownRun>& runs, double room) {
  const Camera camera = FitCamera(scene, runs, Axes());
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const Vector3d middle =
      start.cols() > 0 ? Vector3d(start.rowwise().mean()) : Vector3d(Vector3d::Zero());
  const Vector2d centre = camera.window.center();
  target_ = camera.axes * Vector3d(centre.x(), centre.y(), camera.ToView(middle).z());
  extent_ = room * kRoom * camera.window.sizes();
}

bool OrbitCamera::Holds(const Eigen::Ref<const Eigen::Matrix3Xf>& points) const {
  const Eigen::Matrix<float, 2, 3> across = Axes().leftCols<2>().transpose().cast<float>();
  const Eigen::Vector3f target = target_.cast<float>();
  const Eigen::Vector2f half = 0.5F * extent_.cast<float>();
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const Eigen::Vector2f at = across * (points.col(i) - target);
    if (std::abs(at.x()) > half.x() || std::abs(at.y()) > half.y()) return false;
  }
  return true;
}

void OrbitCamera::LookFrom(double azimuth, double elevation) {
  azimuth_ = std::remainder(azimuth, 2.0 * std::numbers::pi);
  elevation_ = std::clamp(elevation, -kHighest, kHighest);
}

void OrbitCamera::Orbit(double right, double down) {
  LookFrom(azimuth_ - kRadiansPerPixel * right, elevation_ + kRadiansPerPixel * down);
}

void OrbitCamera::Pan(double right, double down, const Vector2d& size) {
  const double scale = MetresPerPixel(size);
  target_ -= Axes() * Vector3d(scale * right, -scale * down, 0.0);
}

void OrbitCamera::Zoom(double factor, const Vector2d& at, const Vector2d& size) {
  const Vector2d wanted = extent_ / factor;
  if (!(wanted.minCoeff() > kLeastExtent && wanted.maxCoeff() < kLargestExtent)) return;
  const double before = MetresPerPixel(size);
  extent_ = wanted;
  const Vector2d shift = (before - MetresPerPixel(size)) * at;
  target_ += Axes() * Vector3d(shift.x(), shift.y(), 0.0);
}

Camera OrbitCamera::InPane(const Vector2d& size) const {
  Camera camera;
  camera.axes = Axes();
  const Vector2d centre = camera.ToView(target_).head<2>();
  const Vector2d half = 0.5 * MetresPerPixel(size) * size;
  camera.window = Eigen::AlignedBox2d(Vector2d(centre - half), Vector2d(centre + half));
  return camera;
}

double OrbitCamera::MetresPerPixel(const Vector2d& size) const {
  return extent_.cwiseQuotient(size.cwiseMax(1.0)).maxCoeff();
}

Eigen::Matrix3d OrbitCamera::Axes() const {
  const Eigen::AngleAxisd turn(azimuth_, Vector3d::UnitY());
  const Eigen::AngleAxisd tilt(-elevation_, Vector3d::UnitX());
  return (turn * tilt).toRotationMatrix();
}

}  // namespace pliant
