#include "solvers/control/sensors.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/problem.h"

namespace pliant {
namespace {

// A point this close to an obstacle touches it, as a fraction of its distance from the origin (at
// least 1 m). This allows for rounding of points placed exactly on a surface.
constexpr double kTouch = 1e-9;
// The same for times.
constexpr double kSameTime = 1e-9;

}  // namespace

bool Touches(const Scene& scene, double time, const PointsRef& x, const std::vector<int>& points) {
  for (const Obstacle& obstacle : scene.obstacles) {
    const Eigen::Vector3d origin = obstacle.motion.At(time).position;
    for (int point : points) {
      const double tolerance = kTouch * std::max(1.0, x.col(point).cwiseAbs().maxCoeff());
      if (SignedDistance(obstacle.shape, origin, x.col(point)).distance <= tolerance) return true;
    }
  }
  return false;
}

Sensors::Sensors(std::shared_ptr<const Scene> scene, int body, std::vector<Sensor> sensors)
    : scene_(std::move(scene)),
      body_(body),
      first_point_(scene_->Offset(body)),
      sensors_(std::move(sensors)) {
  const int size = scene_->bodies[body].size();
  for (size_t s = 0; s < sensors_.size(); ++s) {
    std::vector<int>& points = sensors_[s].points;
    if (points.empty()) {
      points.resize(size);
      std::iota(points.begin(), points.end(), 0);
    }
    for (int& point : points) {
      if (point < 0 || point >= size) {
        throw BadInput({"sensor[" + std::to_string(s) + "].points",
                        "sensor '" + sensors_[s].name + "' feels point " + std::to_string(point) +
                            ", which body '" + scene_->bodies[body].name + "' does not have",
                        "its points are 0 to " + std::to_string(size - 1)});
      }
      point += first_point_;
    }
  }
}

void Sensors::Read(double time, const PointsRef& x, std::vector<bool>* readings) const {
  readings->resize(sensors_.size());
  for (size_t s = 0; s < sensors_.size(); ++s) (*readings)[s] = Reading(sensors_[s], time, x);
}

bool Sensors::Reading(const Sensor& sensor, double time, const PointsRef& x) const {
  const Body& body = scene_->bodies[body_];
  auto height = [&] {
    return x.row(1).segment(first_point_, body.size()).dot(body.mass) / body.mass.sum();
  };
  switch (sensor.kind) {
    case Sensor::Kind::kContact:
      return Touches(*scene_, time, x, sensor.points);
    case Sensor::Kind::kNoContact:
      return !Touches(*scene_, time, x, sensor.points);
    case Sensor::Kind::kAbove:
      return height() >= sensor.threshold;
    case Sensor::Kind::kBelow:
      return height() <= sensor.threshold;
    case Sensor::Kind::kTime:
      return time >= sensor.threshold - kSameTime * std::max(1.0, std::abs(sensor.threshold));
  }
  return false;
}

}  // namespace pliant
