#include "solvers/dynamic_ffd/mode_powers.h"

#include <cmath>

namespace pliant::dynamic_ffd {

double PowerEnergy(const std::vector<ModePower>& powers, const VectorRef& gamma) {
  double energy = 0.0;
  for (const ModePower& power : powers) {
    energy += power.stiffness * std::pow(std::abs(gamma[power.mode]), power.exponent);
  }
  return energy;
}

void AddPowerForces(const std::vector<ModePower>& powers, const VectorRef& gamma,
                    MutableVectorRef Q) {
  for (const ModePower& power : powers) {
    const double size = power.exponent * power.stiffness *
                        std::pow(std::abs(gamma[power.mode]), power.exponent - 1.0);
    Q[power.mode] -= std::copysign(size, gamma[power.mode]);
  }
}

Eigen::VectorXd PowerCurvature(const std::vector<ModePower>& powers, const VectorRef& gamma) {
  Eigen::VectorXd curvature = Eigen::VectorXd::Zero(gamma.size());
  for (const ModePower& power : powers) {
    curvature[power.mode] = power.exponent * (power.exponent - 1.0) * power.stiffness *
                            std::pow(std::abs(gamma[power.mode]), power.exponent - 2.0);
  }
  return curvature;
}

}  // namespace pliant::dynamic_ffd
