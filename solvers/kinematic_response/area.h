// Conservation of the area of a surface, or of the length of a curve, in the relaxation step
// [Harrison 1994, Sec. 5.6, after Platt & Barr 1988]: offsets of one level follow the gradient of
// the area A until A has its initial value, or until it has made up a share κ of the difference,
//
//   o ← o − λ Fᵀ R(∂A/∂s),   λ such that A(λ) = A − κ (A − A_start)
//
// R restricts the gradient to the level as full weighting does. Vertices that are pressed in this
// pass cannot follow; their part is omitted. Vertices that still move into an object are cast out
// in the next pass, and the border of a sheet, or the free side of a closed surface, moves in
// instead.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_AREA_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_AREA_H_

#include <array>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/kinematic_response/kinematic_response.h"

namespace pliant::kinematic_response {

class AreaKeeper {
 public:
  // `level`: the level whose offsets compensate the area.
  AreaKeeper(const Body& body, const MultiresolutionSurface& model, int level);

  double start() const { return start_; }            // A_start [m²; m of a curve]
  double Measure(const GridVectors& surface) const;  // A
  void Gradient(const GridVectors& surface, GridVectors* gradient) const;  // ∂A/∂s [m; 1]

  // After response->Deform(). `share`: κ. O(vertices); allocates nothing.
  void Keep(double share, KinematicResponse* response, SurfaceOffsets* offsets);

 private:
  int level_;
  bool curve_;
  std::vector<std::array<int, 3>> elements_;  // of an edge the second vertex twice
  double start_;
  LevelVectors gradient_;         // per level
  std::vector<StripMap> all_on_;  // per level
  FramedRows rows_;
  GridVectors direction_, before_;  // Fᵀ R(∂A/∂s) and o, of the level
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_AREA_H_
