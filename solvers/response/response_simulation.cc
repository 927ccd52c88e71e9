#include "solvers/response/response_simulation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using Eigen::Vector3d;

GridSize GridOf(const Body& body) { return {body.grid[0], body.grid[1]}; }

GridVectors PointsOf(const Scene& scene, int body) {
  return scene.InitialPoints()
      .middleCols(scene.Offset(body), scene.bodies[body].size())
      .transpose();
}

// Far beyond anything a scene of this size does by itself.
double BoundFor(const Scene& scene) {
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const double extent = (start.rowwise().maxCoeff() - start.rowwise().minCoeff()).norm();
  return start.cwiseAbs().maxCoeff() + 1e6 * extent;
}

}  // namespace

std::vector<ExtraSeries> ResponseExtras() {
  return {
      {"largest_gain",
       "largest distance the last pass moved a vertex away from the relaxed surface, over its "
       "longest displacement vector; not defined while nothing presses"},
      {"pressed_share",
       "share of the vertices inside obstacles in the last pass; 1 when the whole surface is "
       "swallowed"},
      {"largest_plastic_offset_m", "longest plastic offset of any level"},
  };
}

ResponseSimulation::ResponseSimulation(std::shared_ptr<const Scene> shared,
                                       const ResponseOptions& options)
    : Simulation(std::move(shared)), options_(options), bound_(BoundFor(scene())) {
  for (int body = 0; body < static_cast<int>(scene().bodies.size()); ++body) {
    MultiresolutionSurface model(GridOf(scene().bodies[body]), PointsOf(scene(), body),
                                 options_.prolongation);
    SurfaceOffsets offsets = model.ZeroOffsets();
    std::vector<LevelControls> controls(model.levels());
    surfaces_.push_back({CollisionResponse(std::move(model), options_.restriction),
                         std::move(offsets),
                         std::move(controls),
                         {}});
  }
  for (const Obstacle& obstacle : scene().obstacles) {
    obstacles_.push_back({&obstacle.shape, obstacle.motion.At(0.0).position, Vector3d::Zero(),
                          std::min(obstacle.friction, 1.0)});
  }
}

StepOutcome ResponseSimulation::DoAdvance(double step) {
  const int needed = PassesNeeded(step);
  const int passes = std::min(needed, kMostPasses);
  for (int pass = 1; pass <= passes; ++pass) {
    MoveObstacles(time() + step * pass / passes);
    Pass(step / passes);
  }
  passes_ += passes;

  for (const Surface& surface : surfaces_) {
    const GridVectors& s = surface.response.surface();
    StepOutcome outcome = CheckBounded(Eigen::Map<const Eigen::VectorXd>(s.data(), s.size()),
                                       bound_, "position of the surface");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
  }
  if (needed > kMostPasses) {
    return {StepOutcome::Kind::kNotConverged, "casting against obstacles this fast"};
  }
  return {};
}

int ResponseSimulation::PassesNeeded(double step) const {
  double needed = 1.0;
  for (const Obstacle& obstacle : scene().obstacles) {
    if (!obstacle.motion.moves()) continue;
    const Vector3d way =
        obstacle.motion.At(time() + step).position - obstacle.motion.At(time()).position;
    needed = std::max(needed, std::ceil(way.norm() / SafeMotion(obstacle.shape)));
  }
  return static_cast<int>(std::min(needed, kMostPasses + 1.0));
}

void ResponseSimulation::MoveObstacles(double time) {
  for (size_t i = 0; i < obstacles_.size(); ++i) {
    const PathPoint at = scene().obstacles[i].motion.At(time);
    obstacles_[i].origin = at.position;
    if (const double speed = at.velocity.norm(); speed > 0.0) {
      obstacles_[i].motion = at.velocity / speed;
    }
  }
}

void ResponseSimulation::Pass(double step) {
  for (Surface& surface : surfaces_) {
    CollisionResponse& response = surface.response;
    ControlsOfStep(options_, step, &surface.controls);
    response.Relax(surface.controls, surface.offsets);
    CastDisplacements(obstacles_, response.model().finest(), response.relaxed(),
                      response.shortest_displacement(), response.displacements());
    response.RestrictDisplacements();
    surface.last = response.Deform(surface.controls, &surface.offsets);
  }
}

void ResponseSimulation::DoObserve(Observation* observation) const {
  observation->points.resize(3, scene().PointCount());
  int column = 0, pressed = 0;
  std::optional<double> gain;
  double plastic = 0.0;
  for (const Surface& surface : surfaces_) {
    const GridVectors& s = surface.response.surface();
    observation->points.middleCols(column, s.rows()) = s.transpose();
    column += static_cast<int>(s.rows());
    pressed += surface.last.pressed;
    if (surface.last.pressed > 0) {
      gain = std::max(gain.value_or(0.0),
                      surface.last.largest_move / surface.last.longest_displacement);
    }
    for (const GridVectors& level : surface.offsets.plastic) {
      plastic = std::max(plastic, level.rowwise().norm().maxCoeff());
    }
  }
  observation->iterations = passes_;
  observation->extras[0] = gain;
  if (passes_ > 0) observation->extras[1] = static_cast<double>(pressed) / column;
  observation->extras[2] = plastic;
}

// The state after the offsets: per surface the summary, per obstacle its motion, the passes.
int ResponseSimulation::DoStateSize() const {
  Eigen::Index size = 0;
  VisitOffsets(*this, [&size](const GridVectors& level) { size += level.size(); });
  return static_cast<int>(size + 3 * (surfaces_.size() + obstacles_.size()) + 1);
}

void ResponseSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
  Eigen::Index at = 0;
  VisitOffsets(*this, [&](const GridVectors& level) {
    state.segment(at, level.size()) = level.reshaped();
    at += level.size();
  });
  for (const Surface& surface : surfaces_) {
    state.segment<3>(at) << surface.last.pressed, surface.last.longest_displacement,
        surface.last.largest_move;
    at += 3;
  }
  for (const CastObstacle& obstacle : obstacles_) {
    state.segment<3>(at) = obstacle.motion;
    at += 3;
  }
  state[at] = static_cast<double>(passes_);
}

void ResponseSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Index at = 0;
  VisitOffsets(*this, [&](GridVectors& level) {
    level.reshaped() = state.segment(at, level.size());
    at += level.size();
  });
  for (Surface& surface : surfaces_) {
    surface.last = {static_cast<int>(state[at]), state[at + 1], state[at + 2]};
    at += 3;
    surface.response.Place(surface.offsets);
  }
  for (CastObstacle& obstacle : obstacles_) {
    obstacle.motion = state.segment<3>(at);
    at += 3;
  }
  passes_ = static_cast<std::int64_t>(state[at]);
}

}  // namespace pliant
