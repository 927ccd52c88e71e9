#include "models/scene/material.h"

#include <cmath>
#include <string>

#include "models/problem.h"
#include "models/scene/cell_shares.h"
#include "models/scene/scene.h"

namespace pliant {

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
  // A rigid body need not say it.
  require(positive(material.youngs_modulus) || (body.rigid && material.youngs_modulus == 0.0),
          "youngs_modulus", "positive", "give Pa");
  require(material.poisson_ratio > -1.0 && material.poisson_ratio < 0.5, "poisson_ratio",
          "above -1 and below 0.5", "rubber has about 0.49");
  require(not_negative(material.thickness), "thickness", "finite and not negative",
          "give it in metres");
  if (NeedsThickness(body)) {
    require(material.thickness > 0.0, "thickness", "positive",
            "a surface or line has no volume: give its thickness in metres, or of a rigid body its "
            "mass alone");
  } else {
    require(material.thickness == 0.0, "thickness", "absent", "the body has a volume of its own");
  }
  const bool flat = body.shape == ShapeKind::kProfile || body.shape == ShapeKind::kSheet;
  require(!material.plane_strain || flat, "plane_strain", "false",
          "only a profile or a sheet can be in plane strain");
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
  const CellList cells = MaterialCells(body);
  const double factor = !cells.edges.empty() ? thickness * thickness
                        : cells.hexahedra.empty() && cells.tetrahedra.empty() ? thickness
                                                                              : 1.0;
  AddShares(body, cells, factor, &shares);
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
