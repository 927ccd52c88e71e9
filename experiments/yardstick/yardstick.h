// The converged solution of an experiment's scene: finite elements on finer meshes at the file's step, with shorter
// steps on its mesh, where there is contact with a thinner barrier too, then all at once, until the estimated error of every judged observable is below the tolerance.

#ifndef PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_H_
#define PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "experiments/bundles/kept_yardstick.h"
#include "experiments/files/experiment.h"
#include "experiments/yardstick/error_bars.h"

namespace pliant {

// A number, or the points as a whole, whose error is estimated.
struct Observable {
  std::string name, unit;  // of a column of the series, or of kPointErrors without "_error"
  // What the tolerance is a share of: of points their largest rms way from where they start; of energies the largest
  // range of any; of extents their range, at least a hundredth; of others their range.
  double scale = 0.0;
  bool judged =
      false;  // points (rms), energies and extents decide when the ladder ends; others are only told
  ErrorOverTime mesh, step, joint;   // estimates of each ladder
  ErrorOverTime contact;             // where there is contact: of its thickness; else 0
  ErrorOverTime total;               // the larger one of joint and mesh + step + contact
  std::optional<double> good_until;  // s, last time with total ≤ tolerance · scale; absent: none
};

// One run of a ladder.
struct YardstickRung {
  Finer finer;
  std::string name;
  OutcomeKind outcome = OutcomeKind::kCompleted;
};

struct Yardstick {
  std::string address;
  std::filesystem::path folder;                           // of yardstick.json
  std::vector<YardstickRung> mesh, step, contact, joint;  // rungs of each ladder, coarsest first
  std::vector<double> times;                              // s
  std::vector<Observable> observables;
  double tolerance = 0.0;
  std::vector<std::string>
      spoiled;           // elements that finite elements do not take as they are, and why
  std::string failure;   // why there is no finest run; empty: there is one
  bool settled = false;  // every judged observable is good up to the end
  std::optional<double> good_until;  // s, of the judged observables together
};

struct YardstickHooks {
  std::function<void(double fraction)> on_progress;  // of the ladder under way
  std::function<void(const std::string& words)> on_ladder;
  std::stop_token stop;
};

// Runs the ladders into `out`/ADDRESS (kept_yardstick.h) and leaves yardstick.json and yardstick.csv there; rungs that
// this program has run before are kept. `jobs` runs at a time. Throws FileError where finite elements refuse the scene,
// StorageError when a file cannot be written. After a stop nothing but bundles is left.
Yardstick MakeYardstick(const Experiment& experiment, const std::filesystem::path& out, int jobs,
                        const YardstickHooks& hooks = {},
                        const std::vector<const Backend*>& backends = Backends());

// For a terminal: the ladder of each judged observable with its order, then errors and how long they are good.
std::string YardstickText(const Yardstick& yardstick);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_YARDSTICK_YARDSTICK_H_
