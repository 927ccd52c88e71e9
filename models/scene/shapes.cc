#include "models/scene/shapes.h"

#include <numeric>

#include "models/scene/problem.h"

namespace pliant {
namespace {

void RequirePoints(const std::string& name, int points) {
  if (points < 2) {
    throw BadInput({"points",
                    "body '" + name + "' has " + std::to_string(points) +
                        " points along an axis, too few to deform",
                    "give at least 2"});
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
  auto index = [nx = nx](int i, int j) { return i + nx * j; };
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      body.rest.col(index(i, j)) << size.x() * (static_cast<double>(i) / (nx - 1) - 0.5),
          size.y() * (static_cast<double>(j) / (ny - 1) - 0.5), 0.0;
      if (i > 0) body.edges.push_back({index(i - 1, j), index(i, j)});
      if (j > 0) body.edges.push_back({index(i, j - 1), index(i, j)});
      if (i > 0 && j > 0) {
        body.faces.push_back({index(i - 1, j - 1), index(i, j - 1), index(i, j)});
        body.faces.push_back({index(i - 1, j - 1), index(i, j), index(i - 1, j)});
      }
    }
  }
  return body;
}

Body MakeBlock(const std::string& name, const Eigen::Vector3d& size, std::array<int, 3> points,
               double mass) {
  for (int n : points) RequirePoints(name, n);
  const auto [nx, ny, nz] = points;
  Body body = EvenBody(name, ShapeKind::kBlock, nx * ny * nz, mass);
  body.grid = points;
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
  if (group == "bottom" || group == "top") {
    const double sign = group == "top" ? 1.0 : -1.0;
    const double extreme = (sign * body.rest.row(1)).maxCoeff();
    const double extent = body.rest.row(1).maxCoeff() - body.rest.row(1).minCoeff();
    for (int i = 0; i < n; ++i) {
      if (sign * body.rest(1, i) >= extreme - 1e-9 * extent) points.push_back(i);
    }
    return points;
  }
  if (group == "corners" || group == "border") {
    if (body.grid[0] == 0) {
      throw BadInput({"", "body '" + body.name + "' has no grid, so it has no " + group,
                      "name points by index"});
    }
    const int wanted = group == "corners" ? 0 : 1;  // axes along which a point may be inside
    for (int i = 0; i < n; ++i) {
      const std::array<int, 3> at = {i % body.grid[0], (i / body.grid[0]) % body.grid[1],
                                     i / (body.grid[0] * body.grid[1])};
      int inside = 0, axes = 0;
      for (int a = 0; a < 3; ++a) {
        if (body.grid[a] == 1) continue;
        ++axes;
        if (at[a] > 0 && at[a] < body.grid[a] - 1) ++inside;
      }
      if (wanted == 0 ? inside == 0 : inside < axes) points.push_back(i);
    }
    return points;
  }
  throw BadInput(
      {"", "unknown group of points '" + group + "'",
       DidYouMean(group, {"all", "corners", "border", "bottom", "top", "start", "end"})});
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
