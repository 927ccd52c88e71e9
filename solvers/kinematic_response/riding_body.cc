#include "solvers/kinematic_response/riding_body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scene/touch.h"
#include "solvers/kinematic_response/body_surface.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Of the lattice in which an outline is embedded.
GridSize LatticeOf(const KinematicResponseOptions& options) {
  const int side = (1 << options.lattice_level) + 1;
  return {side, side};
}

// The box around the points. A flat box gets a tenth of its larger side as its height, since a
// lattice has cells.
Eigen::AlignedBox2d FilledBoxAround(const Matrix3Xd& points) {
  const Vector2d lower = points.topRows<2>().rowwise().minCoeff();
  const Vector2d upper = points.topRows<2>().rowwise().maxCoeff();
  const Vector2d middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
  const Vector2d filled = half.cwiseMax(0.1 * half.maxCoeff());
  return {Vector2d(middle - filled), Vector2d(middle + filled)};
}

CarriedPoints CarriedBy(const Body& body, const KinematicResponseOptions& options,
                        const Matrix3Xd& points) {
  if (body.shape != ShapeKind::kProfile) return CarriedPoints::Vertices(body.size());
  const Eigen::AlignedBox2d box = FilledBoxAround(points);
  return CarriedPoints::InLattice(LatticeOf(options), box.min(), box.max(), points);
}

MultiresolutionSurface SurfaceOf(const Body& body, const KinematicResponseOptions& options,
                                 const Matrix3Xd& points) {
  if (body.shape != ShapeKind::kProfile) {
    return kinematic_response::SurfaceOf(body, points, options.prolongation);
  }
  const GridSize grid = LatticeOf(options);
  const Eigen::AlignedBox2d box = FilledBoxAround(points);
  return MultiresolutionSurface(grid, EvenLattice(grid, box.min(), box.max()),
                                options.prolongation);
}

}  // namespace

int RidingBody::Levels(const Body& body, const KinematicResponseOptions& options) {
  const bool lattice = body.shape == ShapeKind::kProfile || body.shape == ShapeKind::kBlock;
  return lattice ? options.lattice_level + 1 : LevelsOf(body);
}

RidingBody::RidingBody(const Scene& scene, int body, const KinematicResponseOptions& options,
                       const std::vector<BehaviourMap>& maps)
    : body_(body),
      first_(scene.Offset(body)),
      carrier_(scene, body, options.proxy),
      carried_(CarriedBy(scene.bodies[body], options, carrier_.points())),
      response_(SurfaceOf(scene.bodies[body], options, carrier_.points()), options.restriction),
      offsets_(response_.model().ZeroOffsets()),
      maps_(maps, options, scene.bodies[body].name, body, response_.model(), response_.surface()),
      controls_(response_.model().levels()),
      reaction_(carrier_.NoLoad()),
      working_(carrier_.NoLoad()),
      stretches_(Matrix3Xd::Zero(3, carried_.size())),
      presses_(carried_.size()),
      displacements_(3, carried_.size()),
      relaxed_(3, carried_.size()),
      displaced_(3, carried_.size()),
      plastic_(3, carried_.size()),
      plastic_before_(3, carried_.size()),
      maps_to_world_(carried_.size()),
      without_elastic_(response_.model().ZeroVectors()),
      nothing_(response_.model().levels(), 0.0),
      rows_(response_.model().finest()) {
  carried_.Place(response_.surface(), &displaced_);
  FindPlastic();
  RequireNone(maps_,
              {MappedControl::kOffset, MappedControl::kLayerThickness,
               MappedControl::kAccelerationLimit, MappedControl::kRelativeStiffness},
              scene.bodies[body].name, "rides",
              "offsets, layers, inertia and relative stiffness apply to held bodies only");
  stiffness_.setConstant(carried_.size(), 1.0);
  if (maps_.Has(MappedControl::kContactStiffness)) {
    stiffness_ = carried_.Mean(maps_.OfFinest(MappedControl::kContactStiffness)) /
                 options.reaction.contact.stiffness;
  }
}

double RidingBody::Respond(double time, double step, const KinematicResponseOptions& options,
                           const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  ControlsOfStep(options, time - step, step, &controls_);
  maps_.Apply(options.StageAt(time - 0.5 * step), step, &controls_);
  response_.Relax(controls_, offsets_);
  carried_.Place(response_.relaxed(), &relaxed_);
  Cast(time, obstacles);
  carried_.HandOn(displacements_, response_.displacements());
  response_.RestrictDisplacements();
  summary_ = response_.Deform(controls_, &offsets_);
  return React(time, step, options, obstacles, contact);
}

void RidingBody::Cast(double time, const std::vector<Obstacle>& obstacles) {
  displacements_.setZero();
  presses_.assign(presses_.size(), Press());
  carrier_.FindMaps(&maps_to_world_);
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    ForEachTouch(
        obstacles[o], o, obstacles[o].motion.At(time), size(), -response_.shortest_displacement(),
        [&](int i) -> Vector3d { return maps_to_world_[i](relaxed_.col(i)); },
        [&](const Touch& touch) {
          const Vector3d d =
              -touch.at.distance * (maps_to_world_[touch.point].linear.inverse() * touch.at.normal);
          if (d.squaredNorm() <= displacements_.col(touch.point).squaredNorm()) return;
          displacements_.col(touch.point) = d;
          presses_[touch.point] = {o, touch.at.normal};
        });
  }
}

// Where the points would be without elastic offsets.
void RidingBody::FindPlastic() {
  response_.model().Place(offsets_, nothing_, &rows_, &without_elastic_);
  carried_.Place(without_elastic_.back(), &plastic_);
}

double RidingBody::React(double time, double step, const KinematicResponseOptions& options,
                         const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  const ReactionOptions& law = options.reaction;
  reaction_.Clear();
  working_.Clear();
  active_ = working_along_ = stored_ = 0.0;
  double work = 0.0;
  carried_.Place(response_.surface(), &displaced_);
  if (summary_.pressed > 0 || !stretches_.row(kStretch).isZero(0.0)) {
    plastic_before_ = plastic_;
    FindPlastic();
  }
  for (int i = 0; i < size(); ++i) {
    const auto& [pressing, normal] = presses_[i];
    const AffineMap& map = maps_to_world_[i];
    const auto energy = [&](double stretch) { return stiffness_[i] * law.Energy(stretch); };
    const auto force = [&](double stretch) { return stiffness_[i] * law.Force(stretch); };
    double& stretch = stretches_(kStretch, i);
    double& slack = stretches_(kSlack, i);
    double& slip = stretches_(kSlip, i);
    const auto depth = [&](int o, const Vector3d& origin, const Vector3d& at) {
      return -SignedDistance(obstacles[o].shape, origin, at).distance;
    };
    for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
      if (o == pressing || !contact->HasEntry(o, first_ + i)) continue;
      const Vector3d origin = obstacles[o].motion.At(time).position;
      const double way = depth(o, origin, map(plastic_before_.col(i))) - (stretch + slack);
      work -= 0.5 * force(stretch) * way;
      const double along = -contact->Leave(o, first_ + i, origin, map(displaced_.col(i)));
      work -= std::sqrt(slip * along);  // its energy, and ½ f⁻ s
      slip = 0.0;
    }
    if (pressing < 0) {
      if (stretch == 0.0) continue;
      const double left = std::min(stretch, (displaced_.col(i) - plastic_.col(i)).norm());
      work += energy(left) - energy(stretch);
      stretch = left;
      stored_ += energy(left);
      continue;
    }
    const Vector3d x = map(displaced_.col(i)), without_elastic = map(plastic_.col(i));
    const PathPoint origin = obstacles[pressing].motion.At(time);
    const double held = depth(pressing, origin.position, without_elastic);
    const double displaced = std::min(held, normal.dot(x - without_elastic));
    if (contact->HasEntry(pressing, first_ + i)) {
      const double before = stretch + slack;
      const double way = depth(pressing, origin.position, map(plastic_before_.col(i))) - before;
      work -= 0.5 * (force(stretch) + force(displaced)) * way;
    } else if (stretch > 0.0) {  // the surface was off the obstacle, which has moved on under it
      const Vector3d v = carrier_.RateAt(i)(plastic_before_.col(i)) - origin.velocity;
      work += 0.5 * force(displaced) * step * normal.dot(v);
    } else {  // it met the obstacle on the way
      const double offset = std::max(0.0, normal.dot(map(relaxed_.col(i)) - without_elastic));
      work -= 0.5 * force(displaced) * (held - offset);
    }
    work += energy(displaced) - energy(stretch);
    stretch = std::max(0.0, displaced);
    slack = held - stretch;
    // Where the obstacle is: x itself may stand off it.
    const Vector3d beyond = stretch * normal;
    Touch touch{pressing,
                first_ + i,
                {-stiffness_[i] * law.HookeanDisplacement(stretch), normal},
                without_elastic + beyond - origin.position,
                origin.velocity};
    const Vector3d v = carrier_.TipVelocity(i, plastic_.col(i), beyond);
    const double released = contact->UpdateEntry(touch, v);
    const PenaltyContact::Answer answer = contact->Force(touch, v);
    carrier_.Add(i, plastic_.col(i), beyond, answer.force, &reaction_);
    carrier_.Add(i, plastic_.col(i), beyond, answer.working, &working_);
    active_ += answer.active;
    working_along_ += answer.working.dot(touch.velocity);
    touch.at.distance = 0.0;  // what is left is the spring along the surface
    const double held_along = contact->Energy(touch);
    // ½ (f⁻ + f) s of a spring whose energies are f²/2k: k cancels.
    work -= (std::sqrt(slip) + std::sqrt(held_along)) *
            (std::sqrt(held_along - released) - std::sqrt(held_along));
    slip = held_along;
    stored_ += energy(displaced) + slip;
  }
  return work;
}

double RidingBody::Lift(const Eigen::VectorXd& masses, const Vector3d& gravity) const {
  double lift = 0.0;
  for (int i = 0; i < size(); ++i) {
    const AffineMap map = carrier_.MapAt(i);
    const Vector3d way = map(displaced_.col(i)) - map(carrier_.points().col(i));
    lift -= masses[first_ + i] * gravity.dot(way);
  }
  return lift;
}

Load RidingBody::LoadOf(const Matrix3Xd& forces) const {
  Load load = carrier_.NoLoad();
  for (int i = 0; i < size(); ++i) {
    carrier_.Add(i, carrier_.points().col(i), Vector3d::Zero(), forces.col(first_ + i), &load);
  }
  return load;
}

void RidingBody::Kick(const Load& load, double h, Exchange* exchange) {
  exchange->impulse += h * load.force;
  exchange->angular_impulse += h * (carrier_.centre().cross(load.force) + load.Moment());
  carrier_.Kick(load, h);
}

void RidingBody::KickByPoints(const Matrix3Xd& forces, double h, Exchange* exchange) {
  Kick(LoadOf(forces), h, exchange);
}

// The work of a kick is exactly that along the mean of the velocities before and after.
void RidingBody::KickByReaction(double h, Exchange* exchange) {
  const double before = carrier_.Power(working_);
  Kick(reaction_, h, exchange);
  const double mean = 0.5 * (before + carrier_.Power(working_));
  (*exchange)[WorkClass::kContact] += h * (mean - working_along_);
  (*exchange)[WorkClass::kMovedObstacle] += h * active_;
}

double RidingBody::FastestAfter(const Matrix3Xd& impulses) const {
  Carrier struck = carrier_;
  struck.Kick(LoadOf(impulses), 1.0);
  return struck.Fastest();
}

void RidingBody::PlacePoints(Eigen::Ref<Matrix3Xd> x) const {
  for (int i = 0; i < size(); ++i) x.col(i) = carrier_.MapAt(i)(displaced_.col(i));
}

void RidingBody::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  Eigen::Index at = carrier_.StateSize();
  carrier_.Save(state.head(at));
  for (const Load* load : {&reaction_, &working_}) {
    state.segment(at, LoadSize()) << load->force, load->moments.reshaped(), load->modes;
    at += LoadSize();
  }
  state.segment<6>(at) << active_, working_along_, stored_, summary_.pressed,
      summary_.longest_displacement, summary_.largest_move;
  state.tail(stretches_.size()) = stretches_.reshaped();
}

void RidingBody::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Index at = carrier_.StateSize();
  carrier_.Restore(state.head(at));
  for (Load* load : {&reaction_, &working_}) {
    const auto numbers = state.segment(at, LoadSize());
    load->force = numbers.head<3>();
    load->moments = numbers.segment<9>(3).reshaped(3, 3);
    load->modes = numbers.tail(load->modes.size());
    at += LoadSize();
  }
  const auto rest = state.segment<6>(at);
  active_ = rest[0];
  working_along_ = rest[1];
  stored_ = rest[2];
  summary_ = {static_cast<int>(rest[3]), rest[4], rest[5]};
  stretches_.reshaped() = state.tail(stretches_.size());
  response_.Place(offsets_);
  carried_.Place(response_.surface(), &displaced_);
  FindPlastic();
}

}  // namespace pliant::kinematic_response
