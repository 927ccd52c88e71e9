// The forces that probes of reactions and of contact measure, and the impulses of contact of pairs, record by record of
// a run.

#ifndef PLIANT_EXPERIMENTS_RUNS_RECORD_FORCES_H_
#define PLIANT_EXPERIMENTS_RUNS_RECORD_FORCES_H_

#include <optional>
#include <vector>

#include "models/scene/probe.h"
#include "solvers/contact/contact_sums.h"
#include "solvers/simulation.h"

namespace pliant {

class RecordForces {
 public:
  // From the present state on. Impulses since the start are known only of a simulation that is there.
  RecordForces(const std::vector<Probe>& probes, const BackendInfo& info, Simulation* simulation);

  // Whether steps between records count.
  bool LooksAtSteps() const { return contact_.has_value(); }
  // A step was made, and not one that is made again.
  void EndStep();
  // Of the present state, which `now` shows, since the record before; null where nobody needs them.
  const ProbeForces* Record(const Observation& now);

 private:
  void RecordContact(const Observation& now);

  Simulation* simulation_;
  const bool needs_holds_, from_the_start_;
  std::optional<ContactSums> contact_;  // where a probe or a column needs it
  ProbeForces forces_;
  std::optional<double> time_before_;  // s, of the record before
  ContactVectors before_;              // its impulses [N s]
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_RUNS_RECORD_FORCES_H_
