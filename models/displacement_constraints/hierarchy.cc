#include "models/displacement_constraints/hierarchy.h"

#include <cassert>
#include <cmath>

#include "models/geometry/rotation.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Calls visit(end, other) for the lines from both ends of a midpoint's line to points across.
template <typename Midpoint, typename Visit>
void ForEachAcross(const Midpoint& m, const Visit& visit) {
  for (size_t i = 0; i < m.across.size(); ++i) {
    const int end = i % 2 == 0 ? m.first : m.second;
    if (m.across[i] != 0) visit(end, end + m.across[i]);
  }
}

}  // namespace

GridLevels::GridLevels(const std::vector<GridSize>& grids, int levels) : levels_(levels) {
  for (int l = 0; l < levels; ++l) {
    Level& level = levels_[l];
    for (const GridSize& finest : grids) {
      const int stride = 1 << l;
      assert((finest.nu - 1) % stride == 0 && (finest.nv - 1) % stride == 0);
      const GridSize grid{(finest.nu - 1) / stride + 1, (finest.nv - 1) / stride + 1};
      level.offsets.push_back(level.points);
      level.grids.push_back(grid);
      level.points += grid.size();
    }
  }
  for (int l = 0; l < levels; ++l) {
    Level& level = levels_[l];
    const bool coarsest = l == levels - 1;
    AddGridEdges(&level);
    level.grid_edges = static_cast<int>(level.edges.size());
    if (coarsest && levels > 1) AddDiagonals(&level);
    level.broken.assign(level.edges.size(), 0);
    if (!coarsest) AddTransfer(levels_[l + 1], &level);
    level.edges.shrink_to_fit();
    level.copies.shrink_to_fit();
    level.midpoints.shrink_to_fit();
  }
}

void GridLevels::AddGridEdges(Level* level) {
  for (size_t g = 0; g < level->grids.size(); ++g) {
    const GridSize& grid = level->grids[g];
    const int offset = level->offsets[g];
    level->first_edges.push_back(static_cast<int>(level->edges.size()));
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 1; u < grid.nu; ++u) {
        level->edges.push_back({offset + grid.Index(u - 1, v), offset + grid.Index(u, v)});
      }
    }
    for (int v = 1; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        level->edges.push_back({offset + grid.Index(u, v - 1), offset + grid.Index(u, v)});
      }
    }
  }
}

void GridLevels::AddDiagonals(Level* level) {
  for (size_t g = 0; g < level->grids.size(); ++g) {
    if (level->grids[g] != GridSize{2, 2}) continue;
    const int offset = level->offsets[g];
    level->edges.push_back({offset, offset + 3});
    level->edges.push_back({offset + 1, offset + 2});
  }
}

void GridLevels::Restrict(int level, Eigen::Ref<Eigen::MatrixXd> fine,
                          Eigen::Ref<Eigen::MatrixXd> coarse) const {
  const Level& from = levels_[level];
  for (auto m = from.midpoints.rbegin(); m != from.midpoints.rend(); ++m) {
    fine.col(m->first) += m->of_first * fine.col(m->point);
    fine.col(m->second) += (1.0 - m->of_first) * fine.col(m->point);
  }
  for (const Copy& copy : from.copies) coarse.col(copy.coarse) = fine.col(copy.fine);
}

void GridLevels::Subsample(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& fine,
                           Eigen::Ref<Eigen::Matrix3Xd> coarse) const {
  for (const Copy& copy : levels_[level].copies) coarse.col(copy.coarse) = fine.col(copy.fine);
}

void GridLevels::KeepMomentum(const Eigen::VectorXd& masses) {
  keeps_momentum_ = true;
  Weigh(masses);
}

void GridLevels::Weigh(const Eigen::VectorXd& masses) {
  Eigen::MatrixXd spread = masses.transpose();
  for (int l = 0; l + 1 < levels(); ++l) {
    Eigen::MatrixXd coarse(1, PointCount(l + 1));
    Restrict(l, spread, coarse);  // which leaves in `spread` what has been borne on the way
    levels_[l].borne = spread.transpose();
    spread = coarse;
  }
}

void GridLevels::Balance(int level, Shift shift, Eigen::Ref<Matrix3Xd> points,
                         Eigen::Ref<Matrix3Xd> scratch, Eigen::Ref<Matrix3Xd> coarse) const {
  const Level& of = levels_[level];
  scratch.setZero();
  for (const Midpoint& m : of.midpoints) {
    scratch.col(m.point) = of.borne[m.point] * (points.col(m.point) - Anchor(m, points));
  }
  Restrict(level, scratch, coarse);
  for (const Copy& copy : of.copies) coarse.col(copy.coarse) /= of.borne[copy.fine];
  Interpolate(level, coarse, scratch);
  points += (shift == Shift::kForward ? 1.0 : -1.0) * scratch;
}

void GridLevels::Prolongate(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& before,
                            const Eigen::Ref<const Eigen::Matrix3Xd>& coarse,
                            Eigen::Ref<Eigen::Matrix3Xd> fine) const {
  const Level& to = levels_[level];
  for (const Copy& copy : to.copies) fine.col(copy.fine) = coarse.col(copy.coarse);
  for (const Midpoint& m : to.midpoints) {
    fine.col(m.point) = Anchor(m, fine) + CarriedOffset(m, before, fine);
  }
  for (const int point : to.left_out) fine.col(point) = before.col(point);
}

// What carries the offset of a point.
template <typename Points>
Vector3d GridLevels::Anchor(const Midpoint& m, const Points& points) {
  if (m.of_first == 0.5) return 0.5 * (points.col(m.first) + points.col(m.second));
  return m.of_first * points.col(m.first) + (1.0 - m.of_first) * points.col(m.second);
}

// Where a direction is not defined the offset stays as it is.
Vector3d GridLevels::CarriedOffset(const Midpoint& m, const Eigen::Ref<const Matrix3Xd>& before,
                                   const Eigen::Ref<const Matrix3Xd>& after) {
  const Vector3d offset = before.col(m.point) - Anchor(m, before);
  const Vector3d from = before.col(m.second) - before.col(m.first);
  const Vector3d to = after.col(m.second) - after.col(m.first);
  const double lengths = std::sqrt(from.squaredNorm() * to.squaredNorm());
  if (!(lengths > 0.0)) return offset;
  const Vector3d direction = to.normalized();
  const Vector3d rotation = MinimalRotation(from.normalized(), direction);
  const Vector3d carried = Rotated(offset, rotation);
  double sine = 0.0, cosine = 0.0;
  ForEachAcross(m, [&](int end, int other) {
    const Vector3d e = Rotated(before.col(other) - before.col(end), rotation);
    const Vector3d now = after.col(other) - after.col(end);
    sine += direction.dot(e.cross(now));
    cosine += e.dot(now) - direction.dot(e) * direction.dot(now);
  });
  return sine == 0.0 ? carried : Rotated(carried, std::atan2(sine, cosine) * direction);
}

void GridLevels::Interpolate(int level, const Eigen::Ref<const Matrix3Xd>& coarse,
                             Eigen::Ref<Matrix3Xd> fine) const {
  for (const Copy& copy : levels_[level].copies) fine.col(copy.fine) = coarse.col(copy.coarse);
  for (const Midpoint& m : levels_[level].midpoints) fine.col(m.point) = Anchor(m, fine);
  for (const int point : levels_[level].left_out) fine.col(point).setZero();
}

void GridLevels::ProlongateRates(int level, const Eigen::Ref<const Eigen::Matrix3Xd>& fine,
                                 const Eigen::Ref<const Eigen::Matrix3Xd>& coarse_rates,
                                 Eigen::Ref<Eigen::Matrix3Xd> rates) const {
  const Level& to = levels_[level];
  for (const Copy& copy : to.copies) rates.col(copy.fine) = coarse_rates.col(copy.coarse);
  for (const int point : to.left_out) rates.col(point).setZero();
  for (const Midpoint& m : to.midpoints) {
    const Vector3d first = rates.col(m.first), second = rates.col(m.second);
    const Vector3d direction = fine.col(m.second) - fine.col(m.first);
    const Vector3d offset = fine.col(m.point) - Anchor(m, fine);
    const double squared = direction.squaredNorm();
    Vector3d rate = Anchor(m, rates);
    if (squared > 0.0) {
      // The smallest rotation turns at ω = d × ḋ / |d|², the twist at
      // φ̇ = Σ d·(e × (ė − ω × e)) / Σ (|e|² − (d·e)²), d unit.
      Vector3d spin = direction.cross(second - first) / squared;
      double twisted = 0.0, across = 0.0;
      ForEachAcross(m, [&](int end, int other) {
        const Vector3d e = fine.col(other) - fine.col(end);
        const Vector3d rate_of_e = rates.col(other) - rates.col(end);
        const double along = direction.dot(e);
        twisted += direction.dot(e.cross(rate_of_e - spin.cross(e)));
        across += squared * e.squaredNorm() - along * along;
      });
      if (across > 0.0) spin += (twisted / across) * direction;
      rate += spin.cross(offset);
    }
    rates.col(m.point) = rate;
  }
}

WeightedPoint GridLevels::SeenFrom(int level, int finest_point) const {
  if (torn_) return SeenThroughTears(level, finest_point);
  const Level& finest = levels_.front();
  const Level& seen = levels_[level];
  size_t g = finest.grids.size() - 1;
  while (finest.offsets[g] > finest_point) --g;
  const int stride = 1 << level;
  const int index = finest_point - finest.offsets[g];
  const int u = index % finest.grids[g].nu, v = index / finest.grids[g].nu;
  const double s = static_cast<double>(u % stride) / stride;
  const double t = static_cast<double>(v % stride) / stride;
  WeightedPoint corners;
  for (int dv = 0; dv <= 1; ++dv) {
    for (int du = 0; du <= 1; ++du) {
      const double weight = (du ? s : 1.0 - s) * (dv ? t : 1.0 - t);
      if (weight == 0.0) continue;
      corners.point[corners.count] =
          seen.offsets[g] + seen.grids[g].Index(u / stride + du, v / stride + dv);
      corners.weight[corners.count++] = weight;
    }
  }
  return corners;
}

int GridLevels::FinestPoint(int level, int point) const {
  // Copies are listed in the order of the coarse points.
  for (int l = level - 1; l >= 0; --l) point = levels_[l].copies[point].fine;
  return point;
}

}  // namespace pliant::displacement_constraints
