#include "models/holds/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/geometry/rotation.h"

namespace pliant {

using Eigen::Vector3d;

namespace {

// The sine below which two lines count as one.
constexpr double kInLine = 1e-9;

Vector3d UnitOf(const Vector3d& v) {
  const double length = v.norm();
  return length > 0.0 ? Vector3d(v / length) : Vector3d::UnitX();
}

void BarAcross(const Vector3d& along, Admitted* admitted) {
  admitted->count = 2;
  admitted->barred.col(0) = Perpendicular(along);
  admitted->barred.col(1) = along.cross(Vector3d(admitted->barred.col(0)));
}

Admitted AdmitOnCurve(const Slider& slider, const Vector3d& x) {
  const Eigen::Index corners = slider.corners.cols(), pieces = corners - (slider.closed ? 0 : 1);
  Admitted admitted;
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index k = 0; k < pieces; ++k) {
    const Vector3d from = slider.corners.col(k);
    const Vector3d along = Vector3d(slider.corners.col((k + 1) % corners)) - from;
    const double part = std::clamp(along.dot(x - from) / along.squaredNorm(), 0.0, 1.0);
    const Vector3d nearest = from + part * along;
    const double distance = (x - nearest).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    admitted.nearest = nearest;
    if (part > 0.0 && part < 1.0) {
      BarAcross(along.normalized(), &admitted);
    } else {
      admitted.count = 3;
      admitted.barred.setIdentity();
    }
  }
  return admitted;
}

}  // namespace

Admitted Admit(const Scene& scene, const Slider& slider, double time, const Vector3d& x) {
  Admitted admitted;
  const Vector3d from = x - slider.through;
  switch (slider.kind) {
    case Slider::Kind::kLine:
      admitted.nearest = slider.through + from.dot(slider.direction) * slider.direction;
      BarAcross(slider.direction, &admitted);
      break;
    case Slider::Kind::kPlane:
      admitted.nearest = x - from.dot(slider.direction) * slider.direction;
      admitted.count = 1;
      admitted.barred.col(0) = slider.direction;
      break;
    case Slider::Kind::kCurve:
      return AdmitOnCurve(slider, x);
    case Slider::Kind::kSurface: {
      const Obstacle& obstacle = scene.obstacles[slider.obstacle];
      const Proximity at = SignedDistance(obstacle.shape, obstacle.motion.At(time).position, x);
      admitted.nearest = x - at.distance * at.normal;
      admitted.count = 1;
      admitted.barred.col(0) = at.normal;
      break;
    }
    case Slider::Kind::kBall: {
      const double distance = from.norm();
      admitted.nearest = x;
      if (distance <= slider.radius) break;
      admitted.nearest = slider.through + (slider.radius / distance) * from;
      admitted.count = 1;
      admitted.barred.col(0) = from / distance;
      break;
    }
  }
  return admitted;
}

PointMeasure LengthBetween(const Vector3d& a, const Vector3d& b) {
  PointMeasure m;
  m.value = (b - a).norm();
  m.gradient[1] = UnitOf(b - a);
  m.gradient[0] = -m.gradient[1];
  return m;
}

PointMeasure AngleAt(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const Vector3d to_a = a - b, to_c = c - b;
  const double length_a = to_a.norm(), length_c = to_c.norm();
  const Vector3d u = UnitOf(to_a), v = UnitOf(to_c);
  const double cosine = u.dot(v), sine = u.cross(v).norm();
  // Away from the other line: the directions in which the angle opens.
  Vector3d open_a, open_c;
  if (sine > kInLine) {
    open_a = (cosine * u - v) / sine;
    open_c = (cosine * v - u) / sine;
  } else {
    open_a = Perpendicular(u);
    open_c = cosine > 0.0 ? Vector3d(-open_a) : open_a;
  }
  PointMeasure m;
  m.value = std::atan2(sine, cosine);
  m.lever = std::min(length_a, length_c);
  m.gradient[0] = length_a > 0.0 ? Vector3d(open_a / length_a) : Vector3d(Vector3d::Zero());
  m.gradient[2] = length_c > 0.0 ? Vector3d(open_c / length_c) : Vector3d(Vector3d::Zero());
  m.gradient[1] = -m.gradient[0] - m.gradient[2];
  return m;
}

// With feet of a and d on the line at the fractions s_a, s_d from b to c, and a', d' from there:
// the gradients by a and d are across the line, those by b and c keep the sum and the moment 0.
PointMeasure TwistAbout(const Vector3d& a, const Vector3d& b, const Vector3d& c,
                        const Vector3d& d) {
  const Vector3d line = c - b, t = UnitOf(line);
  const double length = line.norm();
  const double foot_a = t.dot(a - b), foot_d = t.dot(d - b);
  const Vector3d across_a = a - b - foot_a * t, across_d = d - b - foot_d * t;
  const double square_a = across_a.squaredNorm(), square_d = across_d.squaredNorm();
  PointMeasure m;
  m.gradient.fill(Vector3d::Zero());
  m.lever = std::sqrt(std::min(square_a, square_d));
  if (!(square_a > 0.0) || !(square_d > 0.0) || !(length > 0.0)) return m;
  m.value = std::atan2(t.dot(across_a.cross(across_d)), across_a.dot(across_d));
  m.gradient[0] = -t.cross(across_a) / square_a;
  m.gradient[3] = t.cross(across_d) / square_d;
  const double s_a = foot_a / length, s_d = foot_d / length;
  m.gradient[1] = -(1.0 - s_a) * m.gradient[0] - (1.0 - s_d) * m.gradient[3];
  m.gradient[2] = -s_a * m.gradient[0] - s_d * m.gradient[3];
  return m;
}

}  // namespace pliant
