// The observations and the saved state of a simulation of surfaces.

#include <algorithm>
#include <optional>
#include <vector>

#include "solvers/kinematic_response/kinematic_response_simulation.h"
#include "solvers/kinematic_response/pressure.h"

namespace pliant::kinematic_response {

namespace {

struct Figures {
  std::optional<double> largest_gain, pressed_share, plastic_offset, reaction;
  std::optional<double> largest_displacement, answering_share,
      swept_volume;  // of held surfaces, as all below
  std::optional<double> self_penetration, bone_penetration;
  std::optional<double> largest_pressure, pressing_force;
};

const ExtraColumns<Figures>& ExtraTable() {
  static const ExtraColumns<Figures> columns = {
      {{"largest_gain", "1",
        "largest distance that the last pass moved a pressed vertex, or a vertex of the level "
        "below the finest, away from the relaxed surface, divided by the longest displacement "
        "vector of the pass; not defined while nothing presses"},
       &Figures::largest_gain},
      {{"pressed_share", "1",
        "fraction of the vertices that the last pass displaced; 1 when the whole surface is "
        "swallowed"},
       &Figures::pressed_share},
      {{"largest_plastic_offset_m", "m", "longest plastic offset of any level"},
       &Figures::plastic_offset},
      {{"reaction_N", "N",
        "force of pressed surfaces on the proxies that they ride on, summed over the bodies; not "
        "defined where no body rides"},
       &Figures::reaction},
      {{"largest_displacement_m", "m",
        "largest distance of a vertex of a held surface from its start"},
       &Figures::largest_displacement},
      {{"answering_share", "1",
        "fraction of the area of held surfaces that is displaced by more than 1 % of the largest "
        "displacement; not defined while nothing is displaced"},
       &Figures::answering_share},
      {{"swept_volume_m3", "m³",
        "volume that held surfaces sweep along their initial normals, outwards positive; of a "
        "curve an area in m²"},
       &Figures::swept_volume},
      {{"self_penetration_m", "m",
        "largest depth of a vertex of a held surface in another part of it; not defined without "
        "self-contact"},
       &Figures::self_penetration},
      {{"bone_penetration_m", "m",
        "largest depth of a vertex in a bone of its skeleton; not defined without a skeleton"},
       &Figures::bone_penetration},
      {{"largest_pressure_Pa", "Pa",
        "largest pressure on a held surface; not defined where foundation_stiffness is 0"},
       &Figures::largest_pressure},
      {{"pressing_force_N", "N",
        "magnitude of the total force that presses held surfaces: their pressures summed over the "
        "initial area; of a curve per metre of its width"},
       &Figures::pressing_force},
  };
  return columns;
}

}  // namespace

std::vector<SeriesColumn> KinematicResponseExtras() { return Describe(ExtraTable()); }

void KinematicResponseSimulation::PlacePoints(const Surface& surface,
                                              Eigen::Matrix3Xd* points) const {
  const GridVectors& s = surface.response.surface();
  if (!surface.patch) {
    points->middleCols(surface.first_point, s.rows()) = s.transpose();
    return;
  }
  Eigen::Matrix3Xd carried(3, scene().bodies[surface.body].size());
  surface.patch->Place(s, &carried);
  points->middleCols(surface.first_point, carried.cols()) = carried;
}

double KinematicResponseSimulation::SelfPenetration(const Surface& surface) const {
  SurfaceRays rays = *surface.rays;
  rays.Follow(surface.response.surface());
  std::vector<SurfaceRays::Crossing> crossings;
  double deepest = 0.0;
  for (int i = 0; i < surface.response.surface().rows(); ++i) {
    deepest = std::max(deepest, surface.self_contact->Depth(rays, surface.response, i, &crossings));
  }
  return deepest;
}

void KinematicResponseSimulation::DoObserve(Observation* observation) const {
  observation->points.resize(3, scene().PointCount());
  Figures figures;
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
    figures.largest_displacement = largest;
    if (largest > 0.0) figures.answering_share = answering / area;
    figures.swept_volume = swept;
  }
  if (options_.extensions.self_contact_depth > 0.0) {
    double deepest = 0.0;
    for (const Surface& surface : surfaces_) {
      deepest = std::max(deepest, SelfPenetration(surface));
    }
    figures.self_penetration = deepest;
  }
  if (options_.extensions.has_skeleton()) {
    figures.bone_penetration = surfaces_[0].skin->Depth(surfaces_[0].response.surface());
  }
  if (options_.reaction.foundation_stiffness > 0.0 && !surfaces_.empty()) {
    double highest = 0.0;
    Eigen::Vector3d force = Eigen::Vector3d::Zero();
    for (const Surface& surface : surfaces_) {
      const KinematicResponse& response = surface.response;
      const GridVectors f =
          PressureOn(response.model(), response.levels(), surface.offsets, options_.reaction);
      highest = std::max(highest, f.rowwise().norm().maxCoeff());
      if (measured) force += surface.measures->Integrate(f);
    }
    figures.largest_pressure = highest;
    if (measured) figures.pressing_force = force.norm();
  }
  double reaction = 0.0;
  for (const RidingBody& rider : riders_) {
    rider.PlacePoints(observation->points.middleCols(rider.first_point(), rider.size()));
    vertices += rider.vertices();
    add(rider.summary(), rider.offsets());
    reaction += rider.reaction().force.norm();
  }
  observation->iterations = passes_;
  figures.largest_gain = gain;
  if (passes_ > 0) figures.pressed_share = static_cast<double>(pressed) / vertices;
  figures.plastic_offset = plastic;
  if (!riders_.empty()) figures.reaction = reaction;
  Fill(ExtraTable(), figures, &observation->extras);
  observation->gravity_acts = !riders_.empty();
  // A scene in which some bodies have inertia and others have none has no momentum of its own.
  if (riders_.empty() || !surfaces_.empty()) return;
  Eigen::Matrix3Xd x(3, scene().PointCount());
  Eigen::Matrix3Xd& v = observation->velocities.emplace(3, scene().PointCount());
  for (const RidingBody& rider : riders_) {
    rider.carrier().PlacePoints(x.middleCols(rider.first_point(), rider.size()),
                                v.middleCols(rider.first_point(), rider.size()));
  }
  observation->work = work_;
  observation->explains_momentum = true;
  double& stored = observation->contact_energy.emplace(0.0);
  for (const RidingBody& rider : riders_) {
    stored += rider.contact_energy();
    (*observation->work)[WorkClass::kContact] +=
        rider.Lift(forces_.masses(), forces_.gravity().acceleration());
  }
  if (options_.proxy.kind != ProxyKind::kRigid) {
    double& elastic = observation->elastic_energy.emplace(0.0);
    for (const RidingBody& rider : riders_)
      elastic += rider.carrier().ElasticEnergy().value_or(0.0);
  }
  if (forces_.has_springs()) observation->spring_energy = forces_.SpringEnergy(x);
}

// The state after the offsets: per surface the summary, per obstacle its motion, the passes; with
// riders also these, their entry points and the work.
int KinematicResponseSimulation::DoStateSize() const {
  Eigen::Index size = 0;
  VisitOffsets(*this, [&size](const GridVectors& level) { size += level.size(); });
  size += static_cast<Eigen::Index>(3 * (surfaces_.size() + obstacles_.size()) + 1);
  if (!riders_.empty()) {
    for (const RidingBody& rider : riders_) size += rider.StateSize();
    size += contact_->StateSize() + Exchange::kNumbers;
  }
  return static_cast<int>(size);
}

void KinematicResponseSimulation::DoSave(Eigen::Ref<Eigen::VectorXd> state) const {
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
  state.tail<Exchange::kNumbers>() = work_.Numbers();
}

void KinematicResponseSimulation::DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) {
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
  said_divided_ = knows_pass_ = false;
  if (riders_.empty()) return;
  for (RidingBody& rider : riders_) {
    rider.Restore(state.segment(at, rider.StateSize()));
    at += rider.StateSize();
  }
  contact_->Restore(state.segment(at, contact_->StateSize()));
  work_ = Exchange::FromNumbers(state.tail<Exchange::kNumbers>());
}

}  // namespace pliant::kinematic_response
