// Largest step of a scheme (LargestStableStep) for ẍ = −ω² x − c ẋ: for semi-implicit Euler
//
//   h < 4 / (c + √(c² + 4 ω²)),
//
// 2/ω without damping. Here ω² and c are the largest eigenvalues of M⁻¹K and M⁻¹C at the start,
// with K and C of the modes, the servos, the springs of the scene, and the springs that replace
// nails, attachments and contact.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_STABLE_STEP_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_STABLE_STEP_H_

#include <Eigen/Core>

#include "models/scene/scene.h"
#include "solvers/contact/penalty.h"
#include "solvers/dynamic_ffd/constraint_springs.h"
#include "solvers/dynamic_ffd/ffd_system.h"
#include "solvers/integration/second_order.h"

namespace pliant::dynamic_ffd {

struct StableStep {
  double free;          // s, nothing in contact; infinite when nothing is stiff
  double one_contact;   // s, the most sensitive point in contact
  double all_contacts;  // s, every point in contact
};

// An estimate: exact for one body whose stiffest and most damped motions coincide, else slightly
// short. O(n dof²).
StableStep EstimateStableStep(const Scene& scene, const DynamicFfdSystem& system,
                              const Eigen::VectorXd& q, const PenaltyOptions& contact,
                              const ConstraintSpringOptions& constraints,
                              const IntegratorOptions& integrator = {});

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_STABLE_STEP_H_
