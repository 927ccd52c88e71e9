#include "solvers/kinematic_response/surface_rays.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/geometry/extent.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;
using Crossing = SurfaceRays::Crossing;

// Of an edge or a triangle: a ray along its border goes through it. Of the surface's extent:
// crossings that are nearer to each other are one.
constexpr double kBorder = 1e-9;
constexpr int kLeaf = 4;  // elements of a box that is not divided further

// Edge a → b of a curve in z = 0, front on its left. Adds the crossing, if any.
void ThroughEdge(const Vector3d& a, const Vector3d& b, const Vector3d& x, const Vector3d& g,
                 int element, std::vector<Crossing>* crossings) {
  const Vector3d along = b - a, front = Vector3d::UnitZ().cross(along);
  const double rate = g.dot(front);
  if (rate == 0.0) return;
  const double t = (a - x).dot(front) / rate;
  const double s = (x + t * g - a).dot(along) / along.squaredNorm();
  if (!(t > 0.0 && s >= -kBorder && s <= 1.0 + kBorder)) return;
  crossings->push_back({t, rate > 0.0 ? 1 : -1, element});
}

void ThroughTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& x,
                     const Vector3d& g, int element, std::vector<Crossing>* crossings) {
  const Vector3d u = b - a, v = c - a;
  const double rate = g.dot(u.cross(v));
  if (rate == 0.0) return;
  const Vector3d w = x - a;
  const double t = -w.dot(u.cross(v)) / rate;
  const Vector3d moment = g.cross(w);
  // x + t g = a + s u + r v.
  const double s = v.dot(moment) / rate, r = -u.dot(moment) / rate;
  if (!(t > 0.0 && s >= -kBorder && r >= -kBorder && s + r <= 1.0 + kBorder)) return;
  crossings->push_back({t, rate > 0.0 ? 1 : -1, element});
}

// Does the ray meet the box? `inverse` is 1/g by component, large where g is zero.
bool Meets(const Vector3d& lower, const Vector3d& upper, const Vector3d& x,
           const Vector3d& inverse) {
  const Vector3d a = (lower - x).cwiseProduct(inverse), b = (upper - x).cwiseProduct(inverse);
  const double enter = a.cwiseMin(b).maxCoeff(), leave = a.cwiseMax(b).minCoeff();
  return leave >= std::max(enter, 0.0);
}

}  // namespace

SurfaceRays::SurfaceRays(const Body& body, const GridVectors& start)
    : curve_(body.faces.empty()), elements_(body.faces) {
  if (curve_) {
    for (const auto& [a, b] : body.edges) elements_.push_back({a, b, b});
  }
  nodes_.push_back({0, static_cast<int>(elements_.size()), -1, {}, {}});
  Divide(0, start);
  Follow(start);
}

// Halves the elements by the order of their middles along the longest side of the box around these.
void SurfaceRays::Divide(int node, const GridVectors& start) {
  const int begin = nodes_[node].begin, end = nodes_[node].end;
  if (end - begin <= kLeaf) return;
  const auto middle = [&start](const std::array<int, 3>& e) -> Eigen::RowVector3d {
    return (start.row(e[0]) + start.row(e[1]) + start.row(e[2])) / 3.0;
  };
  Eigen::RowVector3d lower = middle(elements_[begin]), upper = lower;
  for (int i = begin + 1; i < end; ++i) {
    lower = lower.cwiseMin(middle(elements_[i]));
    upper = upper.cwiseMax(middle(elements_[i]));
  }
  int axis;
  (upper - lower).maxCoeff(&axis);
  const int half = begin + (end - begin) / 2;
  std::nth_element(elements_.begin() + begin, elements_.begin() + half, elements_.begin() + end,
                   [&](const std::array<int, 3>& a, const std::array<int, 3>& b) {
                     const double at_a = middle(a)[axis], at_b = middle(b)[axis];
                     return at_a != at_b ? at_a < at_b : a < b;
                   });
  const int children = static_cast<int>(nodes_.size());
  nodes_[node].children = children;
  nodes_.push_back({begin, half, -1, {}, {}});
  nodes_.push_back({half, end, -1, {}, {}});
  Divide(children, start);
  Divide(children + 1, start);
}

void SurfaceRays::Follow(const GridVectors& surface) {
  points_ = surface;
  const double extent = DiagonalOf(surface.transpose());
  const double border = 2.0 * kBorder * extent;
  for (auto node = nodes_.rbegin(); node != nodes_.rend(); ++node) {
    if (node->children >= 0) {
      const Node &a = nodes_[node->children], &b = nodes_[node->children + 1];
      node->lower = a.lower.cwiseMin(b.lower);
      node->upper = a.upper.cwiseMax(b.upper);
      continue;
    }
    node->lower.setConstant(std::numeric_limits<double>::infinity());
    node->upper = -node->lower;
    for (int i = node->begin; i < node->end; ++i) {
      for (const int vertex : elements_[i]) {
        node->lower = node->lower.cwiseMin(points_.row(vertex).transpose());
        node->upper = node->upper.cwiseMax(points_.row(vertex).transpose());
      }
    }
    node->lower.array() -= border;
    node->upper.array() += border;
  }
}

void SurfaceRays::Cross(const Vector3d& x, const Vector3d& direction,
                        std::vector<Crossing>* crossings) const {
  crossings->clear();
  constexpr double kLarge = 1e150;
  const Vector3d inverse =
      direction.unaryExpr([](double g) { return std::abs(g) > 1.0 / kLarge ? 1.0 / g : kLarge; });
  const auto at = [this](int vertex) -> Vector3d { return points_.row(vertex); };
  constexpr int kDeepest = 64;  // levels of a tree that halves
  std::array<int, kDeepest> open;
  int left = 0;
  open[left++] = 0;
  while (left > 0) {
    const Node& node = nodes_[open[--left]];
    if (!Meets(node.lower, node.upper, x, inverse)) continue;
    if (node.children >= 0) {
      open[left++] = node.children + 1;
      open[left++] = node.children;
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      const auto& [a, b, c] = elements_[i];
      if (curve_) {
        ThroughEdge(at(a), at(b), x, direction, i, crossings);
      } else {
        ThroughTriangle(at(a), at(b), at(c), x, direction, i, crossings);
      }
    }
  }
  std::sort(crossings->begin(), crossings->end(), [](const Crossing& a, const Crossing& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.element < b.element;
  });
  const double one = kBorder * (upper() - lower()).norm();
  const auto same = [one](const Crossing& a, const Crossing& b) {
    return a.side == b.side && b.distance - a.distance <= one;
  };
  crossings->erase(std::unique(crossings->begin(), crossings->end(), same), crossings->end());
}

}  // namespace pliant::kinematic_response
