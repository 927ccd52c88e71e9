// What the reader keeps of an experiment's files, for messages and for Resolved().

#ifndef PLIANT_EXPERIMENTS_EXPERIMENT_EXPERIMENT_DOCUMENT_H_
#define PLIANT_EXPERIMENTS_EXPERIMENT_EXPERIMENT_DOCUMENT_H_

#include "experiments/experiment/document.h"

namespace pliant {

struct ExperimentDocument {
  // The experiment with its scene, shapes and data tables in place and all defaults of the scene
  // written out.
  FileValue root;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_EXPERIMENT_EXPERIMENT_DOCUMENT_H_
