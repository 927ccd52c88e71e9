// Random states of the lamp for its tests. Seeded, so that a failure can be repeated.

#ifndef PLIANT_TESTS_MODELS_ARTICULATED_LAMP_RANDOM_STATE_H_
#define PLIANT_TESTS_MODELS_ARTICULATED_LAMP_RANDOM_STATE_H_

#include <random>

#include "models/articulated_lamp/lamp.h"

namespace pliant::articulated_lamp {

inline constexpr unsigned kLampSeed = 20240607;

// Entries in (−size, size).
inline LampVector RandomLampVector(std::mt19937& generator, double size) {
  LampVector values;
  for (double& value : values) value = size * (2.0 * (generator() / 4294967296.0) - 1.0);
  return values;
}

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_TESTS_MODELS_ARTICULATED_LAMP_RANDOM_STATE_H_
