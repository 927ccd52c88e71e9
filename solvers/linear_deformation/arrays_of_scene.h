// The arrays of linear-deformation: coordinates and constant matrices of the bodies, and the
// multipliers of constraints [Witkin & Welch 1990, Eqs. 5, 8, 10].

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_ARRAYS_OF_SCENE_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_ARRAYS_OF_SCENE_H_

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "solvers/arrays.h"
#include "solvers/linear_deformation/linear_deformation_system.h"

namespace pliant::linear_deformation {

std::vector<ArrayGroup> ArrayGroups();

// At (t, q, v); of all groups when `group` is empty. Uses scratch memory of the system, but changes
// nothing that a step depends on.
std::vector<NamedArray> ArraysOfScene(const Scene& scene, LinearDeformationSystem* system, double t,
                                      const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      std::string_view group);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_ARRAYS_OF_SCENE_H_
