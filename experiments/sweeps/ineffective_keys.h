// Keys of a sweep that have no effect on a backend, because its variant of the scene (scene_variant.h) sets them itself,
// or has not got what they change, or because it has a step of its own: the backend runs alike whatever their value is.

#ifndef PLIANT_EXPERIMENTS_SWEEPS_INEFFECTIVE_KEYS_H_
#define PLIANT_EXPERIMENTS_SWEEPS_INEFFECTIVE_KEYS_H_

#include <string>
#include <vector>

#include "experiments/sweeps/sweep.h"

namespace pliant {

struct IneffectiveKey {
  size_t key = 0;     // of the varied keys
  std::string label;  // of the backend
  std::string warning;
};

// In the order of the varied keys, then of the backends. A key counts whose value in the variant differs from that of the
// scene at any point, unless the sweep varies that of the variant too.
std::vector<IneffectiveKey> IneffectiveKeysOf(const Sweep& sweep);

// Their warnings: which key, which backend, and what to write instead.
std::vector<std::string> WarningsOf(const Sweep& sweep);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SWEEPS_INEFFECTIVE_KEYS_H_
