#include "solvers/kinematic_response/kinematic_response_simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "models/geometry/extent.h"
#include "models/scene/number_text.h"
#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/warnings.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// A proxy beyond this speed has diverged [m/s].
constexpr double kFastestProxy = 1e9;
// Phase of the fastest motion of a proxy that a pass goes through at most [rad].
constexpr double kResolved = 0.5;
// Of the extent of a surface: what is farther away cannot meet it in a step.
constexpr double kMargin = 0.25;

// Far beyond any motion of a scene of this size.
double BoundFor(const Scene& scene) {
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  const double extent = DiagonalOf(start);
  return start.cwiseAbs().maxCoeff() + 1e6 * extent;
}

}  // namespace

KinematicResponseSimulation::KinematicResponseSimulation(std::shared_ptr<const Scene> shared,
                                                         const KinematicResponseOptions& options,
                                                         const std::vector<bool>& rides)
    : Simulation(std::move(shared)),
      options_(options),
      bound_(BoundFor(scene())),
      forces_(scene()) {
  const std::vector<BehaviourMap> maps = ReadBehaviourMaps(options_.maps);
  const std::vector<Stroke> strokes = ReadStrokes(options_.strokes, scene().dimension);
  options_.maps = {};
  std::vector<std::string> names;
  for (const Body& body : scene().bodies) names.push_back(body.name);
  RequireKnownBodies(maps, names);
  RequireHeld(strokes, names, rides);
  for (int body = 0; body < static_cast<int>(scene().bodies.size()); ++body) {
    if (rides[body]) {
      riders_.emplace_back(scene(), body, options_, maps);
    } else {
      AddSurface(body, maps, strokes);
    }
  }
  if (!riders_.empty()) {
    contact_.emplace(scene(), options_.reaction.contact);
    x_ = scene().InitialPoints();
    v_ = mean_v_ = force_ = timed_ = damping_ = Eigen::Matrix3Xd::Zero(3, x_.cols());
  }
  for (const Obstacle& obstacle : scene().obstacles) {
    obstacles_.push_back({&obstacle.shape, obstacle.motion.At(0.0).position, Vector3d::Zero(),
                          std::min(obstacle.friction, 1.0), options_.casting});
  }
}

void KinematicResponseSimulation::AddSurface(int body, const std::vector<BehaviourMap>& maps,
                                             const std::vector<Stroke>& strokes) {
  std::optional<Patch> patch;
  if (Patch::Fits(scene().bodies[body], scene().dimension)) {
    patch.emplace(scene().bodies[body], scene().dimension, options_.patch, options_.lattice_level);
  }
  const Body& shape = patch ? patch->surface() : scene().bodies[body];
  const GridVectors points = StartOf(shape).transpose();
  MultiresolutionSurface model = SurfaceOf(shape, points.transpose(), options_.prolongation);
  SurfaceMaps own(maps, options_, shape.name, body, model, points);
  RequireNone(own, {MappedControl::kContactStiffness}, shape.name, "is held",
              "the reaction of a surface applies to riding bodies only");
  own.AddOffsets(&model);
  std::optional<CompliantLayer> layer;
  if (own.Has(MappedControl::kLayerThickness)) {
    layer.emplace(model, own.OfFinest(MappedControl::kLayerThickness));
  } else if (options_.has_layer()) {
    layer.emplace(model, ThicknessAlong(model.finest(), options_.layer_thickness));
  }
  std::optional<OffsetInertia> inertia;
  if (options_.has_inertia() || own.Has(MappedControl::kAccelerationLimit)) inertia.emplace(model);
  SurfaceOffsets offsets = model.ZeroOffsets();
  const int levels = model.levels();
  KinematicResponse response(std::move(model), options_.restriction, options_.threads);
  std::optional<SurfaceMeasures> measures;
  if (HasBorders(shape)) {
    // Wrinkled by offsets it starts where these put it.
    const bool moved = own.Has(MappedControl::kOffset);
    measures.emplace(response.model().finest(), moved ? response.surface() : points);
  }
  std::optional<Brush> brush;
  std::vector<Stroke> here = strokes;
  std::erase_if(here, [&](const Stroke& s) { return s.body && *s.body != shape.name; });
  if (!here.empty()) brush.emplace(std::move(here), response, response.surface());
  surfaces_.push_back({scene().Offset(body),
                       std::move(measures),
                       std::move(response),
                       std::move(offsets),
                       std::vector<LevelControls>(levels),
                       {},
                       std::move(layer),
                       std::move(inertia),
                       std::move(own),
                       std::move(brush),
                       {},
                       {},
                       {},
                       {},
                       {},
                       std::move(patch),
                       body});
  Extend(&surfaces_.back());
}

std::vector<StepLimit> KinematicResponseSimulation::StepLimits() const {
  std::vector<StepLimit> limits;
  if (scene().obstacles.empty()) return limits;
  for (const RidingBody& rider : riders_) {
    limits.push_back(ContactStepLimit(scene(), rider, options_.reaction));
  }
  return limits;
}

StepOutcome KinematicResponseSimulation::DoAdvance(double step) {
  const Division division = PassesNeeded(step);
  const int passes = std::min(division.passes, kMostPasses);
  double begin = time();
  for (int pass = 1; pass <= passes; ++pass) {
    const double end = pass == passes ? StepEnd() : time() + step * pass / passes;
    Pass(begin, end, step / passes);
    ++passes_;
    knows_pass_ = true;
    StepOutcome outcome = WhereDiverged();
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
    begin = end;
  }
  if (passes > 1 && !said_divided_) {
    said_divided_ = true;
    Happened(StepEnd(), "steps are divided; this one takes " + std::to_string(passes) +
                            " passes, because " + division.why);
  }
  if (division.passes > kMostPasses) {
    return {StepOutcome::Kind::kNotConverged,
            "dividing the step for obstacles this fast or proxies this stiff"};
  }
  return {};
}

// O(what moved) for held surfaces.
StepOutcome KinematicResponseSimulation::WhereDiverged() {
  for (Surface& surface : surfaces_) {
    if (!surface.response.WithinBounds(bound_)) {
      return {StepOutcome::Kind::kDiverged, "position of the surface"};
    }
  }
  for (const RidingBody& rider : riders_) {
    StepOutcome outcome = CheckBounded(rider.carrier().centre(), bound_, "position of the proxy");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
    const double fastest = rider.carrier().Fastest();
    if (!(fastest <= kFastestProxy)) return {StepOutcome::Kind::kDiverged, "velocity of the proxy"};
    if (!rider.carrier().upright()) return {StepOutcome::Kind::kDiverged, "volume of the proxy"};
  }
  return {};
}

bool KinematicResponseSimulation::MayReach(const Obstacle& obstacle, double step, double fastest) {
  const Eigen::AlignedBox3d shape = BoundsOf(obstacle.shape).box;
  Eigen::AlignedBox3d swept;
  for (int sample = 0; sample <= kWaySamples; ++sample) {
    const Vector3d origin = obstacle.motion.At(time() + step * sample / kWaySamples).position;
    swept.extend(shape.translated(origin));
  }
  const auto meets = [&swept](Eigen::AlignedBox3d box, double margin) {
    const Vector3d by = Vector3d::Constant(margin);
    return swept.intersects(Eigen::AlignedBox3d(box.min() - by, box.max() + by));
  };
  const auto around = [](const auto& points) {
    return Eigen::AlignedBox3d(Vector3d(points.rowwise().minCoeff()),
                               Vector3d(points.rowwise().maxCoeff()));
  };
  for (const Surface& surface : surfaces_) {
    Eigen::AlignedBox3d box = around(scene().bodies[surface.body].InitialPoints());
    box.extend(around(surface.response.surface().transpose()));
    const double skin = surface.skin ? surface.skin->LongestWay(time(), time() + step) : 0.0;
    if (meets(box, kMargin * box.sizes().maxCoeff() + skin)) return true;
  }
  if (!riders_.empty()) PlaceMaterial();
  for (const RidingBody& rider : riders_) {
    const Eigen::AlignedBox3d box = around(x_.middleCols(rider.first_point(), rider.size()));
    if (meets(box, kMargin * box.sizes().maxCoeff() + step * fastest)) return true;
  }
  return false;
}

KinematicResponseSimulation::Division KinematicResponseSimulation::PassesNeeded(double step) {
  double fastest = 0.0;  // m/s, of any point of a rider, after the impulses of the step
  bool struck = false;
  if (!riders_.empty()) {
    force_.setZero();
    struck = forces_.AddImpulses(time(), StepEnd(), force_);
  }
  for (const RidingBody& rider : riders_) {
    fastest = std::max(fastest, struck ? rider.FastestAfter(force_) : rider.carrier().Fastest());
  }
  Division division;
  const auto need = [&division](double passes, const std::string& why) {
    if (std::ceil(passes) <= division.passes) return;
    division.passes = static_cast<int>(std::min(std::ceil(passes), kMostPasses + 1.0));
    division.why = why;
  };
  for (const RidingBody& rider : riders_) {
    need(step * rider.carrier().Stiffest() / kResolved,
         "the proxy of a body is too stiff for fewer");
  }
  for (const Obstacle& obstacle : scene().obstacles) {
    double way = step * fastest;
    for (const Surface& surface : surfaces_) {
      if (surface.skin) way += surface.skin->LongestWay(time(), time() + step);
    }
    const double passes = way / HalfThickness(obstacle.shape) + LengthsOfWay(obstacle, step);
    if (std::ceil(passes) <= division.passes || !MayReach(obstacle, step, fastest)) continue;
    need(passes, "'" + obstacle.name + "' and what it meets would move too far in one: by " +
                     ThreeDigits(passes) + " times half of what it measures along its way");
  }
  return division;
}

double KinematicResponseSimulation::LengthsOfWay(const Obstacle& obstacle, double step) const {
  if (!obstacle.motion.moves()) return 0.0;
  const bool convex = !std::holds_alternative<Solid>(obstacle.shape);
  double lengths = 0.0;
  Vector3d before = obstacle.motion.At(time()).position;
  for (int piece = 1; piece <= kWaySamples; ++piece) {
    const Vector3d after = obstacle.motion.At(time() + step * piece / kWaySamples).position;
    const double way = (after - before).norm();
    double half = HalfThickness(obstacle.shape);
    if (convex && way > 0.0) {
      half = std::max(half, ExitDistance(obstacle.shape, Vector3d::Zero(), Vector3d::Zero(),
                                         (after - before) / way));
    }
    lengths += way / half;
    before = after;
  }
  return lengths;
}

// The relevant motion is the displacement that brought an obstacle into the surface. If the
// obstacle reverses in the pass, its velocity at the end already points back.
void KinematicResponseSimulation::MoveObstacles(double begin, double end) {
  constexpr double kRounding = 1e-12;
  for (size_t i = 0; i < obstacles_.size(); ++i) {
    const Path& path = scene().obstacles[i].motion;
    obstacles_[i].origin = path.At(end).position;
    const Vector3d way = obstacles_[i].origin - path.At(begin).position;
    if (const double length = way.norm(); length > kRounding * obstacles_[i].origin.norm()) {
      obstacles_[i].motion = way / length;
    }
  }
}

void KinematicResponseSimulation::Pass(double begin, double end, double h) {
  if (!riders_.empty()) {
    KickByImpulses(begin, end);
    KickByForces(0.5 * (begin + end), 0.5 * h);
    for (RidingBody& rider : riders_) {
      work_[WorkClass::kDamping] += rider.carrier().Drift(h);
    }
  }
  MoveObstacles(begin, end);
  for (Surface& surface : surfaces_) {
    ControlsOfStep(options_, begin, h, &surface.controls);
    surface.maps.Apply(options_.StageAt(begin + 0.5 * h), h, &surface.controls);
  }
  if (options_.extensions.ordered()) {
    RespondInOrder(begin, end, h);
  } else {
    for (Surface& surface : surfaces_) Respond(&surface, begin, end, h);
    if (!options_.relative_stiffness.empty()) Share(options_.sharing_passes);
  }
  if (!riders_.empty()) {
    for (RidingBody& rider : riders_) {
      work_[WorkClass::kContact] += rider.Respond(end, h, options_, scene().obstacles, &*contact_);
    }
    KickByForces(0.5 * (begin + end), 0.5 * h);
  }
}

void KinematicResponseSimulation::Respond(Surface* surface, double begin, double end, double h) {
  KinematicResponse& response = surface->response;
  if (surface->AsksEverywhere() || viewer_) {  // postponed strips cannot be displayed
    response.Relax(surface->controls, surface->offsets);
  } else {
    ReachesOf(obstacles_, &reaches_);
    response.Relax(surface->controls, surface->offsets, reaches_);
  }
  if (viewer_) Show(Phase::kRelaxed, *surface);
  if (surface->patch) {
    surface->patch->Cast(obstacles_, &response);
  } else {
    CastDisplacements(obstacles_, &response);
  }
  if (surface->brush) surface->brush->Cast(begin, end, &response);
  if (viewer_) Show(Phase::kCast, *surface);
  if (surface->layer) {
    surface->layer->Restrict(surface->controls, &surface->offsets, &response);
  } else {
    response.RestrictDisplacements();
  }
  if (viewer_) Show(Phase::kRestricted, *surface);
  if (surface->inertia) surface->inertia->Remember(surface->offsets);
  const int vertices = response.model().finest().size();
  const bool was_swallowed = surface->last.pressed == vertices;
  surface->last = response.Deform(surface->controls, &surface->offsets);
  if (viewer_) Show(Phase::kDeformed, *surface);
  if (surface->last.pressed == vertices && !was_swallowed) {
    Happened(end, "body '" + scene().bodies[surface->body].name +
                      "' is swallowed: all of its surface is inside the obstacles");
  }
  if (surface->inertia) {
    surface->inertia->Limit(surface->controls, h, &surface->offsets);
    response.Place(surface->offsets);
  }
  if (options_.volume_kept > 0.0) Swell(surface);
  if (surface->area) {
    surface->area->Keep(options_.extensions.area_kept, &response, &surface->offsets);
  }
}

// Volume conservation in the relaxation step (Sec. 5.6): the volume swept inwards is added evenly
// by offsets of one level along its normals. The finest level removes in the next pass what this
// adds under an obstacle; the rest is compensated then.
void KinematicResponseSimulation::Swell(Surface* surface) {
  const double swept = surface->measures->Measure(surface->response.surface()).volume;
  const double out = -options_.volume_kept * swept / surface->measures->area();
  surface->offsets.elastic[options_.volume_level].col(2).array() += out;
  surface->response.Place(surface->offsets);
}

// Forces act on the undeformed material of the proxies; that of held surfaces does not move.
void KinematicResponseSimulation::PlaceMaterial() {
  for (const Surface& surface : surfaces_) PlacePoints(surface, &x_);
  for (const RidingBody& rider : riders_) {
    rider.carrier().PlacePoints(x_.middleCols(rider.first_point(), rider.size()),
                                v_.middleCols(rider.first_point(), rider.size()));
  }
}

double KinematicResponseSimulation::PowerOf(const Eigen::Matrix3Xd& forces) const {
  double power = 0.0;
  for (const RidingBody& rider : riders_) {
    const auto columns = Eigen::seqN(rider.first_point(), rider.size());
    power += forces(Eigen::all, columns).cwiseProduct(mean_v_(Eigen::all, columns)).sum();
  }
  return power;
}

void KinematicResponseSimulation::KickByImpulses(double begin, double end) {
  force_.setZero();
  if (!forces_.AddImpulses(begin, end, force_)) return;
  PlaceMaterial();
  mean_v_ = 0.5 * v_;
  for (RidingBody& rider : riders_) rider.KickByPoints(force_, 1.0, &work_);
  PlaceMaterial();
  mean_v_ += 0.5 * v_;
  work_[WorkClass::kImpulse] += PowerOf(force_);
}

// Timed forces are those at `time`, inside the pass: at its ends they may begin or end.
void KinematicResponseSimulation::KickByForces(double time, double h) {
  PlaceMaterial();
  mean_v_ = 0.5 * v_;
  force_.setZero();
  forces_.AddGravity(force_);
  if (forces_.has_springs()) {
    damping_.setZero();
    forces_.AddSprings(x_, force_);
    forces_.AddSpringDamping(x_, v_, damping_);
    force_ += damping_;
  }
  if (forces_.has_timed_forces()) {
    timed_.setZero();
    forces_.AddTimedForces(time, timed_);
    force_ += timed_;
  }

  for (RidingBody& rider : riders_) {
    // Halves around the rest, so that both kicks of a pass together are of second order.
    work_[WorkClass::kDamping] += rider.carrier().KickByMaterial(0.5 * h);
    rider.KickByForces(force_, h, &work_);
    work_[WorkClass::kDamping] += rider.carrier().KickByMaterial(0.5 * h);
  }
  PlaceMaterial();
  mean_v_ += 0.5 * v_;
  if (forces_.has_springs()) work_[WorkClass::kDamping] += h * PowerOf(damping_);
  if (forces_.has_timed_forces()) work_[WorkClass::kForce] += h * PowerOf(timed_);
}

}  // namespace pliant::kinematic_response
