// The parameters of the backend articulated-lamp.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "solvers/articulated_lamp/hinge_control.h"
#include "solvers/articulated_lamp/hinge_stops.h"
#include "solvers/articulated_lamp/located_step.h"
#include "solvers/articulated_lamp/planned_jump.h"
#include "solvers/contact/penalty.h"
#include "solvers/control/tables.h"
#include "solvers/parameters.h"

namespace pliant::articulated_lamp {

struct ArticulatedLampOptions {
  ControlTable control;
  HingeControlOptions hinges;
  std::vector<double> hinge_lower, hinge_upper;  // rad
  HingeStopOptions stops;
  bool link_contact = false;
  PenaltyOptions contact = {.stiffness = 2e4, .tangential_stiffness = 2e4};  // of the links
  LampIntegrator integrator = LampIntegrator::kSemiImplicitEuler;
  JumpPlanOptions jump;
  std::vector<double> load_times, load_masses;  // s, kg: what the head carries (head_load.h)

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
    const auto follows = [this](std::initializer_list<HingeLaw> laws) {
      return [this, laws = std::vector<HingeLaw>(laws)](const Scene&) {
        const bool moves = hinges.law == HingeLaw::kPlanned || !control.empty();
        return moves && std::find(laws.begin(), laws.end(), hinges.law) != laws.end();
      };
    };
    using enum HingeLaw;
    const auto moves = follows({kConsistent, kPrinted, kSignCorrected, kPlanned});
    b.OnlyWhen("control is given or controller = planned", moves, [&] {
      b.Choice("controller", &hinges.law,
               {{"consistent", kConsistent},
                {"printed", kPrinted},
                {"sign-corrected", kSignCorrected},
                {"planned", kPlanned}},
               "control law of the hinges: torques towards poses, with their reactions; the joint "
               "correction of the source, as printed or with its sign corrected; or a jump planned "
               "by spacetime optimisation");
    });
    const auto poses = [this](const Scene&) { return !control.empty(); };
    b.OnlyWhen("control is given", poses, [&] {
      b.Boolean("timed", &hinges.timed,
                "reach each pose when its duration ends; printed and sign-corrected divide their "
                "speed by the duration, as the source does");
    });
    const auto by_torques_to_poses = [this](const Scene&) {
      return !control.empty() && (hinges.law == kConsistent || hinges.law == kPlanned);
    };
    b.OnlyWhen("control is given and controller = consistent or planned", by_torques_to_poses, [&] {
      b.Boolean("gravity_compensation", &hinges.gravity_compensation,
                "the servos also balance the weight of the links beyond, while the floor supports "
                "the lamp");
    });
    const auto by_curves = [this, by_torques_to_poses](const Scene& scene) {
      return by_torques_to_poses(scene) && hinges.timed;
    };
    b.OnlyWhen("timed = true and controller = consistent or planned", by_curves, [&] {
      b.Choice(
          "interpolation", &hinges.interpolation,
          {{"smoothstep", PoseInterpolation::kSmoothstep}, {"spline", PoseInterpolation::kSpline}},
          "how hinges reach a pose in time: each pose on its own, by 3 s² − 2 s³, at rest at "
          "every one; or by one C² cubic spline through all of them, at rest at both ends, for "
          "poses that follow each other by time");
    });
    Range limit = MoreThan(0.0);
    limit.infinite = true;
    const auto by_torques = follows({kConsistent, kPlanned});
    b.OnlyWhen("controller = consistent or planned, and torques act", by_torques, [&] {
      b.Real("torque_limit", &hinges.torque_limit, "N m", limit, "largest torque of a hinge");
    });
    const auto by_rates = follows({kPrinted, kSignCorrected});
    b.OnlyWhen("control is given and controller = printed or sign-corrected", by_rates, [&] {
      b.Real("correction_speed", &hinges.speed, "m/(kg s)", MoreThan(0.0), "s of the rate s m/D");
      b.Choice("correction_distance", &hinges.distance,
               {{"hinge", CorrectionDistance::kHinge},
                {"centre-of-mass", CorrectionDistance::kCentreOfMass}},
               "D of that rate is the distance of the centre of mass of the whole lamp from the "
               "hinge of the link, or from the centre of mass of the link");
      b.Real("dead_band", &hinges.dead_band, "rad", AtLeast(0.0),
             "hinges this close to their target do not move");
    });
    b.Reals("hinge_lower", &hinge_lower, "rad", {}, "least angle of each hinge");
    b.Reals("hinge_upper", &hinge_upper, "rad", {}, "largest angle of each hinge");
    b.Reals("head_load", &load_masses, "kg", AtLeast(0.0),
            "mass of a load that the head carries, at each of head_load_times, linear between "
            "them; it has the shape of the head");
    b.OnlyWhen(
        "head_load is given", [this](const Scene&) { return !load_masses.empty(); },
        [&] {
          b.Reals("head_load_times", &load_times, "s", {}, "times of these masses, which grow");
        });
    b.Choice("integrator", &integrator,
             {{"semi-implicit-euler", LampIntegrator::kSemiImplicitEuler},
              {"midpoint", LampIntegrator::kMidpoint}},
             "semi-implicit Euler, of first order; or the midpoint rule, of second order, which "
             "divides a step where the base meets the ground and a hinge its stop");
    b.Real("stop_stiffness", &stops.stiffness, "N m/rad", AtLeast(0.0),
           "stiffness of the spring that acts on a hinge beyond its limits");
    b.Real("stop_damping", &stops.damping, "N m s/rad", AtLeast(0.0),
           "damping of a hinge beyond its limits");
    b.OnlyWhen("the scene has obstacles", HasObstacles, [&] {
      b.Boolean("link_contact", &link_contact,
                "all points of the links touch obstacles, by penalty springs; else only the two "
                "ends of the base do, by impulses");
    });
    const auto touch = [this](const Scene& scene) { return link_contact && HasObstacles(scene); };
    b.OnlyWhen("link_contact = true", touch, [&] { contact.Bind(b); });
    b.OnlyWhen("controller = planned", follows({kPlanned}), [&] { jump.Bind(b); });
  }
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_OPTIONS_H_
