// What a simulation may offer a search beside the one interface: other numbers without being
// translated anew, which takes longer than hundreds of steps.

#ifndef PLIANT_SOLVERS_RETUNABLE_H_
#define PLIANT_SOLVERS_RETUNABLE_H_

#include "solvers/parameters.h"

namespace pliant {

class Retunable {
 public:
  virtual ~Retunable() = default;

  // At the start of a run, as translated or restored: takes these parameters in place of those of
  // the same names; the others stay. From there it does what a simulation translated with them
  // does, bit for bit. False when one of them needs a new translation, and BadInput as from
  // Backend::Translate(); nothing has changed then.
  virtual bool Retune(const ParameterValues& parameters) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RETUNABLE_H_
