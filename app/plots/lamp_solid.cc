#include "app/plots/lamp_solid.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr int kFacets = 24;          // around an axis
constexpr double kArm = 0.09;        // radius of an arm, of that of the base
constexpr double kShadeNeck = 0.22;  // radius of the head at its hinge, of that at its rim

// Largest distance of points from the line through `a` along the unit vector `axis`.
double RadiusAbout(const Eigen::Ref<const Eigen::Matrix3Xd>& x, const Vector3d& a,
                   const Vector3d& axis) {
  double radius = 0.0;
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const Vector3d arm = x.col(i) - a;
    radius = std::max(radius, (arm - arm.dot(axis) * axis).norm());
  }
  return radius;
}

// The side of a cone between circles about `a` and `b`, and with `closed` both circles.
void AddCone(const Vector3d& a, double radius_a, const Vector3d& b, double radius_b, bool closed,
             std::vector<SolidFace>* faces) {
  const double length = (b - a).norm();
  if (!(length > 0.0)) return;
  const Vector3d axis = (b - a) / length;
  const Vector3d u = axis.unitOrthogonal(), w = axis.cross(u);
  const auto outwards = [&](double turn) {
    const double angle = 2.0 * std::numbers::pi * turn / kFacets;
    return Vector3d(std::cos(angle) * u + std::sin(angle) * w);
  };
  const double half = std::cos(std::numbers::pi / kFacets);  // facets are chords of the circles
  for (int i = 0; i < kFacets; ++i) {
    const Vector3d from = outwards(i), to = outwards(i + 1), middle = outwards(i + 0.5);
    faces->push_back(
        {{a + radius_a * from, a + radius_a * to, b + radius_b * to, b + radius_b * from},
         (length * middle + (radius_a - radius_b) * half * axis).normalized()});
    if (!closed) continue;
    faces->push_back({{a, a + radius_a * to, a + radius_a * from, a}, -axis});
    faces->push_back({{b, b + radius_b * from, b + radius_b * to, b}, axis});
  }
}

}  // namespace

std::vector<SolidFace> LampSolid(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  std::array<int, 5> first{};
  constexpr std::array kMarks = {"base", "lower arm", "upper arm", "head", "tip"};
  for (size_t i = 0; i < kMarks.size(); ++i) {
    const auto mark = std::find_if(body.marks.begin(), body.marks.end(),
                                   [&](const auto& named) { return named.first == kMarks[i]; });
    if (mark == body.marks.end()) return {};
    first[i] = mark->second;
  }
  const auto [base, lower, upper, head, tip] = first;
  std::vector<SolidFace> faces;
  const auto radius = [&](int begin, int end, int from, int to) {
    return RadiusAbout(x.middleCols(begin, end - begin), x.col(from),
                       (x.col(to) - x.col(from)).stableNormalized());
  };
  const double foot = radius(base, lower, base, lower);
  AddCone(x.col(base), foot, x.col(lower), foot, true, &faces);
  AddCone(x.col(lower), kArm * foot, x.col(upper), kArm * foot, true, &faces);
  AddCone(x.col(upper), kArm * foot, x.col(head), kArm * foot, true, &faces);
  const double rim = radius(head, static_cast<int>(x.cols()), head, tip);
  AddCone(x.col(head), kShadeNeck * rim, x.col(tip), rim, false, &faces);
  return faces;
}

}  // namespace pliant
