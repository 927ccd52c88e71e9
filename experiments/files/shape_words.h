// Words of other programs for shapes of bodies.

#ifndef PLIANT_EXPERIMENTS_FILES_SHAPE_WORDS_H_
#define PLIANT_EXPERIMENTS_FILES_SHAPE_WORDS_H_

#include "experiments/files/document.h"

namespace pliant {

// Throws FileError, with what to write instead, where the value of `shape` is a word such as "cube"; null: no value.
void RefuseOtherWords(const FileValue* shape);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SHAPE_WORDS_H_
