#include "solvers/response/collision_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Rounding of points, as a fraction of the extent of what they make up.
constexpr double kRounding = 1e-12;

// How far along d a pressed vertex is moved by its level: x of the header.
double Absorbed(double absorption, bool finest, double length, double moved, double kept) {
  const double share = absorption * length - kept;
  if (absorption < 0.0) return share;
  const double left = length - moved;
  return std::max(0.0, finest ? left : std::min(left, share));
}

double Extent(const GridVectors& points) {
  return (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm();
}

}  // namespace

CollisionResponse::CollisionResponse(MultiresolutionSurface model, Restriction restriction)
    : model_(std::move(model)),
      restriction_(restriction),
      ones_(model_.levels(), 1.0),
      retained_(model_.levels(), 1.0),
      rows_(model_.finest()),
      relaxed_(model_.ZeroVectors()),
      solution_(model_.ZeroVectors()),
      displacements_(model_.ZeroVectors()) {
  Place(model_.ZeroOffsets());
  relaxed_ = solution_;
  shortest_ = kRounding * Extent(surface());
}

void CollisionResponse::Place(const SurfaceOffsets& offsets) {
  model_.Place(offsets, ones_, &rows_, &solution_);
}

void CollisionResponse::Relax(const std::vector<LevelControls>& controls,
                              const SurfaceOffsets& offsets) {
  for (int level = 0; level < model_.levels(); ++level) {
    retained_[level] = controls[level].retention;
  }
  model_.Place(offsets, retained_, &rows_, &relaxed_);
}

void CollisionResponse::RestrictDisplacements() {
  for (int level = model_.levels() - 1; level > 0; --level) {
    Restrict(restriction_, model_.grid(level), displacements_[level], model_.grid(level - 1),
             &displacements_[level - 1]);
  }
}

DeformationSummary CollisionResponse::Deform(const std::vector<LevelControls>& controls,
                                             SurfaceOffsets* offsets) {
  DeformationSummary summary;
  for (int level = 0; level < model_.levels(); ++level) {
    DeformLevel(level, controls[level], offsets, &summary);
  }
  return summary;
}

void CollisionResponse::DeformLevel(int level, const LevelControls& controls,
                                    SurfaceOffsets* offsets, DeformationSummary* summary) {
  const bool finest = level == model_.levels() - 1;
  const GridVectors& rest = model_.rest(level);
  const GridVectors& relaxed = relaxed_[level];
  const GridVectors& displacements = displacements_[level];
  GridVectors& elastic = offsets->elastic[level];
  GridVectors& plastic = offsets->plastic[level];
  GridVectors& solution = solution_[level];

  model_.WalkLevel(level, solution_, &rows_, [&](const FramedRun& run) {
    for (int i = 0; i < run.count; ++i) {
      const int vertex = run.begin + i;
      const Vector3d b = run.Base(i);
      const Eigen::Matrix3d frame = run.Frame(i);
      const Vector3d r = rest.row(vertex), d = displacements.row(vertex);
      const Vector3d S = relaxed.row(vertex);
      Vector3d o = elastic.row(vertex), p = plastic.row(vertex);

      const double length = d.norm();
      if (length <= shortest_) {
        o *= controls.retention;
      } else {
        const Vector3d h = d / length;
        const Vector3d local = frame.transpose() * h;
        const double moved = h.dot(b + frame * (r + p + o) - S);
        const double kept = (1.0 - controls.retention) * local.dot(o);
        const double x = Absorbed(controls.absorption, finest, length, moved, kept);
        o += (controls.damping * x) * local;
      }
      if (const double size = o.norm(); size > controls.yield) {
        const Vector3d beyond = o - (controls.yield / size) * o;
        p += beyond;
        o -= beyond;
      }
      const Vector3d s = b + frame * (r + p + o);
      elastic.row(vertex) = o;
      plastic.row(vertex) = p;
      solution.row(vertex) = s;
      if (finest) {
        summary->pressed += length > shortest_ ? 1 : 0;
        summary->longest_displacement = std::max(summary->longest_displacement, length);
        summary->largest_move = std::max(summary->largest_move, (s - S).norm());
      }
    }
  });
}

}  // namespace pliant
