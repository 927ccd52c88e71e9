// The transfer between levels, in whole and in torn nets.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "models/displacement_constraints/hierarchy.h"

namespace pliant::displacement_constraints {

using Eigen::VectorXd;

namespace {

// Edges of a grid in the order of GridLevels: from (u, v) along its row or along its column.
int RowEdge(const GridSize& grid, int u, int v) { return v * (grid.nu - 1) + u; }
int ColumnEdge(const GridSize& grid, int u, int v) {
  return grid.nv * (grid.nu - 1) + v * grid.nu + u;
}

struct Way {
  int du, dv;
};

constexpr int kLeftOut = std::numeric_limits<int>::min();

}  // namespace

// Finds the carriers of the points of one grid that the next coarser level lacks.
class GridLevels::Weaver {
 public:
  Weaver(size_t grid, Level* level)
      : grid_(level->grids[grid]),
        offset_(level->offsets[grid]),
        first_edge_(level->first_edges[grid]),
        level_(*level),
        known_(grid_.size(), 0) {
    ForEach([&](int u, int v) { known_[grid_.Index(u, v)] = u % 2 == 0 && v % 2 == 0; });
  }

  // Between neighbours on the coarse lines first; points odd in both indices lie between those.
  void Weave() {
    ForEachUnknown([&](int u, int v) {
      return u % 2 == 0 ? v % 2 == 1 && GoesBetween(u, v, {0, 1})
                        : v % 2 == 0 && GoesBetween(u, v, {1, 0});
    });
    ForEachUnknown([&](int u, int v) {
      return u % 2 == 1 && v % 2 == 1 && GoesBetween(u, v, {1, 0});
    });
    // Torn off.
    bool more = true;
    while (more) {
      more = ForEachUnknown([&](int u, int v) {
        return GoesBetween(u, v, {1, 0}) || GoesBetween(u, v, {0, 1});
      });
      if (!more) more = ForEachUnknown([&](int u, int v) { return GoesWithOne(u, v); });
    }
    ForEach([&](int u, int v) {
      if (!known_[grid_.Index(u, v)]) level_.left_out.push_back(offset_ + grid_.Index(u, v));
    });
  }

 private:
  template <typename Visit>
  void ForEach(const Visit& visit) {
    for (int v = 0; v < grid_.nv; ++v) {
      for (int u = 0; u < grid_.nu; ++u) visit(u, v);
    }
  }
  // Was any found?
  template <typename Finds>
  bool ForEachUnknown(const Finds& finds) {
    bool any = false;
    ForEach([&](int u, int v) {
      if (known_[grid_.Index(u, v)] || !finds(u, v)) return;
      known_[grid_.Index(u, v)] = any = true;
    });
    return any;
  }

  // True if a chain of this many whole edges connects a point to a known one.
  bool Leads(int u, int v, const Way& way, int edges) const {
    for (int i = 0; i < edges; ++i) {
      const int to_u = u + way.du, to_v = v + way.dv;
      if (to_u < 0 || to_u >= grid_.nu || to_v < 0 || to_v >= grid_.nv) return false;
      const int edge = way.dv == 0 ? RowEdge(grid_, std::min(u, to_u), v)
                                   : ColumnEdge(grid_, u, std::min(v, to_v));
      if (level_.broken[first_edge_ + edge]) return false;
      u = to_u;
      v = to_v;
    }
    return known_[grid_.Index(u, v)];
  }
  int Step(const Way& way, int edges) const { return edges * (way.du + way.dv * grid_.nu); }

  bool GoesBetween(int u, int v, const Way& way) {
    const Way back{-way.du, -way.dv}, across{way.dv, way.du}, behind{-way.dv, -way.du};
    if (!Leads(u, v, back, 1) || !Leads(u, v, way, 1)) return false;
    const int point = offset_ + grid_.Index(u, v);
    // The next line across that is known.
    const int lines = (way.dv == 0 ? v : u) % 2 == 0 ? 2 : 1;
    const auto step = [&](int sign, const Way& side) {
      return Leads(u + sign * way.du, v + sign * way.dv, side, lines) ? Step(side, lines) : 0;
    };
    std::array<int, 4> lines_across = {step(-1, across), step(1, across), step(-1, behind),
                                       step(1, behind)};
    if (lines_across == std::array<int, 4>{}) {
      lines_across[0] = StepAside(u - way.du, v - way.dv, way);
    }
    level_.midpoints.push_back({point, point + Step(back, 1), point + Step(way, 1), lines_across});
    return true;
  }

  bool GoesWithOne(int u, int v) {
    for (const Way& to : {Way{-1, 0}, Way{1, 0}, Way{0, -1}, Way{0, 1}}) {
      if (!Leads(u, v, to, 1)) continue;
      const int at_u = u + to.du, at_v = v + to.dv;
      const int point = offset_ + grid_.Index(u, v), first = point + Step(to, 1);
      const int edges = Leads(at_u, at_v, to, 1) ? 1 : Leads(at_u, at_v, to, 2) ? 2 : 0;
      if (edges > 0) {  // continues the line
        level_.midpoints.push_back({point,
                                    first,
                                    first + Step(to, edges),
                                    {StepAside(at_u, at_v, to), 0, 0, 0},
                                    1.0 + 1.0 / edges});
      } else {
        const Way aside = WayAside(at_u, at_v, {0, 0});
        const int line = Step(aside, 1);  // of any length
        level_.midpoints.push_back(
            {point, first, first + line, {StepAside(at_u, at_v, aside), 0, 0, 0}, 1.0});
      }
      return true;
    }
    return false;
  }

  // The nearest known point reached by whole edges, not in line with `way`; {0, 0}: none.
  Way WayAside(int u, int v, const Way& way) const {
    std::vector<Way> found = {{0, 0}};
    std::set<int> seen = {grid_.Index(u, v)};
    for (size_t i = 0; i < found.size(); ++i) {
      const Way at = found[i];
      const bool moved = at.du != 0 || at.dv != 0;
      if (moved && (at.du * way.dv != at.dv * way.du || (way.du == 0 && way.dv == 0))) return at;
      for (const Way& to : {Way{-1, 0}, Way{1, 0}, Way{0, -1}, Way{0, 1}}) {
        if (!Leads(u + at.du, v + at.dv, to, 1)) continue;
        const Way next{at.du + to.du, at.dv + to.dv};
        if (seen.insert(grid_.Index(u + next.du, v + next.dv)).second) found.push_back(next);
      }
    }
    return {0, 0};
  }
  int StepAside(int u, int v, const Way& way) const { return Step(WayAside(u, v, way), 1); }

  const GridSize grid_;
  const int offset_, first_edge_;
  Level& level_;
  std::vector<char> known_;
};

void GridLevels::AddTransfer(const Level& coarser, Level* level) {
  level->copies.clear();
  level->midpoints.clear();
  level->left_out.clear();
  for (size_t g = 0; g < level->grids.size(); ++g) {
    const GridSize &fine = level->grids[g], &coarse = coarser.grids[g];
    for (int v = 0; v < coarse.nv; ++v) {
      for (int u = 0; u < coarse.nu; ++u) {
        level->copies.push_back({level->offsets[g] + fine.Index(2 * u, 2 * v),
                                 coarser.offsets[g] + coarse.Index(u, v)});
      }
    }
    Weaver(g, level).Weave();
  }
}

void GridLevels::Tear(const std::vector<char>& broken, const VectorXd& masses) {
  levels_[0].broken = broken;
  torn_ = std::find(broken.begin(), broken.end(), 1) != broken.end();
  for (int l = 1; l < levels(); ++l) BreakLines(l);
  if (levels() > 1) BreakDiagonals();
  Eigen::MatrixXd finer = masses.transpose();
  for (int l = 0; l + 1 < levels(); ++l) {
    AddTransfer(levels_[l + 1], &levels_[l]);
    IndexCarriers(&levels_[l]);
    Eigen::MatrixXd spread = finer, coarse(1, PointCount(l + 1));
    Restrict(l, spread, coarse);
    if (!(coarse.minCoeff() > 0.0)) {
      for (Midpoint& m : levels_[l].midpoints) m.of_first = std::min(m.of_first, 1.0);
      spread = finer;
      Restrict(l, spread, coarse);
    }
    finer = coarse;
  }
  if (keeps_momentum_) Weigh(masses);
}

void GridLevels::BreakLines(int l) {
  const Level& finer = levels_[l - 1];
  Level& level = levels_[l];
  for (size_t g = 0; g < level.grids.size(); ++g) {
    const GridSize &grid = level.grids[g], &fine = finer.grids[g];
    const auto part = [&](int edge) { return finer.broken[finer.first_edges[g] + edge]; };
    char* broken = level.broken.data() + level.first_edges[g];
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u + 1 < grid.nu; ++u) {
        const int first = RowEdge(fine, 2 * u, 2 * v);
        broken[RowEdge(grid, u, v)] = part(first) | part(first + 1);
      }
    }
    for (int v = 0; v + 1 < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        const int first = ColumnEdge(fine, 2 * u, 2 * v);
        broken[ColumnEdge(grid, u, v)] = part(first) | part(first + fine.nu);
      }
    }
  }
}

void GridLevels::BreakDiagonals() {
  const Level& finest = levels_.front();
  Level& coarsest = levels_.back();
  std::vector<int> part(finest.points);
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&part](int point) {
    while (part[point] != point) point = part[point] = part[part[point]];
    return point;
  };
  for (size_t e = 0; e < finest.edges.size(); ++e) {
    if (!finest.broken[e]) part[root(finest.edges[e][0])] = root(finest.edges[e][1]);
  }
  for (size_t e = coarsest.grid_edges; e < coarsest.edges.size(); ++e) {
    const auto [a, b] = coarsest.edges[e];
    const int last = levels() - 1;
    coarsest.broken[e] = root(FinestPoint(last, a)) != root(FinestPoint(last, b)) ? 1 : 0;
  }
}

void GridLevels::AddTensions(int l, const VectorXd& coarse, VectorXd* fine) const {
  const Level &to = levels_[l], &from = levels_[l + 1];
  for (size_t g = 0; g < to.grids.size(); ++g) {
    const GridSize &grid = to.grids[g], &above = from.grids[g];
    // Width of the strip around grid line `line` of `lines`, in line spacings: border lines have
    // half.
    const auto width = [](int line, int lines) {
      return lines > 1 && (line == 0 || line == lines - 1) ? 0.5 : 1.0;
    };
    // Of a coarse line, for each fine one in it.
    const auto share = [&](int line, int lines) {
      return lines == 1 ? 1.0 : 0.5 / width(line, lines);
    };
    const auto row = [&](int u, int v) {
      return share(v, above.nv) * coarse[from.first_edges[g] + RowEdge(above, u, v)];
    };
    const auto column = [&](int u, int v) {
      return share(u, above.nu) * coarse[from.first_edges[g] + ColumnEdge(above, u, v)];
    };
    const auto add = [&](int edge, double tension) {
      (*fine)[to.first_edges[g] + edge] += tension;
    };
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u + 1 < grid.nu; ++u) {
        add(RowEdge(grid, u, v),
            0.5 * width(v, grid.nv) * (row(u / 2, v / 2) + row(u / 2, (v + 1) / 2)));
      }
    }
    for (int v = 0; v + 1 < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        add(ColumnEdge(grid, u, v),
            0.5 * width(u, grid.nu) * (column(u / 2, v / 2) + column((u + 1) / 2, v / 2)));
      }
    }
  }
}

void GridLevels::IndexCarriers(Level* level) {
  level->carriers.assign(level->points, kLeftOut);
  for (const Copy& copy : level->copies) level->carriers[copy.fine] = -1 - copy.coarse;
  for (size_t m = 0; m < level->midpoints.size(); ++m) {
    level->carriers[level->midpoints[m].point] = static_cast<int>(m);
  }
}

// Weights go from level to level with what carries a point.
WeightedPoint GridLevels::SeenThroughTears(int l, int finest_point) const {
  std::map<int, double> seen = {{finest_point, 1.0}};
  for (int k = 0; k < l; ++k) {
    const Level& fine = levels_[k];
    std::map<int, double> coarse;
    bool whole = true;
    const auto give = [&](const auto& self, int point, double weight) -> void {
      const int carrier = fine.carriers[point];
      if (carrier == kLeftOut) {
        whole = false;
      } else if (carrier < 0) {
        coarse[-1 - carrier] += weight;
      } else {
        const Midpoint& m = fine.midpoints[carrier];
        self(self, m.first, m.of_first * weight);
        if (m.of_first != 1.0) self(self, m.second, (1.0 - m.of_first) * weight);
      }
    };
    for (const auto& [point, weight] : seen) give(give, point, weight);
    if (!whole) return {};
    seen = std::move(coarse);
  }
  std::vector<std::pair<int, double>> heaviest(seen.begin(), seen.end());
  std::stable_sort(heaviest.begin(), heaviest.end(), [](const auto& a, const auto& b) {
    return std::abs(a.second) > std::abs(b.second);
  });
  WeightedPoint corners;
  double sum = 0.0;
  for (const auto& [point, weight] : heaviest) {
    if (corners.count == static_cast<int>(corners.point.size())) break;
    corners.point[corners.count] = point;
    corners.weight[corners.count++] = weight;
    sum += weight;
  }
  for (double& weight : corners.weight) weight /= sum;
  return corners;
}

}  // namespace pliant::displacement_constraints
