#include "app/plots/merged_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kFarCubes = 1e9;  // beyond it, points are as good as not finite

// How many faces, edges and marked points are drawn of a body.
size_t PiecesOf(const Body& body) {
  const bool marked = !body.closed && (body.faces.empty() || body.size() <= kMostMarkedPoints);
  return body.faces.size() + body.edges.size() + (marked ? static_cast<size_t>(body.size()) : 0);
}

double MeanEdge(const Body& body) {
  if (body.edges.empty()) return INFINITY;
  double sum = 0.0;
  for (const auto& [a, b] : body.edges)
    sum += (body.stretch * (body.rest.col(b) - body.rest.col(a))).norm();
  return sum / static_cast<double>(body.edges.size());
}

// Which points are at the rim of the faces, 0 or 1. Around any other point each neighbour follows it in one face and
// precedes it in another, so that the numbers of the neighbours cancel.
std::vector<char> RimOf(const Body& body) {
  std::vector<std::int64_t> balance(static_cast<size_t>(body.size()), 0);
  for (const auto& [a, b, c] : body.faces) {
    balance[a] += b - c;
    balance[b] += c - a;
    balance[c] += a - b;
  }
  std::vector<char> rim(balance.size());
  for (size_t i = 0; i < rim.size(); ++i) rim[i] = balance[i] != 0 ? 1 : 0;
  return rim;
}

}  // namespace

std::vector<bool> MergedBodies(const Scene& scene, double pixels_per_metre) {
  std::vector<bool> merged(scene.bodies.size(), false);
  size_t pieces = 0;
  for (const Body& body : scene.bodies) pieces += PiecesOf(body);
  if (pieces <= kFewPieces) return merged;
  for (size_t i = 0; i < merged.size(); ++i) {
    merged[i] = MeanEdge(scene.bodies[i]) * pixels_per_metre < kMergedCell;
  }
  return merged;
}

MergedSurface::MergedSurface(const Camera& camera, double pixels_per_metre)
    : camera_(camera), cubes_per_metre_(pixels_per_metre / kMergedCell) {}

size_t MergedSurface::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::int64_t part : key) {
    hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

int MergedSurface::PointAt(const Vector3d& x, bool rim) {
  const Vector3d cube = (cubes_per_metre_ * camera_.ToView(x)).array().floor();
  if (!(cube.cwiseAbs().maxCoeff() < kFarCubes)) return -1;
  const Key key = {static_cast<std::int64_t>(cube.x()), static_cast<std::int64_t>(cube.y()),
                   2 * static_cast<std::int64_t>(cube.z()) + (rim ? 1 : 0)};
  const auto [at, is_new] = numbers_.emplace(key, static_cast<int>(sums_.size()));
  if (is_new) {
    sums_.emplace_back(Vector3d::Zero());
    counts_.push_back(0.0);
    for (std::vector<char>* flags : {&of_faces_, &in_faces_, &marked_}) flags->push_back(0);
  }
  sums_[at->second] += x;
  counts_[at->second] += 1.0;
  return at->second;
}

void MergedSurface::Add(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  // Of a body with faces, points inside it are not seen.
  std::vector<char> seen(static_cast<size_t>(body.size()), body.faces.empty() ? 1 : 0);
  for (const auto& face : body.faces) {
    for (const int corner : face) seen[corner] = 1;
  }
  // Points of a rim are merged with each other alone: it stays where it is.
  const std::vector<char> rim = RimOf(body);
  merged_.assign(static_cast<size_t>(body.size()), -1);
  for (int i = 0; i < body.size(); ++i) {
    if (seen[i] != 0) merged_[i] = PointAt(x.col(i), rim[i] != 0);
  }
  AddFaces(body);
  if (body.faces.empty()) AddEdges(body);
  if (body.closed || (!body.faces.empty() && body.size() > kMostMarkedPoints)) return;
  for (const int point : merged_) {
    if (point < 0 || marked_[point] != 0) continue;
    marked_[point] = 1;
    marks_.push_back(point);
  }
}

void MergedSurface::AddFaces(const Body& body) {
  if (body.faces.empty()) return;
  for (const int point : merged_) {
    if (point >= 0) of_faces_[point] = 1;
  }
  for (const auto& face : body.faces) {
    const int a = merged_[face[0]], b = merged_[face[1]], c = merged_[face[2]];
    if (a < 0 || b < 0 || c < 0 || a == b || b == c || c == a) continue;
    // Both sides of a thin body keep their faces: they are turned in different directions.
    const int first = std::min({a, b, c});
    const Key turned = first == a ? Key{a, b, c} : first == b ? Key{b, c, a} : Key{c, a, b};
    if (!known_faces_.insert(turned).second) continue;
    faces_.push_back({{a, b, c}, body.closed});
    for (const int corner : {a, b, c}) in_faces_[corner] = 1;
  }
}

void MergedSurface::AddEdges(const Body& body) {
  for (const auto& edge : body.edges) {
    const int a = merged_[edge[0]], b = merged_[edge[1]];
    if (a < 0 || b < 0 || a == b ||
        !known_edges_.insert({std::min(a, b), std::max(a, b), 0}).second)
      continue;
    edges_.push_back({a, b});
  }
}

std::vector<int> MergedSurface::Specks() const {
  std::vector<int> specks;
  for (size_t i = 0; i < of_faces_.size(); ++i) {
    if (of_faces_[i] != 0 && in_faces_[i] == 0 && marked_[i] == 0)
      specks.push_back(static_cast<int>(i));
  }
  return specks;
}

}  // namespace pliant
