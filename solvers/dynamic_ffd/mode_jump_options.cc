// The keys of a jump that is planned for the modes of a body.

#include "solvers/dynamic_ffd/planned_modes.h"
#include "solvers/spacetime/plan_keys.h"

namespace pliant::dynamic_ffd {

void ModeJumpOptions::Bind(ParameterBinder& b) {
  const auto in_the_plane = [](const Scene& scene) {
    return scene.dimension == 2 && !scene.obstacles.empty();
  };
  b.OnlyWhen("the scene is in the plane and has ground", in_the_plane, [&] {
    b.Boolean(
        "planned_jump", &planned,
        "the body jumps: its modes follow a plan that spacetime optimisation finds, the one of "
        "least effort from rest to rest");
  });
  const auto plans = [this](const Scene&) { return planned; };
  b.OnlyWhen("planned_jump = true", plans, [&] {
    b.Real("jump_distance", &distance, "m", {}, "distance of the jump along x");
    b.Texts("jump_modes", &acts,
            "names of the modes that act, all where none are given; the others move as they must");
    b.Real("jump_stance", &stance, "s", MoreThan(0.0), "time on the ground before the jump");
    b.Real("jump_flight", &flight, "s", MoreThan(0.0), "time in the air");
    b.Real("jump_rest", &rest, "s", MoreThan(0.0), "time between landing and rest");
    BindLongest("jump_stance", &longest_stance, &b);
    BindLongest("jump_flight", &longest_flight, &b);
    BindLongest("jump_rest", &longest_rest, &b);
    const auto free = [this](const Scene&) {
      return longest_stance > stance || longest_flight > flight || longest_rest > rest;
    };
    b.OnlyWhen("a time is free", free, [&] {
      b.Real(
          "time_weight", &time_weight, "N2 m2", AtLeast(0.0),
          "w of the cost, the integral of Σ Q² + w over the modes that act: what a second costs");
    });
    b.Real("plan_friction_margin", &friction_margin, "1", Between(0.0, 0.99),
           "share of the friction that the plan does not use");
    BindPlanSearch(&method, &step, &refinements, &b);
    b.Real(
        "tracking_frequency", &tracking_frequency, "Hz", AtLeast(0.0),
        "of the servo that keeps each mode that acts on the plan: what its stiffness would make of "
        "the mode alone, while the base stands; 0: none");
    b.Real("tracking_damping_ratio", &tracking_damping_ratio, "1", AtLeast(0.0),
           "damping of that servo as a share of the critical one");
  });
}

}  // namespace pliant::dynamic_ffd
