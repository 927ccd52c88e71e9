// The translation record of a scene under dynamic free-form deformation.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_

#include <string>
#include <vector>

#include "solvers/control/tables.h"
#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

// Records the body, which is `part`: its modes, its initial state, and the inertia added to it.
void RecordFfdBody(const Body& body, const ModeTable& table, const std::vector<int>& modes,
                   const FfdPart& part, TranslationRecord* record);

// Appends the entry of `later`, a record of the body with the modes that it has `from` some time on
// ("from 1 s on"), to that of `record`.
void RecordModeChange(const Body& body, const std::string& from, const TranslationRecord& later,
                      TranslationRecord* record);

// Records everything that acts on bodies.
void RecordFfdElements(const Scene& scene, const DynamicFfdOptions& options,
                       TranslationRecord* record);

// Records the effect of key frames on the elements that act on their body; an empty table does
// nothing.
void RecordKeyFrames(const Scene& scene, const KeyFrameTable& table, TranslationRecord* record);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_
