// The behaviour maps of one surface: the values of formulas and images of an experiment at each
// vertex, and the resulting controls of a step (controls.h).

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
  // O(vertices · maps · stages). Throws BadInput for formulas with syntax errors, values out of the
  // range of their control (it names the range and the vertex), maps of another size than the level
  // or the finest one, and levels that do not exist. `number` is that of the body.
  SurfaceMaps(const std::vector<BehaviourMap>& maps, const KinematicResponseOptions& options,
              const std::string& body, int number, const MultiresolutionSurface& model,
              const GridVectors& points);

  bool empty() const { return values_.empty(); }
  bool Has(MappedControl control) const;

  // The procedural offsets become part of the surface at rest.
  void AddOffsets(MultiresolutionSurface* model) const;
  // Of each vertex of the finest level; Has() it, and it is OfFinestOnly().
  Eigen::VectorXd OfFinest(MappedControl control) const;

  // Replaces the mapped ones of the numbers that ControlsOfStep() has set. O(mapped vertices) when
  // the stage or the step has changed, else O(levels).
  void Apply(int stage, double step, std::vector<LevelControls>* controls);

 private:
  // Of a control and a level.
  using Key = std::pair<MappedControl, int>;
  struct Values {
    std::vector<Eigen::MatrixXd> given;  // per stage, values of the maps
    Eigen::MatrixXd of_step;             // fractions of a step for a time constant; else empty
    double least = 0.0;

    const Eigen::MatrixXd& Of(int stage) const {
      return of_step.size() > 0 ? of_step : given[stage];
    }
  };

  void Prepare(int stage, double step);

  double slowest_;  // s
  std::map<Key, Values> values_;
  int stage_ = -1;      // of the prepared values
  double step_ = -1.0;  // s
};

// Throws BadInput when a surface that `stands` (is held, or rides) has maps of these controls; the
// message says what they are for.
void RequireNone(const SurfaceMaps& maps, std::initializer_list<MappedControl> controls,
                 const std::string& body, const std::string& stands, const std::string& why);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SURFACE_MAPS_H_
