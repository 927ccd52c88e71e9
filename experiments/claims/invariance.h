// Whether a backend gives the same motion of a scene that is seen otherwise (views.h), in other units and at another
// time (units.h), that is cut in two by save and restore, and that is recorded half as often.
//
// "The same" is up to rounding: the largest distance of a point stays below 10⁻⁹ of the extent of the scene. A
// chaotic motion multiplies rounding; there the distance is compared with ten times that which a displacement of the
// rest points by rounding makes by the same time: by that of one step (10⁻¹⁵ of the extent), and of all steps in the
// opposite direction.
//
// Solvers that sweep over gaps until they are within a tolerance stop elsewhere where the gaps stand in another order.
// The tolerance is the cause where a quarter of it makes the difference half as large or less.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_
#define PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/claims/views.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class Sameness {
  kSame,         // up to rounding; bit for bit where a run is cut or recorded otherwise
  kChaotic,      // a displacement by rounding leads as far apart
  kByTolerance,  // the difference falls with the tolerance of the solver
  kDiffers,      // neither: the result depends on how the scene is seen
  kNotSeen,      // the view does not exist, or the backend refuses it and its record says why
};
std::string_view ToString(Sameness sameness);

struct SeenOtherwise {
  std::string view;
  Sameness sameness = Sameness::kNotSeen;
  double distance = 0.0;  // m, largest of a point at a recorded time
  double since = 0.0;     // s, first time it is more than rounding
  double finer = 0.0;     // m, of what differs by a tolerance: with a quarter of it
  std::string why;        // of what is not seen
};

struct Invariance {
  std::string label;
  std::string refused;  // why the backend does not run the scene at all; empty: it does
  std::vector<SeenOtherwise> views;
  std::string losses;                 // of the formulation, and …
  std::vector<std::string> warnings;  // … of the translation: what may explain a difference
};

// Ends a plan after kShortRecords records: the fewest even number by which the ball of `press` has touched its slab, so
// that a casting that depends on the side of a sheet is found.
inline constexpr int kShortRecords = 16;
void Shorten(RunPlan* plan);

// Runs the backend at `index` once for each view and seven times for the scene as it is, without bundles.
// Incomplete after a stop.
Invariance CheckInvariance(const Experiment& experiment, size_t index,
                           const std::stop_token& stop = {},
                           const std::function<void(double fraction)>& on_progress = {});

// Runs each view that differs, and the scene as it is, with a finer tolerance: is that the cause?
void ExplainByTolerance(const Experiment& experiment, size_t index, const std::stop_token& stop,
                        Invariance* invariance);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_
