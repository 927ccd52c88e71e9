#include "models/scene/material.h"

#include <cmath>
#include <string>

#include "models/problem.h"
#include "models/scene/scene.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kGauss = 0.57735026918962576;  // 1/√3: two points are exact to degree 3

// ∫ N_a dA of the bilinear quadrilateral of four corners, in order around it.
std::array<double, 4> BilinearShares(const Body& body, const std::array<int, 4>& corners) {
  std::array<double, 4> shares = {};
  for (const double u : {-kGauss, kGauss}) {
    for (const double v : {-kGauss, kGauss}) {
      const std::array<double, 4> n = {0.25 * (1 - u) * (1 - v), 0.25 * (1 + u) * (1 - v),
                                       0.25 * (1 + u) * (1 + v), 0.25 * (1 - u) * (1 + v)};
      const auto x = [&](int a) -> Vector3d { return body.rest.col(corners[a]); };
      const Vector3d xu = 0.25 * ((1 - v) * (x(1) - x(0)) + (1 + v) * (x(2) - x(3)));
      const Vector3d xv = 0.25 * ((1 - u) * (x(3) - x(0)) + (1 + u) * (x(2) - x(1)));
      const double area = xu.cross(xv).norm();
      for (int a = 0; a < 4; ++a) shares[a] += area * n[a];
    }
  }
  return shares;
}

// ∫ N_a dV of the trilinear hexahedron; a negative Jacobian makes its shares NaN.
std::array<double, 8> TrilinearShares(const Body& body, const std::array<int, 8>& corners) {
  std::array<double, 8> shares = {};
  for (int g = 0; g < 8; ++g) {
    const Vector3d at = {g & 1 ? kGauss : -kGauss, g & 2 ? kGauss : -kGauss,
                         g & 4 ? kGauss : -kGauss};
    std::array<double, 8> n;
    Matrix3d jacobian = Matrix3d::Zero();
    for (int a = 0; a < 8; ++a) {
      const Vector3d sign = {a & 1 ? 1.0 : -1.0, a & 2 ? 1.0 : -1.0, a & 4 ? 1.0 : -1.0};
      const Vector3d f = 0.5 * (Vector3d::Ones() + sign.cwiseProduct(at));
      n[a] = f.prod();
      const Vector3d slope = 0.5 * Vector3d(sign.x() * f.y() * f.z(), f.x() * sign.y() * f.z(),
                                            f.x() * f.y() * sign.z());
      jacobian += body.rest.col(corners[a]) * slope.transpose();
    }
    const double volume = jacobian.determinant();
    for (int a = 0; a < 8; ++a) shares[a] += volume > 0.0 ? volume * n[a] : std::nan("");
  }
  return shares;
}

template <size_t n>
void AddEvenly(const std::array<int, n>& corners, double volume, Eigen::VectorXd* shares) {
  for (const int point : corners) (*shares)[point] += volume / n;
}

bool HasGridOfSurfaces(const Body& body) {
  return body.shape == ShapeKind::kSheet || body.shape == ShapeKind::kTube ||
         body.shape == ShapeKind::kTorus;
}

void AddGridCells(const Body& body, double thickness, Eigen::VectorXd* shares) {
  const auto [nx, ny, nz] = body.grid;
  const int nu = body.shape == ShapeKind::kSheet ? nx - 1 : nx;
  const int nv = body.shape == ShapeKind::kTorus ? ny : ny - 1;
  const auto index = [nx = nx, ny = ny](int i, int j) { return i % nx + nx * (j % ny); };
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      const std::array<int, 4> corners = {index(i, j), index(i + 1, j), index(i + 1, j + 1),
                                          index(i, j + 1)};
      const std::array<double, 4> areas = BilinearShares(body, corners);
      for (int a = 0; a < 4; ++a) (*shares)[corners[a]] += thickness * areas[a];
    }
  }
}

}  // namespace

void CheckMaterial(const Body& body) {
  if (!body.material) return;
  const Material& material = *body.material;
  const auto require = [&](bool holds, const char* key, const char* rule, const char* mend) {
    if (holds) return;
    throw BadInput({std::string("material.") + key,
                    std::string(key) + " of body '" + body.name + "' must be " + rule, mend});
  };
  const auto positive = [](double value) { return value > 0.0 && std::isfinite(value); };
  const auto not_negative = [](double value) { return value >= 0.0 && std::isfinite(value); };
  require(positive(material.density), "density", "positive", "give kg/m³");
  require(positive(material.youngs_modulus), "youngs_modulus", "positive", "give Pa");
  require(material.poisson_ratio > -1.0 && material.poisson_ratio < 0.5, "poisson_ratio",
          "above -1 and below 0.5", "rubber has about 0.49");
  require(not_negative(material.thickness), "thickness", "finite and not negative", "give m");
  if (NeedsThickness(body)) {
    require(material.thickness > 0.0, "thickness", "positive", "a surface or line has no volume");
  } else {
    require(material.thickness == 0.0, "thickness", "absent", "the body has a volume of its own");
  }
  require(!material.plane_strain || body.shape == ShapeKind::kProfile, "plane_strain", "false",
          "only a profile can be in plane strain");
  require(not_negative(material.mass_damping), "damping.mass", "finite and not negative", "");
  require(not_negative(material.stiffness_damping), "damping.stiffness", "finite and not negative",
          "");
}

bool NeedsThickness(const Body& body) {
  return body.tetrahedra.empty() && body.hexahedra.empty() && body.shape != ShapeKind::kBlock;
}

std::vector<std::array<int, 8>> Hexahedra(const Body& body) {
  if (body.shape != ShapeKind::kBlock) return body.hexahedra;
  const auto [nx, ny, nz] = body.grid;
  const auto index = [nx = nx, ny = ny](int i, int j, int k) { return i + nx * (j + ny * k); };
  std::vector<std::array<int, 8>> cells;
  for (int k = 0; k + 1 < nz; ++k) {
    for (int j = 0; j + 1 < ny; ++j) {
      for (int i = 0; i + 1 < nx; ++i) {
        std::array<int, 8> cell;
        for (int a = 0; a < 8; ++a) {
          cell[a] = index(i + (a & 1), j + (a >> 1 & 1), k + (a >> 2 & 1));
        }
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

Eigen::VectorXd VolumeShares(const Body& body, double thickness) {
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(body.size());
  const auto x = [&](int point) -> Vector3d { return body.rest.col(point); };
  if (!NeedsThickness(body)) {
    for (const auto& cell : Hexahedra(body)) {
      const std::array<double, 8> volumes = TrilinearShares(body, cell);
      for (int a = 0; a < 8; ++a) shares[cell[a]] += volumes[a];
    }
    for (const auto& cell : body.tetrahedra) {
      Matrix3d sides;
      sides << x(cell[1]) - x(cell[0]), x(cell[2]) - x(cell[0]), x(cell[3]) - x(cell[0]);
      const double volume = sides.determinant() / 6.0;
      AddEvenly(cell, volume > 0.0 ? volume : std::nan(""), &shares);
    }
  } else if (HasGridOfSurfaces(body)) {
    AddGridCells(body, thickness, &shares);
  } else if (!body.faces.empty()) {
    for (const auto& face : body.faces) {
      const double area = 0.5 * (x(face[1]) - x(face[0])).cross(x(face[2]) - x(face[0])).norm();
      AddEvenly(face, thickness * area, &shares);
    }
  } else {
    for (const auto& edge : body.edges) {
      AddEvenly(edge, thickness * thickness * (x(edge[1]) - x(edge[0])).norm(), &shares);
    }
  }
  for (int i = 0; i < body.size(); ++i) {
    if (std::isnan(shares[i])) {
      throw BadInput({"shape",
                      "a cell of body '" + body.name + "' at point " + std::to_string(i) +
                          " is flat or turned inside out",
                      "order its corners by the right hand"});
    }
    if (!(shares[i] > 0.0)) {
      throw BadInput({"shape",
                      "point " + std::to_string(i) + " of body '" + body.name +
                          "' lies on no face or edge, so that a material gives it no mass",
                      "join it to the body, or give masses in place of a material"});
    }
  }
  return shares;
}

}  // namespace pliant
