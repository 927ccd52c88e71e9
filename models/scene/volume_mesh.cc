#include "models/scene/volume_mesh.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/geometry/extent.h"
#include "models/problem.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Seen from outside counter-clockwise.
constexpr std::array<std::array<int, 3>, 4> kTetrahedronFaces = {
    {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
constexpr std::array<std::array<int, 4>, 6> kHexahedronFaces = {
    {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};

// Places that differ by less than this part of the size of the mesh are one.
constexpr double kSame = 1e-9;

std::string Numbered(const char* key, size_t number) {
  return std::string(key) + "[" + std::to_string(number) + "]";
}

template <size_t N>
void RequireCorners(const std::vector<std::array<int, N>>& cells, const char* key, int points) {
  for (size_t c = 0; c < cells.size(); ++c) {
    for (size_t i = 0; i < N; ++i) {
      const int corner = cells[c][i];
      if (corner < 0 || corner >= points) {
        throw BadInput({Numbered(key, c),
                        "a cell names vertex " + std::to_string(corner) +
                            ", but there are only 0 to " + std::to_string(points - 1),
                        "count the vertices from 0"});
      }
      if (std::find(cells[c].begin(), cells[c].begin() + static_cast<std::ptrdiff_t>(i), corner) !=
          cells[c].begin() + static_cast<std::ptrdiff_t>(i)) {
        throw BadInput({Numbered(key, c),
                        "a cell has the corner " + std::to_string(corner) + " twice",
                        "leave flat cells out, or repair the mesh"});
      }
    }
  }
}

[[noreturn]] void FailInsideOut(const char* key, size_t cell) {
  throw BadInput({Numbered(key, cell),
                  std::string(key == std::string("tetrahedra") ? "tetrahedron " : "hexahedron ") +
                      std::to_string(cell) + " is flat or turned inside out",
                  "reorder its corners, or repair the mesh"});
}

// Of a hexahedron the determinant at each corner.
void RequireUpright(const Matrix3Xd& x, const VolumeCells& cells) {
  for (size_t c = 0; c < cells.tetrahedra.size(); ++c) {
    const auto& t = cells.tetrahedra[c];
    Eigen::Matrix3d sides;
    sides << x.col(t[1]) - x.col(t[0]), x.col(t[2]) - x.col(t[0]), x.col(t[3]) - x.col(t[0]);
    const double size = sides.norm();
    if (!(sides.determinant() > kSame * size * size * size)) FailInsideOut("tetrahedra", c);
  }
  for (size_t c = 0; c < cells.hexahedra.size(); ++c) {
    const auto& h = cells.hexahedra[c];
    for (int corner = 0; corner < 8; ++corner) {
      Eigen::Matrix3d sides;
      for (int axis = 0; axis < 3; ++axis) {
        const int bit = 1 << axis;
        sides.col(axis) = x.col(h[corner | bit]) - x.col(h[corner & ~bit]);
      }
      const double size = sides.norm();
      if (!(sides.determinant() > kSame * size * size * size)) FailInsideOut("hexahedra", c);
    }
  }
}

// A face by its corners, ascending: how many cells have it, and how the first one sees it.
struct Side {
  int cells = 0;
  std::vector<int> corners;
};
using Sides = std::map<std::vector<int>, Side>;

template <size_t N, size_t M, size_t F>
void AddSides(const std::vector<std::array<int, N>>& cells, const char* key,
              const std::array<std::array<int, M>, F>& faces, Sides* sides) {
  for (size_t c = 0; c < cells.size(); ++c) {
    for (const auto& face : faces) {
      std::vector<int> corners;
      for (const int corner : face) corners.push_back(cells[c][corner]);
      std::vector<int> sorted = corners;
      std::sort(sorted.begin(), sorted.end());
      Side& side = (*sides)[sorted];
      if (side.corners.empty()) side.corners = corners;
      if (++side.cells > 2) {
        throw BadInput({Numbered(key, c), "a face of this cell belongs to two others already",
                        "leave one of the cells out; they overlap"});
      }
    }
  }
}

// Places in cells of a grid, to find one near another.
class PlaceTable {
 public:
  PlaceTable(const Matrix3Xd& points, double near) : points_(points), near_(near) {
    for (int p = 0; p < points.cols(); ++p) {
      cells_.emplace_back(CellOf(points.col(p), {0, 0, 0}), p);
    }
    std::sort(cells_.begin(), cells_.end());
  }
  // −1: none.
  int At(const Vector3d& x) const {
    for (int n = 0; n < 27; ++n) {
      const auto cell = CellOf(x, {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1});
      auto found = std::lower_bound(cells_.begin(), cells_.end(), std::pair(cell, 0));
      for (; found != cells_.end() && found->first == cell; ++found) {
        if ((points_.col(found->second) - x).norm() < near_) return found->second;
      }
    }
    return -1;
  }

 private:
  using Cell = std::array<double, 3>;
  Cell CellOf(const Vector3d& x, const std::array<int, 3>& shift) const {
    Cell cell;
    for (int a = 0; a < 3; ++a) cell[a] = std::floor(x[a] / near_) + shift[a];
    return cell;
  }
  const Matrix3Xd& points_;
  double near_;
  std::vector<std::pair<Cell, int>> cells_;
};

void RequireNoHangingVertex(const Matrix3Xd& x, const Sides& sides) {
  const double size = DiagonalOf(x);
  const PlaceTable places(x, kSame * size);
  const auto require = [&](const Vector3d& middle, const char* of) {
    const int found = places.At(middle);
    if (found < 0) return;
    throw BadInput({Numbered("vertices", static_cast<size_t>(found)),
                    std::string("a vertex hangs: it lies in the middle of ") + of +
                        " of a cell that it is no corner of",
                    "divide that cell too; neighbouring cells have to share whole faces"});
  };
  for (const auto& [key, side] : sides) {
    Vector3d sum = Vector3d::Zero();
    const size_t n = side.corners.size();
    for (size_t i = 0; i < n; ++i) {
      const Vector3d a = x.col(side.corners[i]), b = x.col(side.corners[(i + 1) % n]);
      sum += a;
      require(0.5 * (a + b), "an edge");
    }
    require(sum / static_cast<double>(n), "a face");
  }
}

}  // namespace

Body MakeVolumeMesh(const std::string& name, const Matrix3Xd& points, const VolumeCells& cells,
                    double mass) {
  const int n = static_cast<int>(points.cols());
  RequireCorners(cells.tetrahedra, "tetrahedra", n);
  RequireCorners(cells.hexahedra, "hexahedra", n);
  if (cells.empty()) throw BadInput({"tetrahedra", "a volume mesh has no cells", "give some"});
  if (!(mass > 0.0) || !std::isfinite(mass)) {
    throw BadInput({"mass", "the mass of body '" + name + "' must be positive", "give kg"});
  }
  RequireUpright(points, cells);
  Sides sides;
  AddSides(cells.tetrahedra, "tetrahedra", kTetrahedronFaces, &sides);
  AddSides(cells.hexahedra, "hexahedra", kHexahedronFaces, &sides);
  std::vector<bool> used(static_cast<size_t>(n), false);
  std::set<std::array<int, 2>> edges;
  Body body;
  for (const auto& [key, side] : sides) {
    const std::vector<int>& c = side.corners;
    for (size_t i = 0; i < c.size(); ++i) {
      used[static_cast<size_t>(c[i])] = true;
      const int a = c[i], b = c[(i + 1) % c.size()];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
    if (side.cells > 1) continue;
    body.faces.push_back({c[0], c[1], c[2]});
    if (c.size() == 4) body.faces.push_back({c[0], c[2], c[3]});
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    throw BadInput({Numbered("vertices", static_cast<size_t>(unused - used.begin())),
                    "a vertex is the corner of no cell", "leave it out"});
  }
  RequireNoHangingVertex(points, sides);
  body.name = name;
  body.shape = ShapeKind::kMesh;
  body.rest = points;
  body.mass = Eigen::VectorXd::Constant(n, mass / n);
  body.edges.assign(edges.begin(), edges.end());
  body.tetrahedra = cells.tetrahedra;
  body.hexahedra = cells.hexahedra;
  body.closed = true;
  return body;
}

}  // namespace pliant
