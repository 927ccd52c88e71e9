// The reference-offset operator b ⊕ x = b + F x [Harrison 1994, Sec. 4.2.5]: an offset x is given
// in the local frame F of the prolongated surface b it is added to, so that details follow the
// coarser levels when these turn.
//
//   t_u = ∂_u b / |∂_u b|,   n = t_u × ∂_v b normalised,   t_v = n × t_u,   F = [t_u t_v n]
//
// with central differences, one-sided at borders. The source uses the parametric directions and the
// normal, and defines neither their length nor what to do where they are not orthogonal; here they
// are orthonormal, along u, and computed at the vertex itself instead of its parent. A curve lives
// in the plane z = 0 and has ∂_v = −e_z, so that n is on the left of its direction. Level 0 has no
// coarser level: b = 0, F = I.
//
// Where the surface is folded onto itself a direction has length zero; the frame then contains
// zeros for it, and the offset along it has no effect.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "models/kinematic_response/mesh_levels.h"
#include "models/kinematic_response/strip_map.h"
#include "models/kinematic_response/transfer.h"

namespace pliant::kinematic_response {

// a x + b y + c z + d, each product and sum rounded once. This gives the same bytes on every
// processor, provided that equivalent code does not let the compiler choose what to fuse.
inline double AddProducts(double a, double x, double b, double y, double c, double z, double d) {
  return std::fma(a, x, std::fma(b, y, std::fma(c, z, d)));
}

// Columns of F before normalisation, and their normalising factors: scaling the components of an
// offset is cheaper than scaling a frame.
struct FrameColumns {
  double tx, ty, tz;  // along t_u
  double wx, wy, wz;  // along t_v
  double nx, ny, nz;  // along n
  double t, w, n;     // one over their lengths

  // The coordinates of p + F o from those of p, and o whose components were multiplied by t, w, n.
  double X(double p, double x, double y, double z) const {
    return AddProducts(tx, x, wx, y, nx, z, p);
  }
  double Y(double p, double x, double y, double z) const {
    return AddProducts(ty, x, wy, y, ny, z, p);
  }
  double Z(double p, double x, double y, double z) const {
    return AddProducts(tz, x, wz, y, nz, z, p);
  }
  // The components of Fᵀ (x, y, z).
  double AlongT(double x, double y, double z) const {
    return t * AddProducts(tx, x, ty, y, tz, z, 0.0);
  }
  double AlongW(double x, double y, double z) const {
    return w * AddProducts(wx, x, wy, y, wz, z, 0.0);
  }
  double AlongN(double x, double y, double z) const {
    return n * AddProducts(nx, x, ny, y, nz, z, 0.0);
  }
};

// 1/√squared; finite for 0, so that a vector of length zero stays zero when it is normalised.
// Without a branch, so that loops vectorise. The added constant changes no square above 1e-284.
inline double InverseLength(double squared) { return 1.0 / std::sqrt(squared + 1e-300); }

// Computes the same value, nearly always correctly rounded, by two fourth-order Newton steps from
// an initial guess that halves the exponent. The CPU can overlap these multiplications with the
// division for another length.
inline double NewtonStep(double x, double y) {
  const double h = std::fma(-x * y, y, 1.0);
  return std::fma(y * h, std::fma(h, std::fma(h, 0.3125, 0.375), 0.5), y);
}
inline double InverseLengthByNewton(double squared) {
  const double x = squared + 1e-300;
  const std::uint64_t guess = 0x5FE6EB50C7B537A9U - (std::bit_cast<std::uint64_t>(x) >> 1);
  return NewtonStep(x, NewtonStep(x, std::bit_cast<double>(guess)));
}

// F from ∂_u b and ∂_v b, of any length.
inline FrameColumns FrameOf(double ux, double uy, double uz, double vx, double vy, double vz) {
  FrameColumns f;
  f.tx = ux;
  f.ty = uy;
  f.tz = uz;
  f.nx = std::fma(uy, vz, -uz * vy);
  f.ny = std::fma(uz, vx, -ux * vz);
  f.nz = std::fma(ux, vy, -uy * vx);
  f.wx = std::fma(f.ny, uz, -f.nz * uy);
  f.wy = std::fma(f.nz, ux, -f.nx * uz);
  f.wz = std::fma(f.nx, uy, -f.ny * ux);
  f.t = InverseLengthByNewton(AddProducts(ux, ux, uy, uy, uz, uz, 0.0));
  f.n = InverseLength(AddProducts(f.nx, f.nx, f.ny, f.ny, f.nz, f.nz, 0.0));
  f.w = f.t * f.n;
  return f;
}

// Some neighbouring vertices of one row, their prolongated positions, and the values for the
// differences. One pointer per coordinate, to `count` numbers each.
struct FramedStrip {
  using Pointers = std::array<const double*, 3>;
  int begin = 0;                         // index of the first vertex in its level
  int count = 0;                         // ≤ kStripLength
  int index = 0;                         // of the strip in the StripMap of its level
  Pointers base = {};                    // b [m]
  Pointers u_before = {}, u_after = {};  // ∂_u b ∝ u_after − u_before
  Pointers v_before = {}, v_after = {};  // ∂_v b likewise

  FrameColumns Columns(int i) const {
    return FrameOf(u_after[0][i] - u_before[0][i], u_after[1][i] - u_before[1][i],
                   u_after[2][i] - u_before[2][i], v_after[0][i] - v_before[0][i],
                   v_after[1][i] - v_before[1][i], v_after[2][i] - v_before[2][i]);
  }
  Eigen::Vector3d Base(int i) const { return {base[0][i], base[1][i], base[2][i]}; }
  Eigen::Matrix3d Frame(int i) const {
    const FrameColumns f = Columns(i);
    Eigen::Matrix3d frame;
    frame << f.tx, f.wx, f.nx, f.ty, f.wy, f.ny, f.tz, f.wz, f.nz;
    return frame * Eigen::Vector3d(f.t, f.w, f.n).asDiagonal();
  }
};

// Walks over a level strip by strip and prolongates the surface of the coarser level only as far as
// the differences reach, so that b stays in the cache. Owns its buffers; one object per thread.
class FramedRows {
 public:
  // For levels up to `finest`.
  explicit FramedRows(const GridSize& finest);

  // Calls visit(const FramedStrip&) for the vertices of the coarsest level, `grid`, in rows
  // [first, last), and of these only for the strips that are on in `only` unless it is null.
  template <typename Visit>
  void WalkCoarsest(const GridSize& grid, const StripMap* only, int first, int last,
                    Visit&& visit) {
    SetWorldFrame();
    const int per_row = StripsPerRow(grid);
    for (int v = first; v < last; ++v) {
      for (int strip = 0; strip < per_row; ++strip) {
        if (only != nullptr && (*only)[only->Index(strip, v)] == 0) continue;
        SetStrip(grid, strip, v);
        visit(static_cast<const FramedStrip&>(strip_));
      }
    }
  }

  // The same for a level `grid` above `coarse`, whose surface is `surface`. O(vertices walked).
  template <typename Visit>
  void Walk(Prolongation prolongation, const GridSize& coarse, const GridVectors& surface,
            const GridSize& grid, const StripMap* only, int first, int last, Visit&& visit) {
    if (!Start(prolongation, coarse, surface, grid, only, first, last)) return;
    const int per_row = StripsPerRow(grid);
    for (int v = first; v < last; ++v) {
      if (only != nullptr && !only->AnyInRow(v)) continue;
      PrepareRows(v);
      for (int strip = 0; strip < per_row; ++strip) {
        if (only != nullptr && (*only)[only->Index(strip, v)] == 0) continue;
        SetStrip(grid, strip, v);
        PointToRows(strip * kStripLength);
        visit(static_cast<const FramedStrip&>(strip_));
      }
    }
  }

  // All of it.
  template <typename Visit>
  void Walk(Prolongation prolongation, const GridSize& coarse, const GridVectors& surface,
            const GridSize& grid, Visit&& visit) {
    Walk(prolongation, coarse, surface, grid, nullptr, 0, grid.nv, visit);
  }

  // The same for a level ≥ 1 of a mesh, whose vertices are one row. O(vertices of the level).
  template <typename Visit>
  void Walk(const MeshLevels& mesh, int level, const GridVectors& surface, const StripMap* only,
            Visit&& visit) {
    if (only != nullptr && !only->Any()) return;
    const GridSize grid{mesh.size(level), 1};
    StartMesh(mesh, level, surface);
    for (int strip = 0; strip < StripsPerRow(grid); ++strip) {
      if (only != nullptr && (*only)[strip] == 0) continue;
      SetStrip(grid, strip, 0);
      PointToMesh(mesh.tangents(level));
      visit(static_cast<const FramedStrip&>(strip_));
    }
  }

 private:
  // One row of b with a vertex more on each side: the first and last again, which makes differences
  // one-sided there, or those around the corner.
  struct Row {
    int v = -1;                 // which; −1: none
    std::array<double*, 3> at;  // at[c][−1] … at[c][nu]
  };

  static int StripsPerRow(const GridSize& grid) {
    return (grid.nu + kStripLength - 1) / kStripLength;
  }
  void SetWorldFrame();
  void SetStrip(const GridSize& grid, int strip, int v) {
    strip_.begin = grid.Index(strip * kStripLength, v);
    strip_.count = std::min(kStripLength, grid.nu - strip * kStripLength);
    strip_.index = strip + StripsPerRow(grid) * v;
  }
  // Returns whether there is anything to walk over.
  bool Start(Prolongation prolongation, const GridSize& coarse, const GridVectors& surface,
             const GridSize& grid, const StripMap* only, int first, int last);
  void FillRow(int v, Row* row);
  void PrepareRows(int v);
  void PointToRows(int u);
  void StartMesh(const MeshLevels& mesh, int level, const GridVectors& surface);
  void PointToMesh(const NeighbourWeights& tangents);

  // The present walk.
  Prolongation prolongation_ = Prolongation::kLinear;
  GridSize coarse_, grid_;
  const GridVectors* surface_ = nullptr;
  int u_begin_ = 0, u_end_ = 0;          // columns that are needed
  std::array<Row, 3> rows_;              // those last needed, in any order
  std::array<const Row*, 3> near_ = {};  // v − 1, v, v + 1; at a border the row itself

  FramedStrip strip_;
  std::array<std::array<double, kStripLength>, 3> along_u_, along_v_;  // ∂ of a strip of a mesh
  std::vector<double> storage_;                                        // of the rows
  std::vector<double> scratch_;
};

// Unit normal ∂_u × ∂_v of a surface at one vertex, by the same differences; zero where the surface
// is folded onto itself.
Eigen::Vector3d SurfaceNormal(const GridSize& grid, const GridVectors& surface, int u, int v);

// The same for the vertices u in [begin, begin + count), count ≤ kStripLength, of row `v`.
using StripVectors = std::array<std::array<double, kStripLength>, 3>;
void SurfaceNormals(const GridSize& grid, const GridVectors& surface, int begin, int count, int v,
                    StripVectors* normals);

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_FRAMED_ROWS_H_
