// An optional ability of a simulation: the forces of contact, point by point and pair by pair.

#ifndef PLIANT_SOLVERS_CONTACT_FORCES_H_
#define PLIANT_SOLVERS_CONTACT_FORCES_H_

#include <Eigen/Core>
#include <optional>

namespace pliant {

struct ContactKnowledge {
  bool of_points = true;      // or of pairs alone
  bool of_last_step = false;  // means over the last step, or of the present state
};

class KnowsContactForces {
 public:
  virtual ContactKnowledge KnownContact() const = 0;

  // Forces of contact with obstacles and of bodies with one another on each point of the scene, 3×n,
  // world [N], zero where nothing touches. They refer to the present state; if a formulation knows
  // them only per step, they are the mean over the last step (of a step that is divided, over its last
  // piece), and absent before the first step after the start or Restore(). Changes nothing.
  virtual std::optional<Eigen::Matrix3Xd> ContactForces() const = 0;

  // On the first body of each of ContactPairs() (models/scene/contact_pairs.h), 3×pairs: the resultants [N] in the present
  // state, or the impulses [N s] since the start, of formulations that count them. Those of columns
  // contact_impulse_x.{pair}_N_s are not repeated here.
  virtual std::optional<Eigen::Matrix3Xd> PairForces() const { return std::nullopt; }
  virtual std::optional<Eigen::Matrix3Xd> PairImpulses() const { return std::nullopt; }

 protected:
  ~KnowsContactForces() = default;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_FORCES_H_
