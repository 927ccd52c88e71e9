// The [[probe]] tables of an experiment file: what is measured on points of its scene.

#ifndef PLIANT_EXPERIMENTS_FILES_PROBE_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_PROBE_KEYS_H_

#include <vector>

#include "experiments/files/keys.h"
#include "models/scene/probe.h"

namespace pliant {

EnumWords<ProbeKind> WordsOf(ProbeKind);

void Bind(KeyBinder& b, Probe& probe);

// `mistakes` gets what cannot be measured in the scene.
std::vector<Probe> ReadProbes(const std::vector<FileValue*>& tables, const SceneSoFar& so_far,
                              Mistakes* mistakes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_PROBE_KEYS_H_
