// One body of a scene that moves in its lattice, with the potentials of its modes.

#ifndef PLIANT_SOLVERS_LAGRANGIAN_FFD_PART_H_
#define PLIANT_SOLVERS_LAGRANGIAN_FFD_PART_H_

#include <Eigen/Core>
#include <memory>

#include "models/dynamic_ffd/ffd_body.h"
#include "solvers/lagrangian/inertia.h"

namespace pliant {

struct FfdPart {
  FfdBody body;
  Eigen::VectorXd stiffness;  // K, D [J]
  Eigen::VectorXd damping;    // D, D [J s]
  std::unique_ptr<FfdInertia> inertia;
  int first_q = 0, first_v = 0, first_point = 0;  // where it is in q, v and the points
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_FFD_PART_H_
