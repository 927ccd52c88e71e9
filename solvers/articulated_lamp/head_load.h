// A load that the head of a lamp carries, and its mass over time: the character whose head becomes heavier while it moves
// [Chitimalli 2008, "Mass Panel"].
//
// The load has the shape of the head, so that mass and inertia of the head grow alike. What comes or goes has the velocity that the head
// has there, so that there is no thrust: M(t) q̈ + h(t, q, q̇) = Q with the masses of the moment. The points of the scene are
// those of the lamp alone; the load does work on them, −Δ(T + V) of its own at the mass of the step, and takes from them the change of its own
// momentum.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_HEAD_LOAD_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_HEAD_LOAD_H_

#include <Eigen/Core>
#include <vector>

#include "models/articulated_lamp/kinematics.h"

namespace pliant::articulated_lamp {

class HeadLoad {
 public:
  // Masses [kg], ≥ 0, at times [s] that grow; linear between them, and the same before the first and after the last. Throws BadInput
  // for other lists, and for empty ones.
  HeadLoad(const LampParameters& lamp, double gravity, std::vector<double> times,
           std::vector<double> masses);

  double MassAt(double time) const;
  // Does it carry a load of this mass [kg]?
  bool IsCarriedBy(const Lamp& lamp, double mass) const {
    return lamp.parameters().links.back().mass == lamp_.parameters().links.back().mass + mass;
  }
  // The lamp with a load of this mass [kg].
  Lamp Carrying(double mass) const;

  // Of a load of `mass`, where the lamp is at (q, v).
  struct Held {
    double energy;             // T + V [J]
    Eigen::Vector2d momentum;  // kg·m/s
    double angular_momentum;   // kg·m²/s, about the origin, anticlockwise
  };
  Held At(double mass, const LampVector& q, const LampVector& v) const;

 private:
  Lamp lamp_;
  std::vector<double> times_, masses_;
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_HEAD_LOAD_H_
