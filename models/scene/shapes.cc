#include "models/scene/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>

#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

void RequirePoints(const std::string& name, int points, int least = 2) {
  if (points < least) {
    throw BadInput({"points",
                    "body '" + name + "' has " + std::to_string(points) +
                        " points along an axis, which are too few to deform",
                    "give at least " + std::to_string(least)});
  }
}

void RequireLength(const std::string& name, double length, const char* key) {
  if (!(length > 0.0) || !std::isfinite(length)) {
    throw BadInput(
        {key, std::string(key) + " of body '" + name + "' must be positive, not " + Digits(length),
         ""});
  }
}

void RequireMass(const std::string& name, double mass) {
  if (!(mass > 0.0)) {
    throw BadInput(
        {"mass", "mass of body '" + name + "' must be positive", "give its total mass in kg"});
  }
}

Body EvenBody(const std::string& name, ShapeKind shape, int points, double mass) {
  RequireMass(name, mass);
  Body body;
  body.name = name;
  body.shape = shape;
  body.rest = Eigen::Matrix3Xd::Zero(3, points);
  body.mass = Eigen::VectorXd::Constant(points, mass / points);
  return body;
}

// Edges along rows and columns of a grid and two triangles a cell; an axis that wraps has a cell
// more.
void JoinGrid(bool wraps_u, bool wraps_v, Body* body) {
  const auto [nx, ny, nz] = body->grid;
  auto index = [nx = nx, ny = ny](int i, int j) { return i % nx + nx * (j % ny); };
  for (int j = 0; j < (wraps_v ? ny + 1 : ny); ++j) {
    for (int i = 0; i < (wraps_u ? nx + 1 : nx); ++i) {
      if (i > 0 && j < ny) body->edges.push_back({index(i - 1, j), index(i, j)});
      if (j > 0 && i < nx) body->edges.push_back({index(i, j - 1), index(i, j)});
      if (i > 0 && j > 0) {
        body->faces.push_back({index(i - 1, j - 1), index(i, j - 1), index(i, j)});
        body->faces.push_back({index(i - 1, j - 1), index(i, j), index(i - 1, j)});
      }
    }
  }
}

// A group of the points farthest along an axis of the body's frame, or farthest against it.
struct AxisEnd {
  int axis;
  double sign;
};
std::optional<AxisEnd> EndOfAxis(const std::string& group) {
  if (group == "bottom") return AxisEnd{1, -1.0};
  if (group == "top") return AxisEnd{1, 1.0};
  if (group.size() != 2 || group[0] < 'x' || group[0] > 'z') return std::nullopt;
  if (group[1] != '-' && group[1] != '+') return std::nullopt;
  return AxisEnd{group[0] - 'x', group[1] == '+' ? 1.0 : -1.0};
}

}  // namespace

Body MakeChain(const std::string& name, const Eigen::Vector3d& from, const Eigen::Vector3d& to,
               int points, double mass) {
  RequirePoints(name, points);
  Body body = EvenBody(name, ShapeKind::kChain, points, mass);
  body.grid = {points, 1, 1};
  for (int i = 0; i < points; ++i) {
    const double s = static_cast<double>(i) / (points - 1);
    body.rest.col(i) = (1.0 - s) * from + s * to;
    if (i > 0) body.edges.push_back({i - 1, i});
  }
  return body;
}

Body MakeSheet(const std::string& name, const Eigen::Vector2d& size, std::array<int, 2> points,
               double mass) {
  const auto [nx, ny] = points;
  RequirePoints(name, nx);
  RequirePoints(name, ny);
  Body body = EvenBody(name, ShapeKind::kSheet, nx * ny, mass);
  body.grid = {nx, ny, 1};
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      body.rest.col(i + nx * j) << size.x() * (static_cast<double>(i) / (nx - 1) - 0.5),
          size.y() * (static_cast<double>(j) / (ny - 1) - 0.5), 0.0;
    }
  }
  JoinGrid(false, false, &body);
  return body;
}

Body MakeRing(const std::string& name, double radius, int points, double mass) {
  RequirePoints(name, points, 3);
  RequireLength(name, radius, "radius");
  Body body = EvenBody(name, ShapeKind::kRing, points, mass);
  body.grid = {points, 1, 1};
  for (int i = 0; i < points; ++i) {
    const double angle = -2.0 * std::numbers::pi * i / points;
    body.rest.col(i) << radius * std::cos(angle), radius * std::sin(angle), 0.0;
    body.edges.push_back({i, (i + 1) % points});
  }
  return body;
}

Body MakeTube(const std::string& name, double radius, double length, std::array<int, 2> points,
              double mass) {
  const auto [nu, nv] = points;
  RequirePoints(name, nu, 3);
  RequirePoints(name, nv);
  RequireLength(name, radius, "radius");
  RequireLength(name, length, "length");
  Body body = EvenBody(name, ShapeKind::kTube, nu * nv, mass);
  body.grid = {nu, nv, 1};
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / nu;
      body.rest.col(i + nu * j) << radius * std::cos(angle), radius * std::sin(angle),
          length * (static_cast<double>(j) / (nv - 1) - 0.5);
    }
  }
  JoinGrid(true, false, &body);
  return body;
}

Body MakeTorus(const std::string& name, double radius, double tube_radius,
               std::array<int, 2> points, double mass) {
  const auto [nu, nv] = points;
  RequirePoints(name, nu, 3);
  RequirePoints(name, nv, 3);
  RequireLength(name, radius, "radius");
  RequireLength(name, tube_radius, "tube_radius");
  if (tube_radius >= radius) {
    throw BadInput({"tube_radius",
                    "the tube of body '" + name + "', of radius " + Digits(tube_radius) +
                        " m, is as thick as its ring, of radius " + Digits(radius) +
                        " m, or thicker",
                    "give a tube_radius below the radius"});
  }
  Body body = EvenBody(name, ShapeKind::kTorus, nu * nv, mass);
  body.grid = {nu, nv, 1};
  body.closed = true;
  for (int j = 0; j < nv; ++j) {
    const double around_tube = 2.0 * std::numbers::pi * j / nv;
    const double out = radius + tube_radius * std::cos(around_tube);
    for (int i = 0; i < nu; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / nu;
      body.rest.col(i + nu * j) << out * std::cos(angle), out * std::sin(angle),
          tube_radius * std::sin(around_tube);
    }
  }
  JoinGrid(true, true, &body);
  return body;
}

Body MakeMesh(const std::string& name, const Eigen::Matrix3Xd& vertices, const PolygonMesh& mesh,
              SubdivisionScheme scheme, int subdivisions, double mass) {
  RequireManifold(mesh);
  Eigen::Matrix3Xd points = vertices;
  PolygonMesh refined = mesh;
  for (int i = 0; i < subdivisions; ++i) {
    RefinedMesh finer = Refine(refined, scheme);
    points = Apply(finer.smooth, points);
    refined = std::move(finer.mesh);
  }
  Body body = EvenBody(name, ShapeKind::kMesh, refined.vertices, mass);
  body.rest = std::move(points);
  body.edges = EdgesOf(refined);
  body.faces = TrianglesOf(refined);
  body.closed = IsClosed(mesh);
  body.cage = Cage{mesh, scheme, subdivisions};
  return body;
}

Body MakeGraph(const std::string& name, const Eigen::Matrix3Xd& points,
               const std::vector<std::vector<int>>& lines, double mass) {
  const int n = static_cast<int>(points.cols());
  Body body = EvenBody(name, ShapeKind::kMesh, n, mass);
  body.rest = points;
  for (size_t l = 0; l < lines.size(); ++l) {
    const std::vector<int>& line = lines[l];
    const auto refuse = [l](const std::string& what, const std::string& mend) {
      const std::string number = std::to_string(l);
      throw BadInput({"lines[" + number + "]", "line " + number + " " + what, mend});
    };
    if (line.size() < 2) refuse("has fewer than two points", "give the two points that it joins");
    for (size_t i = 0; i < line.size(); ++i) {
      if (line[i] < 0 || line[i] >= n) {
        refuse("names point " + std::to_string(line[i]) + ", but there are only 0 to " +
                   std::to_string(n - 1),
               "count the vertices from 0");
      }
      if (i == 0) continue;
      const int a = line[i - 1], b = line[i];
      if (points.col(a) == points.col(b)) {
        refuse("has no length between points " + std::to_string(a) + " and " + std::to_string(b),
               "leave one of them out");
      }
      body.edges.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  // An edge that two lines share is one edge.
  std::sort(body.edges.begin(), body.edges.end());
  body.edges.erase(std::unique(body.edges.begin(), body.edges.end()), body.edges.end());
  return body;
}

Body MakeBlock(const std::string& name, const Eigen::Vector3d& size, std::array<int, 3> points,
               double mass) {
  for (int n : points) RequirePoints(name, n);
  for (const double side : size) RequireLength(name, side, "size");
  const auto [nx, ny, nz] = points;
  Body body = EvenBody(name, ShapeKind::kBlock, nx * ny * nz, mass);
  body.grid = points;
  body.closed = true;
  auto index = [nx = nx, ny = ny](int i, int j, int k) { return i + nx * (j + ny * k); };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        const Eigen::Vector3d fraction(static_cast<double>(i) / (nx - 1),
                                       static_cast<double>(j) / (ny - 1),
                                       static_cast<double>(k) / (nz - 1));
        body.rest.col(index(i, j, k)) =
            size.cwiseProduct(fraction.array().matrix() - Eigen::Vector3d::Constant(0.5));
        if (i > 0) body.edges.push_back({index(i - 1, j, k), index(i, j, k)});
        if (j > 0) body.edges.push_back({index(i, j - 1, k), index(i, j, k)});
        if (k > 0) body.edges.push_back({index(i, j, k - 1), index(i, j, k)});
      }
    }
  }
  // The six sides: on side (axis a, low or high) cells run over the other two axes u, v in the
  // cyclic order a, u, v, so that u × v points along +a.
  for (int a = 0; a < 3; ++a) {
    const int u = (a + 1) % 3, v = (a + 2) % 3;
    for (int high = 0; high < 2; ++high) {
      for (int iv = 1; iv < points[v]; ++iv) {
        for (int iu = 1; iu < points[u]; ++iu) {
          auto corner = [&](int du, int dv) {
            std::array<int, 3> at{};
            at[a] = high ? points[a] - 1 : 0;
            at[u] = iu - 1 + du;
            at[v] = iv - 1 + dv;
            return index(at[0], at[1], at[2]);
          };
          std::array<int, 3> first = {corner(0, 0), corner(1, 0), corner(1, 1)};
          std::array<int, 3> second = {corner(0, 0), corner(1, 1), corner(0, 1)};
          if (!high) {
            std::swap(first[1], first[2]);
            std::swap(second[1], second[2]);
          }
          body.faces.push_back(first);
          body.faces.push_back(second);
        }
      }
    }
  }
  return body;
}

std::vector<int> PointGroup(const Body& body, const std::string& group) {
  const int n = body.size();
  std::vector<int> points;
  if (group == "all") {
    points.resize(n);
    std::iota(points.begin(), points.end(), 0);
    return points;
  }
  if (group == "start") return {0};
  if (group == "end") return {n - 1};
  if (const auto end = EndOfAxis(group)) {
    const auto along = end->sign * body.rest.row(end->axis);
    const double extreme = along.maxCoeff(), extent = extreme - along.minCoeff();
    for (int i = 0; i < n; ++i) {
      if (along[i] >= extreme - 1e-9 * extent) points.push_back(i);
    }
    return points;
  }
  if (group == "corners" || group == "border") {
    if (body.grid[0] == 0) {
      throw BadInput({"", "body '" + body.name + "' has no grid, so it has no " + group,
                      "name points by index"});
    }
    const int wanted = group == "corners" ? 0 : 1;  // axes along which a point may be inside
    const bool torus = body.shape == ShapeKind::kTorus;
    const bool wraps_u = torus || body.shape == ShapeKind::kTube || body.shape == ShapeKind::kRing;
    const std::array<bool, 3> wraps = {wraps_u, torus, false};  // an axis without ends
    for (int i = 0; i < n; ++i) {
      const std::array<int, 3> at = {i % body.grid[0], (i / body.grid[0]) % body.grid[1],
                                     i / (body.grid[0] * body.grid[1])};
      int inside = 0, axes = 0;
      for (int a = 0; a < 3; ++a) {
        if (body.grid[a] == 1) continue;
        ++axes;
        if (wraps[a] || (at[a] > 0 && at[a] < body.grid[a] - 1)) ++inside;
      }
      if (wanted == 0 ? inside == 0 : inside < axes) points.push_back(i);
    }
    return points;
  }
  std::vector<std::string> known = {"all", "corners", "border", "bottom", "top", "start", "end",
                                    "x-",  "x+",      "y-",     "y+",     "z-",  "z+"};
  for (const auto& [mark, point] : body.marks) known.push_back(mark);
  throw BadInput({"", "unknown group of points '" + group + "'", DidYouMean(group, known)});
}

int GridPoint(const Body& body, const std::vector<int>& index) {
  if (body.grid[0] == 0) {
    throw BadInput({"", "body '" + body.name + "' has no grid", "name the point by one number"});
  }
  if (index.empty() || index.size() > 3) {
    throw BadInput({"", "a grid index has one to three numbers", ""});
  }
  int flat = 0, stride = 1;
  for (size_t a = 0; a < 3; ++a) {
    const int at = a < index.size() ? index[a] : 0;
    if (at < 0 || at >= body.grid[a]) {
      throw BadInput({"",
                      "grid index " + std::to_string(at) + " of body '" + body.name +
                          "' is out of range along axis " + std::to_string(a),
                      "it runs from 0 to " + std::to_string(body.grid[a] - 1)});
    }
    flat += stride * at;
    stride *= body.grid[a];
  }
  return flat;
}

}  // namespace pliant
