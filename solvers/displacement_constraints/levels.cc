#include "solvers/displacement_constraints/levels.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/displacement_constraints/ordering.h"
#include "solvers/projection/rigid_pieces.h"
#include "solvers/projection/scene_edges.h"
#include "solvers/projection/solver_grids.h"

namespace pliant::displacement_constraints {
namespace {

constexpr char kFractions[] = "force_fractions";

void RequireWholeForce(const std::vector<double>& fractions) {
  if (fractions.empty()) {
    throw BadInput({kFractions, "force_fractions is empty, so no force acts on any level",
                    "give one fraction per level, the finest first; [1] is a single level"});
  }
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  if (std::abs(sum - 1.0) > 1e-9) {
    throw BadInput({kFractions,
                    "the sum of force_fractions is " + Digits(sum) + ", so the body would get " +
                        (sum < 1.0 ? "only a part" : "more than the whole") + " of every force",
                    "make the sum 1"});
  }
}

void CountNeighbours(Level* level) {
  const SegmentNet& net = level->segments.net();
  level->neighbours.assign(net.points(), 0);
  for (int e = 0; e < level->filter_edges; ++e) {
    if (!net.IsThere(e)) continue;
    for (const int point : net.edges()[e]) ++level->neighbours[point];
  }
}

Level MakeLevel(SegmentNet net, const Eigen::VectorXd& lengths, int filter_edges, double tolerance,
                const DisplacementConstraintsOptions& options) {
  Level level(SegmentSystem(std::move(net), options.velocity_update));
  level.segments.SetLengths(lengths);
  level.tolerance = tolerance;
  level.filter_edges = filter_edges;
  CountNeighbours(&level);
  if (std::isfinite(options.break_force)) level.pulled.setZero(level.segments.net().segments());
  level.forces.setZero(3, level.segments.net().points());
  level.order = PointsInOrder(level.segments.net(), options.order);
  level.Share(options.threads);
  level.joint_impulses.setZero(3, level.segments.net().pairs());
  if (options.warm_start > 0.0) level.joint_forces = level.joint_impulses;
  return level;
}

}  // namespace

// A joint touches the segments that meet at its point. Torn ones are fewer: the shares remain good.
void Level::Share(int threads) {
  if (threads == 1) return;
  SweptItems items;
  for (const int point : order) {
    items.Add(point);
    for (const int endpoint : segments.net().Incident(point)) items.Touches(endpoint / 2);
  }
  shares = SharedSweep(items, threads);
}

void Level::Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses) {
  segments.Tear(broken, point_masses);
  CountNeighbours(this);
  joint_forces.setZero();  // pairs are others now
}

std::shared_ptr<const GridLevels> MakeGridLevels(const Scene& scene,
                                                 const std::vector<double>& force_fractions) {
  RequireWholeForce(force_fractions);
  const int levels = static_cast<int>(force_fractions.size());
  if (levels == 1) return nullptr;
  return std::make_shared<const GridLevels>(
      GridsOf(scene,
              {kFractions, levels, "force_fractions names", "force_fractions = [1]", "fractions"}),
      levels);
}

std::vector<Level> MakeLevels(const Scene& scene, const DisplacementConstraintsOptions& options,
                              const GridLevels* grids) {
  Eigen::Matrix3Xd points = UnstretchedPoints(scene);
  Eigen::MatrixXd masses = scene.Masses().transpose();
  const bool may_tear = std::isfinite(options.break_force);
  std::vector<Level> levels;
  if (grids == nullptr) {
    const std::vector<SceneEdge> own =
        SceneEdges(scene, RigidBodiesOf(scene, options.rigid_bodies));
    const int edges = static_cast<int>(own.size());
    SegmentNet net(own, masses.transpose(), options.inertia, may_tear);
    const Eigen::VectorXd lengths = EdgeLengths(net.edges(), points);
    levels.push_back(
        MakeLevel(std::move(net), lengths, edges, GapTolerance(scene, options.tolerance), options));
    levels[0].start = levels[0].points = points;
  }
  for (int l = 0; grids != nullptr && l < grids->levels(); ++l) {
    SegmentNet net(grids->Edges(l), masses.transpose(), options.inertia, may_tear);
    const Eigen::VectorXd lengths = EdgeLengths(net.edges(), points);
    const auto edges = static_cast<Eigen::Index>(grids->Edges(l).size());
    levels.push_back(MakeLevel(std::move(net), lengths, grids->GridEdgeCount(l),
                               options.tolerance * lengths.head(edges).minCoeff(), options));
    levels[l].start = levels[l].points = points;
    if (l + 1 == grids->levels()) break;
    Eigen::MatrixXd coarse_masses(1, grids->PointCount(l + 1));
    grids->Restrict(l, masses, coarse_masses);
    Eigen::Matrix3Xd coarse(3, grids->PointCount(l + 1));
    grids->Subsample(l, points, coarse);
    masses = coarse_masses;
    points = coarse;
  }
  double finer = 0.0;  // Σ_{k ≤ ℓ} φ_k
  for (size_t l = 0; l < levels.size(); ++l) {
    for (size_t k = l + 1; k < levels.size(); ++k) {
      levels[l].rest_fraction += options.force_fractions[k];
    }
    levels[l].segments.Place(levels[l].start);
    levels[l].fraction = options.force_fractions[l];
    finer += levels[l].fraction;
    levels[l].hold_share = l == 0 ? 1.0 : finer > 0.0 ? levels[l].fraction / finer : 0.0;
  }
  return levels;
}

}  // namespace pliant::displacement_constraints
