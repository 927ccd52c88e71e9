#include "solvers/response/collision_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/response/press_run.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Rounding of points, as a fraction of the extent of what they make up.
constexpr double kRounding = 1e-12;
// Rounding of a single number.
constexpr double kVanishing = 1e-16;

double Extent(const GridVectors& points) {
  return (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm();
}

bool AnyNotZero(const GridVectors& vectors, const FramedRun& run) {
  for (int c = 0; c < 3; ++c) {
    const double* values = vectors.col(c).data() + run.begin;
    if (std::any_of(values, values + run.count, [](double value) { return value != 0.0; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

CollisionResponse::CollisionResponse(MultiresolutionSurface model, Restriction restriction,
                                     int threads)
    : model_(std::move(model)),
      restriction_(restriction),
      threads_(threads),
      ones_(model_.levels(), 1.0),
      last_retention_(model_.levels(), 1.0),
      summaries_(threads),
      surface_(model_.ZeroVectors()),
      displacements_(model_.ZeroVectors()) {
  rows_.reserve(threads);
  for (int i = 0; i < threads; ++i) rows_.emplace_back(model_.finest());
  for (int level = 0; level < model_.levels(); ++level) {
    const RunMap map(model_.grid(level));
    pressed_.push_back(map);
    runs_.push_back({map, map, map, map, map});
  }
  unchecked_ = pressed_.back();
  boxes_.resize(static_cast<size_t>(runs().rows()) * runs().per_row());
  Place(model_.ZeroOffsets());
  shortest_ = kRounding * Extent(surface());
  vanishing_ = kVanishing * Extent(surface());
}

int CollisionResponse::PiecesOf(const RunMap& map) const {
  // To start a thread takes as long as to work on a few hundred runs.
  constexpr int kWorthRuns = 512, kPiecesPerThread = 4;
  if (threads_ == 1 || map.rows() == 1 || map.size() < kWorthRuns) return 1;
  const int on = map.Count();
  return on < kWorthRuns ? 1 : std::min(map.rows(), kPiecesPerThread * threads_);
}

void CollisionResponse::Place(const SurfaceOffsets& offsets) {
  std::array<double, kRunLength> one;
  one.fill(1.0);
  for (int level = 0; level < model_.levels(); ++level) {
    LevelRuns& runs = runs_[level];
    const GridVectors &elastic = offsets.elastic[level], &plastic = offsets.plastic[level];
    runs.work.Fill(true);
    WalkRuns(level, runs.work, [&](const FramedRun& run, size_t) {
      runs.active[run.index] = AnyNotZero(elastic, run) ? 1 : 0;
      runs.plastic[run.index] = AnyNotZero(plastic, run) ? 1 : 0;
      PlaceRun(run, model_.rest(level), runs.active[run.index] != 0 ? &elastic : nullptr,
               InAllDirections(one.data()), runs.plastic[run.index] != 0 ? &plastic : nullptr,
               &surface_[level]);
    });
    runs.moved.Fill(true);
  }
  unchecked_.Fill(true);
}

bool CollisionResponse::WithinBounds(double bound) {
  const GridSize& grid = model_.finest();
  for (int row = 0; row < unchecked_.rows(); ++row) {
    for (int run = 0; run < unchecked_.per_row(); ++run) {
      const int index = unchecked_.Index(run, row), begin = run * kRunLength;
      if (unchecked_[index] == 0) continue;
      const int count = std::min(kRunLength, grid.nu - begin);
      for (int c = 0; c < 3; ++c) {
        const double* values = surface().col(c).data() + grid.Index(begin, row);
        int outside = 0;  // counted to the end, which vectorises
        for (int i = 0; i < count; ++i) outside += std::abs(values[i]) <= bound ? 0 : 1;
        if (outside > 0) return false;
      }
    }
  }
  unchecked_.Fill(false);
  return true;
}

void CollisionResponse::MoveRest(int level, const GridVectors& target) {
  model_.MoveRest(level, target, &rows_.front(), &surface_);
  for (int j = 0; j <= level; ++j) runs_[j].moved.Fill(true);
}

void CollisionResponse::Relax(const std::vector<LevelControls>& controls,
                              const SurfaceOffsets& offsets) {
  for (int level = 0; level < model_.levels(); ++level) {
    LevelRuns& runs = runs_[level];
    const VertexValues& retention = controls[level].retention;
    const bool shortens = retention.all != 1.0 || last_retention_[level] != 1.0;
    last_retention_[level] = retention.all;
    if (level == 0) {
      runs.fresh.Fill(false);
    } else {
      model_.Reach(level, runs_[level - 1].fresh, &runs.fresh);
    }
    for (int run = 0; run < runs.fresh.size(); ++run) {
      runs.fresh[run] |= runs.moved[run] | (shortens ? runs.active[run] : 0);
    }
    const bool finest = level == model_.levels() - 1;
    GridVectors& surface = surface_[level];
    WalkRuns(level, runs.fresh, [&](const FramedRun& run, size_t) {
      std::array<double, kRunLength> room;
      PlaceRun(run, model_.rest(level),
               runs.active[run.index] != 0 ? &offsets.elastic[level] : nullptr,
               retention.Of(run, &room),
               runs.plastic[run.index] != 0 ? &offsets.plastic[level] : nullptr, &surface);
      if (!finest) return;
      const auto points = surface.middleRows(run.begin, run.count);
      boxes_[run.index] = {points.colwise().minCoeff().transpose(),
                           points.colwise().maxCoeff().transpose()};
    });
  }
  Uncheck(runs_.back().fresh);
}

void CollisionResponse::Uncheck(const RunMap& runs) {
  for (int run = 0; run < runs.size(); ++run) unchecked_[run] |= runs[run];
}

void CollisionResponse::ClearDisplacements() {
  if (!displacements_known_) {
    displacements_.back().setZero();
    pressed_.back().Fill(false);
    displacements_known_ = true;
    return;
  }
  const GridSize& grid = model_.finest();
  RunMap& pressed = pressed_.back();
  for (int row = 0; row < pressed.rows(); ++row) {
    for (int run = 0; run < pressed.per_row(); ++run) {
      std::uint8_t& on = pressed[pressed.Index(run, row)];
      if (on == 0) continue;
      const int begin = run * kRunLength;
      displacements_.back()
          .middleRows(grid.Index(begin, row), std::min(kRunLength, grid.nu - begin))
          .setZero();
      on = 0;
    }
  }
}

void CollisionResponse::LookForDisplacements() {
  if (displacements_known_) return;
  displacements_known_ = true;
  const GridSize& grid = model_.finest();
  RunMap& pressed = pressed_.back();
  for (int row = 0; row < pressed.rows(); ++row) {
    for (int run = 0; run < pressed.per_row(); ++run) {
      FramedRun where;
      where.begin = grid.Index(run * kRunLength, row);
      where.count = std::min(kRunLength, grid.nu - run * kRunLength);
      pressed[pressed.Index(run, row)] = AnyNotZero(displacements_.back(), where) ? 1 : 0;
    }
  }
}

void CollisionResponse::RestrictDisplacements() {
  LookForDisplacements();
  for (int level = model_.levels() - 1; level > 0; --level) RestrictLevel(level);
}

// From `level` to the next coarser one: runs none of whose children are pressed are zero.
void CollisionResponse::RestrictLevel(int level) {
  const GridSize& coarse = model_.grid(level - 1);
  RunMap& pressed = pressed_[level - 1];
  GridVectors& d = displacements_[level - 1];
  InPieces(pressed, [&](int first, int last, size_t) {
    for (int v = first; v < last; ++v) {
      for (int run = 0; run < pressed.per_row(); ++run) {
        std::uint8_t& on = pressed[pressed.Index(run, v)];
        const bool was_on = on != 0;
        on = model_.RestrictRun(level, restriction_, displacements_[level], pressed_[level], run, v,
                                &d)
                 ? 1
                 : 0;
        if (on != 0 || !was_on) continue;
        const int begin = run * kRunLength;
        d.middleRows(coarse.Index(begin, v), std::min(kRunLength, coarse.nu - begin)).setZero();
      }
    }
  });
}

DeformationSummary CollisionResponse::Deform(const std::vector<LevelControls>& controls,
                                             SurfaceOffsets* offsets) {
  LookForDisplacements();
  summaries_.assign(threads_, {});
  for (int level = 0; level < model_.levels(); ++level) {
    DeformLevel(level, controls[level], offsets);
  }
  DeformationSummary summary;
  for (const DeformationSummary& part : summaries_) {
    summary.pressed += part.pressed;
    summary.longest_displacement =
        std::max(summary.longest_displacement, part.longest_displacement);
    summary.largest_move = std::max(summary.largest_move, part.largest_move);
  }
  Uncheck(runs_.back().moved);
  return summary;
}

void CollisionResponse::DeformLevel(int level, const LevelControls& controls,
                                    SurfaceOffsets* offsets) {
  LevelRuns& runs = runs_[level];
  const RunMap& pressed = pressed_[level];
  if (level == 0) {
    runs.moved.Fill(false);
  } else {
    model_.Reach(level, runs_[level - 1].moved, &runs.moved);
  }
  // Offsets that neither recover nor yield stay as they are.
  const bool changes = controls.retention.all != 1.0 || std::isfinite(controls.yield.all);
  for (int run = 0; run < runs.work.size(); ++run) {
    runs.work[run] = runs.moved[run] | pressed[run] | (changes ? runs.active[run] : 0);
  }
  WalkRuns(level, runs.work, [&](const FramedRun& run, size_t worker) {
    DeformRun(level, controls, run, runs.moved[run.index] != 0, offsets, &summaries_[worker]);
  });
}

void CollisionResponse::DeformRun(int level, const LevelControls& controls, const FramedRun& run,
                                  bool base_moved, SurfaceOffsets* offsets,
                                  DeformationSummary* summary) {
  LevelRuns& runs = runs_[level];
  const bool finest = level == model_.levels() - 1;
  const bool is_pressed = pressed_[level][run.index] != 0;
  GridVectors &elastic = offsets->elastic[level], &plastic = offsets->plastic[level];
  GridVectors& surface = surface_[level];

  std::array<double, kRunLength> absorption, damping, retention, other;
  if (is_pressed) {
    const RunControls of_run = {controls.absorption.Of(run, &absorption),
                                controls.damping.Of(run, &damping),
                                controls.retention.Of(run, &retention), controls.directed()};
    PressRun(run, of_run, finest, shortest_, model_.rest(level), plastic, displacements_[level],
             surface, &elastic);
    if (level > 0 && (controls.stiffness.all > 0.0 || controls.stiffness.map != nullptr)) {
      StiffenRun(run, controls.stiffness.Of(run, &other), shortest_, model_.rest(level), plastic,
                 displacements_[level], &elastic);
    }
  } else if (runs.active[run.index] != 0 && controls.retention.all != 1.0) {
    RecoverRun(run, controls.retention.Of(run, &retention), vanishing_, &elastic);
  }
  const bool was_active = runs.active[run.index] != 0;
  const bool answers = (is_pressed || was_active) && AnyNotZero(elastic, run);
  const bool yields = answers && std::isfinite(controls.yield.all);
  if (yields) {
    YieldRun(run, controls.yield.Of(run, &other), controls.yield.directed(), &elastic, &plastic);
    runs.plastic[run.index] = AnyNotZero(plastic, run) ? 1 : 0;
  }
  runs.active[run.index] = answers && (!yields || AnyNotZero(elastic, run)) ? 1 : 0;
  if (!is_pressed && !base_moved && !yields) return;  // s = S
  // A pressed level that absorbs nothing stays as well, so that a contact is as local as what
  // answers.
  if (!finest && !base_moved && !was_active && !answers) return;

  runs.moved[run.index] = 1;
  std::array<double, kRunLength> one;
  one.fill(1.0);
  RunVectors relaxed;
  if (finest) {
    for (int c = 0; c < 3; ++c) {
      std::copy_n(surface.col(c).data() + run.begin, run.count, relaxed[c].data());
    }
  }
  PlaceRun(run, model_.rest(level), runs.active[run.index] != 0 ? &elastic : nullptr,
           InAllDirections(one.data()), runs.plastic[run.index] != 0 ? &plastic : nullptr,
           &surface);
  if (!finest) return;
  const double largest = LargestSquaredMove(run, relaxed, surface);
  double longest = 0.0;
  for (int i = 0; is_pressed && i < run.count; ++i) {
    const double length = displacements_[level].row(run.begin + i).norm();
    longest = std::max(longest, length);
    if (length > shortest_) ++summary->pressed;
  }
  summary->longest_displacement = std::max(summary->longest_displacement, longest);
  summary->largest_move = std::max(summary->largest_move, std::sqrt(largest));
}

}  // namespace pliant
