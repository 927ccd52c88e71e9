#include "models/contact/body_cells.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/scene/body_measures.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// A part of a body that is made a fan: its points, and its sides.
struct Element {
  std::vector<int> points;
  std::vector<std::vector<int>> sides;
};

// Corner a of a hexahedron is at (a & 1, a >> 1 & 1, a >> 2 & 1).
constexpr int kHexahedronSides[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};

Element Hexahedron(const std::array<int, 8>& points) {
  Element element{{points.begin(), points.end()}, {}};
  for (const auto& side : kHexahedronSides) {
    std::vector<int>& added = element.sides.emplace_back();
    for (const int corner : side) added.push_back(points[corner]);
  }
  return element;
}

Element SimplexOf(const std::vector<int>& points) {
  Element element{points, {}};
  for (size_t i = 0; i < points.size(); ++i) {
    std::vector<int>& side = element.sides.emplace_back();
    for (size_t j = 0; j < points.size(); ++j) {
      if (j != i) side.push_back(points[j]);
    }
  }
  return element;
}

std::vector<Element> ElementsOf(const Scene& scene, const Body& body) {
  std::vector<Element> elements;
  if (scene.dimension == 2) {
    for (const auto& face : body.faces) elements.push_back(SimplexOf({face.begin(), face.end()}));
    return elements;
  }
  for (const auto& corners : body.tetrahedra) {
    elements.push_back(SimplexOf({corners.begin(), corners.end()}));
  }
  for (const auto& corners : body.hexahedra) elements.push_back(Hexahedron(corners));
  const auto [nx, ny, nz] = body.grid;
  if (elements.empty() && body.shape == ShapeKind::kBlock && nx > 1 && ny > 1 && nz > 1) {
    for (int k = 0; k + 1 < nz; ++k) {
      for (int j = 0; j + 1 < ny; ++j) {
        for (int i = 0; i + 1 < nx; ++i) {
          std::array<int, 8> corners;
          for (int a = 0; a < 8; ++a) {
            corners[a] = i + (a & 1) + nx * (j + (a >> 1 & 1) + ny * (k + (a >> 2 & 1)));
          }
          elements.push_back(Hexahedron(corners));
        }
      }
    }
  }
  if (!elements.empty()) return elements;
  Element whole;
  for (const auto& face : body.faces) {
    whole.sides.emplace_back(face.begin(), face.end());
    whole.points.insert(whole.points.end(), face.begin(), face.end());
  }
  std::sort(whole.points.begin(), whole.points.end());
  whole.points.erase(std::unique(whole.points.begin(), whole.points.end()), whole.points.end());
  return {whole};
}

Vector3d MeanOf(const Body& body, const std::vector<int>& points) {
  Vector3d mean = Vector3d::Zero();
  for (const int point : points) mean += body.rest.col(point);
  return mean / static_cast<double>(points.size());
}

// Is every place of the surface seen from the mean of its points?
bool IsOneFan(const Body& body, const Element& whole) {
  const Vector3d middle = MeanOf(body, whole.points);
  return std::all_of(whole.sides.begin(), whole.sides.end(), [&](const std::vector<int>& side) {
    const Vector3d p = body.rest.col(side[0]) - middle;
    const Vector3d q = body.rest.col(side[1]) - middle, r = body.rest.col(side[2]) - middle;
    return p.dot(q.cross(r)) > 1e-12 * std::pow(p.norm() + q.norm() + r.norm(), 3);
  });
}

class Builder {
 public:
  Builder(const Body& body, BodyCells* cells) : body_(body), cells_(*cells) { cells_.first = {0}; }

  int Corner(int point) {
    const auto [found, fresh] = corner_of_.try_emplace(point, cells_.corner_count());
    return fresh ? Add({point}) : found->second;
  }
  int Middle(std::vector<int> points) {
    std::sort(points.begin(), points.end());
    const auto found = middles_.find(points);
    if (found != middles_.end()) return found->second;
    const int corner = Add(points);
    middles_.emplace(std::move(points), corner);
    return corner;
  }
  // A cell of these corners, turned so that it is positive at rest. `side` is the extent on the
  // surface, 0 for none.
  void AddCell(std::array<int, 4> at, double side) {
    const Vector3d u = At(at[1]) - At(at[0]), v = At(at[2]) - At(at[0]);
    double content = 0.5 * u.cross(v).z();
    if (cells_.corners == 4) content = u.cross(v).dot(At(at[3]) - At(at[0])) / 6.0;
    if (content == 0.0) return;
    if (content < 0.0) std::swap(at[0], at[1]);
    const double of_content =
        cells_.corners == 4 ? std::cbrt(content * content) : std::sqrt(std::abs(content));
    cells_.cells.push_back({at, side > 0.0 ? side : of_content, side > 0.0});
  }
  double LengthOf(int i, int j) const { return (At(i) - At(j)).norm(); }
  double AreaOf(int i, int j, int k) const {
    return 0.5 * (At(j) - At(i)).cross(At(k) - At(i)).norm();
  }

 private:
  int Add(const std::vector<int>& points) {
    for (const int point : points) {
      cells_.points.push_back(point);
      cells_.weights.push_back(1.0 / static_cast<double>(points.size()));
    }
    cells_.first.push_back(static_cast<int>(cells_.points.size()));
    at_rest_.push_back(MeanOf(body_, points));
    return cells_.corner_count() - 1;
  }
  const Vector3d& At(int corner) const { return at_rest_[corner]; }

  const Body& body_;
  BodyCells& cells_;
  std::vector<Vector3d> at_rest_;
  std::map<int, int> corner_of_;
  std::map<std::vector<int>, int> middles_;
};

}  // namespace

std::string WhyNoCells(const Scene& scene, int number) {
  const Body& body = scene.bodies[number];
  if (body.faces.empty()) return "it has no faces";
  if (scene.dimension == 2) return "";
  if (!body.closed) return "its faces enclose no volume";
  if (EnclosedVolume(body, body.rest) < 0.0)
    return "its faces are seen from inside: exchange two corners of each";
  const std::vector<Element> elements = ElementsOf(scene, body);
  if (elements.size() == 1 && elements[0].sides.size() == body.faces.size() &&
      !IsOneFan(body, elements[0])) {
    return "some of its surface cannot be seen from its middle, and it has no volume elements";
  }
  return "";
}

BodyCells::BodyCells(const Scene& scene, int number) : corners(scene.dimension + 1), first({0}) {
  if (!WhyNoCells(scene, number).empty()) return;
  const Body& body = scene.bodies[number];
  const std::vector<Element> elements = ElementsOf(scene, body);
  std::map<std::vector<int>, int> uses;  // of sides
  const auto key = [](std::vector<int> side) {
    std::sort(side.begin(), side.end());
    return side;
  };
  for (const Element& element : elements) {
    for (const auto& side : element.sides) ++uses[key(side)];
  }
  Builder builder(body, this);
  for (const Element& element : elements) {
    const auto on_surface = [&](const std::vector<int>& side) { return uses.at(key(side)) == 1; };
    const bool simplex = static_cast<int>(element.points.size()) == corners;
    if (simplex && std::none_of(element.sides.begin(), element.sides.end(), on_surface)) {
      std::array<int, 4> at = {0, 0, 0, 0};
      for (int k = 0; k < corners; ++k) at[k] = builder.Corner(element.points[k]);
      builder.AddCell(at, 0.0);
      continue;
    }
    const int middle = builder.Middle(element.points);
    for (const auto& side : element.sides) {
      const bool surface = on_surface(side);
      if (corners == 3 || (side.size() == 3 && !surface)) {
        // A side as it is, or in the plane cut in two.
        std::array<int, 4> at = {0, 0, 0, 0};
        for (size_t k = 0; k < side.size(); ++k) at[k] = builder.Corner(side[k]);
        if (corners == 4) {
          at[3] = middle;
          builder.AddCell(at, 0.0);
        } else if (!surface) {
          builder.AddCell({at[0], at[1], middle, 0}, 0.0);
        } else {
          const int half = builder.Middle(side);
          builder.AddCell({at[0], half, middle, 0}, builder.LengthOf(at[0], half));
          builder.AddCell({half, at[1], middle, 0}, builder.LengthOf(half, at[1]));
        }
        continue;
      }
      // Faces of four corners are cut at their middle also where two elements meet: alike in both.
      const int of_side = builder.Middle(side);
      for (size_t k = 0; k < side.size(); ++k) {
        const int p = builder.Corner(side[k]), q = builder.Corner(side[(k + 1) % side.size()]);
        builder.AddCell({p, q, of_side, middle}, surface ? builder.AreaOf(p, q, of_side) : 0.0);
      }
    }
  }
}

}  // namespace pliant
