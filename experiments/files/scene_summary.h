// What a scene holds, in tables for its author: `pliant check` prints them.

#ifndef PLIANT_EXPERIMENTS_FILES_SCENE_SUMMARY_H_
#define PLIANT_EXPERIMENTS_FILES_SCENE_SUMMARY_H_

#include <vector>

#include "models/scene/scene.h"
#include "solvers/translation.h"

namespace pliant {

// Up to three tables, none of them empty, all at the start of the run:
//   bodies     points, mass, centre of mass, extent along the axes, principal moments of inertia
//   elements   with points: how many points each name has, and where
//   paths      of nails, combinations and obstacles: extremes between their keys, largest speed
std::vector<FindingTable> SummaryOf(const Scene& scene);

// The rows of `tables` that are not in the table of `others` with the same title: what a variant of a scene has that the
// scene has not.
std::vector<FindingTable> RowsNotIn(const std::vector<FindingTable>& others,
                                    std::vector<FindingTable> tables);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_SCENE_SUMMARY_H_
