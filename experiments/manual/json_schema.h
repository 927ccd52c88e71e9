// The format of experiment and scene files as JSON Schema (draft 7), for editors that complete and check keys while
// one types. Made from the keys that the reader itself walks. It says less than the reader: a schema knows no
// names of other elements and no rules between keys.

#ifndef PLIANT_EXPERIMENTS_MANUAL_JSON_SCHEMA_H_
#define PLIANT_EXPERIMENTS_MANUAL_JSON_SCHEMA_H_

#include <string>

namespace pliant {

std::string ExperimentSchema();
std::string SceneSchema();

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_MANUAL_JSON_SCHEMA_H_
