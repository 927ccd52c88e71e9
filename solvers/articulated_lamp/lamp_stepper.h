// One step of the lamp on a floor, with contact by impulses: semi-implicit Euler,
//
//   M (v⁺ − v) = h (Q(q, v) + τ + Σ Jᵢᵀ fᵢ) + Jᵀ P,      q⁺ = q + h v⁺
//
// where the fᵢ push points of the links, P keeps the two ends of the base out of the floor (base_contact.h) and the torques of
// hinges may yield within the step, τ = τ⁰ − R (φ̇⁺ − φ̇): stiff servos and stops do not limit the
// step.
//
// The work is done in the rates of the links ψ̇, from which the base's translation is eliminated as
// in ForwardDynamics(): a 4×4 factorisation serves the free motion and the three impulses on the
// base. First order in h; the centre of mass falls h g t/2 too far in a flight.
//
// And the explicit midpoint rule, of second order as long as no contact begins within the step
// (located_step.h sees to that):
//
//   M(q) (v' − v) = h/2 (Q(q, v) + τ + Σ Jᵢᵀ fᵢ) + Jᵀ P',         q' = q + h/2 v
//   M(q')(v⁺ − v) = h (Q(q', v') + τ + Σ Jᵢᵀ fᵢ) + Jᵀ P,          q⁺ = q + h/2 (v + v⁺)
//
// where P keeps the ends that touch the floor from moving into it. A body in free fall is exact.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_STEPPER_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_STEPPER_H_

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "models/articulated_lamp/kinematics.h"

namespace pliant::articulated_lamp {

// A piece of ground: the top of the half plane {x : normal·x ≤ height}, between two ends. Points
// deeper than LampStepper::reach() below a piece that ends came from its side and are not supported.
struct LampFloor {
  Eigen::Vector2d normal = {0.0, 1.0};  // unit
  double height = 0.0;                  // m, along the normal
  double friction = 0.8;                // μ ≥ 0
  double restitution = 0.0;             // e in [0, 1], of the ends of the base on their own
  double left = -std::numeric_limits<double>::infinity();  // m, x of its ends
  double right = std::numeric_limits<double>::infinity();

  double Gap(const Eigen::Vector2d& x) const { return normal.dot(x) - height; }
  bool endless() const { return left == -right && std::isinf(right); }
};

// Angles of the links and the values that a step needs of them, computed once.
struct LampPlacement {
  Eigen::Vector4d sine, cosine;  // of ψ
  explicit LampPlacement(const LampVector& q);
};

// Torques of the hinges in a step, on the outer link of each: τ = τ⁰ − R (φ̇⁺ − φ̇).
struct HingeTorques {
  LampAngles start = LampAngles::Zero();       // τ⁰ [N·m]
  LampAngles resistance = LampAngles::Zero();  // R [N·m·s/rad], ≥ 0

  LampAngles During(const LampAngles& change_of_rates) const {
    return start - resistance.cwiseProduct(change_of_rates);
  }
  HingeTorques& operator+=(const HingeTorques& other) {
    start += other.start;
    resistance += other.resistance;
    return *this;
  }
};

// What pushes a point of a link.
struct LampPush {
  int link;               // from 0, the base
  Eigen::Vector2d local;  // m, along and to the right of the link, from its hinge
  Eigen::Vector2d value;  // force [N], or impulse [N·s] where it takes no time
};
using LampPushes = std::span<const LampPush>;
// All that pushes a lamp at (q, v); what it returns is there until the next call.
using LampPushLaw =
    std::function<LampPushes(const LampPlacement&, const LampVector& q, const LampVector& v)>;

class LampStepper {
 public:
  explicit LampStepper(const Lamp& lamp, std::vector<LampFloor> ground = {})
      : lamp_(lamp), ground_(std::move(ground)) {}
  LampStepper(const Lamp& lamp, const LampFloor& floor)
      : LampStepper(lamp, std::vector<LampFloor>{floor}) {}

  const Lamp& lamp() const { return lamp_; }
  // The same lamp with other masses.
  void SetMasses(const Lamp& lamp) { lamp_ = lamp; }
  const std::vector<LampFloor>& ground() const { return ground_; }
  // The piece of ground that holds x, which may be a little below it: of those that do the one
  // whose surface is nearest below, or least above; null where there is none.
  const LampFloor* Under(const Eigen::Vector2d& x) const;

  // Advances (q, v) by `h` seconds; `placement` is that of q. Returns the impulse of the floor on
  // the base (P_x, P_y, its clockwise moment about (x, y)) [N·s, N·m·s].
  Eigen::Vector3d Step(double h, const LampPlacement& placement, const HingeTorques& torques,
                       LampVector* q, LampVector* v, LampPushes forces = {}) const;

  // The same by the midpoint rule. Ends of the base that do not touch the ground may pass into it.
  // The step may be part of one of `whole` seconds. `forces` are asked for where they act, the last time in the middle.
  Eigen::Vector3d Midpoint(double h, double whole, const LampPlacement& placement,
                           const HingeTorques& torques, LampVector* q, LampVector* v,
                           const LampPushLaw& forces = {}) const;
  // The impulse by which the ends that touch the ground stop there, or bounce if they approach it
  // faster than `resting_speed` [m/s], while `impulses` push the links.
  Eigen::Vector3d Impact(const LampPlacement& placement, const LampVector& q, double resting_speed,
                         LampVector* v, LampPushes impulses = {}) const;
  // Σ Jᵢᵀ fᵢ, of translations of the base and of angles of the links ψ: their power at (v) is
  // sum·(ẋ, ẏ) + links·ψ̇.
  struct Pushed {
    Eigen::Vector2d sum = Eigen::Vector2d::Zero();
    Eigen::Vector4d links = Eigen::Vector4d::Zero();  // clockwise moments about the hinges

    double Power(const LampVector& v) const {
      return sum.dot(v.head<2>()) + links.dot(LinkAngles(v, 0.0));
    }
  };
  Pushed Push(const LampPlacement& placement, LampPushes pushes) const;
  // Height of each end of the base above the ground under it [m]; infinite without ground.
  std::array<double, 2> Gaps(const LampPlacement& placement, const LampVector& q) const;

  // Height of an end of the base above the ground under it, of the lower one [m]; infinite without
  // ground.
  double Clearance(const LampPlacement& placement, const LampVector& q) const;

  // Approach of a point and floor slower than this, as a multiple of g h, does not bounce: gravity
  // alone brings it about within two steps.
  static constexpr double kRestingSpeed = 2.0;
  // A piece of ground with ends supports points down to this depth below it [m]: half of the half
  // width of the base.
  double reach() const { return 0.5 * lamp_.parameters().half_width; }
  // Share of a depth that is removed in a step.
  static constexpr double kDepthShare = 0.2;
  // In a step by the midpoint rule an end this close to the ground touches it [m].
  double touching() const { return 1e-8 * lamp_.parameters().half_width; }

 private:
  // Which ends of the base a step keeps above the ground, and how.
  struct Contact {
    bool reachable;  // those that would come into it within the step; else those that touch it
    double resting_speed;        // m/s, of approach, that does not bounce
    double depth_rate;           // 1/s, at which a depth is removed
    const LampPlacement& start;  // of q: where the ends are when the step begins
  };
  // Velocities after the forces at `placement` and `rates`, of (q, v).
  Eigen::Vector3d Kick(double h, const LampPlacement& placement, const LampVector& rates,
                       const HingeTorques& torques, const Contact& contact, const LampVector& q,
                       LampPushes pushes, double push_time, LampVector* v) const;
  Eigen::Vector3d Touch(double h, const Contact& contact, const LampPlacement& placement,
                        const LampVector& q, const Eigen::Vector3d& before,
                        const Eigen::Vector3d& free, const Eigen::Matrix3d& response) const;

  Lamp lamp_;
  std::vector<LampFloor> ground_;
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LAMP_STEPPER_H_
