// A surface of several resolutions [Harrison 1994, Secs. 4.1, 5.1]: each level is the prolongation
// of the coarser one, displaced by offsets in its local frames.
//
//   s_0 = r_0 + o_0 + p_0,   s_j = P(s_{j−1}) ⊕ (r_j + o_j + p_j)
//
// r rest offsets (part of the model), o elastic and p plastic offsets (the state), s the surface.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_

#include <vector>

#include "models/kinematic_response/framed_rows.h"

namespace pliant {

// One set of vectors per level, coarsest first.
using LevelVectors = std::vector<GridVectors>;

struct SurfaceOffsets {
  LevelVectors elastic;  // o [m], local frames
  LevelVectors plastic;  // p [m], local frames
};

// Immutable: grids and rest offsets.
class MultiresolutionSurface {
 public:
  // `target` is the finest surface at rest, finest.size()×3 [m]; `finest` has 2^k + 1 points a
  // side.
  MultiresolutionSurface(const GridSize& finest, const GridVectors& target,
                         Prolongation prolongation);

  int levels() const { return static_cast<int>(grids_.size()); }  // k + 1
  const GridSize& grid(int level) const { return grids_[level]; }
  const GridSize& finest() const { return grids_.back(); }
  const GridVectors& rest(int level) const { return rest_[level]; }  // r [m], local frames
  Prolongation prolongation() const { return prolongation_; }

  SurfaceOffsets ZeroOffsets() const;
  LevelVectors ZeroVectors() const;

  // The surface of every level with the elastic offsets of level j shortened to retained[j] of
  // their length: ones give the surface itself, the retained fractions of a step the relaxed one.
  // O(vertices); allocates nothing.
  void Place(const SurfaceOffsets& offsets, const std::vector<double>& retained, FramedRows* rows,
             LevelVectors* surface) const;

  // Walks over the vertices of `level` with the frames of what `surface` is prolongated to there;
  // `surface` must be right on the level below.
  template <typename Visit>
  void WalkLevel(int level, const LevelVectors& surface, FramedRows* rows, Visit&& visit) const {
    if (level == 0) {
      rows->WalkCoarsest(grids_[0], visit);
    } else {
      rows->Walk(prolongation_, grids_[level - 1], surface[level - 1], grids_[level], visit);
    }
  }

 private:
  Prolongation prolongation_;
  std::vector<GridSize> grids_;
  LevelVectors rest_;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_
