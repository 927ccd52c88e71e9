#include "solvers/response/response_simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "solvers/response/body_surface.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// A proxy beyond this speed has diverged [m/s].
constexpr double kFastestProxy = 1e9;
// Phase of the fastest motion of a proxy that a pass goes through at most [rad].
constexpr double kResolved = 0.5;
// Pieces by which the way of an obstacle in a step is measured.
constexpr int kWaySamples = 8;

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
       "share of the vertices that were displaced in the last pass; 1 when the whole surface is "
       "swallowed"},
      {"largest_plastic_offset_m", "longest plastic offset of any level"},
      {"reaction_N",
       "what pressed surfaces give back to the rigid proxies they ride on, sum over the bodies; "
       "not "
       "defined where none rides"},
      {"largest_displacement_m", "longest way of a vertex of a held surface from where it started"},
      {"answering_share",
       "share of the area of held surfaces that is displaced by more than 1 % of the largest "
       "displacement; not defined while there is none"},
      {"swept_volume_m3",
       "what held surfaces sweep along the normals they start with, outwards positive; of a curve "
       "an area in m²"},
      {"self_penetration_m",
       "how deep a vertex of a held surface is in another part of it at most; not defined where "
       "surfaces do not see themselves"},
      {"bone_penetration_m",
       "how deep a vertex is in a bone of its skeleton at most; not defined without one"},
  };
}

ResponseSimulation::ResponseSimulation(std::shared_ptr<const Scene> shared,
                                       const ResponseOptions& options,
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
                          std::min(obstacle.friction, 1.0)});
  }
}

void ResponseSimulation::AddSurface(int body, const std::vector<BehaviourMap>& maps,
                                    const std::vector<Stroke>& strokes) {
  std::optional<Patch> patch;
  if (Patch::Fits(scene().bodies[body], scene().dimension)) {
    patch.emplace(scene().bodies[body], scene().dimension, options_.patch, options_.lattice_level);
  }
  const Body& shape = patch ? patch->surface() : scene().bodies[body];
  const GridVectors points = StartOf(shape).transpose();
  MultiresolutionSurface model = SurfaceOf(shape, points.transpose(), options_.prolongation);
  SurfaceMaps own(maps, options_, shape.name, model, points);
  own.AddOffsets(&model);
  std::optional<CompliantLayer> layer;
  if (own.Has(MappedControl::kLayerThickness)) {
    layer.emplace(model, own.LayerThickness().col(0));
  } else if (options_.has_layer()) {
    layer.emplace(model, ThicknessAlong(model.finest(), options_.layer_thickness));
  }
  std::optional<OffsetInertia> inertia;
  if (options_.has_inertia() || own.Has(MappedControl::kAccelerationLimit)) inertia.emplace(model);
  SurfaceOffsets offsets = model.ZeroOffsets();
  const int levels = model.levels();
  CollisionResponse response(std::move(model), options_.restriction, options_.threads);
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
                       std::move(patch),
                       body});
  Extend(&surfaces_.back());
}

StepOutcome ResponseSimulation::DoAdvance(double step) {
  const int needed = PassesNeeded(step);
  const int passes = std::min(needed, kMostPasses);
  double begin = time();
  for (int pass = 1; pass <= passes; ++pass) {
    const double end = pass == passes ? StepEnd() : time() + step * pass / passes;
    Pass(begin, end, step / passes);
    ++passes_;
    StepOutcome outcome = WhereDiverged();
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
    begin = end;
  }
  if (passes > 1 && !said_divided_) {
    said_divided_ = true;
    Happened(StepEnd(), "steps are divided, this one into " + std::to_string(passes) +
                            " passes: something would move too far in one");
  }
  if (needed > kMostPasses) {
    return {StepOutcome::Kind::kNotConverged,
            "dividing the step for obstacles this fast or proxies this stiff"};
  }
  return {};
}

// O(what moved) for held surfaces.
StepOutcome ResponseSimulation::WhereDiverged() {
  for (Surface& surface : surfaces_) {
    if (!surface.response.WithinBounds(bound_)) {
      return {StepOutcome::Kind::kDiverged, "position of the surface"};
    }
  }
  for (const RidingBody& rider : riders_) {
    StepOutcome outcome = CheckBounded(rider.carrier().centre(), bound_, "place of the proxy");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
    const double fastest = rider.carrier().Fastest();
    if (!(fastest <= kFastestProxy)) return {StepOutcome::Kind::kDiverged, "velocity of the proxy"};
    if (!rider.carrier().upright()) return {StepOutcome::Kind::kDiverged, "volume of the proxy"};
  }
  return {};
}

int ResponseSimulation::PassesNeeded(double step) {
  double fastest = 0.0;  // m/s, any point of a rider, as the impulses of the step leave it
  bool struck = false;
  if (!riders_.empty()) {
    force_.setZero();
    struck = forces_.AddImpulses(time(), StepEnd(), force_);
    if (struck) PlaceMaterial();
  }
  for (const RidingBody& rider : riders_) {
    fastest =
        std::max(fastest, struck ? rider.FastestAfter(x_, force_) : rider.carrier().Fastest());
  }
  double needed = 1.0;
  for (const RidingBody& rider : riders_) {
    needed = std::max(needed, std::ceil(step * rider.carrier().Stiffest() / kResolved));
  }
  for (const Obstacle& obstacle : scene().obstacles) {
    double way = 0.0;
    for (int i = 0; obstacle.motion.moves() && i < kWaySamples; ++i) {
      const double begin = time() + step * i / kWaySamples, end = begin + step / kWaySamples;
      way += (obstacle.motion.At(end).position - obstacle.motion.At(begin).position).norm();
    }
    for (const Surface& surface : surfaces_) {
      if (surface.skin) way += surface.skin->LongestWay(time(), time() + step);
    }
    needed = std::max(needed, std::ceil((way + step * fastest) / SafeMotion(obstacle.shape)));
  }
  return static_cast<int>(std::min(needed, kMostPasses + 1.0));
}

// The motion that counts is the way that brought an obstacle into the surface. Its velocity at the
// end of the pass is that of the way back where it turns there.
void ResponseSimulation::MoveObstacles(double begin, double end) {
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

void ResponseSimulation::Pass(double begin, double end, double h) {
  if (!riders_.empty()) {
    KickByImpulses(begin, end);
    KickByForces(begin, 0.5 * h);
    for (RidingBody& rider : riders_) rider.carrier().Drift(h);
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
    if (!options_.relative_stiffness.empty()) Share();
  }
  if (!riders_.empty()) {
    for (RidingBody& rider : riders_) {
      rider.Respond(end, h, options_, scene().obstacles, &*contact_);
    }
    KickByForces(end, 0.5 * h);
  }
}

void ResponseSimulation::Respond(Surface* surface, double begin, double end, double h) {
  CollisionResponse& response = surface->response;
  response.Relax(surface->controls, surface->offsets);
  if (surface->patch) {
    surface->patch->Cast(obstacles_, &response);
  } else {
    CastDisplacements(obstacles_, &response);
  }
  if (surface->brush) surface->brush->Cast(begin, end, &response);
  if (surface->layer) {
    surface->layer->Restrict(surface->controls, &surface->offsets, &response);
  } else {
    response.RestrictDisplacements();
  }
  if (surface->inertia) surface->inertia->Remember(surface->offsets);
  const int vertices = response.model().finest().size();
  const bool was_swallowed = surface->last.pressed == vertices;
  surface->last = response.Deform(surface->controls, &surface->offsets);
  if (surface->last.pressed == vertices && !was_swallowed) {
    Happened(end, "body '" + scene().bodies[surface->body].name +
                      "' is swallowed: all of its surface is inside what presses it");
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

// Volume conservation in the relaxation step (Sec. 5.6): what was swept inwards comes out evenly,
// by offsets of one level along its normals. What comes out under an obstacle is taken back by the
// finest level in the next pass; the rest is made good then.
void ResponseSimulation::Swell(Surface* surface) {
  const double swept = surface->measures->Measure(surface->response.surface()).volume;
  const double out = -options_.volume_kept * swept / surface->measures->area();
  surface->offsets.elastic[options_.volume_level].col(2).array() += out;
  surface->response.Place(surface->offsets);
}

// Forces act on the material where the proxies carry it, undeformed; that of held surfaces stands.
void ResponseSimulation::PlaceMaterial() {
  for (const Surface& surface : surfaces_) PlacePoints(surface, &x_);
  for (const RidingBody& rider : riders_) {
    rider.carrier().PlacePoints(x_.middleCols(rider.first_point(), rider.size()),
                                v_.middleCols(rider.first_point(), rider.size()));
  }
}

double ResponseSimulation::PowerOf(const Eigen::Matrix3Xd& forces) const {
  double power = 0.0;
  for (const RidingBody& rider : riders_) {
    const auto columns = Eigen::seqN(rider.first_point(), rider.size());
    power += forces(Eigen::all, columns).cwiseProduct(mean_v_(Eigen::all, columns)).sum();
  }
  return power;
}

void ResponseSimulation::KickByImpulses(double begin, double end) {
  force_.setZero();
  if (!forces_.AddImpulses(begin, end, force_)) return;
  PlaceMaterial();
  mean_v_ = 0.5 * v_;
  for (RidingBody& rider : riders_) rider.KickByPoints(x_, force_, 1.0);
  PlaceMaterial();
  mean_v_ += 0.5 * v_;
  work_[WorkClass::kImpulse] += PowerOf(force_);
}

void ResponseSimulation::KickByForces(double time, double h) {
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

  double contact = 0.0;
  for (RidingBody& rider : riders_) {
    contact += 0.5 * rider.ReactionPower();
    rider.KickByPoints(x_, force_, h);
    rider.KickByReaction(h);
    work_[WorkClass::kDamping] += rider.carrier().KickByMaterial(h);
    contact += 0.5 * rider.ReactionPower();
  }
  PlaceMaterial();
  mean_v_ += 0.5 * v_;
  work_[WorkClass::kContact] += h * contact;
  if (forces_.has_springs()) work_[WorkClass::kDamping] += h * PowerOf(damping_);
  if (forces_.has_timed_forces()) work_[WorkClass::kForce] += h * PowerOf(timed_);
}

void ResponseSimulation::DoObserve(Observation* observation) const {
  observation->points.resize(3, scene().PointCount());
  int pressed = 0;
  std::optional<double> gain;
  double plastic = 0.0;
  const auto add = [&](const DeformationSummary& last, const SurfaceOffsets& offsets) {
    pressed += last.pressed;
    if (last.pressed > 0) {
      gain = std::max(gain.value_or(0.0), last.largest_move / last.longest_displacement);
    }
    for (const GridVectors& level : offsets.plastic) {
      plastic = std::max(plastic, level.rowwise().norm().maxCoeff());
    }
  };
  int vertices = 0;
  double largest = 0.0, answering = 0.0, area = 0.0, swept = 0.0;
  bool measured = !surfaces_.empty();
  for (const Surface& surface : surfaces_) {
    const GridVectors& s = surface.response.surface();
    PlacePoints(surface, &observation->points);
    vertices += static_cast<int>(s.rows());
    add(surface.last, surface.offsets);
    measured = measured && surface.measures;
    if (!measured) continue;
    const Answer answer = surface.measures->Measure(s);
    largest = std::max(largest, answer.largest);
    answering += answer.area;
    area += surface.measures->area();
    swept += answer.volume;
  }
  if (measured) {
    observation->extras[4] = largest;
    if (largest > 0.0) observation->extras[5] = answering / area;
    observation->extras[6] = swept;
  }
  if (options_.extensions.self_contact_depth > 0.0) {
    observation->extras[7] = 0.0;
    for (const Surface& surface : surfaces_) {
      observation->extras[7] = std::max(*observation->extras[7], SelfPenetration(surface));
    }
  }
  if (options_.extensions.has_skeleton()) {
    observation->extras[8] = surfaces_[0].skin->Depth(surfaces_[0].response.surface());
  }
  double reaction = 0.0;
  for (const RidingBody& rider : riders_) {
    rider.PlacePoints(observation->points.middleCols(rider.first_point(), rider.size()));
    vertices += rider.vertices();
    add(rider.summary(), rider.offsets());
    reaction += rider.reaction().force.norm();
  }
  observation->iterations = passes_;
  observation->extras[0] = gain;
  if (passes_ > 0) observation->extras[1] = static_cast<double>(pressed) / vertices;
  observation->extras[2] = plastic;
  if (riders_.empty()) return;

  observation->extras[3] = reaction;
  // A scene in which some bodies have inertia and others have none has no momentum of its own.
  if (!surfaces_.empty()) return;
  Eigen::Matrix3Xd x(3, scene().PointCount());
  Eigen::Matrix3Xd& v = observation->velocities.emplace(3, scene().PointCount());
  for (const RidingBody& rider : riders_) {
    rider.carrier().PlacePoints(x.middleCols(rider.first_point(), rider.size()),
                                v.middleCols(rider.first_point(), rider.size()));
  }
  observation->work = work_;
  if (options_.proxy.kind == ProxyKind::kAffine) {
    double& elastic = observation->elastic_energy.emplace(0.0);
    for (const RidingBody& rider : riders_) elastic += *rider.carrier().ElasticEnergy();
  }
  if (forces_.has_springs()) observation->spring_energy = forces_.SpringEnergy(x);
}

// The state after the offsets: per surface the summary, per obstacle its motion, the passes; with
// riders also these, their entry points and the work.
int ResponseSimulation::DoStateSize() const {
  Eigen::Index size = 0;
  VisitOffsets(*this, [&size](const GridVectors& level) { size += level.size(); });
  size += static_cast<Eigen::Index>(3 * (surfaces_.size() + obstacles_.size()) + 1);
  if (!riders_.empty()) {
    for (const RidingBody& rider : riders_) size += rider.StateSize();
    size += contact_->StateSize() + kWorkClasses;
  }
  return static_cast<int>(size);
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
  state[at++] = static_cast<double>(passes_);
  if (riders_.empty()) return;
  for (const RidingBody& rider : riders_) {
    rider.Save(state.segment(at, rider.StateSize()));
    at += rider.StateSize();
  }
  contact_->Save(state.segment(at, contact_->StateSize()));
  state.tail<kWorkClasses>() =
      Eigen::Map<const Eigen::Vector<double, kWorkClasses>>(work_.values.data());
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
    if (surface.skin) surface.skin->Pose(time(), &surface.response);
    surface.response.Place(surface.offsets);
  }
  for (CastObstacle& obstacle : obstacles_) {
    obstacle.motion = state.segment<3>(at);
    at += 3;
  }
  passes_ = static_cast<std::int64_t>(state[at++]);
  said_divided_ = false;
  if (riders_.empty()) return;
  for (RidingBody& rider : riders_) {
    rider.Restore(state.segment(at, rider.StateSize()));
    at += rider.StateSize();
  }
  contact_->Restore(state.segment(at, contact_->StateSize()));
  Eigen::Map<Eigen::Vector<double, kWorkClasses>>(work_.values.data()) = state.tail<kWorkClasses>();
}

}  // namespace pliant
