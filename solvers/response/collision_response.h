// The response of one surface to displacement vectors, one time step [Harrison 1994, Secs. 4.2–4.3,
// 5.3–5.5], in four stages of which casting belongs to the caller:
//
//   relax     q_j = ρ_j o_j;  S_0 = r_0 + q_0 + p_0;  S_j = P(S_{j−1}) ⊕ (r_j + q_j + p_j)
//   cast      d_k: how far each vertex of S_k must go
//   restrict  d_{j−1} = R(d_j),  j = k … 1
//   deform    level by level from the coarsest, with b = P(s_{j−1}) (0 on level 0) and its frame F:
//
// clang-format off
//     not pressed, |d| ≤ ε:   o ← q                                the offset recovers
//     pressed, h = d/|d|:     a = h·(b + F(r + o + p) − S)         moved already, by all causes
//                             e = h·F(o − q)                       of it by this level's kept offset
//                             x = α|d| − e                         if α < 0: bulge, never clamped
//                             x = max(0, min(|d| − a, α|d| − e))   otherwise, but
//                             x = max(0, |d| − a)                  on the finest level with α ≥ 0
//                             o ← o + γ Fᵀ(x h)
//     beyond the yield limit: t = o − τ o/|o|;  p ← p + t;  o ← o − t
//     s_j = b + F(r + o + p)
// clang-format on
//
// The print writes the kept offset both as μ o and as (1 − μ) o; ρ is the fraction that is kept.
//
// Departures from the print, each with its cause:
// * Step 3(b)i overwrites b with b ⊕ (r + o), to which 3(b)v adds r + o again. Here b stays bare.
// * A change of an offset is a world vector; it is turned into the local frame before it is added.
// * What has been moved already is measured from the relaxed surface S, from which d was cast, and
//   not from the last solution: else a contact that stands still sinks in, to 1/ρ of its depth.
// * For the same reason level 0 is clamped like the others, and a kept offset (a pressed vertex
//   keeps o where others take q) is charged to its level's share.
// * The finest level takes all that is left (Sec. 4.2.7), without the cap α|d| of step 3(b)iii: it
//   would leave a penetration wherever a coarser level moved against d.
// * If the coarser levels went too far, the finest does not take it back: points may be moved
//   farther than necessary, whatever Sec. 4.2.6 says.
//
// With these a contact that stands still is answered alike in every step, exactly so where the
// absorbing levels do not turn and the restriction is monotone (maximum, full weighting). The
// average is not: when a lightly pressed child drops out, the mean of the others rises. The answer
// then settles within a few relaxation times, a few per cent deeper. As long as anything under a
// coarse vertex is pressed it keeps its whole offset, so that a surface follows a retreating object
// late: DeformationSummary::largest_move exceeds longest_displacement then.
//
// With ρ = 1, γ = 1, 0 ≤ α ≤ 1 and no yield this is the basic algorithm of Sec. 5.3 with α = 1 on
// its finest level, but for these departures.

#ifndef PLIANT_SOLVERS_RESPONSE_COLLISION_RESPONSE_H_
#define PLIANT_SOLVERS_RESPONSE_COLLISION_RESPONSE_H_

#include <vector>

#include "models/kinematic_response/surface.h"
#include "solvers/response/controls.h"

namespace pliant {

// What one step did to the finest level.
struct DeformationSummary {
  int pressed = 0;                    // vertices with a displacement vector
  double longest_displacement = 0.0;  // max |d| [m]
  double largest_move = 0.0;          // max |s − S| [m]
};

// A surface with the room its steps work in; the offsets, its only state, are the caller's. All
// stages are O(vertices) and allocate nothing. Not for two threads.
class CollisionResponse {
 public:
  CollisionResponse(MultiresolutionSurface model, Restriction restriction);

  // The stages, in this order. `controls` has one entry per level.
  void Relax(const std::vector<LevelControls>& controls, const SurfaceOffsets& offsets);
  GridVectors* displacements() { return &displacements_.back(); }  // d_k, to be cast from relaxed()
  void RestrictDisplacements();
  DeformationSummary Deform(const std::vector<LevelControls>& controls, SurfaceOffsets* offsets);

  // Sets surface() to where the offsets put it, exactly as the last stage does.
  void Place(const SurfaceOffsets& offsets);

  const MultiresolutionSurface& model() const { return model_; }
  const GridVectors& relaxed() const { return relaxed_.back(); }   // S_k, world [m]
  const GridVectors& surface() const { return solution_.back(); }  // s_k, world [m]

  // ε: vectors no longer than this are none; rounding of the surface's own extent [m].
  double shortest_displacement() const { return shortest_; }

 private:
  void DeformLevel(int level, const LevelControls& controls, SurfaceOffsets* offsets,
                   DeformationSummary* summary);

  MultiresolutionSurface model_;
  Restriction restriction_;
  double shortest_;
  std::vector<double> ones_, retained_;  // per level
  FramedRows rows_;
  LevelVectors relaxed_, solution_, displacements_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RESPONSE_COLLISION_RESPONSE_H_
