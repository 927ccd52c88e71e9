// Velocities of the bodies of a scene that are rigid: sudden changes of velocity would strain the nodes
// of a rigid part (models/finite_elements/rigid_part.h), and its energy would keep them vibrating.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_RIGID_VELOCITIES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_RIGID_VELOCITIES_H_

#include <Eigen/Core>

#include "models/scene/scene.h"
#include "solvers/finite_elements/discretisation.h"

namespace pliant::finite_elements {

// Replaces the velocities v of the nodes of rigid bodies at q by the rigid motion of the same
// momenta, which is the nearest in energy. Returns the largest change [m/s]. O(nodes of them).
double MakeRigid(const Scene& scene, const Discretisation& bodies, const Eigen::Matrix3Xd& q,
                 Eigen::Matrix3Xd* v);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_RIGID_VELOCITIES_H_
