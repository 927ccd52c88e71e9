// Goals of points of a scene [Witkin & Welch 1990, Sec. 4.2]: atomic actions on points, in
// sequence, in parallel, and repeated. Plain data; solvers/control runs them.
//
//   chase        leads `point` to the target, there after `duration` with `final_velocity`
//   connect      takes away the velocity between `point` and the target by an impulse, then keeps
//                them together; a target in the world is a nail
//   disconnect   ends what holds `point` to the target, or all that holds it
//   wait         for `duration`; wait for a condition
//   sequence     one after the other        parallel   all at once, done when all are done
//   repeat       `count` times, 0: for ever
//
// The source's Grab is a sequence of chase and connect. Without `final_velocity` a chase ends with
//
//   ẋ₁ = 2 (x₁ − x₀)/τ − ẋ₀,   x₁ = x_g + ẋ_g τ,
//
// fixed when it begins: the velocity for which the acceleration along the path is constant. (The
// source has a default "based on the current position and velocity, duration and distance to the
// target" and does not print it.)

#ifndef PLIANT_MODELS_SCENE_BEHAVIOUR_H_
#define PLIANT_MODELS_SCENE_BEHAVIOUR_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pliant {

struct PointRef {
  int body = 0;
  int point = 0;
  bool operator==(const PointRef&) const = default;
};

// A point of a body, or a place in the world [m].
using Goal = std::variant<PointRef, Eigen::Vector3d>;

struct Condition {
  enum class Kind {
    kNear,    // distance of `point` and `goal` < value [m]
    kFar,     // distance > value [m]
    kInside,  // `point` is in the box lower … upper [m]
    kTime,    // time ≥ value [s]
  };
  Kind kind = Kind::kTime;
  PointRef point;
  Goal goal = Eigen::Vector3d(Eigen::Vector3d::Zero());
  double value = 0.0;
  Eigen::Vector3d lower = Eigen::Vector3d::Zero(), upper = Eigen::Vector3d::Zero();
};

struct Action {
  enum class Kind {
    kChase,
    kConnect,
    kDisconnect,
    kWait,
    kWaitFor,
    kSequence,
    kParallel,
    kRepeat,
  };
  Kind kind = Kind::kSequence;
  PointRef point;                                 // of chase, connect, disconnect
  std::optional<Goal> goal;                       // of these; absent: disconnect from everything
  double duration = 0.0;                          // s, of chase (> 0) and wait (≥ 0)
  std::optional<Eigen::Vector3d> final_velocity;  // m/s, of chase
  Condition condition;                            // of wait for
  int count = 0;                                  // of repeat, ≥ 0
  std::vector<Action> actions;                    // of sequence, parallel and repeat
};

// Starts when the scene does.
struct Behaviour {
  std::string name;
  std::vector<Action> actions;  // one after the other
};

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_BEHAVIOUR_H_
