// When two parts of a scene first touch, from the forces of contact that a run records: of each column
// contact_force.PAIR_N a headline figure
//
//   first_contact.PAIR_s     time of the first record whose contact force of the pair is above 0
//
// A touch comes up to one interval of the records before it. The force of a record is a mean (runs/mean_contact_force.h), which
// shows a touch that begins and ends between two records, too.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_FIRST_CONTACT_H_
#define PLIANT_EXPERIMENTS_BUNDLES_FIRST_CONTACT_H_

#include <optional>
#include <string>

#include "experiments/runs/oscillation.h"
#include "solvers/series_column.h"

namespace pliant {

// "bridge.ball" of contact_force.bridge.ball_N; absent for a column of anything else.
std::optional<std::string> PairOfContactForce(const SeriesColumn& column);

// The figure of that pair: its name, unit and meaning.
SeriesColumn FirstContactFigure(const std::string& pair);

// Of the recorded forces [N] of a pair. Absent without a contact; NaN where one of the forces until then is.
std::optional<double> FirstContact(const Curve& forces);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_FIRST_CONTACT_H_
