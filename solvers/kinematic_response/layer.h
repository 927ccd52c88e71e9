// A compliant layer over a stiffer inner surface [Harrison 1994, Secs. 3.3.2, 5.6, Fig. 5.7]. The
// finest level is the layer; it absorbs a displacement alone, locally, until it is compressed by
// its thickness T. Only the excess reaches the coarser levels, which respond like the inner
// surface:
//
//   c = max(0, h·(S − S'))           compression so far; S' the relaxed surface without the finest
//                                    level's offsets
//   excess = max(0, |d| − max(0, T − c)) h      is restricted instead of d
//
// The thickness may vary: where the layer is thin the response is that of the inner surface, where
// it is thick that of the layer.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_LAYER_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_LAYER_H_

#include <vector>

#include "solvers/kinematic_response/kinematic_response.h"

namespace pliant::kinematic_response {

// Thickness [m] at equal distances along the first direction of the grid, linear in between, for
// each vertex; one value: even.
Eigen::VectorXd ThicknessAlong(const GridSize& grid, const std::vector<double>& thickness);

class CompliantLayer {
 public:
  // `thickness` [m] of each vertex of the finest level.
  CompliantLayer(const MultiresolutionSurface& model, Eigen::VectorXd thickness);

  // Replaces RestrictDisplacements(). O(vertices); allocates nothing.
  void Restrict(const std::vector<LevelControls>& controls, SurfaceOffsets* offsets,
                KinematicResponse* response);

 private:
  Eigen::VectorXd thickness_;           // m
  std::vector<VertexValues> retained_;  // per level
  FramedRows rows_;
  LevelVectors without_layer_;      // S', per level
  GridVectors no_offsets_;          // replaces the offsets of the finest level
  GridVectors no_plastic_, whole_;  // whole_: d of the finest level
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_LAYER_H_
