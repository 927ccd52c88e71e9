// The parameters of the backend articulated-lamp.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_

#include <vector>

#include "solvers/articulated_lamp/hinge_control.h"
#include "solvers/articulated_lamp/hinge_stops.h"
#include "solvers/articulated_lamp/planned_jump.h"
#include "solvers/control/tables.h"
#include "solvers/parameters.h"

namespace pliant::articulated_lamp {

struct ArticulatedLampOptions {
  ControlTable control;
  HingeControlOptions hinges;
  std::vector<double> hinge_lower, hinge_upper;  // rad
  HingeStopOptions stops;
  JumpPlanOptions jump;

  ArticulatedLampOptions() {
    for (const AngleLimits& limits : LampParameters{}.hinge_limits) {
      hinge_lower.push_back(limits.lower);
      hinge_upper.push_back(limits.upper);
    }
  }

  void Bind(ParameterBinder& b) {
    b.Table("control", &control,
            "pose graph whose servos drive the hinges (base hinge, mid hinge, head hinge); for a "
            "planned controller: the motion that is the initial guess of the plan");
    b.Choice("controller", &hinges.law,
             {{"consistent", HingeLaw::kConsistent},
              {"printed", HingeLaw::kPrinted},
              {"sign-corrected", HingeLaw::kSignCorrected},
              {"planned", HingeLaw::kPlanned}},
             "control law of the hinges: torques towards poses, with their reactions; the joint "
             "correction of the source, as printed or with its sign corrected; or a jump planned "
             "by spacetime optimisation");
    b.Boolean("timed", &hinges.timed,
              "reach each pose when its duration ends; printed and sign-corrected divide their "
              "speed by the duration, as the source does");
    b.Boolean("gravity_compensation", &hinges.gravity_compensation,
              "consistent controller: the servos also balance the weight of the links beyond, "
              "while the floor supports the lamp");
    Range limit = MoreThan(0.0);
    limit.infinite = true;
    b.Real("torque_limit", &hinges.torque_limit, "N m", limit,
           "consistent and planned controller: largest torque of a hinge");
    b.Real("correction_speed", &hinges.speed, "m/(kg s)", MoreThan(0.0),
           "printed and sign-corrected: s of the rate s m/D");
    b.Real("dead_band", &hinges.dead_band, "rad", AtLeast(0.0),
           "printed and sign-corrected: hinges this close to their target do not move");
    b.Reals("hinge_lower", &hinge_lower, "rad", {}, "least angle of each hinge");
    b.Reals("hinge_upper", &hinge_upper, "rad", {}, "largest angle of each hinge");
    b.Real("stop_stiffness", &stops.stiffness, "N m/rad", AtLeast(0.0),
           "stiffness of the spring that acts on a hinge beyond its limits");
    b.Real("stop_damping", &stops.damping, "N m s/rad", AtLeast(0.0),
           "damping of a hinge beyond its limits");
    jump.Bind(b);
  }
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_
