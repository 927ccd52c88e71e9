#include "models/contact/simplex_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

constexpr int kNone = -1;

double Cross2(const Vector3d& u, const Vector3d& v) { return u.x() * v.y() - u.y() * v.x(); }

// The line from p to q, of z = 0.
struct Line2 {
  Vector3d through, along;
  double slack;  // of Left()
  Line2(const Vector3d& p, const Vector3d& q)
      : through(p), along(q - p), slack(kInOnePlane * along.squaredNorm()) {}
  double Left(const Vector3d& x) const { return Cross2(along, x - through); }
};

// Where the edge from a place at the height `from` to one at the height `to` is at 0.
double ShareAtZero(double from, double to) { return std::clamp(from / (from - to), 0.0, 1.0); }

// Corners of the faces of a tetrahedron, anticlockwise seen from outside; face i lies opposite to
// corner i.
constexpr std::array<std::array<int, 3>, 4> kFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// Are all corners of b beyond one side of a?
bool Separated(const TriangleCorners& a, const TriangleCorners& b) {
  for (int i = 0; i < 3; ++i) {
    const Line2 side(a[i], a[(i + 1) % 3]);
    bool beyond = true;
    for (const Vector3d& x : b) beyond = beyond && side.Left(x) <= side.slack;
    if (beyond) return true;
  }
  return false;
}

struct Plane3 {
  Vector3d normal, through;
  double slack;  // of Above()
  double Above(const Vector3d& x) const { return normal.dot(x - through); }
};

Plane3 FaceOf(const TetrahedronCorners& a, int face) {
  const auto [i, j, k] = kFaces[face];
  const Vector3d normal = (a[j] - a[i]).cross(a[k] - a[i]);
  const double twice_area = normal.norm();
  return {normal, a[i], kInOnePlane * twice_area * std::sqrt(twice_area)};
}

bool Separated(const std::array<Plane3, 4>& a, const TetrahedronCorners& b) {
  for (const Plane3& plane : a) {
    bool beyond = true;
    for (const Vector3d& x : b) beyond = beyond && plane.Above(x) >= -plane.slack;
    if (beyond) return true;
  }
  return false;
}

// Whose a piece of the boundary is: a side of a (0–2, 0–3) or of b (3–5, 4–7); and the side of b that
// is in one plane with this one of a.
struct Source {
  int side = 0, same_plane = kNone;
};

// A convex polygon; side i goes from corner i to the next.
struct Polygon {
  static constexpr int kMost = 12;
  int count = 0;
  std::array<Vector3d, kMost> corners;
  std::array<Source, kMost> sources;
  void Add(const Vector3d& corner, const Source& source) {
    if (count == kMost) return;
    corners[count] = corner;
    sources[count++] = source;
  }
};

// Keeps what is to the left of the line, which is side `side`.
void Clip(const Line2& line, int side, const Polygon& from, Polygon* kept) {
  kept->count = 0;
  std::array<double, Polygon::kMost> left;
  for (int i = 0; i < from.count; ++i) left[i] = line.Left(from.corners[i]);
  for (int i = 0; i < from.count; ++i) {
    const int next = i + 1 == from.count ? 0 : i + 1;
    const bool in = left[i] >= -line.slack, next_in = left[next] >= -line.slack;
    Source source = from.sources[i];
    if (std::max(std::abs(left[i]), std::abs(left[next])) <= line.slack) source.same_plane = side;
    if (in) kept->Add(from.corners[i], source);
    if (in == next_in) continue;
    const double t = ShareAtZero(left[i], left[next]);
    kept->Add(from.corners[i] + t * (from.corners[next] - from.corners[i]),
              in ? Source{side} : source);
  }
}

// A convex polyhedron, as loops of corners, anticlockwise seen from outside.
struct Polyhedron {
  static constexpr int kMostCorners = 64, kMostFaces = 16, kMostInLoop = 24;
  int corners = 0, faces = 0;
  std::array<Vector3d, kMostCorners> at;
  struct Face {
    int count = 0;
    Source source;
    std::array<int, kMostInLoop> loop;
    void Add(int corner) {
      if (count < kMostInLoop) loop[count++] = corner;
    }
  };
  std::array<Face, kMostFaces> face;
};

// Where a plane cuts the edges of a polyhedron, and which cut follows which around the new face.
class Cuts {
 public:
  // The corner where the edge between corners i and j is cut. Both faces of the edge get the same.
  int At(int i, int j, const std::array<double, Polyhedron::kMostCorners>& above, Polyhedron* p) {
    if (i > j) std::swap(i, j);
    for (int c = 0; c < count_; ++c) {
      if (cuts_[c].i == i && cuts_[c].j == j) return cuts_[c].corner;
    }
    if (count_ == kMost || p->corners == Polyhedron::kMostCorners) return i;
    const double t = ShareAtZero(above[i], above[j]);
    p->at[p->corners] = p->at[i] + t * (p->at[j] - p->at[i]);
    cuts_[count_++] = {i, j, p->corners, -1};
    return p->corners++;
  }
  void Follow(int from, int to) {
    for (int c = 0; c < count_; ++c) {
      if (cuts_[c].corner == from) cuts_[c].next = to;
    }
  }
  // The loops that close what was cut off.
  void AddFaces(int side, Polyhedron* p) {
    for (int c = 0; c < count_; ++c) {
      if (cuts_[c].next < 0 || p->faces == Polyhedron::kMostFaces) continue;
      Polyhedron::Face& face = p->face[p->faces++];
      face.count = 0;
      face.source = {side};
      for (int at = c; at >= 0 && cuts_[at].next >= 0;) {
        face.Add(cuts_[at].corner);
        const int next = std::exchange(cuts_[at].next, -1);
        at = -1;
        for (int other = 0; other < count_; ++other) {
          if (cuts_[other].corner == next) at = other;
        }
      }
    }
  }

 private:
  static constexpr int kMost = 32;
  struct Cut {
    int i, j, corner, next;
  };
  int count_ = 0;
  std::array<Cut, kMost> cuts_;
};

// Keeps what is below the plane, which is that of side `side`. False where that is nothing.
bool Clip(const Plane3& plane, int side, Polyhedron* p) {
  std::array<double, Polyhedron::kMostCorners> above;
  bool any_above = false, any_below = false;
  for (int i = 0; i < p->corners; ++i) above[i] = plane.Above(p->at[i]);
  for (int f = 0; f < p->faces; ++f) {
    bool in_plane = true;
    for (int k = 0; k < p->face[f].count; ++k) {
      const double height = above[p->face[f].loop[k]];
      any_above = any_above || height > plane.slack;
      any_below = any_below || height < -plane.slack;
      in_plane = in_plane && std::abs(height) <= plane.slack;
    }
    if (in_plane) p->face[f].source.same_plane = side;
  }
  if (!any_below) return false;
  if (!any_above) return true;
  Cuts cuts;
  const int faces = p->faces;
  int kept = 0;
  for (int f = 0; f < faces; ++f) {
    const Polyhedron::Face from = p->face[f];
    Polyhedron::Face to;
    to.source = from.source;
    int left = -1, first_entry = -1;  // where the loop leaves, and where it came in before it left
    for (int k = 0; k < from.count; ++k) {
      const int i = from.loop[k], j = from.loop[k + 1 == from.count ? 0 : k + 1];
      const bool in = above[i] <= plane.slack, next_in = above[j] <= plane.slack;
      if (in) to.Add(i);
      if (in == next_in) continue;
      const int cut = cuts.At(i, j, above, p);
      to.Add(cut);
      if (in) {
        left = cut;
      } else if (left >= 0) {
        cuts.Follow(cut, std::exchange(left, -1));
      } else {
        first_entry = cut;
      }
    }
    if (left >= 0 && first_entry >= 0) cuts.Follow(first_entry, left);
    if (to.count > 0) p->face[kept++] = to;
  }
  p->faces = kept;
  cuts.AddFaces(side, p);
  return true;
}

// Adds a piece of the boundary to both gradients: `add` it once where they agree whose it is.
template <typename Add>
void AddBoundary(const Source& source, const Add& add, SimplexOverlap* overlap) {
  if (source.same_plane == kNone) {
    add(source.side, {&overlap->by_a, &overlap->by_b});
  } else {
    add(source.side, {&overlap->by_a});
    add(source.same_plane, {&overlap->by_b});
  }
}

// The weights of the corners of a face at x, where its plane has the normal n.
Vector3d WeightsOnFace(const Vector3d& p, const Vector3d& q, const Vector3d& r, const Vector3d& x) {
  const Vector3d n = (q - p).cross(r - p);
  const double squared = n.squaredNorm();
  const double v = n.dot((x - p).cross(r - p)) / squared;
  const double w = n.dot((q - p).cross(x - p)) / squared;
  return {1.0 - v - w, v, w};
}

}  // namespace

bool FindOverlap(const TriangleCorners& a, const TriangleCorners& b, SimplexOverlap* overlap) {
  if (!(Cross2(a[1] - a[0], a[2] - a[0]) > 0.0) || !(Cross2(b[1] - b[0], b[2] - b[0]) > 0.0)) {
    return false;
  }
  if (Separated(a, b) || Separated(b, a)) return false;
  Polygon one, other;
  for (int i = 0; i < 3; ++i) one.Add(a[i], {i});
  for (int i = 0; i < 3; ++i) {
    Clip(Line2(b[i], b[(i + 1) % 3]), 3 + i, one, &other);
    std::swap(one, other);
  }
  if (one.count < 3) return false;
  *overlap = {};
  for (int i = 1; i + 1 < one.count; ++i) {
    const Vector3d& p = one.corners[0];
    const double area = 0.5 * Cross2(one.corners[i] - p, one.corners[i + 1] - p);
    overlap->content += area;
    overlap->moment += area / 3.0 * (p + one.corners[i] + one.corners[i + 1]);
  }
  if (!(overlap->content > 0.0)) return false;
  for (int i = 0; i < one.count; ++i) {
    const Vector3d &p = one.corners[i], &q = one.corners[i + 1 == one.count ? 0 : i + 1];
    const Vector3d normal(q.y() - p.y(), p.x() - q.x(), 0.0);
    const Vector3d middle = 0.5 * (p + q);
    const auto add = [&](int side, std::initializer_list<OverlapGradient*> gradients) {
      const bool is_b = side >= 3;
      const int first = side % 3, second = (first + 1) % 3;
      const TriangleCorners& corners = is_b ? b : a;
      const Vector3d along = corners[second] - corners[first];
      const double s = along.dot(middle - corners[first]) / along.squaredNorm();
      for (OverlapGradient* gradient : gradients) {
        auto& of_corners = is_b ? gradient->of_b : gradient->of_a;
        of_corners[first] += (1.0 - s) * normal;
        of_corners[second] += s * normal;
        if (is_b) gradient->surface += normal;
        if (first == 0 && is_b == (gradient == &overlap->by_b)) gradient->own += normal;
      }
    };
    AddBoundary(one.sources[i], add, overlap);
  }
  return true;
}

bool FindOverlap(const TetrahedronCorners& a, const TetrahedronCorners& b,
                 SimplexOverlap* overlap) {
  std::array<Plane3, 4> of_a, of_b;
  for (int i = 0; i < 4; ++i) {
    of_a[i] = FaceOf(a, i);
    of_b[i] = FaceOf(b, i);
  }
  if (!(of_a[3].Above(a[3]) < 0.0) || !(of_b[3].Above(b[3]) < 0.0)) return false;
  if (Separated(of_a, b) || Separated(of_b, a)) return false;
  Polyhedron common;
  common.corners = common.faces = 4;
  for (int i = 0; i < 4; ++i) {
    common.at[i] = a[i];
    common.face[i].source = {i};
    for (const int corner : kFaces[i]) common.face[i].Add(corner);
  }
  for (int i = 0; i < 4; ++i) {
    if (!Clip(of_b[i], 4 + i, &common)) return false;
  }
  *overlap = {};
  const Vector3d origin = a[0];  // near: less rounding
  for (int f = 0; f < common.faces; ++f) {
    const Polyhedron::Face& face = common.face[f];
    if (face.count < 3) continue;
    const int side = face.source.side;
    const Vector3d& outwards = (side >= 4 ? of_b : of_a)[side % 4].normal;
    const Vector3d p = common.at[face.loop[0]] - origin;
    Vector3d normal = Vector3d::Zero(), middle = Vector3d::Zero();
    double area = 0.0;
    for (int k = 1; k + 1 < face.count; ++k) {
      const Vector3d q = common.at[face.loop[k]] - origin;
      const Vector3d r = common.at[face.loop[k + 1]] - origin;
      const Vector3d of_part = 0.5 * (q - p).cross(r - p);
      const double share = of_part.dot(outwards), volume = p.dot(of_part) / 3.0;
      normal += of_part;
      area += share;
      middle += share / 3.0 * (p + q + r);
      overlap->content += volume;
      overlap->moment += 0.25 * volume * (p + q + r);
    }
    // A sliver of rounding acts at its first corner.
    middle = origin + (area > 0.0 ? Vector3d(middle / area) : p);
    const auto add = [&](int of_side, std::initializer_list<OverlapGradient*> gradients) {
      const bool is_b = of_side >= 4;
      const TetrahedronCorners& source = is_b ? b : a;
      const std::array<int, 3>& corners = kFaces[of_side % 4];
      const Vector3d weights =
          WeightsOnFace(source[corners[0]], source[corners[1]], source[corners[2]], middle);
      for (OverlapGradient* gradient : gradients) {
        auto& of_corners = is_b ? gradient->of_b : gradient->of_a;
        for (int k = 0; k < 3; ++k) of_corners[corners[k]] += weights[k] * normal;
        if (is_b) gradient->surface += normal;
        const bool opposite = of_side % 4 == 3;
        if (opposite && is_b == (gradient == &overlap->by_b)) gradient->own += normal;
      }
    };
    AddBoundary(face.source, add, overlap);
  }
  if (!(overlap->content > 0.0)) return false;
  overlap->moment += overlap->content * origin;
  return true;
}

Vector4d WeightsAt(const TriangleCorners& corners, const Vector3d& x) {
  const Vector3d u = corners[1] - corners[0], v = corners[2] - corners[0], at = x - corners[0];
  const double area = Cross2(u, v);
  const double s = Cross2(at, v) / area, t = Cross2(u, at) / area;
  return {1.0 - s - t, s, t, 0.0};
}

Vector4d WeightsAt(const TetrahedronCorners& corners, const Vector3d& x) {
  const Vector3d u = corners[1] - corners[0], v = corners[2] - corners[0];
  const Vector3d w = corners[3] - corners[0], at = x - corners[0];
  const double volume = u.dot(v.cross(w));
  const double r = at.dot(v.cross(w)) / volume, s = u.dot(at.cross(w)) / volume;
  const double t = u.dot(v.cross(at)) / volume;
  return {1.0 - r - s - t, r, s, t};
}

}  // namespace pliant
