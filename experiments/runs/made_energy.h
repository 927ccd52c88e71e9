// Energy that the discretisation makes. The energy of the material, less the work of active
// elements (forces, impulses, servos, obstacles and nails that move), can only fall, because all
// other elements are passive: they do no work or take energy away. Where it rises, the
// discretisation made energy. A small residual does not exclude this: the ledger also closes when
// the made energy is recorded as work of a floor at rest.

#ifndef PLIANT_EXPERIMENTS_RUNS_MADE_ENERGY_H_
#define PLIANT_EXPERIMENTS_RUNS_MADE_ENERGY_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/exchange.h"

namespace pliant {

// Energies at one time [J].
struct EnergyBalance {
  double kinetic = 0.0;
  double stored = 0.0;  // elastic, springs, contacts, constraints: all ≥ 0
  double gravitational = 0.0;
  Exchange exchange;      // since the start
  double residual = 0.0;  // of the ledger
  double total() const { return kinetic + stored + gravitational; }
};

class MadeEnergy {
 public:
  explicit MadeEnergy(const Scene& scene);

  // The times ascend. Returns the energy made at this time: total less active work, above the
  // lowest value that it had until now [J].
  double Add(double time, const EnergyBalance& balance);

  // Whether any energies were added.
  bool defined() const { return first_.has_value(); }

  // What an explosion could feed on: the largest of the energy exchanged, of kinetic plus stored
  // energy, and of the work that lifts everything by a thousandth of the scene's size [J].
  double AtStake() const;

  struct Finding {
    double made = 0.0;   // J, the largest of all times; or lost
    double share = 0.0;  // of AtStake()
    double time = 0.0;   // s, at which it first exceeded the tolerated share
    std::string by;      // what made most of it: "contact", "constraint", "damping", "integration"
  };
  // Absent unless the discretisation lost more than this share of the energy at stake: the residual and the work of
  // constraints at rest, which do none in the exact solution, fell by so much below the highest value they had. What friction
  // and damping take is not lost. `by`: "constraint" or "integration".
  std::optional<Finding> LostBeyond(double tolerated_share) const;
  // Absent unless more than this share of the energy at stake was made.
  std::optional<Finding> Beyond(double tolerated_share) const;

 private:
  // The rise of a quantity above the lowest value it had.
  class Rise {
   public:
    double Add(double value);

   private:
    std::optional<double> lowest_;
  };
  struct Made {
    double time, energy;
    std::string by;
  };
  std::optional<Finding> BeyondIn(const std::vector<Made>& made, double tolerated_share) const;

  double floor_;             // J
  double largest_kept_ = 0;  // kinetic plus stored [J]
  double largest_exchanged_ = 0;
  double rounding_ = 0;  // J, below which a rise is that of sums
  std::optional<EnergyBalance> first_;
  Rise total_, integration_;
  std::array<Rise, kPassiveClasses.size()> passive_;
  std::vector<Made> made_;
  Rise lost_, lost_by_constraints_, lost_by_integration_;  // of the negative numbers
  std::vector<Made> losses_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_MADE_ENERGY_H_
