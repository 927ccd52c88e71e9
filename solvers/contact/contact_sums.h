// The impulses of contact since a simulation was watched, on each point and by pairs, step by step from what it knows
// (contact_forces.h):
//
//   J += h f̄              where a formulation knows the mean f̄ of its last step: exactly what it applied. Of a step that a
//                         switch time divides it knows the last piece alone: from there on points have no impulse
//   J += ½ h (f₀ + f₁)    where it knows the force of the present state: of second order in the step
//
// Impulses of pairs that a formulation counts are taken as they are.

#ifndef PLIANT_SOLVERS_CONTACT_CONTACT_SUMS_H_
#define PLIANT_SOLVERS_CONTACT_CONTACT_SUMS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/probe.h"
#include "solvers/contact_forces.h"
#include "solvers/simulation.h"

namespace pliant {

class ContactSums {
 public:
  // From the present state on, of a simulation of this backend; of pairs alone, or of points as well.
  enum class Of { kPairs, kPointsToo };
  ContactSums(const Simulation& simulation, const BackendInfo& info, Of of);

  void AddStep();  // one was made
  // Impulses [N s] on points since the beginning, by pairs since the start or the beginning; absent where nobody knows them.
  ContactVectors At(const Observation& now) const;

 private:
  ContactVectors Present() const;
  std::optional<Eigen::Matrix3Xd> CountedPairs(const Observation& now) const;
  bool IsDivided(double begin, double end) const;  // a step [s]

  const Simulation& simulation_;
  const KnowsContactForces* knowing_;
  ContactKnowledge known_;
  std::vector<size_t> counted_;  // places of contact_impulse_{x,y,z} in the extras, axis by axis
  std::vector<double> switch_times_;  // s, ascending
  ContactVectors sums_, before_;      // before_: forces at the end of the last step
  double time_;                       // s, of that
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_CONTACT_SUMS_H_
