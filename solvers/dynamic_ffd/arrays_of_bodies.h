// The arrays of dynamic-ffd: amplitudes, and the matrices and vectors of [Faloutsos 1995, Eq. 4.21].

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_ARRAYS_OF_BODIES_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_ARRAYS_OF_BODIES_H_

#include <Eigen/Core>
#include <string_view>
#include <vector>

#include "solvers/arrays.h"
#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

std::vector<ArrayGroup> ArrayGroups();

// The arrays of every body at (t, q, v), of one group, or of all groups when `group` is empty. Uses
// scratch memory of the system, but changes nothing that a step depends on.
std::vector<NamedArray> ArraysOfBodies(DynamicFfdSystem* system, double t, const Eigen::VectorXd& q,
                                       const Eigen::VectorXd& v, std::string_view group);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_ARRAYS_OF_BODIES_H_
