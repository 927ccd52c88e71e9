// Stress of the cells of a body that fill a volume, for export: what the law of its material says of the motion of their
// corners.
//
//   σ = F S Fᵀ / J                 Cauchy's stress at the middle of a cell [Pa], world, J = det F
//   σ = S(ε)                       of the linear law, which knows no rotation
//   σ_v = √(3/2 dev σ : dev σ)     [von Mises 1913]
//
// F is that of corners alone (models/scene/body_strain.h). Of a method that solves the equations of the continuum with this
// law that is its stress where F varies little in a cell.

#ifndef PLIANT_MODELS_ELASTICITY_CELL_STRESS_H_
#define PLIANT_MODELS_ELASTICITY_CELL_STRESS_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/body_strain.h"

namespace pliant::elasticity {

// Whether the body has a material whose law acts, which that of a rigid body does not, and cells that fill a volume.
bool HasCellStress(const Body& body, const std::vector<BodyCell>& cells);

// xx, yy, zz, xy, yz and xz of σ of each cell, the points at x (3×n [m]): 6×cells. NaN where a cell has no extent at rest, or
// where its law has no stress inside out. Of bodies that HasCellStress().
Eigen::MatrixXd CellStresses(const Body& body, const std::vector<BodyCell>& cells,
                             const PointsRef& x);

// σ_v of each column, 1×cells.
Eigen::MatrixXd VonMises(const Eigen::MatrixXd& stresses);

}  // namespace pliant::elasticity

#endif  // PLIANT_MODELS_ELASTICITY_CELL_STRESS_H_
