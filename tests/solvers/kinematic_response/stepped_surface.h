// A surface with its offsets, step by step, for the tests of the algorithm on one surface.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_STEPPED_SURFACE_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_STEPPED_SURFACE_H_

#include <vector>

#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/kinematic_response.h"

namespace pliant::kinematic_response {

struct SteppedSurface {
  explicit SteppedSurface(const Body& body, Restriction restriction = Restriction::kAverage,
                          Prolongation prolongation = Prolongation::kCubic, int threads = 1)
      : response(SurfaceOf(body, body.rest, prolongation), restriction, threads),
        offsets(response.model().ZeroOffsets()) {}

  int levels() const { return response.model().levels(); }
  DeformationSummary Step(const std::vector<LevelControls>& controls,
                          const std::vector<CastObstacle>& obstacles) {
    response.Relax(controls, offsets);
    CastDisplacements(obstacles, &response);
    response.RestrictDisplacements();
    return response.Deform(controls, &offsets);
  }
  void StepFreely(const std::vector<LevelControls>& controls) { Step(controls, {}); }
  const GridVectors& surface() const { return response.surface(); }

  KinematicResponse response;
  SurfaceOffsets offsets;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_STEPPED_SURFACE_H_
