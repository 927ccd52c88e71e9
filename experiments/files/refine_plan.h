// The [refine] table of an experiment file: along which axes a ladder of finer runs goes, and how far.

#ifndef PLIANT_EXPERIMENTS_FILES_REFINE_PLAN_H_
#define PLIANT_EXPERIMENTS_FILES_REFINE_PLAN_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

// What is refined. The rung of size s (1: the file as it is) has
enum class RefinedAxis {
  kStep,              // every step times s
  kResolution,        // spacing of the points of generated bodies times s
  kOrder,             // one order of deformation more for each rung
  kLevels,            // one level more for each rung
  kTolerance,         // every tolerance times s
  kContactStiffness,  // stiffness of contacts divided by s
};

// A number that changes with the size of the rung: its value in the file times size^power.
struct TiedKey {
  std::string key;  // as for --set
  double power = 1.0;
  FilePlace place;
};

struct RefinePlan {
  std::vector<RefinedAxis> axes = {RefinedAxis::kStep};  // one ladder for each, at least one
  bool joint = false;                                    // one ladder along all axes at once
  int levels = 3;                                        // rungs of a ladder, ≥ 2
  int coarser = 0;     // rungs that are coarser than the file, below `levels`
  double ratio = 2.0;  // of the sizes of neighbouring rungs, > 1
  double order = 1.0;  // assumed where a ladder has two rungs only, > 0
  std::vector<TiedKey> tied;
};

// Their keys.
class KeyBinder;
void Bind(KeyBinder& b, TiedKey& tied);
void Bind(KeyBinder& b, RefinePlan& plan);

// The words of the file: "step", "contact-stiffness".
std::vector<std::pair<std::string, RefinedAxis>> WordsOf(RefinedAxis);
std::string WordOf(RefinedAxis axis);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_REFINE_PLAN_H_
