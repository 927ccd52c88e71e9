// The reaction of a pressed surface on the body that carries it [Harrison 1994, Sec. 5.6]: a force
// per point that grows with its elastic displacement x, Hooke's law up to a knee x_c and another
// stiffness beyond (biphasic, as a pad that is pressed through to what is under it):
//
//   F(x) = k_c x  for x ≤ x_c,   k_c x_c + k_r (x − x_c)  beyond
//
// The source switches k in F = −k x, so that its force jumps at the knee; here it is
// continuous. The same law per area, with k_f instead of k_c, is the pressure of held surfaces
// (pressure.h). Friction is Coulomb's, held at the point where contact began
// (solvers/contact/penalty.h).

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_REACTION_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_REACTION_H_

#include <functional>
#include <limits>

#include "solvers/contact/penalty.h"

namespace pliant::kinematic_response {

struct ReactionOptions {
  PenaltyOptions contact;                                 // k_c and damping, per point
  double knee = std::numeric_limits<double>::infinity();  // x_c [m]
  double stiffness_beyond = 45000.0;                      // k_r [N/m]
  double foundation_stiffness = 0.0;                      // k_f [N/m³]

  // Conditions of the scene: do bodies ride, are bodies held?
  using OfScene = std::function<bool(const Scene&)>;
  void Bind(ParameterBinder& binder, const OfScene& some_ride, const OfScene& some_held);

  double Force(double displacement) const;   // F(x) [N]; 0 for x ≤ 0
  double Energy(double displacement) const;  // ∫ F from 0 to x [J]
  // The displacement at which Hooke's law alone gives F(x) [m]; k_c > 0.
  double HookeanDisplacement(double displacement) const {
    return Force(displacement) / contact.stiffness;
  }
  double Pressure(double displacement) const {  // k_f F(x)/k_c [Pa]
    return foundation_stiffness * HookeanDisplacement(displacement);
  }
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_REACTION_H_
