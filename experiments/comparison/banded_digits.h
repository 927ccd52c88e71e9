// How many digits of a number its band asks for.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_BANDED_DIGITS_H_
#define PLIANT_EXPERIMENTS_COMPARISON_BANDED_DIGITS_H_

namespace pliant {

// Significant digits of `value` down to the second one of `band` (≥ 0, in its unit), at least `least` and at most 15:
// 7 for 4.477123 ± 4.5e-6 with least = 4; `least` where the band is 0, not finite or larger than the value.
int DigitsWithin(double value, double band, int least);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_BANDED_DIGITS_H_
