// The reference-offset operator b ⊕ x = b + F x [Harrison 1994, Sec. 4.2.5]: an offset x is given
// in the local frame F of the prolongated surface b it is added to, so that details follow the
// coarser levels when these turn.
//
//   t_u = ∂_u b / |∂_u b|,   n = t_u × ∂_v b normalised,   t_v = n × t_u,   F = [t_u t_v n]
//
// with central differences, one-sided at borders. The source takes the parametric directions and
// the normal, and says neither how long they are nor what to do where they are not at right angles;
// here they are orthonormal, along u, and taken at the vertex itself in place of its parent. A
// curve lives in the plane z = 0 and has ∂_v = −e_z, so that n is on the left of its direction.
// Level 0 has no coarser level: b = 0, F = I.
//
// Where the surface is folded onto itself a direction has length zero; the frame has zeros for it
// and the offset along it does not show.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <vector>

#include "models/kinematic_response/transfer.h"

namespace pliant {

// Some neighbouring vertices of one row, with what they are prolongated to and their frames; short
// enough to stay in the first cache, long enough to be worked on in loops.
struct FramedRun {
  static constexpr int kLength = 64;
  int begin = 0;                           // index of the first vertex in its level
  int count = 0;                           // ≤ kLength
  std::array<const double*, 3> base = {};  // b, one pointer per coordinate [m]
  std::array<std::array<double, kLength>, 3> tangent_u, tangent_v, normal;  // columns of F

  Eigen::Vector3d Base(int i) const { return {base[0][i], base[1][i], base[2][i]}; }
  Eigen::Matrix3d Frame(int i) const {
    Eigen::Matrix3d frame;
    frame << tangent_u[0][i], tangent_v[0][i], normal[0][i],  //
        tangent_u[1][i], tangent_v[1][i], normal[1][i],       //
        tangent_u[2][i], tangent_v[2][i], normal[2][i];
    return frame;
  }
};

// Walks over a level run by run, prolongating the surface of the coarser level only as far as the
// differences reach, so that b and F never leave the cache. Owns its buffers; not for two threads.
class FramedRows {
 public:
  // For levels up to `finest`.
  explicit FramedRows(const GridSize& finest);

  // Calls visit(const FramedRun&) for all vertices of the coarsest level, `grid`.
  template <typename Visit>
  void WalkCoarsest(const GridSize& grid, Visit&& visit) {
    SetWorldFrame();
    for (int begin = 0; begin < grid.size(); begin += run_.count) {
      run_.begin = begin;
      run_.count = std::min(FramedRun::kLength, grid.size() - begin);
      visit(static_cast<const FramedRun&>(run_));
    }
  }

  // The same for a level `grid` above `coarse`, whose surface is `surface`. O(vertices).
  template <typename Visit>
  void Walk(Prolongation prolongation, const GridSize& coarse, const GridVectors& surface,
            const GridSize& grid, Visit&& visit) {
    Start(prolongation, coarse, surface, grid);
    for (int v = 0; v < grid.nv; ++v) {
      NextRow(v);
      for (int u = 0; u < grid.nu; u += run_.count) {
        FrameRun(u, v);
        visit(static_cast<const FramedRun&>(run_));
      }
    }
  }

 private:
  // One row of b with its first and last vertex repeated beyond the ends, which makes differences
  // one-sided there.
  struct Row {
    std::array<double*, 3> at;  // at[c][−1] … at[c][nu]
  };

  void SetWorldFrame();
  void Start(Prolongation prolongation, const GridSize& coarse, const GridVectors& surface,
             const GridSize& grid);
  void FillRow(int v, Row* row);
  void NextRow(int v);
  void FrameRun(int u, int v);

  // The walk at hand.
  Prolongation prolongation_ = Prolongation::kLinear;
  GridSize coarse_, grid_;
  const GridVectors* surface_ = nullptr;
  Row below_, here_, above_;  // rows v − 1, v, v + 1; at a border the row itself is the missing one

  FramedRun run_;
  std::vector<double> storage_;  // of the three rows
  std::vector<double> scratch_;
};

// Unit normal ∂_u × ∂_v of a surface at one vertex, by the same differences; zero where the surface
// is folded onto itself.
Eigen::Vector3d SurfaceNormal(const GridSize& grid, const GridVectors& surface, int u, int v);

}  // namespace pliant

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_
