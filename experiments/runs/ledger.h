// The ledger of a run: energy against work, momentum against impulses, by one code path for every
// backend.

#ifndef PLIANT_EXPERIMENTS_RUNS_LEDGER_H_
#define PLIANT_EXPERIMENTS_RUNS_LEDGER_H_

#include <Eigen/Core>
#include <optional>

#include "experiments/runs/made_energy.h"
#include "models/scene/scene.h"
#include "solvers/simulation.h"

namespace pliant {

// Sums over the material points at one time.
struct PointSums {
  double kinetic_energy = 0.0;                 // J
  std::optional<double> gravitational_energy;  // J, where gravity acts
  Eigen::Vector3d momentum, angular_momentum;  // kg m/s, and about the origin kg m²/s
};

// Absent = not defined.
struct LedgerFigures {
  std::optional<double> total_energy, residual_energy, made_energy, numerical_energy;  // J
  std::optional<double> momentum_residual, angular_momentum_residual;  // kg m/s, kg m²/s
};

class Ledger {
 public:
  explicit Ledger(const Scene& scene) : made_energy_(scene) {}

  // The times ascend; the first is the start, index 0. The residual of energy is (E − E₀) − (W −
  // W₀), with E the sum of all energies and W that of all work; those of momenta are |(P − P₀) − (J
  // − J₀)|, with J the impulse of everything outside the material, where the backend reports it.
  LedgerFigures Add(const Observation& observation, const PointSums& sums);

  const MadeEnergy& made_energy() const { return made_energy_; }

 private:
  std::optional<double> initial_balance_;                                       // E₀ − W₀
  std::optional<Eigen::Vector3d> initial_momentum_, initial_angular_momentum_;  // P₀ − J₀
  MadeEnergy made_energy_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_LEDGER_H_
