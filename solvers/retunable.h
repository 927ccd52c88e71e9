// An optional interface of a simulation for searches: new numbers without a new translation, which
// takes longer than hundreds of steps.

#ifndef PLIANT_SOLVERS_RETUNABLE_H_
#define PLIANT_SOLVERS_RETUNABLE_H_

#include "solvers/parameters.h"

namespace pliant {

class Retunable {
 public:
  virtual ~Retunable() = default;

  // To be called at the start of a run, after translation or restore: replaces the parameters of
  // these names; the others do not change. Afterwards the simulation behaves, bit for bit, like one
  // translated with these parameters. False when one of them needs a new translation, and BadInput
  // as from Backend::Translate(); nothing has changed then.
  virtual bool Retune(const ParameterValues& parameters) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RETUNABLE_H_
