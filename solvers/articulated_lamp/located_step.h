// A step by the midpoint rule that is divided where a contact begins: where an end of the base meets
// the ground, which is an impact, and where a hinge meets its stop. Between two such events the
// motion is smooth, so that the step stays of second order.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LOCATED_STEP_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LOCATED_STEP_H_

#include <array>
#include <functional>

#include "solvers/articulated_lamp/hinge_stops.h"
#include "solvers/articulated_lamp/lamp_stepper.h"

namespace pliant::articulated_lamp {

enum class LampIntegrator {
  kSemiImplicitEuler,  // order 1
  kMidpoint,           // order 2: AdvanceLocated()
};

// A part of a step, or an impact or the impulses of the scene, which take no time.
struct StepPart {
  double begin, length;                   // s, since the step began
  LampVector q, v;                        // where it began
  HingeTorques servos;                    // of the law
  std::array<bool, kLampHinges> stopped;  // hinges at a stop
  Eigen::Vector3d impulse;                // of the ground [N·s, N·m·s]
  LampVector after;                       // v at its end
  bool pushed = false;                    // by the impulses of the scene
};

// Torques in the middle of a part [begin, begin + length] from (q, v), where `placement` is that of q.
using LampLaw =
    std::function<HingeTorques(double begin, double length, const LampPlacement& placement,
                               const LampVector& q, const LampVector& v)>;

// Advances (q, v) by `h` seconds under the torques of `law` and of the stops, and under `forces`, after `impulses` have acted, and
// reports every part. After kMostEvents events the rest is one part.
inline constexpr int kMostEvents = 20;
void AdvanceLocated(double h, const LampStepper& stepper, const HingeStops& stops,
                    const LampLaw& law, const std::function<void(const StepPart&)>& report,
                    LampVector* q, LampVector* v, const LampPushLaw& forces = {},
                    LampPushes impulses = {});

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LOCATED_STEP_H_
