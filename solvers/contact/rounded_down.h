// A bound that a message tells.

#ifndef PLIANT_SOLVERS_CONTACT_ROUNDED_DOWN_H_
#define PLIANT_SOLVERS_CONTACT_ROUNDED_DOWN_H_

#include <cmath>

namespace pliant {

// To three digits, never above the value, which is above 0: what a message says is allowed has to be so.
inline double RoundedDown(double value) {
  const double digit = std::pow(10.0, std::floor(std::log10(value)) - 2.0);
  return digit * std::floor(value / digit);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_ROUNDED_DOWN_H_
