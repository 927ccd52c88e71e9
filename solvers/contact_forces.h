// An optional ability of a simulation: the forces of contact, point by point.

#ifndef PLIANT_SOLVERS_CONTACT_FORCES_H_
#define PLIANT_SOLVERS_CONTACT_FORCES_H_

#include <Eigen/Core>
#include <optional>

namespace pliant {

class KnowsContactForces {
 public:
  // Forces of contact with obstacles and of bodies with one another on each point of the scene, 3×n,
  // world [N], zero where nothing touches. They refer to the present state; if a formulation knows
  // them only per step, they are the mean over the last step, and absent before the first step after
  // the start or Restore(). Changes nothing.
  virtual std::optional<Eigen::Matrix3Xd> ContactForces() const = 0;

 protected:
  ~KnowsContactForces() = default;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_FORCES_H_
