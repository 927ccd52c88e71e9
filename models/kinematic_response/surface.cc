#include "models/kinematic_response/surface.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

namespace pliant::kinematic_response {
namespace {

template <bool has_elastic, bool has_plastic>
[[gnu::always_inline]] inline void PlaceStripWith(const FramedStrip& strip, const GridVectors& rest,
                                                  const GridVectors* elastic,
                                                  const StripValues& kept,
                                                  const GridVectors* plastic,
                                                  GridVectors* surface) {
  const int begin = strip.begin, count = strip.count;
  const double *rx = rest.col(0).data() + begin, *ry = rest.col(1).data() + begin,
               *rz = rest.col(2).data() + begin;
  const double *ox = rx, *oy = ry, *oz = rz, *px = rx, *py = ry, *pz = rz;
  if constexpr (has_elastic) {
    ox = elastic->col(0).data() + begin;
    oy = elastic->col(1).data() + begin;
    oz = elastic->col(2).data() + begin;
  }
  if constexpr (has_plastic) {
    px = plastic->col(0).data() + begin;
    py = plastic->col(1).data() + begin;
    pz = plastic->col(2).data() + begin;
  }
  const double *bx = strip.base[0], *by = strip.base[1], *bz = strip.base[2];
  const double *ku = kept[0], *kv = kept[1], *kn = kept[2];
  double* __restrict sx = surface->col(0).data() + begin;
  double* __restrict sy = surface->col(1).data() + begin;
  double* __restrict sz = surface->col(2).data() + begin;
  const FramedStrip local = strip;  // its pointers in registers
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) {
    const FrameColumns f = local.Columns(i);
    double x = rx[i], y = ry[i], z = rz[i];
    if constexpr (has_plastic) {
      x += px[i];
      y += py[i];
      z += pz[i];
    }
    if constexpr (has_elastic) {
      x += ku[i] * ox[i];
      y += kv[i] * oy[i];
      z += kn[i] * oz[i];
    }
    x *= f.t;
    y *= f.w;
    z *= f.n;
    sx[i] = f.X(bx[i], x, y, z);
    sy[i] = f.Y(by[i], x, y, z);
    sz[i] = f.Z(bz[i], x, y, z);
  }
}

// Are any children of the vertices [begin, end) of a row of the coarser grid in flagged strips? The
// widest block of children reaches two rows and columns of the finer grid.
bool ChildrenOn(const GridSize& fine, const StripMap& map, int begin, int end, int row) {
  constexpr int kBlock = 2;
  const int first = std::max(2 * begin - kBlock, 0) / kStripLength;
  const int last = std::min(2 * (end - 1) + kBlock, fine.nu - 1) / kStripLength;
  for (int v = 2 * row - kBlock; v <= 2 * row + kBlock; ++v) {
    if (!fine.wraps_v && (v < 0 || v >= fine.nv)) continue;
    const int at = (v + fine.nv) % fine.nv;
    for (int strip = first; strip <= last; ++strip) {
      if (map[map.Index(strip, at)] != 0) return true;
    }
    if (fine.wraps_u && (map[map.Index(0, at)] | map[map.Index(map.per_row() - 1, at)]) != 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

StripValues VertexValues::Of(const FramedStrip& strip,
                             std::array<double, kStripLength>* room) const {
  if (map == nullptr) {
    room->fill(all);
    return InAllDirections(room->data());
  }
  const Eigen::Index last = map->cols() - 1;
  return {map->data() + strip.begin, map->col(std::min<Eigen::Index>(1, last)).data() + strip.begin,
          map->col(last).data() + strip.begin};
}

PLIANT_WIDE_VECTORS
void PlaceStrip(const FramedStrip& strip, const GridVectors& rest, const GridVectors* elastic,
                const StripValues& kept, const GridVectors* plastic, GridVectors* surface) {
  if (elastic != nullptr) {
    plastic != nullptr ? PlaceStripWith<true, true>(strip, rest, elastic, kept, plastic, surface)
                       : PlaceStripWith<true, false>(strip, rest, elastic, kept, plastic, surface);
  } else {
    plastic != nullptr ? PlaceStripWith<false, true>(strip, rest, elastic, kept, plastic, surface)
                       : PlaceStripWith<false, false>(strip, rest, elastic, kept, plastic, surface);
  }
}

MultiresolutionSurface::MultiresolutionSurface(const GridSize& finest, const GridVectors& target,
                                               Prolongation prolongation)
    : prolongation_(prolongation), grids_(GridHierarchy(finest)) {
  FindAllRest(target);
}

MultiresolutionSurface::MultiresolutionSurface(std::shared_ptr<const MeshLevels> mesh,
                                               const GridVectors& target)
    : mesh_(std::move(mesh)) {
  for (int level = 0; level < mesh_->levels(); ++level) grids_.push_back({mesh_->size(level), 1});
  FindAllRest(target);
}

GridVectors MultiresolutionSurface::AtLevel(const GridVectors& finest, int level) const {
  if (mesh_ != nullptr) return finest.topRows(grids_[level].size());
  return Subsample(grids_.back(), finest, grids_[level]);
}

void MultiresolutionSurface::FindAllRest(const GridVectors& target) {
  assert(target.rows() == finest().size());
  rest_ = ZeroVectors();
  FramedRows rows(finest());
  LevelVectors room = ZeroVectors();
  MoveRest(levels() - 1, target, &rows, &room);
}

void MultiresolutionSurface::FindRest(int level, const LevelVectors& targets, FramedRows* rows) {
  const GridVectors& wanted = targets[level];
  GridVectors& rest = rest_[level];
  // r = Fᵀ (target − b)
  WalkLevel(level, targets, rows, [&](const FramedStrip& strip) {
    for (int i = 0; i < strip.count; ++i) {
      const int vertex = strip.begin + i;
      const Eigen::Vector3d away = wanted.row(vertex).transpose() - strip.Base(i);
      rest.row(vertex) = strip.Frame(i).transpose() * away;
    }
  });
}

void MultiresolutionSurface::MoveRest(int level, const GridVectors& target, FramedRows* rows,
                                      LevelVectors* room) {
  assert(target.rows() == grids_[level].size());
  (*room)[level] = target;
  for (int coarse = level - 1; coarse >= 0; --coarse) {
    const GridSize &grid = grids_[coarse], &fine = grids_[coarse + 1];
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        const int vertex = grid.Index(u, v);
        const int child = mesh_ != nullptr ? vertex : fine.Index(2 * u, 2 * v);
        (*room)[coarse].row(vertex) = (*room)[coarse + 1].row(child);
      }
    }
  }
  for (int j = 0; j <= level; ++j) FindRest(j, *room, rows);
}

void MultiresolutionSurface::Reach(int level, const StripMap& coarse, StripMap* fine) const {
  if (mesh_ != nullptr) {
    fine->Fill(coarse.Any());
  } else {
    kinematic_response::Reach(grids_[level - 1], coarse, grids_[level], fine);
  }
}

bool MultiresolutionSurface::RestrictStrip(int level, Restriction restriction,
                                           const GridVectors& displacements,
                                           const StripMap& pressed, int strip, int row,
                                           GridVectors* restricted) const {
  const GridSize &fine = grids_[level], &coarse = grids_[level - 1];
  const int begin = strip * kStripLength, end = std::min(begin + kStripLength, coarse.nu);
  if (mesh_ == nullptr) {
    return ChildrenOn(fine, pressed, begin, end, row) &&
           RestrictRow(restriction, fine, displacements, coarse, row, begin, end, restricted);
  }
  if (!pressed.Any()) return false;
  bool any = false;
  for (int v = begin; v < end; ++v) {
    const Eigen::Vector3d d = mesh_->Restrict(level, restriction, displacements, v);
    restricted->row(v) = d.transpose();
    any = any || !d.isZero(0.0);
  }
  return any;
}

Eigen::Vector3d MultiresolutionSurface::Normal(const GridVectors& finest, int vertex) const {
  if (mesh_ != nullptr) return mesh_->Normal(finest, vertex);
  const GridSize& grid = grids_.back();
  return SurfaceNormal(grid, finest, vertex % grid.nu, vertex / grid.nu);
}

std::vector<std::array<int, 2>> MultiresolutionSurface::Edges(int level) const {
  if (mesh_ != nullptr) return mesh_->edges(level);
  const GridSize& grid = grids_[level];
  std::vector<std::array<int, 2>> edges;
  for (int v = 0; v < grid.nv; ++v) {
    for (int u = 0; u < grid.nu; ++u) {
      const int here = grid.Index(u, v);
      if (u + 1 < grid.nu || grid.wraps_u)
        edges.push_back({here, grid.Index((u + 1) % grid.nu, v)});
      if (v + 1 < grid.nv || grid.wraps_v)
        edges.push_back({here, grid.Index(u, (v + 1) % grid.nv)});
    }
  }
  return edges;
}

SurfaceOffsets MultiresolutionSurface::ZeroOffsets() const {
  return {ZeroVectors(), ZeroVectors()};
}

LevelVectors MultiresolutionSurface::ZeroVectors() const {
  LevelVectors vectors;
  for (const GridSize& grid : grids_) vectors.push_back(GridVectors::Zero(grid.size(), 3));
  return vectors;
}

void MultiresolutionSurface::Place(const SurfaceOffsets& offsets,
                                   const std::vector<VertexValues>& kept, FramedRows* rows,
                                   LevelVectors* surface) const {
  std::array<double, kStripLength> room;
  for (int level = 0; level < levels(); ++level) {
    WalkLevel(level, *surface, rows, [&](const FramedStrip& strip) {
      PlaceStrip(strip, rest_[level], &offsets.elastic[level], kept[level].Of(strip, &room),
                 &offsets.plastic[level], &(*surface)[level]);
    });
  }
}

}  // namespace pliant::kinematic_response
