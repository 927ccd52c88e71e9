// The headline figures of a reference, taken as those of a run are: of the run of a backend or in another bundle; of the
// yardstick, with its error; of a measured table, whose columns are a series at the times of the table.

#ifndef PLIANT_EXPERIMENTS_COMPARISON_REFERENCE_FIGURES_H_
#define PLIANT_EXPERIMENTS_COMPARISON_REFERENCE_FIGURES_H_

#include <map>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/comparison/comparison_table.h"

namespace pliant {

struct ReferenceFigures {
  std::string name;  // "yardstick", the label of a backend, the file name of a table or a bundle
  // Those that are defined, by their names. The band is the error of the yardstick; of other references 0: nothing is known
  // of theirs.
  std::map<std::string, FigureLimit> values;
  std::string why_none;  // in words, where the reference is there and has no figures
};

// Of the reference of `bundles` (ReferenceOf()), of one point. The error of a smallest, largest, mean or last value of a
// column is at most the largest error of the column over time; other figures of the yardstick have no band that is known, and
// are left out. Nothing where there is no reference or it cannot be read: CompareBundles() says why.
ReferenceFigures FiguresOfReference(const std::vector<Bundle>& bundles,
                                    const std::string& reference);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_COMPARISON_REFERENCE_FIGURES_H_
