// The converged finite-element solution of a scene that `pliant yardstick` keeps, and where it is found again:
//
//   DIR/yardsticks/ADDRESS/yardstick.json   what is known of it, and which of the rungs beside it is the finest
//   DIR/yardsticks/ADDRESS/yardstick.csv    the error bar of each observable at each recorded time
//   DIR/yardsticks/ADDRESS/RUNG/yardstick   run bundles
//
// ADDRESS is made from what decides the solution: scene, duration, recorded times, and the parameters of finite
// elements but for mesh and step. An experiment on the same scene has the same one, whatever its other backends.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_KEPT_YARDSTICK_H_
#define PLIANT_EXPERIMENTS_BUNDLES_KEPT_YARDSTICK_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/bundle.h"
#include "experiments/files/experiment.h"

namespace pliant {

inline constexpr char kYardsticksFolder[] = "yardsticks";
inline constexpr char kYardstickJson[] = "yardstick.json";
// 2: distances are over the mass, in format 1 they were over the points.
inline constexpr int kYardstickFormat = 2;
inline constexpr char kYardstickCsv[] = "yardstick.csv";

// The names of the errors of the points in yardstick.csv [m]: rms and largest over the points; of the shape and of
// the place alone, rms over the mass.
inline constexpr const char* kPointErrors[] = {"points_rms_error_m", "points_max_error_m",
                                               "points_shape_error_m", "points_placement_error_m"};

// How much finer than the file's: refinement · 2^mesh, step / 2^halvings, and the thickness of contact and the speed
// of its friction / 2^thinnings.
struct Finer {
  int mesh = 0, halvings = 0, thinnings = 0;
};

// The experiment with the single backend finite-elements, label kYardstick: with the parameters and step of its first
// backend of that formulation if it has one, else with defaults, made finer. Throws FileError.
Experiment YardstickExperiment(const Experiment& experiment, const Finer& finer = {},
                               const std::vector<const Backend*>& backends = Backends());

// 16 hexadecimal digits.
std::string YardstickAddress(const Experiment& experiment,
                             const std::vector<const Backend*>& backends = Backends());

struct KeptYardstick {
  Bundle bundle;
  bool settled = false;              // every judged observable within the tolerance, up to the end
  std::optional<double> good_until;  // s, the last recorded time within it; absent: none
  std::vector<std::string>
      spoiled;  // elements of the scene that it does not solve as they are, with reasons
  std::vector<double> times;                          // s
  std::map<std::string, std::vector<double>> errors;  // by column of yardstick.csv
};

// The yardstick of that address in the nearest folder `yardsticks` at or above `near`. Throws FileError, in one
// line with the mend, where there is none or it is damaged.
KeptYardstick FindYardstick(const std::filesystem::path& near, const std::string& address,
                            const std::vector<const Backend*>& backends = Backends());

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_KEPT_YARDSTICK_H_
