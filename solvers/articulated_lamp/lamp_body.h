// Converts a body of a scene to a lamp, and back.
//
// The points of the body stand link by link, base, lower arm, upper arm, head; its marks say which
// is the first of each link, and it lies on the hinge of that link (of the base: in the middle of
// its underside):
//
//   base, lower arm, upper arm, head    first points, in this order; "base" is point 0
//   tip                                 a point of the head, on its axis, at its far end
//
// Masses, lengths, centres of mass and inertias are those of the points, so that every energy and
// momentum taken from the points is that of the lamp.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_BODY_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_BODY_H_

#include <string>

#include "models/articulated_lamp/kinematics.h"
#include "models/scene/scene.h"

namespace pliant::articulated_lamp {

struct LampBody {
  LampParameters parameters;              // limits: the defaults
  LampVector q = LampVector::Zero();      // initial state
  LampVector v = LampVector::Zero();      // as a rigid body
  std::array<int, kLampLinks + 1> first;  // points of link j: first[j] … first[j+1] − 1
  Eigen::Matrix2Xd local;                 // 2×n, along and to the right of the link [m]

  // World points and velocities, 3×n, z = 0.
  void Place(const Lamp& lamp, const LampVector& q, Eigen::Ref<Eigen::Matrix3Xd> x) const;
  void Place(const Lamp& lamp, const LampVector& q, const LampVector& v,
             Eigen::Ref<Eigen::Matrix3Xd> x, Eigen::Ref<Eigen::Matrix3Xd> x_dot) const;
};

// Throws BadInput, with the reason, for a body that does not fit the above. Ignores its
// stretch.
LampBody ReadLampBody(const Body& body);

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_BODY_H_
