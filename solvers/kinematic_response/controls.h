// Controls of the animator per level [Harrison 1994, Sec. 4.3], and their values for one step.
//
// The source defines damping γ and relaxation per step, so that the material depends on the step.
// Here both are times, and a step of h takes the exact fractions
//
//   ρ = exp(−h / relaxation_time)      of an elastic offset that is kept when nothing presses,
//   γ = 1 − exp(−h / damping_time)     of a wanted change of an offset that is made.
//
// A level that relaxes, or a finest level that follows, then does the same in n steps of h/n as in
// one of h. How levels share a displacement depends on the step, to first order: each step only
// shares out what is new. Results converge as h → 0; but where a finer level is damped less than
// coarse ones, their share converges to 0, because it absorbs their part first.
//
// At the time t after the objects stopped, exp(−t/damping_time) of the penetration remains, and
// exp(−t/relaxation_time) of each offset that nothing presses: to be at rest up to a fraction ε,
// neither time may exceed t / ln(1/ε), which SolveForRest() ensures.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_CONTROLS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_CONTROLS_H_

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "models/kinematic_response/surface.h"
#include "solvers/kinematic_response/carrier.h"
#include "solvers/kinematic_response/extensions.h"
#include "solvers/kinematic_response/patch_options.h"
#include "solvers/kinematic_response/reaction.h"
#include "solvers/kinematic_response/riders.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

// One level in one step, with the symbols of the source. Each control is one number, or varies from
// vertex to vertex and with the direction of the vector it applies to: of a displacement, a change
// or an offset along the unit vector l of the local frame it is Σ l_i² value_i, but each component
// of an offset is kept by the part of its own direction.
struct LevelControls {
  VertexValues absorption = 0.0;  // α ≤ 1: share of the displacement the level takes; < 0 bulges
  VertexValues damping = 1.0;     // γ in [0, 1]: share of a change that is made; 1 is undamped
  VertexValues retention = 1.0;   // ρ in [0, 1]: share of an elastic offset that is kept
  VertexValues yield = std::numeric_limits<double>::infinity();  // τ ≥ 0: longest offset [m]
  // Of an offset, at most [m/s²].
  VertexValues acceleration = std::numeric_limits<double>::infinity();
  // σ in [0, 1]: share of a change of length that a rest offset refuses: 1 turns a feature only.
  VertexValues stiffness = 0.0;

  // True if the response to a displacement depends on its direction.
  bool directed() const {
    return absorption.directed() || damping.directed() || retention.directed();
  }
};

// How the vertices of held surfaces get out of obstacles (casting.h).
enum class CastingRule {
  kNearest,  // the shortest way, for objects less than half-way through: the same from either side
             // of the surface, beside folds and overhangs too
  kRay,      // along a ray into the surface, as in the source: also those that are deep inside, but
             // through the whole object where it came from the back
};

// A list of one value holds for all levels; otherwise one value per level, coarsest (0) first. With
// several stages, such as soft moulding first and stiff moulding later, there is one such list per
// stage, one after the other, or one list for all stages.
struct KinematicResponseOptions {
  std::vector<double> absorption = {0.1};                                        // α
  std::vector<double> damping_time = {0.0};                                      // s
  std::vector<double> relaxation_time = {0.3};                                   // s
  std::vector<double> yield = {std::numeric_limits<double>::infinity()};         // τ [m]
  std::vector<double> acceleration = {std::numeric_limits<double>::infinity()};  // m/s²
  std::vector<double> feature_stiffness = {0.0};                                 // σ
  std::vector<double> stage_times;  // s, increasing: when the second stage begins, the third, …
  Restriction restriction = Restriction::kFullWeighting;
  Prolongation prolongation = Prolongation::kCubic;
  CastingRule casting = CastingRule::kNearest;
  MatrixTable maps;     // controls that vary over the surface (behaviour_maps.h)
  MatrixTable strokes;  // of a sculpting brush (brush.h)

  int threads = 1;  // that share the rows of a large held surface

  // The times above are shortened so that what moves has come to rest by this time, but for this
  // fraction of what was left when the obstacles stopped.
  double at_rest_by = std::numeric_limits<double>::infinity();  // s
  double rest_fraction = 0.01;
  double slowest = std::numeric_limits<double>::infinity();  // s, by SolveForRest()

  // Of held surfaces.
  std::vector<double> layer_thickness = {std::numeric_limits<double>::infinity()};  // m (layer.h)
  double volume_kept = 0.0;  // share of the swept volume that swelling compensates in a pass
  int volume_level = 1;      // the level that swells
  std::vector<double> relative_stiffness;  // per body; empty: surfaces pass through each other
  double step_size = 0.5;                  // of the iteration in which they share (sharing.h)
  int sharing_passes = 40;                 // at most

  ExtensionOptions extensions;  // self-contact, a skeleton, area

  bool has_layer() const { return std::isfinite(layer_thickness[0]); }
  bool has_inertia() const;

  // Bodies that ride (riding_body.h).
  Rides rides = Rides::kWhenMoved;
  int lattice_level = 3;  // an outline is embedded in a lattice of 2^level cells a side
  ReactionOptions reaction;
  ProxyOptions proxy;

  PatchOptions patch;  // of held blocks and outlines (patch.h)

  void Bind(ParameterBinder& binder);

  int stages() const { return static_cast<int>(stage_times.size()) + 1; }
  int StageAt(double time) const;  // from 0
  // Of the bodies of a scene: does one ride, is one held, has one a patch, is one in a lattice?
  bool SomeRide(const Scene& scene) const;
  bool SomeHeld(const Scene& scene) const;
  bool SomePatched(const Scene& scene) const;
  bool SomeOutlineRides(const Scene& scene) const;

  // Shortens damping and relaxation times as at_rest_by requires for obstacles that stop at `stop`
  // [s]: all alike, so that the slowest finite one is (at_rest_by − stop)/ln(1/rest_fraction);
  // those of maps are cut there. Throws BadInput when they stop later.
  void SolveForRest(double stop);

  // Throws BadInput when stages do not follow each other, or a layer is infinite only in
  // places.
  void Validate() const;
  // Throws BadInput when a list fits neither the levels of `body` nor these times the stages.
  void RequireLevels(int levels, const std::string& body) const;
};

// The number for a level of a list for `levels` levels and some stages.
double AtLevel(const std::vector<double>& list, size_t level, size_t levels, size_t stage);

// The controls of each of `controls->size()` levels in a step [s] that begins at `time` [s]; the
// stage is that of its middle.
void ControlsOfStep(const KinematicResponseOptions& options, double time, double step,
                    std::vector<LevelControls>* controls);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_CONTROLS_H_
