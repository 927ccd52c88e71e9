#include "models/scene/obstacle_surface.h"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using std::numbers::pi;

Vector3d AxisOf(const Vector3d& half_axis) {
  const double length = half_axis.norm();
  return length > 0.0 ? Vector3d(half_axis / length) : Vector3d::UnitY();
}

// A sphere is a capsule without length. Latitudes count from the equator of the half that is meant.
std::vector<Facet> CapsuleFacets(const Vector3d& half_axis, double radius, int around) {
  const Vector3d up = AxisOf(half_axis);
  const auto [a, b] = TangentsOf(up);
  const double step = 2.0 * pi / around;
  auto direction = [&, &a = a, &b = b](double latitude, double longitude) -> Vector3d {
    return std::cos(latitude) * (std::cos(longitude) * a + std::sin(longitude) * b) +
           std::sin(latitude) * up;
  };
  std::vector<Facet> facets;
  auto add = [&](double low, double high, const Vector3d& low_end, const Vector3d& high_end,
                 int turn) {
    const double left = turn * step, right = (turn + 1) * step;
    Facet facet;
    facet.normals = {direction(low, left), direction(low, right), direction(high, right),
                     direction(high, left)};
    for (int k = 0; k < 4; ++k) {
      facet.corners[k] = (k < 2 ? low_end : high_end) + radius * facet.normals[k];
    }
    facet.normal = direction(0.5 * (low + high), (turn + 0.5) * step);
    facets.push_back(facet);
  };
  for (int turn = 0; turn < around; ++turn) {
    for (int i = 0; i < around / 4; ++i) {
      add(i * step, (i + 1) * step, half_axis, half_axis, turn);
      add(-(i + 1) * step, -i * step, -half_axis, -half_axis, turn);
    }
    if (!half_axis.isZero(0.0)) add(0.0, 0.0, -half_axis, half_axis, turn);
  }
  return facets;
}

std::vector<Facet> BoxFacets(const Box& box, int parts) {
  const Eigen::Matrix3d half = box.axes * box.half_size.asDiagonal();  // columns: half edges
  std::vector<Facet> facets;
  for (int side = 0; side < 6; ++side) {
    const int axis = side / 2;
    const double sign = side % 2 == 0 ? 1.0 : -1.0;
    const Vector3d out = sign * half.col(axis), normal = sign * box.axes.col(axis);
    const Vector3d a = half.col((axis + 1) % 3), b = sign * half.col((axis + 2) % 3);
    auto corner = [&](int i, int j) -> Vector3d {
      return out + (2.0 * i / parts - 1.0) * a + (2.0 * j / parts - 1.0) * b;
    };
    for (int i = 0; i < parts; ++i) {
      for (int j = 0; j < parts; ++j) {
        facets.push_back({4,
                          {corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)},
                          {normal, normal, normal, normal},
                          normal});
      }
    }
  }
  return facets;
}

std::vector<Facet> SolidFacets(const Solid& solid) {
  std::vector<Facet> facets;
  for (const ConvexPiece& piece : solid.pieces) {
    for (size_t f = 0; f < piece.faces.size(); ++f) {
      const Vector3d normal = piece.normals.col(static_cast<Eigen::Index>(f));
      Facet facet{3, {}, {normal, normal, normal, normal}, normal};
      for (int k = 0; k < 3; ++k) facet.corners[k] = piece.vertices.col(piece.faces[f][k]);
      facet.corners[3] = facet.corners[2];
      facets.push_back(facet);
    }
  }
  return facets;
}

Matrix3Xd CapsuleOutline(const Vector3d& half_axis, double radius, int around) {
  const Vector3d up = AxisOf(half_axis), side(up.y(), -up.x(), 0.0);
  Matrix3Xd outline(3, 2 * around + 1);
  for (int i = 0; i <= 2 * around; ++i) {
    const double angle = pi * i / around;
    outline.col(i) = (i <= around ? half_axis : Vector3d(-half_axis)) +
                     radius * (std::cos(angle) * side + std::sin(angle) * up);
  }
  return outline;
}

Matrix3Xd BoxOutline(const Box& box) {
  const Vector3d a = box.half_size[0] * box.axes.col(0), b = box.half_size[1] * box.axes.col(1);
  Matrix3Xd outline(3, 4);
  outline << -a - b, a - b, a + b, -a + b;
  return outline;
}

}  // namespace

std::vector<Facet> FacetsOf(const ObstacleShape& shape, const FacetCounts& counts) {
  return std::visit(Overloaded{
                        [](const Plane&) { return std::vector<Facet>(); },
                        [&](const Sphere& sphere) {
                          return CapsuleFacets(Vector3d::Zero(), sphere.radius, counts.around);
                        },
                        [&](const Box& box) { return BoxFacets(box, counts.side); },
                        [&](const Capsule& capsule) {
                          return CapsuleFacets(capsule.half_axis, capsule.radius, counts.around);
                        },
                        [](const Solid& solid) { return SolidFacets(solid); },
                    },
                    shape);
}

std::vector<Matrix3Xd> OutlinesOf(const ObstacleShape& shape, int around) {
  using Outlines = std::vector<Matrix3Xd>;
  return std::visit(
      Overloaded{
          [](const Plane&) { return Outlines(); },
          [&](const Sphere& sphere) {
            return Outlines{CapsuleOutline(Vector3d::Zero(), sphere.radius, around)};
          },
          [](const Box& box) { return Outlines{BoxOutline(box)}; },
          [&](const Capsule& capsule) {
            return Outlines{CapsuleOutline(capsule.half_axis, capsule.radius, around)};
          },
          [](const Solid& solid) {
            Outlines triangles;
            for (const Facet& facet : SolidFacets(solid)) {
              Matrix3Xd triangle(3, 3);
              triangle << facet.corners[0], facet.corners[1], facet.corners[2];
              triangles.push_back(triangle);
            }
            return triangles;
          },
      },
      shape);
}

std::pair<Vector3d, Vector3d> TangentsOf(const Vector3d& n) {
  const Vector3d helper = std::abs(n.z()) < 0.9 ? Vector3d::UnitZ() : Vector3d::UnitX();
  const Vector3d a = helper.cross(n).normalized();
  return {a, n.cross(a)};
}

}  // namespace pliant
