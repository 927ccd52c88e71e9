#include "solvers/response/collision_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "solvers/response/press_run.h"

namespace pliant {
namespace {

using Eigen::AlignedBox3d;
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

// Is a run on, or one of the eight around it?
bool AnyBeside(const GridSize& grid, const RunMap& map, int run, int row) {
  for (int v = row - 1; v <= row + 1; ++v) {
    if (!grid.wraps_v && (v < 0 || v >= map.rows())) continue;
    for (int r = run - 1; r <= run + 1; ++r) {
      if (!grid.wraps_u && (r < 0 || r >= map.per_row())) continue;
      const int at = (v + map.rows()) % map.rows(), along = (r + map.per_row()) % map.per_row();
      if (map[map.Index(along, at)] != 0) return true;
    }
  }
  return false;
}

}  // namespace

CollisionResponse::CollisionResponse(MultiresolutionSurface model, Restriction restriction,
                                     int threads)
    : model_(std::move(model)),
      restriction_(restriction),
      team_(threads),
      ones_(model_.levels(), 1.0),
      last_retention_(model_.levels(), 1.0),
      summaries_(team_.threads()),
      surface_(model_.ZeroVectors()),
      displacements_(model_.ZeroVectors()) {
  rows_.reserve(team_.threads());
  for (int i = 0; i < team_.threads(); ++i) rows_.emplace_back(model_.finest());
  for (int level = 0; level < model_.levels(); ++level) {
    const RunMap map(model_.grid(level));
    pressed_.push_back(map);
    runs_.push_back({map, map, map, map, map});
  }
  unchecked_ = pressed_.back();
  put_off_ = pressed_.back();
  boxes_.resize(runs().size());
  if (!model_.is_mesh() && model_.levels() > 1) reach_.emplace(model_);
  Place(model_.ZeroOffsets());
  shortest_ = kRounding * Extent(surface());
  vanishing_ = kVanishing * Extent(surface());
}

int CollisionResponse::PiecesOf(int runs, int rows) const {
  // To share takes as long as to work on a few runs; to begin a piece, as to prolongate two rows.
  constexpr int kWorthRuns = 48, kPiecesPerThread = 6;
  if (team_.threads() == 1) return 1;
  return std::clamp(runs / kWorthRuns, 1, std::min(rows, kPiecesPerThread * team_.threads()));
}

// What `kept` leaves of the offsets that are not zero. Also finds the box of a run of the finest
// level.
void CollisionResponse::PlaceRunOf(int level, const FramedRun& run, const SurfaceOffsets& offsets,
                                   const RunValues& kept) {
  const LevelRuns& runs = runs_[level];
  PlaceRun(run, model_.rest(level), runs.active[run.index] != 0 ? &offsets.elastic[level] : nullptr,
           kept, runs.plastic[run.index] != 0 ? &offsets.plastic[level] : nullptr,
           &surface_[level]);
  if (level == model_.levels() - 1) {
    boxes_[run.index] = BoxAround(surface_[level], run.begin, run.count);
    unchecked_[run.index] = 1;
  }
}

void CollisionResponse::Place(const SurfaceOffsets& offsets) {
  std::array<double, kRunLength> one;
  one.fill(1.0);
  for (int level = 0; level < model_.levels(); ++level) {
    LevelRuns& runs = runs_[level];
    runs.work.Fill(true);
    WalkRuns(level, runs.work, [&](const FramedRun& run, int) {
      runs.active[run.index] = AnyNotZero(offsets.elastic[level], run) ? 1 : 0;
      runs.plastic[run.index] = AnyNotZero(offsets.plastic[level], run) ? 1 : 0;
      PlaceRunOf(level, run, offsets, InAllDirections(one.data()));
    });
    runs.moved.Fill(true);
  }
}

bool CollisionResponse::WithinBounds(double bound) {
  for (int run = 0; run < unchecked_.size(); ++run) {
    if (unchecked_[run] == 0) continue;
    if (boxes_[run].min().minCoeff() < -bound || boxes_[run].max().maxCoeff() > bound) return false;
  }
  unchecked_.Fill(false);
  return true;
}

void CollisionResponse::MoveRest(int level, const GridVectors& target) {
  model_.MoveRest(level, target, &rows_.front(), &surface_);
  for (int j = 0; j <= level; ++j) runs_[j].moved.Fill(true);
  if (reach_ && level == model_.levels() - 1) reach_->FindRest(model_);
}

void CollisionResponse::Relax(const std::vector<LevelControls>& controls,
                              const SurfaceOffsets& offsets) {
  for (int level = 0; level < model_.levels(); ++level) {
    FindFresh(level, controls[level]);
    RelaxLevel(level, controls[level], offsets);
  }
  reach_follows_ = false;
}

void CollisionResponse::Relax(const std::vector<LevelControls>& controls,
                              const SurfaceOffsets& offsets,
                              std::span<const AlignedBox3d> reaches) {
  if (!reach_) {
    Relax(controls, offsets);
    return;
  }
  const int finest = model_.levels() - 1;
  for (int level = 0; level < finest; ++level) {
    FindFresh(level, controls[level]);
    RelaxLevel(level, controls[level], offsets);
  }
  LevelRuns& coarse = runs_[finest - 1];
  coarse.work = coarse.fresh;
  if (!reach_follows_) coarse.work.Fill(true);
  InPieces(coarse.work.Count(), coarse.work.rows(), [&](int first, int last, int) {
    reach_->Follow(surface_[finest - 1], coarse.work, first, last);
  });
  reach_follows_ = true;
  FindFresh(finest, controls[finest]);
  PutOff(reaches);
  RelaxLevel(finest, controls[finest], offsets);
}

// Which runs of a level S must be computed for anew.
void CollisionResponse::FindFresh(int level, const LevelControls& controls) {
  LevelRuns& runs = runs_[level];
  const double retention = controls.retention.all;
  const bool shortens = retention != 1.0 || last_retention_[level] != 1.0;
  last_retention_[level] = retention;
  if (level == 0) {
    runs.fresh.Fill(false);
  } else {
    model_.Reach(level, runs_[level - 1].fresh, &runs.fresh);
  }
  for (int run = 0; run < runs.fresh.size(); ++run) {
    runs.fresh[run] |= runs.moved[run] | (shortens ? runs.active[run] : 0);
  }
  if (level < model_.levels() - 1) return;
  for (int run = 0; run < put_off_.size(); ++run) runs.fresh[run] |= put_off_[run];
  put_off_.Fill(false);
}

// Of the fresh runs of the finest level, those that nothing can press and that do not lie beside
// one that may be pressed: its normals look at them.
void CollisionResponse::PutOff(std::span<const AlignedBox3d> reaches) {
  LevelRuns& runs = runs_.back();
  RunMap& near = runs.work;
  InPieces(near.size(), near.rows(), [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      for (int run = 0; run < near.per_row(); ++run) {
        const int index = near.Index(run, row);
        const bool known = runs.active[index] == 0 && runs.plastic[index] == 0;
        near[index] = known && !reach_->Meets(run, row, reaches) ? 0 : 1;
      }
    }
  });
  const GridSize& grid = model_.finest();
  InPieces(near.size(), near.rows(), [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      bool any = false;  // in the rows beside it
      for (int v = row - 1; v <= row + 1; ++v) {
        any = any || near.AnyInRow((v + near.rows()) % near.rows());
      }
      for (int run = 0; run < near.per_row(); ++run) {
        const int index = near.Index(run, row);
        if (runs.fresh[index] == 0 || (any && AnyBeside(grid, near, run, row))) continue;
        runs.fresh[index] = 0;
        put_off_[index] = 1;
        boxes_[index].setEmpty();
      }
    }
  });
}

void CollisionResponse::RelaxLevel(int level, const LevelControls& controls,
                                   const SurfaceOffsets& offsets) {
  WalkRuns(level, runs_[level].fresh, [&](const FramedRun& run, int) {
    std::array<double, kRunLength> room;
    PlaceRunOf(level, run, offsets, controls.retention.Of(run, &room));
  });
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
  InPieces(pressed.Count(), pressed.rows(), [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
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
  });
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
  const int runs = pressed_[level].Count();
  InPieces(runs, pressed.rows(), [&](int first, int last, int) {
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
  summaries_.assign(team_.threads(), {});
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
  // What was put off is placed now, and stays there for the next step: it has not moved.
  const bool finest = level == model_.levels() - 1;
  if (finest) {
    for (int run = 0; run < put_off_.size(); ++run) runs.work[run] |= put_off_[run];
  }
  WalkRuns(level, runs.work, [&](const FramedRun& run, int worker) {
    const bool base_moved = runs.moved[run.index] != 0 || (finest && put_off_[run.index] != 0);
    DeformRun(level, controls, run, base_moved, offsets, &summaries_[worker]);
  });
  if (finest) put_off_.Fill(false);
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

  runs.moved[run.index] |= is_pressed || yields ? 1 : 0;  // else as its base did
  std::array<double, kRunLength> one;
  one.fill(1.0);
  RunVectors relaxed;
  // Where nothing is pressed the finest level moves with the level below.
  const bool measured = finest ? is_pressed : level == model_.levels() - 2;
  if (measured) {
    for (int c = 0; c < 3; ++c) {
      std::copy_n(surface.col(c).data() + run.begin, run.count, relaxed[c].data());
    }
  }
  PlaceRunOf(level, run, *offsets, InAllDirections(one.data()));
  if (!measured) return;
  double largest = 0.0;
  if (finest) {
    const PressedVertices pressed =
        LookAtPressed(run, shortest_, displacements_[level], relaxed, surface);
    summary->pressed += pressed.count;
    summary->longest_displacement =
        std::max(summary->longest_displacement, std::sqrt(pressed.displacement));
    largest = pressed.move;
  } else {
    largest = LargestSquaredMove(run, relaxed, surface);
  }
  summary->largest_move = std::max(summary->largest_move, std::sqrt(largest));
}

}  // namespace pliant
