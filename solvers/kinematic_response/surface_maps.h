// The behaviour maps of one surface: what the formulas and images of an experiment say for each of
// its vertices, and what a step makes of it (controls.h).

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_MAPS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_MAPS_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/kinematic_response/surface.h"
#include "solvers/kinematic_response/behaviour_maps.h"
#include "solvers/kinematic_response/controls.h"

namespace pliant::kinematic_response {

class SurfaceMaps {
 public:
  // `points` (vertices×3 [m]) is the finest level at rest. Evaluates all maps for all stages:
  // O(vertices · maps · stages). Throws BadInput for formulas that cannot be read, values out of
  // the range of their control (it names the range and the vertex), maps of another size than the
  // level or the finest one, and levels that are not there. `number` is that of the body.
  SurfaceMaps(const std::vector<BehaviourMap>& maps, const KinematicResponseOptions& options,
              const std::string& body, int number, const MultiresolutionSurface& model,
              const GridVectors& points);

  bool empty() const { return values_.empty(); }
  bool Has(MappedControl control) const;

  // The procedural offsets become part of the surface at rest.
  void AddOffsets(MultiresolutionSurface* model) const;
  // Of each vertex of the finest level; Has() it, and it is OfFinestOnly().
  Eigen::VectorXd OfFinest(MappedControl control) const;

  // Puts the maps in place of those numbers that ControlsOfStep() has set and that they say
  // otherwise. O(mapped vertices) when the stage or the step is another, else O(levels).
  void Apply(int stage, double step, std::vector<LevelControls>* controls);

 private:
  // Of a control and a level.
  using Key = std::pair<MappedControl, int>;
  struct Values {
    std::vector<Eigen::MatrixXd> given;  // per stage, as the maps say
    Eigen::MatrixXd of_step;             // what a step makes of a time; else empty
    double least = 0.0;

    const Eigen::MatrixXd& Of(int stage) const {
      return of_step.size() > 0 ? of_step : given[stage];
    }
  };

  void Prepare(int stage, double step);

  double slowest_;  // s
  std::map<Key, Values> values_;
  int stage_ = -1;      // of what is prepared
  double step_ = -1.0;  // s
};

// Throws BadInput when a surface that `stands` (held, or riding) has maps of these controls, with
// what they are for.
void RequireNone(const SurfaceMaps& maps, std::initializer_list<MappedControl> controls,
                 const std::string& body, const std::string& stands, const std::string& why);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_MAPS_H_
