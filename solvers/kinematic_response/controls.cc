#include "solvers/kinematic_response/controls.h"

#include <algorithm>
#include <cmath>

#include "models/scene/number_text.h"
#include "solvers/kinematic_response/patch.h"
#include "solvers/kinematic_response/riding_body.h"

namespace pliant::kinematic_response {

double AtLevel(const std::vector<double>& list, size_t level, size_t levels, size_t stage) {
  if (list.size() == 1) return list[0];
  return list.size() == levels ? list[level] : list[stage * levels + level];
}

void KinematicResponseOptions::Bind(ParameterBinder& binder) {
  const auto some_ride = [this](const Scene& scene) { return SomeRide(scene); };
  const auto some_held = [this](const Scene& scene) { return SomeHeld(scene); };
  const std::string per_level = "; one value, or one per level, coarsest first, for each stage";
  const auto presses = [this](const Scene& scene) {
    return HasObstacles(scene) || !strokes.empty() || !maps.empty() ||
           !relative_stiffness.empty() || extensions.ordered();
  };
  const std::string pressed =
      "surfaces meet obstacles, strokes, maps, a skeleton, each other or themselves";
  binder.OnlyWhen(pressed, presses, [&] {
    binder.Reals(
        "absorption", &absorption, "1", Between(-1.0, 1.0),
        "share of a displacement that a level absorbs: coarse levels respond stiffly over a "
        "wide area, negative values bulge, the finest level absorbs the rest" +
            per_level);
    binder.Reals("damping_time", &damping_time, "s", AtLeast(0.0),
                 "time constant with which a level follows a change of its offsets (63 %); 0 "
                 "follows at once" +
                     per_level);
    binder.Reals("relaxation_time", &relaxation_time, "s", {.lower = 0.0, .infinite = true},
                 "time constant with which an elastic offset decays (63 %) when nothing presses; 0 "
                 "springs back at once, inf never recovers" +
                     per_level);
    binder.Reals(
        "yield", &yield, "m", {.lower = 0.0, .infinite = true},
        "longest elastic offset; the excess becomes plastic: inf is elastic, 0 perfectly plastic" +
            per_level);
  });
  binder.OnlyWhen("a body is held", some_held, [&] {
    binder.Reals("acceleration_limit", &acceleration, "m/s2",
                 {.lower = 0.0, .open_lower = true, .infinite = true},
                 "largest acceleration of an offset of a held surface, which imitates inertia: the "
                 "surface starts slowly and overshoots" +
                     per_level);
  });
  binder.Reals("feature_stiffness", &feature_stiffness, "1", Between(0.0, 1.0),
               "share of a change of length that the features of a pressed level (its offsets at "
               "rest) resist: with 1 they turn about their feet; level 0 has none" +
                   per_level);
  binder.Real(
      "at_rest_by", &at_rest_by, "s", {.lower = 0.0, .infinite = true},
      "damping_time and relaxation_time are shortened so that at this time, with all obstacles "
      "stopped, at most rest_fraction of the motion remains; inf: they are not changed");
  const auto comes_to_rest = [this](const Scene&) { return std::isfinite(at_rest_by); };
  binder.OnlyWhen("at_rest_by is finite", comes_to_rest, [&] {
    binder.Real("rest_fraction", &rest_fraction, "1",
                {.lower = 0.0, .upper = 0.5, .open_lower = true},
                "fraction of the motion that may remain at at_rest_by");
  });
  binder.OnlyWhen("a body is held", some_held, [&] {
    binder.Reals("layer_thickness", &layer_thickness, "m", {.lower = 0.0, .infinite = true},
                 "thickness of a compliant layer (the finest level) over the inner surface (the "
                 "coarser levels); several values are equally spaced along the first direction of "
                 "the grid and interpolated linearly");
    binder.Real("volume_kept", &volume_kept, "1", Between(0.0, 1.0),
                "share of the volume swept inwards that a held surface compensates in each pass by "
                "swelling as a whole");
    const auto keeps_volume = [this](const Scene&) { return volume_kept > 0.0; };
    binder.OnlyWhen("volume_kept is more than 0", keeps_volume, [&] {
      binder.Integer("volume_level", &volume_level, "1", AtLeast(1), "the level that swells");
    });
    const auto several_held = [this](const Scene& scene) {
      const std::vector<bool> ride = WhoRides(scene, rides);
      return std::count(ride.begin(), ride.end(), false) > 1;
    };
    binder.OnlyWhen("several bodies are held", several_held, [&] {
      binder.Reals(
          "relative_stiffness", &relative_stiffness, "1", MoreThan(0.0),
          "one value per body: held surfaces that have penetrated each other share the separating "
          "displacement, the stiffer one moving less; empty: surfaces ignore each other");
    });
    const auto see = [this](const Scene&) {
      return !relative_stiffness.empty() || extensions.self_contact_depth > 0.0;
    };
    binder.OnlyWhen(
        "relative_stiffness or self_contact_depth enables contact of surfaces", see, [&] {
          binder.Real(
              "step_size", &step_size, "1", {.lower = 0.0, .upper = 1.0, .open_lower = true},
              "share of the separating displacement that penetrating surfaces move in one pass of "
              "their iteration");
          binder.Integer("sharing_passes", &sharing_passes, "1", AtLeast(1),
                         "maximum number of passes of that iteration in a step");
        });
  });
  extensions.Bind(binder);
  const auto has_stages = [this](const Scene& scene) {
    const auto some = [&](const std::vector<double>& list) {
      return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) {
        const int levels = RidingBody::Levels(body, *this);
        return stages() > 1 && static_cast<int>(list.size()) == levels * stages();
      });
    };
    return some(absorption) || some(damping_time) || some(relaxation_time) || some(yield) ||
           some(acceleration) || some(feature_stiffness);
  };
  binder.OnlyWhen("a list of controls has values for each stage", has_stages, [&] {
    binder.Reals(
        "stage_times", &stage_times, "s", MoreThan(0.0),
        "times at which the lists of controls change to their next stage; empty: one stage");
  });
  binder.Table("maps", &maps,
               "controls that vary over the surface by formulas or images, and offsets that "
               "wrinkle it: see kinematic-response.md");
  binder.OnlyWhen("a body is held", some_held, [&] {
    binder.Table(
        "strokes", &strokes,
        "strokes of a sculpting brush that displaces held surfaces inwards or outwards: see "
        "kinematic-response.md");
  });
  binder.Integer(
      "threads", &threads, "1", Between(1, 256),
      "number of threads that share the rows of large held surfaces; the results do not change");
  binder.OnlyWhen(pressed, presses, [&] {
    binder.Choice("restriction", &restriction,
                  {{"full-weighting", Restriction::kFullWeighting},
                   {"maximum", Restriction::kMaximum},
                   {"average", Restriction::kAverage},
                   {"combined", Restriction::kCombined}},
                  "how displacement vectors are restricted to the next coarser level; the source "
                  "uses maximum and average");
  });
  const auto held_pressed = [this](const Scene& scene) {
    return SomeHeld(scene) && HasObstacles(scene);
  };
  binder.OnlyWhen("a body is held and the scene has obstacles", held_pressed, [&] {
    binder.Choice("casting", &casting,
                  {{"nearest", CastingRule::kNearest}, {"ray", CastingRule::kRay}},
                  "how vertices of held surfaces leave obstacles: by the shortest way whatever the "
                  "friction, for obstacles less than half-way through; or, as in the source, along "
                  "a ray into the surface, which friction turns, for obstacles that come from the "
                  "side the normal points to");
  });
  binder.Choice("prolongation", &prolongation,
                {{"linear", Prolongation::kLinear},
                 {"cubic", Prolongation::kCubic},
                 {"subdivision", Prolongation::kSubdivision}},
                "how a surface is prolonged to the next finer level; on a mesh, cubic means the "
                "subdivision scheme that refined it");
  binder.Choice(
      "rides", &rides,
      {{"when-moved", Rides::kWhenMoved}, {"always", Rides::kAlways}, {"never", Rides::kNever}},
      "whether bodies ride on a proxy that the reaction of their surface moves, or are held at "
      "their initial positions; when-moved: a body rides if gravity, a velocity, a force or a "
      "spring would move it, unless springs hold it at its initial position");
  const auto patched = [this](const Scene& scene) { return SomePatched(scene); };
  const auto in_lattice = [this](const Scene& scene) {
    return SomePatched(scene) || SomeOutlineRides(scene);
  };
  binder.OnlyWhen("an outline rides, or a held block or outline has a patch", in_lattice, [&] {
    binder.Integer("lattice_level", &lattice_level, "1", Between(1, 8),
                   "a riding outline is embedded in a planar lattice of 2^lattice_level cells a "
                   "side; the patch of a held block or outline has the same number of cells");
  });
  reaction.Bind(binder, some_ride, some_held);
  binder.OnlyWhen("a body rides", some_ride, [&] { proxy.Bind(binder); });
  binder.OnlyWhen("a held block or outline has a patch", patched, [&] { patch.Bind(binder); });
}

bool KinematicResponseOptions::SomeRide(const Scene& scene) const {
  const std::vector<bool> ride = WhoRides(scene, rides);
  return std::count(ride.begin(), ride.end(), true) > 0;
}

bool KinematicResponseOptions::SomeHeld(const Scene& scene) const {
  const std::vector<bool> ride = WhoRides(scene, rides);
  return std::count(ride.begin(), ride.end(), false) > 0;
}

bool KinematicResponseOptions::SomePatched(const Scene& scene) const {
  const std::vector<bool> ride = WhoRides(scene, rides);
  for (size_t i = 0; i < ride.size(); ++i) {
    if (!ride[i] && Patch::Fits(scene.bodies[i], scene.dimension)) return true;
  }
  return false;
}

bool KinematicResponseOptions::SomeOutlineRides(const Scene& scene) const {
  const std::vector<bool> ride = WhoRides(scene, rides);
  for (size_t i = 0; i < ride.size(); ++i) {
    if (ride[i] && scene.bodies[i].shape == ShapeKind::kProfile) return true;
  }
  return false;
}

void KinematicResponseOptions::RequireLevels(int levels, const std::string& body) const {
  const std::vector<std::pair<std::string, const std::vector<double>*>> lists = {
      {"absorption", &absorption},           {"damping_time", &damping_time},
      {"relaxation_time", &relaxation_time}, {"yield", &yield},
      {"acceleration_limit", &acceleration}, {"feature_stiffness", &feature_stiffness}};
  for (const auto& [name, list] : lists) {
    const int count = static_cast<int>(list->size());
    if (count == 1 || count == levels || count == levels * stages()) continue;
    std::string what = name;
    what += " has " + std::to_string(count) + " values, but the surface of body '" + body;
    what += "' has " + std::to_string(levels) + " levels";
    std::string mend = "give 1 or " + std::to_string(levels);
    if (stages() > 1) {
      what += " and there are " + std::to_string(stages()) + " stages";
      mend += " or " + std::to_string(levels * stages());
    }
    throw BadInput({name, what, mend + " values, coarsest level first"});
  }
}

void KinematicResponseOptions::Validate() const {
  for (size_t i = 1; i < stage_times.size(); ++i) {
    if (stage_times[i] > stage_times[i - 1]) continue;
    throw BadInput({"stage_times",
                    "stages must begin one after the other, but stage " + std::to_string(i + 2) +
                        " does not begin after the previous one",
                    "give increasing times"});
  }
  const auto infinite = [](double thickness) { return std::isinf(thickness); };
  const auto count = std::count_if(layer_thickness.begin(), layer_thickness.end(), infinite);
  if (layer_thickness.empty() || (layer_thickness.size() > 1 && count > 0)) {
    throw BadInput({"layer_thickness", "a varying layer must be finite everywhere",
                    "give finite values, or a single inf for no inner surface"});
  }
}

bool KinematicResponseOptions::has_inertia() const {
  return std::any_of(acceleration.begin(), acceleration.end(),
                     [](double limit) { return std::isfinite(limit); });
}

void KinematicResponseOptions::SolveForRest(double stop) {
  if (std::isinf(at_rest_by)) return;
  if (at_rest_by <= stop) {
    throw BadInput({"at_rest_by",
                    "the surface cannot be at rest by " + Digits(at_rest_by) +
                        " s: the obstacles move until " + Digits(stop) + " s",
                    "give a later time"});
  }
  slowest = (at_rest_by - stop) / std::log(1.0 / rest_fraction);
  for (std::vector<double>* times : {&damping_time, &relaxation_time}) {
    double longest = 0.0;
    for (const double time : *times) {
      if (std::isfinite(time)) longest = std::max(longest, time);
    }
    if (longest <= slowest) continue;
    for (double& time : *times) time *= slowest / longest;
  }
}

int KinematicResponseOptions::StageAt(double time) const {
  const auto next = std::upper_bound(stage_times.begin(), stage_times.end(), time);
  return static_cast<int>(next - stage_times.begin());
}

void ControlsOfStep(const KinematicResponseOptions& options, double time, double step,
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
    c.acceleration = at(options.acceleration);
    c.stiffness = at(options.feature_stiffness);
  }
}

}  // namespace pliant::kinematic_response
