// Whether a backend gives the same motion of a scene that is seen otherwise (views.h), in other units and at another
// time (units.h), that is cut in two by save and restore, and that is recorded half as often.
//
// "The same" is up to rounding: the largest distance of a point stays below 10⁻⁹ of the extent of the scene. A
// chaotic motion multiplies rounding; there the distance is compared with ten times that which a displacement of the
// rest points by rounding makes by the same time: by that of one step (10⁻¹⁵ of the extent), and of all steps in the
// opposite direction.
//
// A motion that differs further has a cause or not. The causes that a formulation can have (view_causes.h) are taken
// away one by one, then all together: a cause without which the difference is gone explains it. A tolerance or a
// number of sweeps is refined instead, and explains a difference that becomes half as large or less. What no cause
// explains differs, and is an error of the formulation, of the view or of this list.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_
#define PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/claims/view_causes.h"
#include "experiments/files/experiment.h"

namespace pliant {

enum class Sameness {
  kSame,       // up to rounding; bit for bit where a run is cut or recorded otherwise
  kChaotic,    // a displacement by rounding leads as far apart
  kExplained,  // without the cause that is named the difference is gone or falls
  kDiffers,    // none of these
  kNotSeen,    // the view does not exist, or the backend refuses it and its record says why
};
std::string_view ToString(Sameness sameness);

struct SeenOtherwise {
  std::string view;
  Sameness sameness = Sameness::kNotSeen;
  double distance = 0.0;  // m, largest of a point at a recorded time
  double since = 0.0;     // s, first time it is more than rounding
  ViewCause cause = {};   // of what is explained, and …
  double without = 0.0;   // m: the distance without it
  std::string why = {};   // of what is not seen
};

struct Invariance {
  std::string label;
  std::string refused;  // why the backend does not run the scene at all; empty: it does
  std::vector<SeenOtherwise> views;
  std::string losses;                 // of the formulation, and …
  std::vector<std::string> warnings;  // … of the translation: what may explain a difference
};

// Ends a plan after kShortRecords records: the fewest even number by which the ball of `press` has touched its slab, so
// that a casting that depends on the side of the sheet is found.
inline constexpr int kShortRecords = 16;
void Shorten(RunPlan* plan);

// Runs the backend at `index` once for each view and three times for the scene as it is, without bundles; for each cause
// then three times without it, and once for each view that differs. Incomplete after a stop.
Invariance CheckInvariance(const Experiment& experiment, size_t index,
                           const std::stop_token& stop = {},
                           const std::function<void(double fraction)>& on_progress = {});

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_INVARIANCE_H_
