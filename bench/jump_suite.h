// The jumps that are measured: everywhere the same thirty-one, on the mesh of 0.02 s.

#ifndef PLIANT_BENCH_JUMP_SUITE_H_
#define PLIANT_BENCH_JUMP_SUITE_H_

#include <string>
#include <vector>

#include "solvers/spacetime/jump_problem.h"

namespace pliant {

struct NamedJump {
  std::string name;
  LampJumpProblem problem;
};

inline LampJumpProblem Jump(double distance, double flight) {
  LampJumpProblem problem;
  problem.distance = distance;
  problem.flight_duration = flight;
  return problem;
}

// One thing at a time is changed from the jumps at four distances.
inline std::vector<NamedJump> JumpSuite() {
  struct Base {
    const char* name;
    double distance, flight;
  };
  std::vector<NamedJump> suite;
  for (const Base& base : {Base{"0.3m", 0.3, 0.28}, Base{"0.6m", 0.6, 0.36},
                           Base{"0.9m", 0.9, 0.44}, Base{"1.2m", 1.2, 0.52}}) {
    const auto add = [&](const std::string& change, auto apply) {
      NamedJump named{std::string(base.name) + "/" + change, Jump(base.distance, base.flight)};
      apply(&named.problem);
      suite.push_back(named);
    };
    add("plain", [](LampJumpProblem*) {});
    // At 1.2 m and 0.52 s a friction of 0.5 is too little for what is found so far: all get longer.
    add("friction_0.5", [](LampJumpProblem* p) {
      p->friction = 0.5;
      p->flight_duration *= 1.15;
    });
    add("head_1kg", [](LampJumpProblem* p) { p->lamp = p->lamp.WithHeadMass(1.0); });
    add("hurry", [](LampJumpProblem* p) { p->stance_duration = 0.35; });
    add("lazy", [](LampJumpProblem* p) { p->stance_duration = p->landing_duration = 1.0; });
    add("smoother", [](LampJumpProblem* p) { p->cost.acceleration = 1e-4; });
    add("shorter_flight", [](LampJumpProblem* p) { p->flight_duration *= 0.9; });
  }
  for (const double head : {0.4, 0.7}) {
    NamedJump soft{"0.3m/soft_head_" + std::to_string(head).substr(0, 3) + "kg", Jump(0.3, 0.28)};
    soft.problem.landing = LampJumpProblem::Landing::kSoft;
    soft.problem.lamp = soft.problem.lamp.WithHeadMass(head);
    suite.push_back(soft);
  }
  NamedJump limited{"0.3m/torque_limit_7", Jump(0.3, 0.28)};
  limited.problem.torque_limit = 7.0;
  suite.push_back(limited);
  return suite;
}

}  // namespace pliant

#endif  // PLIANT_BENCH_JUMP_SUITE_H_
