#include "solvers/kinematic_response/kinematic_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "models/geometry/extent.h"
#include "solvers/kinematic_response/press_strip.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::AlignedBox3d;
using Eigen::Vector3d;

// Rounding of points, as a fraction of the extent of their surface.
constexpr double kRounding = 1e-12;
// Rounding of a single number.
constexpr double kVanishing = 1e-16;

double Extent(const GridVectors& points) { return DiagonalOf(points.transpose()); }

bool AnyNotZero(const GridVectors& vectors, const FramedStrip& strip) {
  for (int c = 0; c < 3; ++c) {
    const double* values = vectors.col(c).data() + strip.begin;
    if (std::any_of(values, values + strip.count, [](double value) { return value != 0.0; })) {
      return true;
    }
  }
  return false;
}

// Is a strip on, or one of the eight around it?
bool AnyBeside(const GridSize& grid, const StripMap& map, int strip, int row) {
  for (int v = row - 1; v <= row + 1; ++v) {
    if (!grid.wraps_v && (v < 0 || v >= map.rows())) continue;
    for (int r = strip - 1; r <= strip + 1; ++r) {
      if (!grid.wraps_u && (r < 0 || r >= map.per_row())) continue;
      const int at = (v + map.rows()) % map.rows(), along = (r + map.per_row()) % map.per_row();
      if (map[map.Index(along, at)] != 0) return true;
    }
  }
  return false;
}

}  // namespace

KinematicResponse::KinematicResponse(MultiresolutionSurface model, Restriction restriction,
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
    const StripMap map(model_.grid(level));
    pressed_.push_back(map);
    strips_.push_back({map, map, map, map, map});
  }
  unchecked_ = pressed_.back();
  put_off_ = pressed_.back();
  boxes_.resize(strips().size());
  if (!model_.is_mesh() && model_.levels() > 1) reach_.emplace(model_);
  Place(model_.ZeroOffsets());
  shortest_ = kRounding * Extent(surface());
  vanishing_ = kVanishing * Extent(surface());
}

int KinematicResponse::PiecesOf(int strips, int rows) const {
  // Sharing costs as much as work on a few strips; beginning a piece, as prolongating two rows.
  constexpr int kWorthStrips = 48, kPiecesPerThread = 6;
  if (team_.threads() == 1) return 1;
  return std::clamp(strips / kWorthStrips, 1, std::min(rows, kPiecesPerThread * team_.threads()));
}

// Applies `kept` to the offsets that are not zero. Also computes the box of a strip of the finest
// level.
void KinematicResponse::PlaceStripOf(int level, const FramedStrip& strip,
                                     const SurfaceOffsets& offsets, const StripValues& kept) {
  const LevelStrips& strips = strips_[level];
  PlaceStrip(strip, model_.rest(level),
             strips.active[strip.index] != 0 ? &offsets.elastic[level] : nullptr, kept,
             strips.plastic[strip.index] != 0 ? &offsets.plastic[level] : nullptr,
             &surface_[level]);
  if (level == model_.levels() - 1) {
    boxes_[strip.index] = BoxAround(surface_[level], strip.begin, strip.count);
    unchecked_[strip.index] = 1;
  }
}

void KinematicResponse::Place(const SurfaceOffsets& offsets) {
  std::array<double, kStripLength> one;
  one.fill(1.0);
  for (int level = 0; level < model_.levels(); ++level) {
    LevelStrips& strips = strips_[level];
    strips.work.Fill(true);
    WalkStrips(level, strips.work, [&](const FramedStrip& strip, int) {
      strips.active[strip.index] = AnyNotZero(offsets.elastic[level], strip) ? 1 : 0;
      strips.plastic[strip.index] = AnyNotZero(offsets.plastic[level], strip) ? 1 : 0;
      PlaceStripOf(level, strip, offsets, InAllDirections(one.data()));
    });
    strips.moved.Fill(true);
  }
}

bool KinematicResponse::WithinBounds(double bound) {
  for (int strip = 0; strip < unchecked_.size(); ++strip) {
    if (unchecked_[strip] == 0) continue;
    if (boxes_[strip].min().minCoeff() < -bound || boxes_[strip].max().maxCoeff() > bound)
      return false;
  }
  unchecked_.Fill(false);
  return true;
}

void KinematicResponse::MoveRest(int level, const GridVectors& target) {
  model_.MoveRest(level, target, &rows_.front(), &surface_);
  for (int j = 0; j <= level; ++j) strips_[j].moved.Fill(true);
  if (reach_ && level == model_.levels() - 1) reach_->FindRest(model_);
}

void KinematicResponse::Relax(const std::vector<LevelControls>& controls,
                              const SurfaceOffsets& offsets) {
  for (int level = 0; level < model_.levels(); ++level) {
    FindFresh(level, controls[level]);
    RelaxLevel(level, controls[level], offsets);
  }
  reach_follows_ = false;
}

void KinematicResponse::Relax(const std::vector<LevelControls>& controls,
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
  LevelStrips& coarse = strips_[finest - 1];
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

// The strips of a level for which S must be recomputed.
void KinematicResponse::FindFresh(int level, const LevelControls& controls) {
  LevelStrips& strips = strips_[level];
  const double retention = controls.retention.all;
  const bool shortens = retention != 1.0 || last_retention_[level] != 1.0;
  last_retention_[level] = retention;
  if (level == 0) {
    strips.fresh.Fill(false);
  } else {
    model_.Reach(level, strips_[level - 1].fresh, &strips.fresh);
  }
  for (int strip = 0; strip < strips.fresh.size(); ++strip) {
    strips.fresh[strip] |= strips.moved[strip] | (shortens ? strips.active[strip] : 0);
  }
  if (level < model_.levels() - 1) return;
  for (int strip = 0; strip < put_off_.size(); ++strip) strips.fresh[strip] |= put_off_[strip];
  put_off_.Fill(false);
}

// Of the fresh strips of the finest level, those that nothing can press and that are not beside one
// that may be pressed, whose normals depend on them.
void KinematicResponse::PutOff(std::span<const AlignedBox3d> reaches) {
  LevelStrips& strips = strips_.back();
  StripMap& near = strips.work;
  InPieces(near.size(), near.rows(), [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      for (int strip = 0; strip < near.per_row(); ++strip) {
        const int index = near.Index(strip, row);
        const bool known = strips.active[index] == 0 && strips.plastic[index] == 0;
        near[index] = known && !reach_->Meets(strip, row, reaches) ? 0 : 1;
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
      for (int strip = 0; strip < near.per_row(); ++strip) {
        const int index = near.Index(strip, row);
        if (strips.fresh[index] == 0 || (any && AnyBeside(grid, near, strip, row))) continue;
        strips.fresh[index] = 0;
        put_off_[index] = 1;
        boxes_[index].setEmpty();
      }
    }
  });
}

void KinematicResponse::RelaxLevel(int level, const LevelControls& controls,
                                   const SurfaceOffsets& offsets) {
  WalkStrips(level, strips_[level].fresh, [&](const FramedStrip& strip, int) {
    std::array<double, kStripLength> room;
    PlaceStripOf(level, strip, offsets, controls.retention.Of(strip, &room));
  });
}

void KinematicResponse::ClearDisplacements() {
  if (!displacements_known_) {
    displacements_.back().setZero();
    pressed_.back().Fill(false);
    displacements_known_ = true;
    return;
  }
  const GridSize& grid = model_.finest();
  StripMap& pressed = pressed_.back();
  InPieces(pressed.Count(), pressed.rows(), [&](int first, int last, int) {
    for (int row = first; row < last; ++row) {
      for (int strip = 0; strip < pressed.per_row(); ++strip) {
        std::uint8_t& on = pressed[pressed.Index(strip, row)];
        if (on == 0) continue;
        const int begin = strip * kStripLength;
        displacements_.back()
            .middleRows(grid.Index(begin, row), std::min(kStripLength, grid.nu - begin))
            .setZero();
        on = 0;
      }
    }
  });
}

void KinematicResponse::LookForDisplacements() {
  if (displacements_known_) return;
  displacements_known_ = true;
  const GridSize& grid = model_.finest();
  StripMap& pressed = pressed_.back();
  for (int row = 0; row < pressed.rows(); ++row) {
    for (int strip = 0; strip < pressed.per_row(); ++strip) {
      FramedStrip where;
      where.begin = grid.Index(strip * kStripLength, row);
      where.count = std::min(kStripLength, grid.nu - strip * kStripLength);
      pressed[pressed.Index(strip, row)] = AnyNotZero(displacements_.back(), where) ? 1 : 0;
    }
  }
}

void KinematicResponse::RestrictDisplacements() {
  LookForDisplacements();
  for (int level = model_.levels() - 1; level > 0; --level) RestrictLevel(level);
}

// From `level` to the next coarser one: strips none of whose children are pressed are zero.
void KinematicResponse::RestrictLevel(int level) {
  const GridSize& coarse = model_.grid(level - 1);
  StripMap& pressed = pressed_[level - 1];
  GridVectors& d = displacements_[level - 1];
  const int strips = pressed_[level].Count();
  InPieces(strips, pressed.rows(), [&](int first, int last, int) {
    for (int v = first; v < last; ++v) {
      for (int strip = 0; strip < pressed.per_row(); ++strip) {
        std::uint8_t& on = pressed[pressed.Index(strip, v)];
        const bool was_on = on != 0;
        on = model_.RestrictStrip(level, restriction_, displacements_[level], pressed_[level],
                                  strip, v, &d)
                 ? 1
                 : 0;
        if (on != 0 || !was_on) continue;
        const int begin = strip * kStripLength;
        d.middleRows(coarse.Index(begin, v), std::min(kStripLength, coarse.nu - begin)).setZero();
      }
    }
  });
}

DeformationSummary KinematicResponse::Deform(const std::vector<LevelControls>& controls,
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

void KinematicResponse::DeformLevel(int level, const LevelControls& controls,
                                    SurfaceOffsets* offsets) {
  LevelStrips& strips = strips_[level];
  const StripMap& pressed = pressed_[level];
  if (level == 0) {
    strips.moved.Fill(false);
  } else {
    model_.Reach(level, strips_[level - 1].moved, &strips.moved);
  }
  // Offsets that neither recover nor yield do not change.
  const bool changes = controls.retention.all != 1.0 || std::isfinite(controls.yield.all);
  for (int strip = 0; strip < strips.work.size(); ++strip) {
    strips.work[strip] =
        strips.moved[strip] | pressed[strip] | (changes ? strips.active[strip] : 0);
  }
  // Postponed strips are placed now, and also for the next step, because they have not moved.
  const bool finest = level == model_.levels() - 1;
  if (finest) {
    for (int strip = 0; strip < put_off_.size(); ++strip) strips.work[strip] |= put_off_[strip];
  }
  WalkStrips(level, strips.work, [&](const FramedStrip& strip, int worker) {
    const bool base_moved =
        strips.moved[strip.index] != 0 || (finest && put_off_[strip.index] != 0);
    DeformStrip(level, controls, strip, base_moved, offsets, &summaries_[worker]);
  });
  if (finest) put_off_.Fill(false);
}

void KinematicResponse::DeformStrip(int level, const LevelControls& controls,
                                    const FramedStrip& strip, bool base_moved,
                                    SurfaceOffsets* offsets, DeformationSummary* summary) {
  LevelStrips& strips = strips_[level];
  const bool finest = level == model_.levels() - 1;
  const bool is_pressed = pressed_[level][strip.index] != 0;
  GridVectors &elastic = offsets->elastic[level], &plastic = offsets->plastic[level];
  GridVectors& surface = surface_[level];

  std::array<double, kStripLength> absorption, damping, retention, other;
  if (is_pressed) {
    const StripControls of_strip = {controls.absorption.Of(strip, &absorption),
                                    controls.damping.Of(strip, &damping),
                                    controls.retention.Of(strip, &retention), controls.directed()};
    PressStrip(strip, of_strip, finest, shortest_, model_.rest(level), plastic,
               displacements_[level], surface, &elastic);
    if (level > 0 && (controls.stiffness.all > 0.0 || controls.stiffness.map != nullptr)) {
      StiffenStrip(strip, controls.stiffness.Of(strip, &other), shortest_, model_.rest(level),
                   plastic, displacements_[level], &elastic);
    }
  } else if (strips.active[strip.index] != 0 && controls.retention.all != 1.0) {
    RecoverStrip(strip, controls.retention.Of(strip, &retention), vanishing_, &elastic);
  }
  const bool was_active = strips.active[strip.index] != 0;
  const bool answers = (is_pressed || was_active) && AnyNotZero(elastic, strip);
  const bool yields = answers && std::isfinite(controls.yield.all);
  if (yields) {
    YieldStrip(strip, controls.yield.Of(strip, &other), controls.yield.directed(), &elastic,
               &plastic);
    strips.plastic[strip.index] = AnyNotZero(plastic, strip) ? 1 : 0;
  }
  strips.active[strip.index] = answers && (!yields || AnyNotZero(elastic, strip)) ? 1 : 0;
  if (!is_pressed && !base_moved && !yields) return;  // s = S
  // A pressed level that absorbs nothing stays too, so that a contact is as local as its
  // response.
  if (!finest && !base_moved && !was_active && !answers) return;

  strips.moved[strip.index] |= is_pressed || yields ? 1 : 0;  // else as its base did
  std::array<double, kStripLength> one;
  one.fill(1.0);
  StripVectors relaxed;
  // Where nothing is pressed the finest level moves with the next coarser one.
  const bool measured = finest ? is_pressed : level == model_.levels() - 2;
  if (measured) {
    for (int c = 0; c < 3; ++c) {
      std::copy_n(surface.col(c).data() + strip.begin, strip.count, relaxed[c].data());
    }
  }
  PlaceStripOf(level, strip, *offsets, InAllDirections(one.data()));
  if (!measured) return;
  double largest = 0.0;
  if (finest) {
    const PressedVertices pressed =
        LookAtPressed(strip, shortest_, displacements_[level], relaxed, surface);
    summary->pressed += pressed.count;
    summary->longest_displacement =
        std::max(summary->longest_displacement, std::sqrt(pressed.displacement));
    largest = pressed.move;
  } else {
    largest = LargestSquaredMove(strip, relaxed, surface);
  }
  summary->largest_move = std::max(summary->largest_move, std::sqrt(largest));
}

}  // namespace pliant::kinematic_response
