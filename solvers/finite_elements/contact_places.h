// The surfaces of all bodies of a discretisation, together: what contact acts on.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <span>
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
  double friction_length = 1e-5;                     // m, the same of a load step of statics
  bool statics = false;

  // Where there is no time, work of friction counts as that of the load step.
  double Duration(double h) const { return statics ? 1.0 : h; }
  // The way [m] over which friction rises in a step of h seconds, or in a load step.
  double FrictionRise(double h) const { return statics ? friction_length : friction_speed * h; }
};

// Of the room that a place or a cell has, what a step of Newton's iteration leaves.
inline constexpr double kRoomLeft = 0.1;

// For how long [s] a push, and its friction, count in the impulse of a step.
struct ContactDurations {
  double push = 0.0, friction = 0.0;
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
  // All nodes that these places depend on, with weights of 0: a link of a matrix.
  NodeCombination LinkOf(std::span<const int> places) const;
  // Σ weight · place, as many weights as places.
  NodeCombination Combined(std::span<const int> places, const double* weights) const;

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

// What rubs at some place: the force that presses times the coefficient of friction, along the surface with this unit normal.
struct Rub {
  std::array<int, 4> places;  // of which `count` are used
  int count;
  Eigen::Vector4d weights;
  Eigen::Vector3d normal;
  double most;            // N
  Eigen::Vector3d shift;  // m, of the obstacle in the step
};

// Friction on what moved by `moved` [m] in a step of h seconds along a surface with this unit normal: Coulomb's, `most` [N], against
// the way across the normal, risen smoothly over `full` = FrictionRise(h) [Li et al. 2020, Eq. 17].
Eigen::Vector3d FrictionForce(double most, const Eigen::Vector3d& normal,
                              const Eigen::Vector3d& moved, double full);
// Minus its derivative by `moved` [N/m], the push being constant.
Eigen::Matrix3d FrictionStiffness(double most, const Eigen::Vector3d& normal,
                                  const Eigen::Vector3d& moved, double full);
// The potential of that force at constant push, `most` · f₀ [J].
double FrictionPotential(double most, const Eigen::Vector3d& normal, const Eigen::Vector3d& moved,
                         double full);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_PLACES_H_
