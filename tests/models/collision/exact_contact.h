// The slow oracle of continuous collision: do parts that move straight over a step ever touch? In
// rational numbers, without rounding.
//
// Two parts touch at time t where the signs of some polynomials in t say so. The set of such times
// is closed, so its first one is t = 0 or a root of one of these polynomials. Roots are isolated by
// Sturm chains, and the sign of another polynomial there is decided by their common divisor.

#ifndef PLIANT_TESTS_MODELS_COLLISION_EXACT_CONTACT_H_
#define PLIANT_TESTS_MODELS_COLLISION_EXACT_CONTACT_H_

#include <gmpxx.h>

#include <array>
#include <optional>
#include <vector>

#include "models/collision/continuous.h"

namespace pliant {

// The first time of contact lies in [lower, upper], which is no wider than 2⁻⁴⁰.
struct ExactTime {
  mpq_class lower, upper;
};

std::optional<ExactTime> ExactContact(const PointMotion& point,
                                      const std::array<PointMotion, 3>& face);
std::optional<ExactTime> ExactContact(const std::array<PointMotion, 2>& a,
                                      const std::array<PointMotion, 2>& b);
std::optional<ExactTime> ExactContact(const PointMotion& point,
                                      const std::array<PointMotion, 2>& edge);

}  // namespace pliant

#endif  // PLIANT_TESTS_MODELS_COLLISION_EXACT_CONTACT_H_
