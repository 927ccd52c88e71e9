#include "solvers/response/controls.h"

#include <cmath>

namespace pliant {
namespace {

double AtLevel(const std::vector<double>& list, size_t level) {
  return list.size() == 1 ? list[0] : list[level];
}

}  // namespace

void ResponseOptions::Bind(ParameterBinder& binder) {
  const std::string per_level = "; one value, or one per level, coarsest first";
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
    if (count == 1 || count == levels) continue;
    const std::string wanted = std::to_string(levels);
    std::string what = name;
    what += " has " + std::to_string(count) + " values but the surface of body '" + body;
    what += "' has " + wanted + " levels";
    throw BadInput({name, what, "give 1 or " + wanted + " values, coarsest level first"});
  }
}

void ControlsOfStep(const ResponseOptions& options, double step,
                    std::vector<LevelControls>* controls) {
  for (size_t level = 0; level < controls->size(); ++level) {
    LevelControls& c = (*controls)[level];
    c.absorption = AtLevel(options.absorption, level);
    c.damping = -std::expm1(-step / AtLevel(options.damping_time, level));
    c.retention = std::exp(-step / AtLevel(options.relaxation_time, level));
    c.yield = AtLevel(options.yield, level);
  }
}

}  // namespace pliant
