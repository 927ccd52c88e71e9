#include "models/finite_elements/contact_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pliant::finite_elements {
namespace {

using Eigen::Vector3d;

// Places along an edge of an element: quarters, so that weights of quadratic functions are whole
// numbers of eighths.
constexpr int kParts = 4;
// ∫ over an edge by Simpson's rule.
constexpr std::array<double, kParts + 1> kSimpson = {1.0 / 12.0, 4.0 / 12.0, 2.0 / 12.0, 4.0 / 12.0,
                                                     1.0 / 12.0};

// A place as weights of nodes of an element, in units of 1/64; how a side is divided.
struct Side {
  using Mixture = std::vector<std::pair<int, int>>;
  std::vector<int> nodes;
  std::vector<Mixture> places;            // of nodes of the element
  std::vector<double> weights;            // of the area, sum 1
  std::vector<std::array<int, 3>> faces;  // of places
  std::vector<std::array<int, 2>> lines;  // in a plane
};

// Quadratic functions at i/4, in eighths.
std::array<int, 3> Eighths(int i) {
  return {(kParts - i) * (kParts - 2 * i) / 2, 2 * i * (kParts - i), i * (2 * i - kParts) / 2};
}

Side OutlineSide(const SideShape& shape) {
  Side side;
  side.nodes = shape.nodes;
  for (int i = 0; i <= kParts; ++i) {
    const auto weight = Eighths(i);
    Side::Mixture place;
    for (int n = 0; n < 3; ++n) place.emplace_back(side.nodes[n], 8 * weight[n]);
    side.places.push_back(std::move(place));
    side.weights.push_back(kSimpson[i]);
    if (i > 0) side.lines.push_back({i - 1, i});
  }
  return side;
}

Side TetrahedronSide(const SideShape& shape) {
  Side side;
  side.nodes = shape.nodes;
  std::map<std::array<int, 2>, int> number;
  for (int j = 0; j <= kParts; ++j) {
    for (int i = 0; i + j <= kParts; ++i) {
      number[{i, j}] = static_cast<int>(side.places.size());
      const std::array<int, 3> l = {kParts - i - j, i, j};  // quarters
      Side::Mixture place;
      for (int n = 0; n < 3; ++n) {
        place.emplace_back(side.nodes[n], 4 * l[n] * (2 * l[n] - kParts));
        place.emplace_back(side.nodes[3 + n], 16 * l[n] * l[(n + 1) % 3]);
      }
      side.places.push_back(std::move(place));
    }
  }
  side.weights.assign(side.places.size(), 0.0);
  const auto add = [&](std::array<int, 3> face) {
    side.faces.push_back(face);
    for (const int place : face) side.weights[place] += 1.0 / (3.0 * kParts * kParts);
  };
  for (int j = 0; j < kParts; ++j) {
    for (int i = 0; i + j < kParts; ++i) {
      add({number[{i, j}], number[{i + 1, j}], number[{i, j + 1}]});
      if (i + j + 1 < kParts) {
        add({number[{i + 1, j}], number[{i + 1, j + 1}], number[{i, j + 1}]});
      }
    }
  }
  return side;
}

Side HexahedronSide(const SideShape& shape) {
  Side side;
  side.nodes = shape.nodes;
  constexpr int kRow = kParts + 1;
  for (int p = 0; p < kRow * kRow; ++p) {
    const auto along_u = Eighths(p % kRow), along_v = Eighths(p / kRow);
    Side::Mixture place;
    for (int n = 0; n < 9; ++n) place.emplace_back(side.nodes[n], along_u[n % 3] * along_v[n / 3]);
    side.places.push_back(std::move(place));
    side.weights.push_back(kSimpson[p % kRow] * kSimpson[p / kRow]);
  }
  for (int j = 0; j < kParts; ++j) {
    for (int i = 0; i < kParts; ++i) {
      const int a = i + kRow * j, b = a + 1, c = a + kRow, d = c + 1;
      if ((i + j) % 2 == 0) {
        side.faces.push_back({a, b, d});
        side.faces.push_back({a, d, c});
      } else {
        side.faces.push_back({a, b, c});
        side.faces.push_back({b, d, c});
      }
    }
  }
  if (shape.inwards) {
    for (auto& face : side.faces) std::swap(face[1], face[2]);  // outwards
  }
  return side;
}

std::vector<Side> SidesWithPlaces(ElementShape shape) {
  std::vector<Side> sides;
  for (const SideShape& side : SidesOf(shape)) {
    sides.push_back(DimensionOf(shape) == 2                 ? OutlineSide(side)
                    : shape == ElementShape::kTetrahedron10 ? TetrahedronSide(side)
                                                            : HexahedronSide(side));
  }
  return sides;
}

void AddEdges(ContactSurface* surface) {
  std::set<std::array<int, 2>> edges;
  for (const auto& face : surface->faces) {
    for (int side = 0; side < 3; ++side) {
      const int a = face[side], b = face[(side + 1) % 3];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  }
  surface->edges.assign(edges.begin(), edges.end());
}

double AreaOf(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return 0.5 * (b - a).cross(c - a).norm();
}

// The share of a place is that of one side of a sharp edge, the largest: what lies around the edge
// stands on an obstacle with one of its sides only.
class Share {
 public:
  void Add(double area, const Vector3d& normal) {
    for (auto& [direction, sum] : sides_) {
      if (direction.dot(normal) < kSmooth) continue;
      sum += area;
      return;
    }
    sides_.emplace_back(normal, area);
  }
  double area() const {
    double largest = 0.0;
    for (const auto& [direction, sum] : sides_) largest = std::max(largest, sum);
    return largest;
  }

 private:
  static constexpr double kSmooth = 0.75;  // cosine between the normals of faces of one side
  std::vector<std::pair<Vector3d, double>> sides_;
};

}  // namespace

ContactSurface SurfaceOf(const SolidMesh& mesh, const BoundaryPlaces& boundary, double thickness) {
  const std::vector<Side> sides = SidesWithPlaces(mesh.shape);
  ContactSurface surface;
  std::vector<Eigen::Triplet<double>> entries;
  std::map<Side::Mixture, int> number;  // of a place
  std::vector<Share> shares;
  for (const auto& [e, number_of_side] : boundary) {
    const Side& side = sides[number_of_side];
    std::vector<int> places;
    std::vector<Vector3d> at;
    for (const Side::Mixture& local : side.places) {
      Side::Mixture place;
      at.emplace_back(Vector3d::Zero());
      for (const auto& [n, weight] : local) {
        if (weight == 0) continue;
        place.emplace_back(mesh.elements(n, e), weight);
        at.back() += weight / 64.0 * mesh.nodes.col(mesh.elements(n, e));
      }
      std::sort(place.begin(), place.end());
      const auto [found, is_new] = number.emplace(place, static_cast<int>(shares.size()));
      if (is_new) {
        shares.emplace_back();
        for (const auto& [node, weight] : place) {
          entries.emplace_back(found->second, node, weight / 64.0);
        }
      }
      places.push_back(found->second);
    }
    double area = 0.0;
    Vector3d normal = Vector3d::Zero();
    for (const auto& [a, b, c] : side.faces) {
      area += AreaOf(at[a], at[b], at[c]);
      normal += (at[b] - at[a]).cross(at[c] - at[a]);
      surface.faces.push_back({places[a], places[b], places[c]});
    }
    for (const auto& [a, b] : side.lines) {
      area += thickness * (at[b] - at[a]).norm();
      normal += Vector3d::UnitZ().cross(at[b] - at[a]);
      surface.edges.push_back({places[a], places[b]});
    }
    normal.normalize();
    for (size_t i = 0; i < places.size(); ++i) {
      shares[places[i]].Add(area * side.weights[i], normal);
    }
  }
  surface.areas.resize(static_cast<Eigen::Index>(shares.size()));
  for (size_t i = 0; i < shares.size(); ++i) {
    surface.areas[static_cast<Eigen::Index>(i)] = shares[i].area();
  }
  surface.places.resize(surface.areas.size(), mesh.nodes.cols());
  surface.places.setFromTriplets(entries.begin(), entries.end());
  if (!surface.faces.empty()) AddEdges(&surface);
  return surface;
}

ContactSurface SurfaceOfGrid(Eigen::SparseMatrix<double, Eigen::RowMajor> places,
                             const Eigen::Matrix3Xd& x, std::array<int, 2> size,
                             std::array<bool, 2> closed, double width) {
  ContactSurface surface;
  surface.places.swap(places);
  surface.areas.setZero(x.cols());
  const auto [nu, nv] = size;
  const auto number = [nu = nu, nv = nv](int i, int j) { return i % nu + nu * (j % nv); };
  if (nv == 1) {
    for (int i = 0; i + (closed[0] ? 0 : 1) < nu; ++i) {
      const int a = i, b = number(i + 1, 0);
      const double area = width * (x.col(b) - x.col(a)).norm();
      surface.edges.push_back({a, b});
      surface.areas[a] += 0.5 * area;
      surface.areas[b] += 0.5 * area;
    }
    return surface;
  }
  for (int j = 0; j + (closed[1] ? 0 : 1) < nv; ++j) {
    for (int i = 0; i + (closed[0] ? 0 : 1) < nu; ++i) {
      const int a = number(i, j), b = number(i + 1, j), c = number(i, j + 1),
                d = number(i + 1, j + 1);
      for (const auto& face : {std::array{a, b, d}, std::array{a, d, c}}) {
        surface.faces.push_back(face);
        const double area = AreaOf(x.col(face[0]), x.col(face[1]), x.col(face[2]));
        for (const int place : face) surface.areas[place] += area / 3.0;
      }
    }
  }
  AddEdges(&surface);
  return surface;
}

}  // namespace pliant::finite_elements
