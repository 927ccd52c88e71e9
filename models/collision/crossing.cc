#include "models/collision/crossing.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Of the determinants below: their rounding is less than this share of the sum of the magnitudes of
// their terms [Shewchuk 1997, Sec. 4.3].
constexpr double kTermRounding = 1e-15;

// Does the line through p and q pass the line from a to b on its left? Where they meet, the one
// that is decided for is where it would pass if p and q were moved by (ε, ε², ε³), ε → 0: the same
// for all sides that it meets in one place, so that of the faces around it one is crossed.
bool PassesLeft(const PointColumns& x, int p, int q, int a, int b) {
  const bool swapped = a > b;  // decided once for both faces of a side
  if (swapped) std::swap(a, b);
  double side = SignedVolume(x.col(p), x.col(q), x.col(a), x.col(b));
  if (side == 0.0) {
    const Vector3d along = x.col(b) - x.col(a), line = x.col(q) - x.col(p);
    const Vector3d change = along.cross(line);
    for (int k = 0; k < 3 && side == 0.0; ++k) side = change[k];
  }
  return swapped ? side < 0.0 : side > 0.0;
}

}  // namespace

double SignedVolume(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  const Vector3d u = b - a, v = c - a, w = d - a;
  const double volume = u.cross(v).dot(w);
  const Vector3d pu = u.cwiseAbs(), pv = v.cwiseAbs(), pw = w.cwiseAbs();
  const double terms = (pu[1] * pv[2] + pu[2] * pv[1]) * pw[0] +
                       (pu[2] * pv[0] + pu[0] * pv[2]) * pw[1] +
                       (pu[0] * pv[1] + pu[1] * pv[0]) * pw[2];
  return std::abs(volume) <= kTermRounding * terms ? 0.0 : volume;
}

double SignedArea(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  const double first = (b[0] - a[0]) * (c[1] - a[1]), second = (b[1] - a[1]) * (c[0] - a[0]);
  const double area = first - second;
  return std::abs(area) <= kTermRounding * (std::abs(first) + std::abs(second)) ? 0.0 : area;
}

bool EdgeCrossesFace(const PointColumns& x, const std::array<int, 2>& edge,
                     const std::array<int, 3>& face) {
  const auto [p, q] = edge;
  const auto [a, b, c] = face;
  for (const int corner : face) {
    if (corner == p || corner == q) return false;
  }
  const double before = SignedVolume(x.col(a), x.col(b), x.col(c), x.col(p));
  const double after = SignedVolume(x.col(a), x.col(b), x.col(c), x.col(q));
  if (!((before < 0.0 && after > 0.0) || (before > 0.0 && after < 0.0))) return false;
  const bool left = PassesLeft(x, p, q, a, b);
  return PassesLeft(x, p, q, b, c) == left && PassesLeft(x, p, q, c, a) == left;
}

bool EdgesCross(const PointColumns& x, const std::array<int, 2>& a, const std::array<int, 2>& b) {
  if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return false;
  const auto opposite = [&x](const std::array<int, 2>& line, const std::array<int, 2>& ends) {
    const double first = SignedArea(x.col(line[0]), x.col(line[1]), x.col(ends[0]));
    const double second = SignedArea(x.col(line[0]), x.col(line[1]), x.col(ends[1]));
    return (first < 0.0 && second > 0.0) || (first > 0.0 && second < 0.0);
  };
  return opposite(a, b) && opposite(b, a);
}

}  // namespace pliant
