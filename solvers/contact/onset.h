// Contact begins and ends within steps, and nothing locates that moment. A spring sets in with a kink of its force,
// which leaves an explicit or implicit scheme at most second order; a damper sets in with a jump, −C ḟ ≠ 0 at f = 0,
// which leaves it first order. The law ContactOnset measures it.

#ifndef PLIANT_SOLVERS_CONTACT_ONSET_H_
#define PLIANT_SOLVERS_CONTACT_ONSET_H_

#include <string>

namespace pliant {

// The order of any scheme across the onset of contact by a spring and a damper [N s/m], for the record.
inline std::string OnsetInWords(double damping) {
  return std::string("; contact begins and ends within steps, where every scheme is of ") +
         (damping > 0.0 ? "first order, because the damper sets in at once"
                        : "second order at most");
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_ONSET_H_
