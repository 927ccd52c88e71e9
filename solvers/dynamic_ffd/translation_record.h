// What the translation of a scene to dynamic free-form deformation says of itself.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_

#include <string>
#include <vector>

#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

// The body: in which modes it moves, how it starts, what inertia it was lent [kg m²].
void RecordFfdBody(const Body& body, const ModeTable& table, const std::vector<int>& modes,
                   double added_inertia, TranslationRecord* record);

// What `later`, a record of the body with the modes that it has `from` some time on ("from 1 s
// on"), says of it is added to what `record` says.
void RecordModeChange(const Body& body, const std::string& from, const TranslationRecord& later,
                      TranslationRecord* record);

// Everything that the scene does to bodies.
void RecordFfdElements(const Scene& scene, const DynamicFfdOptions& options,
                       TranslationRecord* record);

// What key frames do to the elements that act on the body they lead; an empty table does nothing.
void RecordKeyFrames(const Scene& scene, const KeyFrameTable& table, TranslationRecord* record);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_TRANSLATION_RECORD_H_
