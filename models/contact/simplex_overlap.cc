#include "models/contact/simplex_overlap.h"

#include <Eigen/Geometry>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;

double Cross2(const Vector3d& u, const Vector3d& v) { return u.x() * v.y() - u.y() * v.x(); }

// Corners of the faces of a tetrahedron, anticlockwise seen from outside; face i lies opposite to
// corner i.
constexpr std::array<std::array<int, 3>, 4> kFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

// Are all corners of b beyond one side of a?
bool Separated(const TriangleCorners& a, const TriangleCorners& b) {
  for (int i = 0; i < 3; ++i) {
    const Vector3d along = a[(i + 1) % 3] - a[i];
    bool beyond = true;
    for (const Vector3d& x : b) beyond = beyond && Cross2(along, x - a[i]) <= 0.0;
    if (beyond) return true;
  }
  return false;
}

struct Plane3 {
  Vector3d normal, through;
  double Above(const Vector3d& x) const { return normal.dot(x - through); }
};

Plane3 FaceOf(const TetrahedronCorners& a, int face) {
  const auto [i, j, k] = kFaces[face];
  return {(a[j] - a[i]).cross(a[k] - a[i]), a[i]};
}

bool Separated(const std::array<Plane3, 4>& a, const TetrahedronCorners& b) {
  for (const Plane3& plane : a) {
    bool beyond = true;
    for (const Vector3d& x : b) beyond = beyond && plane.Above(x) >= 0.0;
    if (beyond) return true;
  }
  return false;
}

// A convex polygon; side i from corner i to the next is of side `source` of a (0–2) or b (3–5).
struct Polygon {
  static constexpr int kMost = 12;
  int count = 0;
  std::array<Vector3d, kMost> corners;
  std::array<int, kMost> sources;
  void Add(const Vector3d& corner, int source) {
    if (count == kMost) return;
    corners[count] = corner;
    sources[count++] = source;
  }
};

// Keeps what is to the left of the line from p to q.
void Clip(const Vector3d& p, const Vector3d& q, int source, const Polygon& from, Polygon* kept) {
  kept->count = 0;
  std::array<double, Polygon::kMost> left;
  for (int i = 0; i < from.count; ++i) left[i] = Cross2(q - p, from.corners[i] - p);
  for (int i = 0; i < from.count; ++i) {
    const int next = i + 1 == from.count ? 0 : i + 1;
    const bool in = left[i] >= 0.0, next_in = left[next] >= 0.0;
    if (in) kept->Add(from.corners[i], from.sources[i]);
    if (in == next_in) continue;
    const double t = left[i] / (left[i] - left[next]);
    kept->Add(from.corners[i] + t * (from.corners[next] - from.corners[i]),
              in ? source : from.sources[i]);
  }
}

// A convex polyhedron, as loops of corners, anticlockwise seen from outside.
struct Polyhedron {
  static constexpr int kMostCorners = 64, kMostFaces = 16, kMostInLoop = 24;
  int corners = 0, faces = 0;
  std::array<Vector3d, kMostCorners> at;
  struct Face {
    int count = 0, source = 0;  // of a (0–3) or b (4–7)
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
    const double t = above[i] / (above[i] - above[j]);
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
  void AddFaces(int source, Polyhedron* p) {
    for (int c = 0; c < count_; ++c) {
      if (cuts_[c].next < 0 || p->faces == Polyhedron::kMostFaces) continue;
      Polyhedron::Face& face = p->face[p->faces++];
      face.count = 0;
      face.source = source;
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

// Keeps what is below the plane. False where that is nothing.
bool Clip(const Plane3& plane, int source, Polyhedron* p) {
  std::array<double, Polyhedron::kMostCorners> above;
  bool any_above = false, any_below = false;
  for (int i = 0; i < p->corners; ++i) above[i] = plane.Above(p->at[i]);
  for (int f = 0; f < p->faces; ++f) {
    for (int k = 0; k < p->face[f].count; ++k) {
      (above[p->face[f].loop[k]] > 0.0 ? any_above : any_below) = true;
    }
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
      const bool in = above[i] <= 0.0, next_in = above[j] <= 0.0;
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
  cuts.AddFaces(source, p);
  return true;
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
  for (int i = 0; i < 3; ++i) one.Add(a[i], i);
  for (int i = 0; i < 3; ++i) {
    Clip(b[i], b[(i + 1) % 3], 3 + i, one, &other);
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
    const bool of_b = one.sources[i] >= 3;
    const int first = one.sources[i] % 3, second = (first + 1) % 3;
    const TriangleCorners& side = of_b ? b : a;
    const Vector3d along = side[second] - side[first];
    const double s = along.dot(0.5 * (p + q) - side[first]) / along.squaredNorm();
    auto& gradients = of_b ? overlap->of_b : overlap->of_a;
    gradients[first] += (1.0 - s) * normal;
    gradients[second] += s * normal;
    if (of_b) overlap->surface += normal;
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
    common.face[i].source = i;
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
    const bool is_b = face.source >= 4;
    const TetrahedronCorners& source = is_b ? b : a;
    const std::array<int, 3>& corners = kFaces[face.source % 4];
    const Vector3d& outwards = (is_b ? of_b : of_a)[face.source % 4].normal;
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
    const Vector3d weights =
        WeightsOnFace(source[corners[0]], source[corners[1]], source[corners[2]], middle);
    auto& gradients = is_b ? overlap->of_b : overlap->of_a;
    for (int k = 0; k < 3; ++k) gradients[corners[k]] += weights[k] * normal;
    if (is_b) overlap->surface += normal;
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
