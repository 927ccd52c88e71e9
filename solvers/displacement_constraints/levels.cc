#include "solvers/displacement_constraints/levels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "models/scene/number_text.h"
#include "models/scene/problem.h"
#include "solvers/displacement_constraints/rigid_pieces.h"

namespace pliant::displacement_constraints {
namespace {

constexpr char kFractions[] = "force_fractions";

// The parameter that asks for levels, and how it says so.
struct LevelRequest {
  const char* parameter;
  int levels;
  const char* names;  // "force_fractions names"
  const char* one;    // how to ask for a single level
  const char* most;   // "fractions"
};

void RequireWholeForce(const std::vector<double>& fractions) {
  if (fractions.empty()) {
    throw BadInput({kFractions, "force_fractions is empty, so that no level feels a force",
                    "give one fraction per level, finest first; [1] is a single level"});
  }
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  if (std::abs(sum - 1.0) > 1e-9) {
    throw BadInput({kFractions,
                    "the sum of force_fractions is " + Digits(sum) +
                        ", so that the body would feel " +
                        (sum < 1.0 ? "only a part" : "more than the whole") + " of every force",
                    "make the sum 1"});
  }
}

// A side of 2^k + 1 points has k + 1 levels, down to 2 points.
void RequireLevels(const Body& body, int points, const LevelRequest& request) {
  const DyadicNeighbours nearest = NearestDyadic(points);
  if (nearest.below != points) {
    throw BadInput({request.parameter,
                    "body '" + body.name + "' has " + std::to_string(points) +
                        " points along a side, but several levels need 2^n + 1",
                    "give it " + std::to_string(nearest.below) + " or " +
                        std::to_string(nearest.above) + " points, or " + request.one});
  }
  const int most = *DyadicLevel(points) + 1;
  if (request.levels > most) {
    throw BadInput({request.parameter,
                    std::string(request.names) + " " + std::to_string(request.levels) +
                        " levels, but body '" + body.name + "' with " + std::to_string(points) +
                        " points along a side has " + std::to_string(most),
                    "give at most " + std::to_string(most) + " " + request.most});
  }
}

GridSize GridOf(const Body& body, const LevelRequest& request) {
  if (body.shape != ShapeKind::kChain && body.shape != ShapeKind::kSheet) {
    throw BadInput(
        {request.parameter,
         "body '" + body.name + "' is neither a chain nor a sheet and has one level only",
         std::string("give ") + request.one});
  }
  const GridSize grid{body.grid[0], body.grid[1]};
  RequireLevels(body, grid.nu, request);
  if (!grid.curve()) RequireLevels(body, grid.nv, request);
  return grid;
}

std::shared_ptr<const GridLevels> LevelsOf(const Scene& scene, const LevelRequest& request) {
  if (request.levels == 1) return nullptr;
  std::vector<GridSize> grids;
  for (const Body& body : scene.bodies) grids.push_back(GridOf(body, request));
  return std::make_shared<const GridLevels>(grids, request.levels);
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
  if (options.warm_start > 0.0) {
    level.joint_forces.setZero(3, level.segments.net().pairs());
    level.joint_impulses = level.joint_forces;
  }
  return level;
}

}  // namespace

void Level::Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses) {
  segments.Tear(broken, point_masses);
  CountNeighbours(this);
  joint_forces.setZero();  // pairs are others now
}

std::shared_ptr<const GridLevels> MakeGridLevels(const Scene& scene,
                                                 const std::vector<double>& force_fractions) {
  RequireWholeForce(force_fractions);
  return LevelsOf(scene, {kFractions, static_cast<int>(force_fractions.size()),
                          "force_fractions names", "force_fractions = [1]", "fractions"});
}

std::shared_ptr<const GridLevels> MakeSolverLevels(const Scene& scene, int levels) {
  return LevelsOf(
      scene, {"solver_levels", levels, "solver_levels asks for", "solver_levels = 1", "levels"});
}

std::vector<SegmentNet::Edge> SceneEdges(const Scene& scene, const std::vector<bool>& rigid) {
  std::vector<SegmentNet::Edge> edges;
  int offset = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    std::vector<SegmentNet::Edge> own;
    if (!rigid[b]) own = body.edges;
    if (body.grid[0] > 0) {  // the stride between the two points tells the axis
      std::stable_sort(own.begin(), own.end(), [](const auto& a, const auto& b) {
        return std::abs(a[1] - a[0]) < std::abs(b[1] - b[0]);
      });
    }
    for (const auto& edge : own) edges.push_back({offset + edge[0], offset + edge[1]});
    offset += body.size();
  }
  return edges;
}

double GapTolerance(const Scene& scene, const DisplacementConstraintsOptions& options) {
  double shortest = std::numeric_limits<double>::infinity();
  for (const Body& body : scene.bodies) {
    for (const auto& [a, b] : body.edges) {
      const double length = (body.rest.col(b) - body.rest.col(a)).norm();
      if (length > 0.0) shortest = std::min(shortest, length);
    }
  }
  return options.tolerance * (std::isfinite(shortest) ? shortest : 1.0);
}

Eigen::Matrix3Xd UnstretchedPoints(const Scene& scene) {
  Eigen::Matrix3Xd points = scene.InitialPoints();
  int offset = 0;
  for (const Body& body : scene.bodies) {
    if (body.stretch != Eigen::Matrix3d::Identity()) {
      const Eigen::Vector3d centre = body.rest * body.mass / body.mass.sum();
      points.middleCols(offset, body.size()) =
          (body.orientation.toRotationMatrix() * (body.rest.colwise() - centre)).colwise() +
          (body.position + body.orientation * (body.stretch * centre));
    }
    offset += body.size();
  }
  return points;
}

std::vector<Level> MakeLevels(const Scene& scene, const DisplacementConstraintsOptions& options,
                              const GridLevels* grids) {
  Eigen::Matrix3Xd points = UnstretchedPoints(scene);
  Eigen::MatrixXd masses = scene.Masses().transpose();
  const bool may_tear = std::isfinite(options.break_force);
  std::vector<Level> levels;
  if (grids == nullptr) {
    const std::vector<SegmentNet::Edge> own = SceneEdges(scene, RigidBodiesOf(scene, options));
    const int edges = static_cast<int>(own.size());
    SegmentNet net(own, masses.transpose(), options.inertia, may_tear);
    const Eigen::VectorXd lengths = EdgeLengths(net.edges(), points);
    levels.push_back(
        MakeLevel(std::move(net), lengths, edges, GapTolerance(scene, options), options));
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
