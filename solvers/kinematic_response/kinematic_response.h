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
//                             w = r + o + p;  o ← o + σ (|r|/|w| − 1) w    where r ≠ 0, level > 0
//     beyond the yield limit: t = o − τ o/|o|;  p ← p + t;  o ← o − t
//     s_j = b + F(r + o + p)
// clang-format on
//
// The thesis writes the kept offset both as μ o and as (1 − μ) o; ρ is the fraction that is kept.
//
// Departures from the thesis, each with its cause:
// * Step 3(b)i overwrites b with b ⊕ (r + o), to which 3(b)v adds r + o again. Here b is not changed.
// * A change of an offset is a world vector; it is turned into the local frame before it is added.
// * Displacement already made is measured from the relaxed surface S, from which d was cast, and
//   not from the last solution: otherwise a contact at rest sinks in, to 1/ρ of its depth.
// * For the same reason level 0 is clamped like the others, and a kept offset (a pressed vertex
//   keeps o where others take q) counts towards the share of its level.
// * The finest level absorbs the whole rest (Sec. 4.2.7), without the cap α|d| of step 3(b)iii,
//   which would leave a penetration wherever a coarser level moved against d.
// * If the coarser levels moved too far, the finest does not correct it: points may move farther
//   than necessary, in spite of Sec. 4.2.6.
//
// With these changes the response to a contact at rest is the same in every step, exactly so where
// the absorbing levels do not turn and the restriction is monotone (maximum, full weighting). The
// average is not: when a lightly pressed child drops out, the mean of the others rises. The response
// then settles within a few relaxation times, a few per cent deeper. As long as anything under a
// coarse vertex is pressed it keeps its whole offset, so that a surface follows a retreating object
// late: DeformationSummary::largest_move exceeds longest_displacement then.
//
// A strip of vertices (StripMap) is skipped where nothing can have changed: it is not pressed, its
// offsets are zero or do not recover, and the vertices it is prolongated from have not moved. It
// would get the same numbers again, so skipping does not change the result. One array holds S until
// the last stage replaces it by s. On the finest level S is computed only where something may
// press: elsewhere s does not depend on it, and the largest move is that of the next coarser level.
//
// An elastic offset that has recovered to less than rounding of the surface's extent is zero.
//
// With ρ = 1, γ = 1, 0 ≤ α ≤ 1 and no yield this is the basic algorithm of Sec. 5.3 with α = 1 on
// its finest level, but for these departures.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/kinematic_response/surface.h"
#include "solvers/kinematic_response/controls.h"
#include "solvers/kinematic_response/strip_reach.h"
#include "solvers/parallel/thread_team.h"

namespace pliant::kinematic_response {

// What one step did to the finest level.
struct DeformationSummary {
  int pressed = 0;                    // vertices with a displacement vector
  double longest_displacement = 0.0;  // max |d| [m]
  double largest_move = 0.0;          // max |s − S| [m], of these and of the level below
};

// A surface with the room its steps work in; the offsets, its only state, are the caller's. Stages
// are O(vertices) at most and allocate nothing. Callers that change offsets between steps must call
// Place(). Not for use by two threads.
class KinematicResponse {
 public:
  // Large levels are shared row by row among so many threads; the result does not depend on the
  // number.
  KinematicResponse(MultiresolutionSurface model, Restriction restriction, int threads = 1);

  // The stages, in this order. `controls` has one entry per level.
  void Relax(const std::vector<LevelControls>& controls, const SurfaceOffsets& offsets);
  // The same if only the part of the finest level that may be in one of these boxes [m] is needed:
  // the rest is missing in relaxed(), box() and elsewhere until its s is computed.
  void Relax(const std::vector<LevelControls>& controls, const SurfaceOffsets& offsets,
             std::span<const Eigen::AlignedBox3d> reaches);
  // d_k, to be cast from relaxed(). Call again for every change: the next stage then processes
  // every vertex. Also between RestrictDisplacements() and Deform(), where d_k alone changes.
  GridVectors* displacements() {
    displacements_known_ = false;
    return &displacements_.back();
  }
  void RestrictDisplacements();
  DeformationSummary Deform(const std::vector<LevelControls>& controls, SurfaceOffsets* offsets);

  // A way to write d_k that processes only nearby strips: ClearDisplacements(), then for each strip
  // of S_k that may be pressed (its box tells) SetDisplacement() of its vertices. `d` is not zero.
  void ClearDisplacements();
  const StripMap& strips() const { return pressed_.back(); }
  const Eigen::AlignedBox3d& box(int strip) const { return boxes_[strip]; }  // m
  Eigen::Vector3d displacement(int vertex) const { return displacements_.back().row(vertex); }
  void SetDisplacement(int strip, int vertex, const Eigen::Vector3d& d) {
    pressed_.back()[strip] = 1;
    displacements_.back().row(vertex) = d.transpose();
  }

  // Sets surface() to where the offsets put it, exactly as the last stage does.
  void Place(const SurfaceOffsets& offsets);

  // Makes the rest offsets of levels 0 … `level` such that without offsets its surface is `target`.
  // The next call must be Relax() or Place().
  void MoveRest(int level, const GridVectors& target);

  // Are all coordinates of surface() numbers and at most `bound` [m]? Tests only what may have
  // moved since the last call.
  bool WithinBounds(double bound);

  // The number of pieces into which work on so many strips in so many rows should be divided.
  int PiecesOf(int strips, int rows) const;
  // Calls work(first, last, worker) for pieces [first, last) of `rows` that have so many strips to
  // work on, at once where more than one thread is worth it; each worker is at one piece at a time,
  // and its own.
  template <typename Work>
  void InPieces(int strips, int rows, Work&& work) {
    const int pieces = PiecesOf(strips, rows);
    // Ever smaller ones, so that all workers end at about the same time.
    const auto bound = [&](int piece) {
      const std::int64_t left = pieces - piece;
      return rows - static_cast<int>(rows * left * left / (pieces * pieces));
    };
    team_.Run(pieces, [&](int piece, int worker) { work(bound(piece), bound(piece + 1), worker); });
  }

  const MultiresolutionSurface& model() const { return model_; }
  // S_k, world [m]: between Relax() and Deform().
  const GridVectors& relaxed() const { return surface_.back(); }
  // Of every level, like the next two; valid where the last stage has run.
  const LevelVectors& levels() const { return surface_; }
  // d of every level, as far as restricted [m].
  const LevelVectors& level_displacements() const { return displacements_; }
  // s_k, world [m]: after Deform() or Place().
  const GridVectors& surface() const { return surface_.back(); }

  // Number of strips of all levels visited by the stages so far: the cost of a step.
  std::int64_t strips_walked() const { return walked_; }

  // ε, rounding of the extent of the surface: vectors of at most this length count as zero [m].
  double shortest_displacement() const { return shortest_; }

 private:
  // Flags of the strips of one level.
  struct LevelStrips {
    StripMap active;   // o ≠ 0 somewhere
    StripMap plastic;  // p ≠ 0 somewhere
    StripMap moved;    // s may differ from S after the last Deform() or Place()
    StripMap fresh;    // S was recomputed in this Relax()
    StripMap work;     // strips for a stage to visit
  };

  // Calls visit(strip, worker) for the strips of a level that are on, with their frames.
  template <typename Visit>
  void WalkStrips(int level, const StripMap& on, Visit&& visit) {
    const int strips = on.Count();
    walked_ += strips;
    InPieces(strips, on.rows(), [&](int first, int last, int worker) {
      model_.WalkLevel(level, surface_, &rows_[worker], &on, first, last,
                       [&](const FramedStrip& strip) { visit(strip, worker); });
    });
  }

  void FindFresh(int level, const LevelControls& controls);
  void RelaxLevel(int level, const LevelControls& controls, const SurfaceOffsets& offsets);
  void PutOff(std::span<const Eigen::AlignedBox3d> reaches);
  void PlaceStripOf(int level, const FramedStrip& strip, const SurfaceOffsets& offsets,
                    const StripValues& kept);
  void LookForDisplacements();
  void RestrictLevel(int level);
  void DeformLevel(int level, const LevelControls& controls, SurfaceOffsets* offsets);
  void DeformStrip(int level, const LevelControls& controls, const FramedStrip& strip,
                   bool base_moved, SurfaceOffsets* offsets, DeformationSummary* summary);

  MultiresolutionSurface model_;
  Restriction restriction_;
  ThreadTeam team_;
  std::int64_t walked_ = 0;
  double shortest_, vanishing_;
  std::vector<double> ones_, last_retention_;  // per level
  std::vector<FramedRows> rows_;               // per worker
  std::vector<DeformationSummary> summaries_;  // likewise
  LevelVectors surface_;                       // S, then s
  LevelVectors displacements_;                 // d, zero in strips that are not on in pressed_
  std::vector<StripMap> pressed_;
  std::vector<LevelStrips> strips_;
  std::vector<Eigen::AlignedBox3d> boxes_;  // around the strips of S_k, then of s_k
  bool reach_follows_ = false;
  StripMap put_off_;                 // strips for which S_k was not requested
  StripMap unchecked_;               // strips whose box WithinBounds() has not tested
  std::optional<StripReach> reach_;  // of grids of two levels and more
  bool displacements_known_ = true;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_KINEMATIC_RESPONSE_H_
