#include "models/geometry/convex.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "models/geometry/extent.h"
#include "models/problem.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Distance of a vertex from the plane of a face that counts as rounding, as a share of the extent.
constexpr double kFlatness = 1e-6;

// The number of the connected part of each vertex, in order of first appearance.
std::vector<int> PartOfVertices(const PolygonMesh& mesh) {
  std::vector<int> root(mesh.vertices);
  std::iota(root.begin(), root.end(), 0);
  auto find = [&root](int v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const std::vector<int>& face : mesh.faces) {
    for (int v : face) {
      const int a = find(v), b = find(face[0]);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<int> part(mesh.vertices);
  int parts = 0;
  for (int v = 0; v < mesh.vertices; ++v) part[v] = find(v) == v ? parts++ : part[find(v)];
  return part;
}

void AddPlanes(ConvexPiece* piece) {
  const auto count = static_cast<Eigen::Index>(piece->faces.size());
  piece->normals.resize(3, count);
  piece->offsets.resize(count);
  for (Eigen::Index f = 0; f < count; ++f) {
    const auto& [a, b, c] = piece->faces[f];
    const Vector3d p = piece->vertices.col(a);
    const Vector3d n =
        Vector3d(piece->vertices.col(b) - p).cross(Vector3d(piece->vertices.col(c) - p));
    if (!(n.norm() > 0.0)) {
      throw BadInput({"faces", "a triangle of the solid has no area", "remove it"});
    }
    piece->normals.col(f) = n.normalized();
    piece->offsets[f] = piece->normals.col(f).dot(p);
  }
}

void RequireConvex(const ConvexPiece& piece, size_t number, const std::vector<int>& names) {
  const double extent = DiagonalOf(piece.vertices);
  for (Eigen::Index f = 0; f < piece.offsets.size(); ++f) {
    Eigen::Index farthest = 0;
    const double out =
        (piece.normals.col(f).transpose() * piece.vertices).maxCoeff(&farthest) - piece.offsets[f];
    if (out <= kFlatness * extent) continue;
    throw BadInput({"faces",
                    "piece " + std::to_string(number) + " of the solid is not convex: vertex " +
                        std::to_string(names[farthest]) + " is out of the plane of a face",
                    "cut it into convex pieces that share no vertices; faces are counter-clockwise "
                    "seen from outside"});
  }
}

Vector3d NearestOnTriangle(const Vector3d& a, const Vector3d& b, const Vector3d& c,
                           const Vector3d& x) {
  // Nearest on the three edges, unless the foot on the plane is inside all of them.
  const Vector3d n = (b - a).cross(c - a);
  const std::array<std::array<const Vector3d*, 2>, 3> edges = {{{&a, &b}, {&b, &c}, {&c, &a}}};
  bool inside = true;
  double least = std::numeric_limits<double>::infinity();
  Vector3d nearest = a;
  for (const auto& [p, q] : edges) {
    const Vector3d along = *q - *p;
    if (n.cross(along).dot(x - *p) >= 0.0) continue;
    inside = false;
    const double s = std::clamp(along.dot(x - *p) / along.squaredNorm(), 0.0, 1.0);
    const Vector3d foot = *p + s * along;
    if (const double d = (x - foot).squaredNorm(); d < least) {
      least = d;
      nearest = foot;
    }
  }
  return inside ? Vector3d(x - n * (n.dot(x - a) / n.squaredNorm())) : nearest;
}

}  // namespace

std::vector<ConvexPiece> ConvexPieces(const Eigen::Matrix3Xd& vertices, const PolygonMesh& mesh) {
  RequireManifold(mesh);
  if (!IsClosed(mesh)) {
    throw BadInput({"faces", "the mesh has a border, so it encloses no solid", "close it"});
  }
  const std::vector<int> part = PartOfVertices(mesh);
  std::vector<ConvexPiece> pieces(1 + *std::max_element(part.begin(), part.end()));
  std::vector<std::vector<int>> names(pieces.size());  // vertices of the mesh in each piece
  std::vector<int> local(mesh.vertices);
  for (int v = 0; v < mesh.vertices; ++v) {
    local[v] = static_cast<int>(names[part[v]].size());
    names[part[v]].push_back(v);
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].vertices = vertices(Eigen::all, names[i]);
  }
  for (const auto& [a, b, c] : TrianglesOf(mesh)) {
    pieces[part[a]].faces.push_back({local[a], local[b], local[c]});
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    AddPlanes(&pieces[i]);
    RequireConvex(pieces[i], i, names[i]);
  }
  return pieces;
}

PieceDistance DistanceTo(const ConvexPiece& piece, const Vector3d& x) {
  Eigen::Index face = 0;
  const double distance = (piece.normals.transpose() * x - piece.offsets).maxCoeff(&face);
  if (distance <= 0.0) return {distance, piece.normals.col(face)};
  double least = std::numeric_limits<double>::infinity();
  Vector3d away = piece.normals.col(face);
  for (const auto& [a, b, c] : piece.faces) {
    const Vector3d nearest =
        NearestOnTriangle(piece.vertices.col(a), piece.vertices.col(b), piece.vertices.col(c), x);
    if (const double d = (x - nearest).norm(); d < least) {
      least = d;
      away = x - nearest;
    }
  }
  if (!(least > 0.0)) return {distance, piece.normals.col(face)};
  return {least, away / least};
}

RaySpan SpanInside(const ConvexPiece& piece, const Vector3d& x, const Vector3d& g) {
  RaySpan span{0.0, std::numeric_limits<double>::infinity()};
  for (Eigen::Index f = 0; f < piece.offsets.size(); ++f) {
    const double room = piece.offsets[f] - piece.normals.col(f).dot(x);  // ≥ 0 inside
    const double rate = piece.normals.col(f).dot(g);
    if (rate > 0.0) {
      span.exit = std::min(span.exit, room / rate);
    } else if (rate < 0.0) {
      span.enter = std::max(span.enter, room / rate);
    } else if (room <= 0.0) {
      return {1.0, 0.0};
    }
  }
  return span;
}

}  // namespace pliant
