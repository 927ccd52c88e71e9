// Stops of the hinges: beyond its limits φ_l, φ_u a hinge meets a spring and a damper,
//
//   τ = −k (φ − limit) − d φ̇,   never pulling back to the limit,
//
// taken at the end of the step, so that stiff ones are stable.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_STOPS_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_STOPS_H_

#include "solvers/articulated_lamp/lamp_stepper.h"

namespace pliant::articulated_lamp {

struct HingeStopOptions {
  double stiffness = 1000.0;  // k [N·m/rad], ≥ 0
  double damping = 3.0;       // d [N·m·s/rad], ≥ 0
};

class HingeStops {
 public:
  HingeStops(const std::array<AngleLimits, kLampHinges>& limits, const HingeStopOptions& options)
      : limits_(limits), options_(options) {}

  // Signed angle by which a hinge is beyond its limits [rad]; 0 within.
  double Excess(int hinge, double angle) const {
    const AngleLimits& limits = limits_[hinge];
    return angle > limits.upper ? angle - limits.upper
                                : (angle < limits.lower ? angle - limits.lower : 0.0);
  }

  // For a step of h seconds from (q, v), the torques at `share` of it: 1 its end, ½ its middle.
  // `touched` marks the hinges at a stop.
  HingeTorques Torques(double h, const LampVector& q, const LampVector& v,
                       std::array<bool, kLampHinges>* touched, double share = 1.0) const {
    const double ahead = share * h;
    HingeTorques torques;
    for (int i = 0; i < kLampHinges; ++i) {
      const double excess = Excess(i, q[3 + i]), rate = v[3 + i];
      const double torque = -options_.stiffness * (excess + ahead * rate) - options_.damping * rate;
      (*touched)[i] = excess * torque < 0.0;
      if (!(*touched)[i]) continue;
      torques.start[i] = torque;
      torques.resistance[i] = share * (ahead * options_.stiffness + options_.damping);
    }
    return torques;
  }

  // ½ Σ k excess² [J].
  double Energy(const LampVector& q) const {
    double energy = 0.0;
    for (int i = 0; i < kLampHinges; ++i) {
      const double excess = Excess(i, q[3 + i]);
      energy += 0.5 * options_.stiffness * excess * excess;
    }
    return energy;
  }

  double damping() const { return options_.damping; }
  const AngleLimits& limits(int hinge) const { return limits_[hinge]; }

 private:
  std::array<AngleLimits, kLampHinges> limits_;
  HingeStopOptions options_;
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_HINGE_STOPS_H_
