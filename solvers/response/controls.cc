#include "solvers/response/controls.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

double AtLevel(const std::vector<double>& list, size_t level, size_t levels, size_t stage) {
  if (list.size() == 1) return list[0];
  return list.size() == levels ? list[level] : list[stage * levels + level];
}

}  // namespace

void ResponseOptions::Bind(ParameterBinder& binder) {
  const std::string per_level = "; one value, or one per level, coarsest first, for each stage";
  binder.Reals("absorption", &absorption, "1", Between(-1.0, 1.0),
               "share of a displacement a level takes: coarse levels answer stiffly over a wide "
               "area, negative values bulge, the finest level takes what is left" +
                   per_level);
  binder.Reals(
      "damping_time", &damping_time, "s", AtLeast(0.0),
      "time in which a level makes 63 % of a change of its offsets; 0 is at once" + per_level);
  binder.Reals("relaxation_time", &relaxation_time, "s", {.lower = 0.0, .infinite = true},
               "time in which 63 % of an elastic offset is gone once nothing presses; 0 pops back, "
               "inf never recovers" +
                   per_level);
  binder.Reals(
      "yield", &yield, "m", {.lower = 0.0, .infinite = true},
      "longest elastic offset, what is beyond becomes plastic: inf is elastic, 0 perfectly "
      "plastic" +
          per_level);
  binder.Reals("stage_times", &stage_times, "s", MoreThan(0.0),
               "when the lists of controls go over to their next stage; none: one stage");
  binder.Choice("restriction", &restriction,
                {{"maximum", Restriction::kMaximum},
                 {"average", Restriction::kAverage},
                 {"full-weighting", Restriction::kFullWeighting}},
                "how displacement vectors are carried to the next coarser level");
  binder.Choice("prolongation", &prolongation,
                {{"linear", Prolongation::kLinear}, {"cubic", Prolongation::kCubic}},
                "how a surface is carried to the next finer level");
  binder.Choice(
      "rides", &rides,
      {{"when-moved", Rides::kWhenMoved}, {"always", Rides::kAlways}, {"never", Rides::kNever}},
      "whether bodies ride on a rigid proxy that the reaction of their surface drives, "
      "or are held where they start; when-moved: bodies ride that gravity, a velocity, a "
      "force or a spring would move, unless springs hold them to where they start");
  binder.Integer("lattice_level", &lattice_level, "1", Between(1, 8),
                 "an outline that rides hangs in a planar lattice of 2^lattice_level cells a side");
  reaction.Bind(binder);
}

void ResponseOptions::RequireLevels(int levels, const std::string& body) const {
  const std::vector<std::pair<std::string, const std::vector<double>*>> lists = {
      {"absorption", &absorption},
      {"damping_time", &damping_time},
      {"relaxation_time", &relaxation_time},
      {"yield", &yield}};
  for (const auto& [name, list] : lists) {
    const int count = static_cast<int>(list->size());
    if (count == 1 || count == levels || count == levels * stages()) continue;
    std::string what = name;
    what += " has " + std::to_string(count) + " values but the surface of body '" + body;
    what += "' has " + std::to_string(levels) + " levels";
    std::string mend = "give 1 or " + std::to_string(levels);
    if (stages() > 1) {
      what += " and there are " + std::to_string(stages()) + " stages";
      mend += " or " + std::to_string(levels * stages());
    }
    throw BadInput({name, what, mend + " values, coarsest level first"});
  }
}

void ResponseOptions::RequireStages() const {
  for (size_t i = 1; i < stage_times.size(); ++i) {
    if (stage_times[i] > stage_times[i - 1]) continue;
    throw BadInput({"stage_times",
                    "stages begin one after the other, but stage " + std::to_string(i + 2) +
                        " not after the one before",
                    "give increasing times"});
  }
}

int ResponseOptions::StageAt(double time) const {
  const auto next = std::upper_bound(stage_times.begin(), stage_times.end(), time);
  return static_cast<int>(next - stage_times.begin());
}

void ControlsOfStep(const ResponseOptions& options, double time, double step,
                    std::vector<LevelControls>* controls) {
  const size_t levels = controls->size(), stage = options.StageAt(time + 0.5 * step);
  for (size_t level = 0; level < levels; ++level) {
    LevelControls& c = (*controls)[level];
    const auto at = [&](const std::vector<double>& list) {
      return AtLevel(list, level, levels, stage);
    };
    c.absorption = at(options.absorption);
    c.damping = -std::expm1(-step / at(options.damping_time));
    c.retention = std::exp(-step / at(options.relaxation_time));
    c.yield = at(options.yield);
  }
}

}  // namespace pliant
