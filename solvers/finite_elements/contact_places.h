// The surfaces of all bodies of a discretisation, together: what contact acts on.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/contact/obstacles_meet.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/reduced_matrix.h"

namespace pliant::finite_elements {

struct ContactOptions {
  double thickness = 1e-3;                           // m, of the barrier
  double friction_speed = 1e-3;                      // m/s, below which friction rises smoothly
  ObstaclesMeet obstacles = ObstaclesMeet::kPoints;  // kPoints: places of the surface
};

struct ContactPlaces {
  // None where the scene has neither obstacles nor bodies that meet.
  ContactPlaces(const Scene& scene, const Discretisation& bodies);

  int size() const { return static_cast<int>(areas.size()); }
  Eigen::Matrix3Xd At(const Eigen::Matrix3Xd& q) const { return q * nodes_to_places; }
  // As forces on nodes.
  Eigen::Matrix3Xd OnNodes(const Eigen::Matrix3Xd& forces) const {
    return forces * places_to_nodes;
  }

  Eigen::SparseMatrix<double> nodes_to_places;        // m×k
  Eigen::SparseMatrix<double> places_to_nodes;        // k×m, its transpose
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows;  // the same, by rows
  Eigen::VectorXd areas;                              // k [m²]
  Eigen::VectorXd moduli;                             // k [Pa], Young's modulus
  std::vector<int> body;                              // k
  std::vector<std::array<int, 3>> faces;
  std::vector<std::array<int, 2>> edges;
  bool planar = false;
};

// How fast friction rises with the way u of a step of h seconds [Li et al. 2020, Eq. 17]: the force is
// −push · value · u, with the derivative −push · (value 1 + slope u uᵀ), slope ≤ 0.
struct FrictionCurve {
  double value, slope;
};
FrictionCurve FrictionOf(double way, double full);  // full = friction_speed · h

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_
