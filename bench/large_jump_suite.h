// A hundred and thirty-one jumps: the thirty-one of jump_suite.h, and those that bring a method to its limits: little friction, limits of torque,
// soft landings, steps, hurdles, free durations, other distances and heads. All on the mesh of 0.02 s.

#ifndef PLIANT_BENCH_LARGE_JUMP_SUITE_H_
#define PLIANT_BENCH_LARGE_JUMP_SUITE_H_

#include <string>
#include <vector>

#include "bench/jump_suite.h"
#include "models/articulated_lamp/lamp.h"

namespace pliant {

class LargeJumpSuite {
 public:
  static std::vector<NamedJump> Make() {
    LargeJumpSuite suite;
    suite.jumps_ = JumpSuite();
    suite.AddDistances();
    suite.AddFrictions();
    suite.AddTorqueLimits();
    suite.AddSoftLandings();
    suite.AddGrounds();
    suite.AddFreeDurations();
    return suite.jumps_;
  }

 private:
  // As the four jumps of jump_suite.h: 0.28 s for 0.3 m to 0.52 s for 1.2 m.
  static double FlightOf(double distance) { return 0.2 + 0.08 / 0.3 * distance; }
  static std::string Text(double number) { return std::to_string(number).substr(0, 4); }

  template <typename Change>
  void Add(double distance, const std::string& name, const Change& change) {
    NamedJump jump{Text(distance) + "m/" + name, Jump(distance, FlightOf(distance))};
    change(&jump.problem);
    jumps_.push_back(jump);
  }

  void AddDistances() {
    for (const double distance : {0.1, 0.2, 0.4, 0.5, 0.7, 0.8, 1.0, 1.1}) {
      Add(distance, "plain", [](LampJumpProblem*) {});
    }
    for (const double head : {0.7, 1.5}) {
      for (const double distance : {0.4, 0.8, 1.1}) {
        Add(distance, "head_" + Text(head),
            [&](LampJumpProblem* p) { p->lamp = p->lamp.WithHeadMass(head); });
      }
    }
    Add(0.5, "head_0.55", [](LampJumpProblem* p) { p->lamp = p->lamp.WithHeadMass(0.55); });
    Add(0.4, "stance_0.46", [](LampJumpProblem* p) { p->stance_duration = 0.46; });
  }
  void AddFrictions() {
    for (const double distance : {0.3, 0.6, 0.9, 1.2}) {
      for (const double friction : {1.0, 0.6, 0.5, 0.45, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05}) {
        Add(distance, "friction_" + Text(friction),
            [&](LampJumpProblem* p) { p->friction = friction; });
      }
    }
  }
  void AddTorqueLimits() {
    const auto add = [&](double distance, double limit) {
      Add(distance, "torque_" + Text(limit), [&](LampJumpProblem* p) { p->torque_limit = limit; });
    };
    for (const double limit : {6.0, 6.5, 8.0}) add(0.3, limit);
    for (const double limit : {10.0, 11.0, 12.0, 15.0}) add(0.6, limit);
    for (const double limit : {15.0, 18.0, 22.0}) add(0.9, limit);
    for (const double limit : {18.0, 22.0, 26.0}) add(1.2, limit);
  }
  void AddSoftLandings() {
    for (const double distance : {0.2, 0.25, 0.3, 0.35, 0.4}) {
      Add(distance, "soft",
          [](LampJumpProblem* p) { p->landing = LampJumpProblem::Landing::kSoft; });
    }
  }
  void AddGrounds() {
    for (const double distance : {0.3, 0.6}) {
      for (const double height : {-0.2, -0.1, 0.05, 0.1, 0.15}) {
        Add(distance, "step_" + Text(height), [&](LampJumpProblem* p) { p->end_height = height; });
      }
    }
    for (const double distance : {0.6, 0.9}) {
      for (const double height : {0.05, 0.1}) {
        Add(distance, "hurdle_" + Text(height), [&](LampJumpProblem* p) {
          p->rises = {{"hurdle", 0.5 * distance - 0.05, 0.5 * distance + 0.05, height}};
        });
      }
    }
  }
  void AddFreeDurations() {
    for (const double distance : {0.3, 0.6, 0.9, 1.2}) {
      Add(distance, "free_flight",
          [](LampJumpProblem* p) { p->longest_flight = p->flight_duration + 0.15; });
      Add(distance, "free_stance", [](LampJumpProblem* p) { p->longest_stance = 1.0; });
      Add(distance, "all_free", [](LampJumpProblem* p) {
        p->longest_stance = p->longest_landing = 0.9;
        p->longest_flight = p->flight_duration + 0.15;
      });
    }
  }

  std::vector<NamedJump> jumps_;
};

}  // namespace pliant

#endif  // PLIANT_BENCH_LARGE_JUMP_SUITE_H_
