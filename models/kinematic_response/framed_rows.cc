#include "models/kinematic_response/framed_rows.h"

#include <Eigen/Geometry>
#include <cassert>
#include <utility>

namespace pliant::kinematic_response {
namespace {

struct Constant {
  explicit Constant(double value) { values.fill(value); }
  std::array<double, kStripLength> values;
};

const double* Zeros() {
  static const Constant zeros(0.0);
  return zeros.values.data();
}

const double* Ones() {
  static const Constant ones(1.0);
  return ones.values.data();
}

// The neighbours of place i on an axis of n points; itself beyond an end.
std::pair<int, int> Neighbours(int i, int n, bool wraps) {
  if (wraps) return {(i + n - 1) % n, (i + 1) % n};
  return {std::max(i - 1, 0), std::min(i + 1, n - 1)};
}

}  // namespace

FramedRows::FramedRows(const GridSize& finest) {
  const size_t stride = static_cast<size_t>(finest.nu) + 4;
  storage_.resize(3 * rows_.size() * stride);
  scratch_.resize(finest.nu);
  double* next = storage_.data() + 1;
  for (Row& row : rows_) {
    for (double*& coordinate : row.at) {
      coordinate = next;
      next += stride;
    }
  }
}

void FramedRows::SetWorldFrame() {
  strip_.base = {Zeros(), Zeros(), Zeros()};
  strip_.u_before = strip_.v_before = strip_.base;
  strip_.u_after = {Ones(), Zeros(), Zeros()};
  strip_.v_after = {Zeros(), Ones(), Zeros()};
}

bool FramedRows::Start(Prolongation prolongation, const GridSize& coarse,
                       const GridVectors& surface, const GridSize& grid, const StripMap* only,
                       int first, int last) {
  assert(grid.nu == (grid.wraps_u ? 2 * coarse.nu : 2 * coarse.nu - 1) &&
         surface.rows() == coarse.size());
  prolongation_ = prolongation;
  coarse_ = coarse;
  grid_ = grid;
  surface_ = &surface;
  for (Row& row : rows_) row.v = -1;
  u_begin_ = 0;
  u_end_ = grid.nu;
  if (only == nullptr) return true;

  int low = only->per_row(), high = -1;  // strips
  for (int v = first; v < last; ++v) {
    for (int strip = 0; strip < low; ++strip) {
      if ((*only)[only->Index(strip, v)] != 0) low = strip;
    }
    for (int strip = only->per_row() - 1; strip > high; --strip) {
      if ((*only)[only->Index(strip, v)] != 0) high = strip;
    }
  }
  if (high < low) return false;
  if (!grid.wraps_u) {
    u_begin_ = std::max(low * kStripLength - 2, 0);
    u_end_ = std::min((high + 1) * kStripLength + 1, grid.nu);
  }
  return true;
}

void FramedRows::FillRow(int v, Row* row) {
  row->v = v;
  for (int c = 0; c < 3; ++c) {
    double* b = row->at[c];
    ProlongateRow(prolongation_, coarse_, surface_->col(c).data(), v, u_begin_, u_end_,
                  scratch_.data(), b);
    const auto [before, after] = Neighbours(0, grid_.nu, grid_.wraps_u);
    if (u_begin_ == 0) b[-1] = b[before];
    if (u_end_ == grid_.nu) b[grid_.nu] = b[grid_.wraps_u ? 0 : grid_.nu - 1];
  }
}

void FramedRows::PrepareRows(int v) {
  const auto [before, after] = Neighbours(v, grid_.nv, grid_.wraps_v);
  const std::array<int, 3> needed = {before, v, after};
  for (size_t i = 0; i < needed.size(); ++i) {
    Row* free = nullptr;
    near_[i] = nullptr;
    for (Row& row : rows_) {
      if (row.v == needed[i]) near_[i] = &row;
      if (std::find(needed.begin(), needed.end(), row.v) == needed.end()) free = &row;
    }
    if (near_[i] != nullptr) continue;
    FillRow(needed[i], free);
    near_[i] = free;
  }
}

void FramedRows::PointToRows(int u) {
  for (int c = 0; c < 3; ++c) {
    strip_.base[c] = near_[1]->at[c] + u;
    strip_.u_before[c] = strip_.base[c] - 1;
    strip_.u_after[c] = strip_.base[c] + 1;
    strip_.v_before[c] = near_[0]->at[c] + u;
    strip_.v_after[c] = near_[2]->at[c] + u;
  }
  if (grid_.curve()) {
    strip_.v_before = {Zeros(), Zeros(), Ones()};
    strip_.v_after = {Zeros(), Zeros(), Zeros()};
  }
}

void FramedRows::StartMesh(const MeshLevels& mesh, int level, const GridVectors& surface) {
  for (int c = 0; c < 3; ++c) mesh.Prolongate(level, surface.col(c).data(), rows_[0].at[c]);
}

void FramedRows::PointToMesh(const NeighbourWeights& tangents) {
  for (int c = 0; c < 3; ++c) {
    const double* b = rows_[0].at[c];
    for (int i = 0; i < strip_.count; ++i) {
      double u = 0.0, v = 0.0;
      for (int k = tangents.start[strip_.begin + i]; k < tangents.start[strip_.begin + i + 1];
           ++k) {
        u += tangents.first[k] * b[tangents.index[k]];
        v += tangents.second[k] * b[tangents.index[k]];
      }
      along_u_[c][i] = u;
      along_v_[c][i] = v;
    }
    strip_.base[c] = b + strip_.begin;
    strip_.u_after[c] = along_u_[c].data();
    strip_.v_after[c] = along_v_[c].data();
    strip_.u_before[c] = strip_.v_before[c] = Zeros();
  }
}

namespace {

// Twice the differences: from the neighbours of vertex i.
struct Neighbourhood {
  std::array<const double*, 3> left, right, below, above;
};

template <bool is_curve>
[[gnu::always_inline]] inline std::array<double, 3> NormalOf(const Neighbourhood& at, int i) {
  std::array<double, 3> u, v = {0.0, 0.0, -1.0};
  for (int c = 0; c < 3; ++c) u[c] = at.right[c][i] - at.left[c][i];
  for (int c = 0; c < 3 && !is_curve; ++c) v[c] = at.above[c][i] - at.below[c][i];
  const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2],
               z = u[0] * v[1] - u[1] * v[0];
  const double inverse = InverseLength(x * x + y * y + z * z);
  return {x * inverse, y * inverse, z * inverse};
}

template <bool is_curve>
[[gnu::always_inline]] inline void NormalsOf(const Neighbourhood& given, int count,
                                             StripVectors* normals) {
  const Neighbourhood at = given;
  double* __restrict x = (*normals)[0].data();
  double* __restrict y = (*normals)[1].data();
  double* __restrict z = (*normals)[2].data();
  for (int i = 0; i < count; ++i) {
    const auto n = NormalOf<is_curve>(at, i);
    x[i] = n[0];
    y[i] = n[1];
    z[i] = n[2];
  }
}

}  // namespace

Eigen::Vector3d SurfaceNormal(const GridSize& grid, const GridVectors& surface, int u, int v) {
  const auto [left, right] = Neighbours(u, grid.nu, grid.wraps_u);
  const auto [below, above] = Neighbours(v, grid.nv, grid.wraps_v);
  Neighbourhood at;
  for (int c = 0; c < 3; ++c) {
    const double* x = surface.col(c).data();
    at.left[c] = x + grid.Index(left, v);
    at.right[c] = x + grid.Index(right, v);
    at.below[c] = x + grid.Index(u, below);
    at.above[c] = x + grid.Index(u, above);
  }
  const auto n = grid.curve() ? NormalOf<true>(at, 0) : NormalOf<false>(at, 0);
  return {n[0], n[1], n[2]};
}

PLIANT_WIDE_VECTORS
void SurfaceNormals(const GridSize& grid, const GridVectors& surface, int begin, int count, int v,
                    StripVectors* normals) {
  // The row with a vertex more on each side.
  std::array<std::array<double, kStripLength + 2>, 3> row;
  const int before = Neighbours(begin, grid.nu, grid.wraps_u).first;
  const int after = Neighbours(begin + count - 1, grid.nu, grid.wraps_u).second;
  const auto [below, above] = Neighbours(v, grid.nv, grid.wraps_v);
  Neighbourhood at;
  for (int c = 0; c < 3; ++c) {
    const double* x = surface.col(c).data();
    std::copy_n(x + grid.Index(begin, v), count, row[c].data() + 1);
    row[c][0] = x[grid.Index(before, v)];
    row[c][count + 1] = x[grid.Index(after, v)];
    at.left[c] = row[c].data();
    at.right[c] = row[c].data() + 2;
    at.below[c] = x + grid.Index(begin, below);
    at.above[c] = x + grid.Index(begin, above);
  }
  grid.curve() ? NormalsOf<true>(at, count, normals) : NormalsOf<false>(at, count, normals);
}

}  // namespace pliant::kinematic_response
