#include "models/kinematic_response/transfer.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <vector>

#include "models/kinematic_response/strip_map.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// Position of index `i` on an axis of n points: −1 beyond an end; wraps around on a periodic axis.
int OnAxis(int i, int n, bool wraps) {
  if (i >= 0 && i < n) return i;
  if (!wraps) return -1;
  return i < 0 ? i + n : i - n;
}

Vector3d VectorAt(const GridVectors& d, int i) { return {d(i, 0), d(i, 1), d(i, 2)}; }

double SquaredAt(const GridVectors& d, int i) {
  return d(i, 0) * d(i, 0) + d(i, 1) * d(i, 1) + d(i, 2) * d(i, 2);
}

using Indices = std::span<const int>;
using Weights = std::span<const double>;

Vector3d Longest(const GridVectors& d, Indices children) {
  int longest = children[0];
  double squared = SquaredAt(d, longest);
  for (const int child : children.subspan(1)) {
    const double next = SquaredAt(d, child);
    if (next > kEqualSquaredLengths * squared) {
      longest = child;
      squared = next;
    }
  }
  return VectorAt(d, longest);
}

Vector3d AverageDisplacement(const GridVectors& d, Indices children, int centre) {
  const Vector3d own = VectorAt(d, children[centre]);
  if (own.isZero(0.0)) return Longest(d, children);
  Vector3d sum = Vector3d::Zero();
  int others = 0;
  for (const int child : children) {
    if (child == children[centre] || SquaredAt(d, child) == 0.0) continue;
    sum += VectorAt(d, child);
    ++others;
  }
  if (others > 0) sum /= others;
  return sum.squaredNorm() > kEqualSquaredLengths * own.squaredNorm() ? sum : own;
}

Vector3d WeightedMean(const GridVectors& d, Indices children, Weights weights) {
  Vector3d sum = Vector3d::Zero();
  double total = 0.0;
  for (size_t c = 0; c < children.size(); ++c) {
    sum += weights[c] * VectorAt(d, children[c]);
    total += weights[c];
  }
  return sum / total;
}

// Those of one vertex of a grid, row by row.
struct Children {
  int count = 0;
  int centre = 0;
  std::array<int, 9> index;
  std::array<double, 9> weight;
};

Children ChildrenOf(const GridSize& fine, int u, int v) {
  Children children;
  if (u > 0 && v > 0 && u < fine.nu - 1 && v < fine.nv - 1) {
    const int n = fine.nu, at = fine.Index(u, v);
    children.count = 9;
    children.centre = 4;
    children.index = {at - n - 1, at - n,     at - n + 1, at - 1,    at,
                      at + 1,     at + n - 1, at + n,     at + n + 1};
    children.weight = {1, 2, 1, 2, 4, 2, 1, 2, 1};
    return children;
  }
  for (int dv = -1; dv <= 1; ++dv) {
    const int row = OnAxis(v + dv, fine.nv, fine.wraps_v);
    if (row < 0) continue;
    for (int du = -1; du <= 1; ++du) {
      const int column = OnAxis(u + du, fine.nu, fine.wraps_u);
      if (column < 0) continue;
      if (du == 0 && dv == 0) children.centre = children.count;
      children.index[children.count] = fine.Index(column, row);
      children.weight[children.count++] = (du == 0 ? 2.0 : 1.0) * (dv == 0 ? 2.0 : 1.0);
    }
  }
  return children;
}

// Full weighting over the 5×5 block.
Vector3d WideMean(const GridSize& fine, const GridVectors& d, int u, int v) {
  static constexpr std::array<double, 5> kWeights = {1.0, 4.0, 6.0, 4.0, 1.0};
  Vector3d sum = Vector3d::Zero();
  double weights = 0.0;
  for (int dv = -2; dv <= 2; ++dv) {
    const int row = OnAxis(v + dv, fine.nv, fine.wraps_v);
    if (row < 0) continue;
    for (int du = -2; du <= 2; ++du) {
      const int column = OnAxis(u + du, fine.nu, fine.wraps_u);
      if (column < 0) continue;
      const double weight = kWeights[du + 2] * kWeights[dv + 2];
      sum += weight * VectorAt(d, fine.Index(column, row));
      weights += weight;
    }
  }
  return sum / weights;
}

Vector3d Restricted(Restriction restriction, const GridSize& fine, const GridVectors& d, int u,
                    int v) {
  const Children children = ChildrenOf(fine, u, v);
  const Indices index(children.index.data(), children.count);
  if (restriction == Restriction::kCombined) {
    return 0.5 * (Longest(d, index) + WideMean(fine, d, u, v));
  }
  return RestrictChildren(restriction, d, index, Weights(children.weight.data(), children.count),
                          children.centre);
}

// Weights of coarse samples in a fine one.
struct Stencil {
  int count = 0;
  std::array<int, 4> index;
  std::array<double, 4> weight;
};

Stencil Consecutive(int first, std::initializer_list<double> weights, int n) {
  Stencil stencil;
  for (const double weight : weights) {
    stencil.index[stencil.count] = (first + stencil.count + n) % n;
    stencil.weight[stencil.count++] = weight;
  }
  return stencil;
}

// Of sample `i` of the finer of two axes, the coarser of which has n samples.
Stencil StencilOf(Prolongation prolongation, int n, bool wraps, int i) {
  const int m = i / 2;
  if (i % 2 == 0) {
    const bool smooths = prolongation == Prolongation::kSubdivision;
    if (!smooths || (!wraps && (m == 0 || m == n - 1))) return Consecutive(m, {1.0}, n);
    return Consecutive(m - 1, {0.125, 0.75, 0.125}, n);
  }
  if (prolongation != Prolongation::kCubic || (!wraps && n == 2)) {
    return Consecutive(m, {0.5, 0.5}, n);
  }
  if (!wraps) {
    const bool starts = m == 0, ends = m == n - 2;
    if (n == 3) {
      return starts ? Consecutive(0, {3.0 / 8, 6.0 / 8, -1.0 / 8}, n)
                    : Consecutive(0, {-1.0 / 8, 6.0 / 8, 3.0 / 8}, n);
    }
    if (starts) return Consecutive(0, {5.0 / 16, 15.0 / 16, -5.0 / 16, 1.0 / 16}, n);
    if (ends) return Consecutive(n - 4, {1.0 / 16, -5.0 / 16, 15.0 / 16, 5.0 / 16}, n);
  }
  return Consecutive(m - 1, {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16}, n);
}

double Interpolate(const Stencil& stencil, const double* samples) {
  double sum = 0.0;
  for (int i = 0; i < stencil.count; ++i) sum += stencil.weight[i] * samples[stencil.index[i]];
  return sum;
}

// A weighted sum of four rows.
PLIANT_WIDE_VECTORS void AddRows(const std::array<double, 4>& weight,
                                 const std::array<const double*, 4>& rows, int first, int last,
                                 double* __restrict sum) {
  const double *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
  const double wa = weight[0], wb = weight[1], wc = weight[2], wd = weight[3];
  for (int u = first; u < last; ++u) sum[u] = wa * a[u] + wb * b[u] + wc * c[u] + wd * d[u];
}

// Pairs of fine samples 2m, 2m + 1 for m in [begin, end), away from the ends.
PLIANT_WIDE_VECTORS void RefineInterior(Prolongation prolongation, const double* __restrict old,
                                        int begin, int end, double* __restrict row) {
  switch (prolongation) {
    case Prolongation::kLinear:
      for (int m = begin; m < end; ++m) {
        row[2 * m] = old[m];
        row[2 * m + 1] = 0.5 * (old[m] + old[m + 1]);
      }
      return;
    case Prolongation::kCubic:
      for (int m = begin; m < end; ++m) {
        row[2 * m] = old[m];
        row[2 * m + 1] =
            (9.0 / 16) * (old[m] + old[m + 1]) - (1.0 / 16) * (old[m - 1] + old[m + 2]);
      }
      return;
    case Prolongation::kSubdivision:
      for (int m = begin; m < end; ++m) {
        row[2 * m] = 0.75 * old[m] + 0.125 * (old[m - 1] + old[m + 1]);
        row[2 * m + 1] = 0.5 * (old[m] + old[m + 1]);
      }
      return;
  }
}

}  // namespace

Vector3d RestrictChildren(Restriction restriction, const GridVectors& displacements,
                          std::span<const int> index, std::span<const double> weight, int centre) {
  switch (restriction) {
    case Restriction::kMaximum:
      return Longest(displacements, index);
    case Restriction::kAverage:
      return AverageDisplacement(displacements, index, centre);
    case Restriction::kFullWeighting:
      return WeightedMean(displacements, index, weight);
    case Restriction::kCombined:
      break;
  }
  return 0.5 * (Longest(displacements, index) + WeightedMean(displacements, index, weight));
}

namespace {

// Is any child of the vertices u in [begin, end) of a coarser row not zero? Of blocks of three
// rows away from borders only, where most are zero; `any` has room for kStripLength.
PLIANT_WIDE_VECTORS
void FindChildren(const GridSize& fine, const GridVectors& d, int begin, int end, int v,
                  unsigned char* any) {
  std::array<double, 2 * kStripLength + 1> largest;
  const int first = 2 * begin - 1, count = 2 * (end - begin) + 1;
  largest.fill(0.0);
  for (int row = 2 * v - 1; row <= 2 * v + 1; ++row) {
    for (int c = 0; c < 3; ++c) {
      const double* x = d.col(c).data() + fine.Index(first, row);
      for (int i = 0; i < count; ++i) {
        const double size = std::abs(x[i]);
        largest[i] = size > largest[i] ? size : largest[i];
      }
    }
  }
  for (int i = 0; i < end - begin; ++i) {
    any[i] = largest[2 * i] + largest[2 * i + 1] + largest[2 * i + 2] > 0.0 ? 1 : 0;
  }
}

}  // namespace

bool RestrictRow(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
                 const GridSize& coarse, int v, int begin, int end, GridVectors* restricted) {
  std::array<unsigned char, kStripLength> look;
  look.fill(1);
  // The vertices whose children are the 3×3 around them.
  const int low = std::max(begin, 1), high = std::min(end, fine.nu / 2);
  if (restriction != Restriction::kCombined && end - begin <= kStripLength && low < high && v > 0 &&
      2 * v + 1 < fine.nv) {
    FindChildren(fine, displacements, low, high, v, look.data() + (low - begin));
  }
  bool any = false;
  for (int u = begin; u < end; ++u) {
    const bool zero = end - begin <= kStripLength && look[u - begin] == 0;
    const Vector3d d =
        zero ? Vector3d::Zero() : Restricted(restriction, fine, displacements, 2 * u, 2 * v);
    const int i = coarse.Index(u, v);
    for (int c = 0; c < 3; ++c) (*restricted)(i, c) = d[c];
    any = any || !d.isZero(0.0);
  }
  return any;
}

void Restrict(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
              const GridSize& coarse, GridVectors* restricted) {
  assert(displacements.rows() == fine.size() && restricted->rows() == coarse.size());
  for (int v = 0; v < coarse.nv; ++v) {
    RestrictRow(restriction, fine, displacements, coarse, v, 0, coarse.nu, restricted);
  }
}

void ProlongateRow(Prolongation prolongation, const GridSize& coarse, const double* values, int v,
                   int begin, int end, double* scratch, double* row) {
  assert(begin % 2 == 0);
  const int n = coarse.nu;
  const Stencil across = coarse.curve() ? Consecutive(0, {1.0}, 1)
                                        : StencilOf(prolongation, coarse.nv, coarse.wraps_v, v);
  const double* old = values + static_cast<Eigen::Index>(across.index[0]) * n;
  if (across.count > 1) {  // interpolate across the rows first, as far as [begin, end) reaches
    const int reach = coarse.wraps_u ? n : 3;
    const int first = std::max(begin / 2 - reach, 0), last = std::min(end / 2 + 1 + reach, n);
    const auto row_of = [&](int i) {
      return values + static_cast<Eigen::Index>(across.index[i]) * n;
    };
    if (across.count == 4) {
      AddRows(across.weight, {old, row_of(1), row_of(2), row_of(3)}, first, last, scratch);
    } else {
      for (int u = first; u < last; ++u) scratch[u] = across.weight[0] * old[u];
      for (int i = 1; i < across.count; ++i) {
        const double* next = row_of(i);
        const double weight = across.weight[i];
        for (int u = first; u < last; ++u) scratch[u] += weight * next[u];
      }
    }
    old = scratch;
  }
  // All stencils of the inside are equal; the two next to each end come from a table.
  const int low = std::max(begin / 2, 1);
  const int high = std::max(low, std::min((end + 1) / 2, n - 2));
  auto look_up = [&](int from, int to) {
    for (int u = from; u < to; ++u) {
      row[u] = Interpolate(StencilOf(prolongation, n, coarse.wraps_u, u), old);
    }
  };
  look_up(begin, std::min(2 * low, end));
  if (2 * low < end) {
    RefineInterior(prolongation, old, low, high, row);
    look_up(2 * high, end);
  }
}

AxisReach ReachOnAxis(Prolongation prolongation, int n, bool wraps, int begin, int end) {
  AxisReach reach{begin / 2, begin / 2, 1.0};
  for (int i = begin; i < end; ++i) {
    const Stencil stencil = StencilOf(prolongation, n, wraps, i);
    double weight = 0.0;
    for (int s = 0; s < stencil.count; ++s) {
      int at = stencil.index[s];
      if (wraps && at - i / 2 > n / 2) at -= n;
      if (wraps && i / 2 - at > n / 2) at += n;
      reach.first = std::min(reach.first, at);
      reach.last = std::max(reach.last, at);
      weight += std::abs(stencil.weight[s]);
    }
    reach.weight = std::max(reach.weight, weight);
  }
  return reach;
}

void Prolongate(Prolongation prolongation, const GridSize& coarse, const GridVectors& values,
                const GridSize& fine, GridVectors* prolongated) {
  assert(values.rows() == coarse.size() && prolongated->rows() == fine.size());
  std::vector<double> scratch(coarse.nu), row(fine.nu + 1);
  for (int c = 0; c < 3; ++c) {
    for (int v = 0; v < fine.nv; ++v) {
      ProlongateRow(prolongation, coarse, values.col(c).data(), v, 0, fine.nu, scratch.data(),
                    row.data());
      std::copy_n(row.data(), fine.nu, prolongated->col(c).data() + fine.Index(0, v));
    }
  }
}

}  // namespace pliant::kinematic_response
