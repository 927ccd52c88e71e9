#include "models/kinematic_response/transfer.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace pliant {
namespace {

using Eigen::Vector3d;

// The children of one vertex, row by row.
struct Children {
  int count = 0;
  int centre = 0;  // which of them is the vertex itself
  Vector3d vector[9];
  double weight[9];  // of full weighting
};

Children ChildrenOf(const GridSize& fine, const GridVectors& d, int u, int v) {
  Children children;
  for (int dv = -1; dv <= 1; ++dv) {
    if (v + dv < 0 || v + dv >= fine.nv) continue;
    for (int du = -1; du <= 1; ++du) {
      if (u + du < 0 || u + du >= fine.nu) continue;
      if (du == 0 && dv == 0) children.centre = children.count;
      children.vector[children.count] = d.row(fine.Index(u + du, v + dv)).transpose();
      children.weight[children.count] = (du == 0 ? 2.0 : 1.0) * (dv == 0 ? 2.0 : 1.0);
      ++children.count;
    }
  }
  return children;
}

Vector3d Longer(const Vector3d& first, const Vector3d& second) {
  return second.squaredNorm() > kEqualSquaredLengths * first.squaredNorm() ? second : first;
}

Vector3d Longest(const Children& children) {
  Vector3d longest = children.vector[0];
  for (int c = 1; c < children.count; ++c) longest = Longer(longest, children.vector[c]);
  return longest;
}

Vector3d AverageDisplacement(const Children& children) {
  const Vector3d& centre = children.vector[children.centre];
  if (centre.isZero(0.0)) return Longest(children);
  Vector3d sum = Vector3d::Zero();
  int others = 0;
  for (int c = 0; c < children.count; ++c) {
    if (c == children.centre || children.vector[c].isZero(0.0)) continue;
    sum += children.vector[c];
    ++others;
  }
  return others == 0 ? centre : Longer(centre, sum / others);
}

Vector3d WeightedMean(const Children& children) {
  Vector3d sum = Vector3d::Zero();
  double weights = 0.0;
  for (int c = 0; c < children.count; ++c) {
    sum += children.weight[c] * children.vector[c];
    weights += children.weight[c];
  }
  return sum / weights;
}

// The new sample midway between samples m and m + 1 of n: weights of `count` samples from `first`.
struct Midpoint {
  int first, count;
  double weight[4];
};

Midpoint MidpointOf(Prolongation prolongation, int n, int m) {
  if (prolongation == Prolongation::kLinear || n == 2) return {m, 2, {0.5, 0.5, 0.0, 0.0}};
  const bool starts = m == 0, ends = m == n - 2;
  if (n == 3) {
    if (starts) return {0, 3, {3.0 / 8, 6.0 / 8, -1.0 / 8, 0.0}};
    return {0, 3, {-1.0 / 8, 6.0 / 8, 3.0 / 8, 0.0}};
  }
  if (starts) return {0, 4, {5.0 / 16, 15.0 / 16, -5.0 / 16, 1.0 / 16}};
  if (ends) return {n - 4, 4, {1.0 / 16, -5.0 / 16, 15.0 / 16, 5.0 / 16}};
  return {m - 1, 4, {-1.0 / 16, 9.0 / 16, 9.0 / 16, -1.0 / 16}};
}

double Interpolate(const Midpoint& midpoint, const double* samples) {
  double sum = 0.0;
  for (int i = 0; i < midpoint.count; ++i) {
    sum += midpoint.weight[i] * samples[midpoint.first + i];
  }
  return sum;
}

// Old samples to even places, midpoints to odd places.
void RefineRow(Prolongation prolongation, int n, const double* __restrict old,
               double* __restrict row) {
  for (int m = 0; m < n; ++m) row[2 * m] = old[m];
  if (prolongation == Prolongation::kLinear) {
    for (int m = 0; m < n - 1; ++m) row[2 * m + 1] = 0.5 * (old[m] + old[m + 1]);
    return;
  }
  for (int m = 1; m < n - 2; ++m) {
    row[2 * m + 1] = (9.0 / 16) * (old[m] + old[m + 1]) - (1.0 / 16) * (old[m - 1] + old[m + 2]);
  }
  row[1] = Interpolate(MidpointOf(prolongation, n, 0), old);
  if (n > 2) row[2 * n - 3] = Interpolate(MidpointOf(prolongation, n, n - 2), old);
}

}  // namespace

void Restrict(Restriction restriction, const GridSize& fine, const GridVectors& displacements,
              const GridSize& coarse, GridVectors* restricted) {
  assert(fine.nu == 2 * coarse.nu - 1 && displacements.rows() == fine.size() &&
         restricted->rows() == coarse.size());
  for (int v = 0; v < coarse.nv; ++v) {
    for (int u = 0; u < coarse.nu; ++u) {
      const Children children = ChildrenOf(fine, displacements, 2 * u, 2 * v);
      Vector3d d;
      switch (restriction) {
        case Restriction::kMaximum:
          d = Longest(children);
          break;
        case Restriction::kAverage:
          d = AverageDisplacement(children);
          break;
        case Restriction::kFullWeighting:
          d = WeightedMean(children);
          break;
      }
      restricted->row(coarse.Index(u, v)) = d.transpose();
    }
  }
}

void ProlongateRow(Prolongation prolongation, const GridSize& coarse, const double* values, int v,
                   double* scratch, double* row) {
  const int n = coarse.nu;
  const double* old = values + static_cast<Eigen::Index>(v / 2) * n;
  if (v % 2 != 0) {  // a row midway between two: interpolate across the rows first
    const Midpoint across = MidpointOf(prolongation, coarse.nv, v / 2);
    const double* first = values + static_cast<Eigen::Index>(across.first) * n;
    for (int u = 0; u < n; ++u) scratch[u] = across.weight[0] * first[u];
    for (int i = 1; i < across.count; ++i) {
      const double* next = first + static_cast<Eigen::Index>(i) * n;
      for (int u = 0; u < n; ++u) scratch[u] += across.weight[i] * next[u];
    }
    old = scratch;
  }
  RefineRow(prolongation, n, old, row);
}

void Prolongate(Prolongation prolongation, const GridSize& coarse, const GridVectors& values,
                const GridSize& fine, GridVectors* prolongated) {
  assert(fine.nu == 2 * coarse.nu - 1 && values.rows() == coarse.size() &&
         prolongated->rows() == fine.size());
  std::vector<double> scratch(coarse.nu);
  for (int c = 0; c < 3; ++c) {
    for (int v = 0; v < fine.nv; ++v) {
      ProlongateRow(prolongation, coarse, values.col(c).data(), v, scratch.data(),
                    prolongated->col(c).data() + fine.Index(0, v));
    }
  }
}

}  // namespace pliant
