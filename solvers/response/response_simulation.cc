#include "solvers/response/response_simulation.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "solvers/response/body_surface.h"
#include "solvers/response/sharing.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

Eigen::Matrix3Xd PointsOf(const Scene& scene, int body) {
  return scene.InitialPoints().middleCols(scene.Offset(body), scene.bodies[body].size());
}

// A rigid proxy beyond this speed has diverged [m/s].
constexpr double kFastest = 1e9;
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
  };
}

ResponseSimulation::ResponseSimulation(std::shared_ptr<const Scene> shared,
                                       const ResponseOptions& options,
                                       const std::vector<bool>& rides)
    : Simulation(std::move(shared)),
      options_(options),
      bound_(BoundFor(scene())),
      forces_(scene()),
      contact_(scene(), options.reaction.contact),
      x_(scene().InitialPoints()),
      v_(Eigen::Matrix3Xd::Zero(3, x_.cols())),
      mean_v_(v_),
      force_(v_),
      timed_(v_),
      damping_(v_) {
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
  for (const Obstacle& obstacle : scene().obstacles) {
    obstacles_.push_back({&obstacle.shape, obstacle.motion.At(0.0).position, Vector3d::Zero(),
                          std::min(obstacle.friction, 1.0)});
  }
}

void ResponseSimulation::AddSurface(int body, const std::vector<BehaviourMap>& maps,
                                    const std::vector<Stroke>& strokes) {
  const Body& shape = scene().bodies[body];
  const GridVectors points = PointsOf(scene(), body).transpose();
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
  CollisionResponse response(std::move(model), options_.restriction);
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
                       body});
}

StepOutcome ResponseSimulation::DoAdvance(double step) {
  const int needed = PassesNeeded(step);
  const int passes = std::min(needed, kMostPasses);
  double begin = time();
  for (int pass = 1; pass <= passes; ++pass) {
    const double end = pass == passes ? StepEnd() : time() + step * pass / passes;
    Pass(begin, end, step / passes);
    begin = end;
  }
  passes_ += passes;

  for (const Surface& surface : surfaces_) {
    const GridVectors& s = surface.response.surface();
    StepOutcome outcome = CheckBounded(Eigen::Map<const Eigen::VectorXd>(s.data(), s.size()),
                                       bound_, "position of the surface");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
  }
  for (const RidingBody& rider : riders_) {
    StepOutcome outcome = CheckBounded(rider.proxy().centre(), bound_, "place of the rigid proxy");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
    outcome = CheckBounded(rider.proxy().velocity(), kFastest, "velocity of the rigid proxy");
    if (outcome.kind == StepOutcome::Kind::kDiverged) return outcome;
  }
  if (needed > kMostPasses) {
    return {StepOutcome::Kind::kNotConverged, "casting against obstacles this fast"};
  }
  return {};
}

int ResponseSimulation::PassesNeeded(double step) {
  double fastest = 0.0;  // m/s, any point of a rider, as the impulses of the step leave it
  force_.setZero();
  const bool struck = forces_.AddImpulses(time(), StepEnd(), force_);
  if (struck) PlaceMaterial();
  for (const RidingBody& rider : riders_) {
    fastest = std::max(fastest, struck ? rider.FastestAfter(x_, force_) : rider.proxy().Fastest());
  }
  double needed = 1.0;
  for (const Obstacle& obstacle : scene().obstacles) {
    double way = 0.0;
    for (int i = 0; obstacle.motion.moves() && i < kWaySamples; ++i) {
      const double begin = time() + step * i / kWaySamples, end = begin + step / kWaySamples;
      way += (obstacle.motion.At(end).position - obstacle.motion.At(begin).position).norm();
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
    for (RidingBody& rider : riders_) rider.proxy().Drift(h);
  }
  MoveObstacles(begin, end);
  for (Surface& surface : surfaces_) Respond(&surface, begin, end, h);
  if (!options_.relative_stiffness.empty()) Share();
  if (!riders_.empty()) {
    for (RidingBody& rider : riders_) {
      rider.Respond(end, h, options_, scene().obstacles, &contact_);
    }
    KickByForces(end, 0.5 * h);
  }
}

void ResponseSimulation::Respond(Surface* surface, double begin, double end, double h) {
  CollisionResponse& response = surface->response;
  ControlsOfStep(options_, begin, h, &surface->controls);
  surface->maps.Apply(options_.StageAt(begin + 0.5 * h), h, &surface->controls);
  response.Relax(surface->controls, surface->offsets);
  CastDisplacements(obstacles_, &response);
  if (surface->brush) surface->brush->Cast(begin, end, &response);
  if (surface->layer) {
    surface->layer->Restrict(surface->controls, &surface->offsets, &response);
  } else {
    response.RestrictDisplacements();
  }
  if (surface->inertia) surface->inertia->Remember(surface->offsets);
  surface->last = response.Deform(surface->controls, &surface->offsets);
  if (surface->inertia) {
    surface->inertia->Limit(surface->controls, h, &surface->offsets);
    response.Place(surface->offsets);
  }
  if (options_.volume_kept > 0.0) Swell(surface);
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

// Of the way out of each other, that of `surface`.
double ResponseSimulation::ShareOf(size_t surface, size_t other) const {
  const double own = options_.relative_stiffness[surfaces_[surface].body];
  const double others = options_.relative_stiffness[surfaces_[other].body];
  return others / (own + others);
}

void ResponseSimulation::Share() {
  for (int pass = 0; pass < options_.sharing_passes; ++pass) {
    double longest = 0.0;
    // All are cast before any moves, so that their order does not matter.
    for (size_t i = 0; i < surfaces_.size(); ++i) {
      CollisionResponse& mine = surfaces_[i].response;
      for (LevelControls& level : surfaces_[i].controls) level.retention = 1.0;
      mine.displacements()->setZero();
      for (size_t j = 0; j < surfaces_.size(); ++j) {
        if (i == j) continue;
        const CollisionResponse& other = surfaces_[j].response;
        longest = std::max(
            longest,
            CastAgainstSurface(mine.model().finest(), mine.surface(), other.model().finest(),
                               other.surface(), options_.step_size * ShareOf(i, j),
                               mine.shortest_displacement(), mine.displacements()));
      }
    }
    if (longest == 0.0) return;
    for (Surface& surface : surfaces_) {
      surface.response.Relax(surface.controls, surface.offsets);
      surface.response.RestrictDisplacements();
      surface.response.Deform(surface.controls, &surface.offsets);
    }
  }
}

// Forces act on the material where the proxies carry it, undeformed; that of held surfaces stands.
void ResponseSimulation::PlaceMaterial() {
  for (const Surface& surface : surfaces_) {
    const GridVectors& s = surface.response.surface();
    x_.middleCols(surface.first_point, s.rows()) = s.transpose();
  }
  for (const RidingBody& rider : riders_) {
    rider.proxy().PlacePoints(x_.middleCols(rider.first_point(), rider.size()),
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
    observation->points.middleCols(surface.first_point, s.rows()) = s.transpose();
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
    rider.proxy().PlacePoints(x.middleCols(rider.first_point(), rider.size()),
                              v.middleCols(rider.first_point(), rider.size()));
  }
  observation->work = work_;
  if (forces_.has_springs()) observation->spring_energy = forces_.SpringEnergy(x);
}

// The state after the offsets: per surface the summary, per obstacle its motion, the passes; with
// riders also these, their entry points and the work.
int ResponseSimulation::DoStateSize() const {
  Eigen::Index size = 0;
  VisitOffsets(*this, [&size](const GridVectors& level) { size += level.size(); });
  size += static_cast<Eigen::Index>(3 * (surfaces_.size() + obstacles_.size()) + 1);
  if (!riders_.empty()) {
    size += static_cast<Eigen::Index>(RidingBody::kStateSize * riders_.size());
    size += contact_.StateSize() + kWorkClasses;
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
    rider.Save(state.segment<RidingBody::kStateSize>(at));
    at += RidingBody::kStateSize;
  }
  contact_.Save(state.segment(at, contact_.StateSize()));
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
    surface.response.Place(surface.offsets);
  }
  for (CastObstacle& obstacle : obstacles_) {
    obstacle.motion = state.segment<3>(at);
    at += 3;
  }
  passes_ = static_cast<std::int64_t>(state[at++]);
  if (riders_.empty()) return;
  for (RidingBody& rider : riders_) {
    rider.Restore(state.segment<RidingBody::kStateSize>(at));
    at += RidingBody::kStateSize;
  }
  contact_.Restore(state.segment(at, contact_.StateSize()));
  Eigen::Map<Eigen::Vector<double, kWorkClasses>>(work_.values.data()) = state.tail<kWorkClasses>();
}

}  // namespace pliant
