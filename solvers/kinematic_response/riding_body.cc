#include "solvers/kinematic_response/riding_body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "models/problem.h"
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
  if (body.rigid || body.shape != ShapeKind::kProfile) return CarriedPoints::Vertices(body.size());
  const Eigen::AlignedBox2d box = FilledBoxAround(points);
  return CarriedPoints::InLattice(LatticeOf(options), box.min(), box.max(), points);
}

MultiresolutionSurface SurfaceOf(const Body& body, const KinematicResponseOptions& options,
                                 const Matrix3Xd& points) {
  if (body.rigid) {  // has no surface that responds: this one stands for none
    return MultiresolutionSurface({2, 1}, GridVectors::Identity(2, 3), options.prolongation);
  }
  if (body.shape != ShapeKind::kProfile) {
    return kinematic_response::SurfaceOf(body, points, options.prolongation);
  }
  const GridSize grid = LatticeOf(options);
  const Eigen::AlignedBox2d box = FilledBoxAround(points);
  return MultiresolutionSurface(grid, EvenLattice(grid, box.min(), box.max()),
                                options.prolongation);
}

ProxyOptions ProxyOf(const Body& body, const KinematicResponseOptions& options) {
  return body.rigid ? ProxyOptions{} : options.proxy;
}

std::vector<BehaviourMap> MapsOf(const Body& body, const std::vector<BehaviourMap>& maps) {
  if (!body.rigid) return maps;
  for (const BehaviourMap& map : maps) {
    if (map.body != body.name) continue;
    throw BadInput({map.where + ".body",
                    "map '" + map.name + "' is for body '" + body.name +
                        "', which is rigid: its surface does not respond",
                    "remove the map, or rigid of the body"});
  }
  return {};
}

}  // namespace

int RidingBody::Levels(const Body& body, const KinematicResponseOptions& options) {
  if (body.rigid) return 1;
  const bool lattice = body.shape == ShapeKind::kProfile || body.shape == ShapeKind::kBlock;
  return lattice ? options.lattice_level + 1 : LevelsOf(body);
}

RidingBody::RidingBody(const Scene& scene, int body, const KinematicResponseOptions& options,
                       const std::vector<BehaviourMap>& maps)
    : rigid_(scene.bodies[body].rigid),
      body_(body),
      first_(scene.Offset(body)),
      carrier_(scene, body, ProxyOf(scene.bodies[body], options)),
      carried_(CarriedBy(scene.bodies[body], options, carrier_.points())),
      response_(SurfaceOf(scene.bodies[body], options, carrier_.points()), options.restriction),
      offsets_(response_.model().ZeroOffsets()),
      maps_(MapsOf(scene.bodies[body], maps), options, scene.bodies[body].name, body,
            response_.model(), response_.surface()),
      controls_(response_.model().levels()),
      reaction_(carrier_.NoLoad()),
      stretches_(Eigen::VectorXd::Zero(carried_.size())),
      presses_(carried_.size()),
      displacements_(3, carried_.size()),
      relaxed_(3, carried_.size()),
      displaced_(3, carried_.size()),
      plastic_(3, carried_.size()),
      maps_to_world_(carried_.size()),
      without_elastic_(response_.model().ZeroVectors()),
      nothing_(response_.model().levels(), 0.0),
      rows_(response_.model().finest()) {
  stiffness_.setConstant(carried_.size(), 1.0);
  if (rigid_) {
    relaxed_ = displaced_ = plastic_ = carrier_.points();
    return;
  }
  carried_.Place(response_.surface(), &displaced_);
  FindPlastic();
  RequireNone(maps_,
              {MappedControl::kOffset, MappedControl::kLayerThickness,
               MappedControl::kAccelerationLimit, MappedControl::kRelativeStiffness},
              scene.bodies[body].name, "rides",
              "offsets, layers, inertia and relative stiffness apply to held bodies only");
  if (maps_.Has(MappedControl::kContactStiffness)) {
    stiffness_ = carried_.Mean(maps_.OfFinest(MappedControl::kContactStiffness)) /
                 options.reaction.contact.stiffness;
  }
}

double RidingBody::Respond(double time, double step, const KinematicResponseOptions& options,
                           const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  if (rigid_) {
    Cast(time, obstacles);
    summary_ = {};
    summary_.pressed = static_cast<int>(std::count_if(
        presses_.begin(), presses_.end(), [](const Press& press) { return press.obstacle >= 0; }));
    return React(time, options, obstacles, contact);
  }
  ControlsOfStep(options, time - step, step, &controls_);
  maps_.Apply(options.StageAt(time - 0.5 * step), step, &controls_);
  response_.Relax(controls_, offsets_);
  carried_.Place(response_.relaxed(), &relaxed_);
  Cast(time, obstacles);
  carried_.Distribute(displacements_, response_.displacements());
  response_.RestrictDisplacements();
  summary_ = response_.Deform(controls_, &offsets_);
  return React(time, options, obstacles, contact);
}

void RidingBody::Cast(double time, const std::vector<Obstacle>& obstacles) {
  displacements_.setZero();
  presses_.assign(presses_.size(), Press());
  carrier_.FindMaps(&maps_to_world_);
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    ForEachTouch(
        obstacles[o], o, obstacles[o].motion.At(time), size(),
        rigid_ ? 0.0 : -response_.shortest_displacement(),
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

double RidingBody::React(double time, const KinematicResponseOptions& options,
                         const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  const ReactionOptions& law = options.reaction;
  const double before = stored_;
  reaction_.Clear();
  active_ = stored_ = 0.0;
  if (!rigid_) carried_.Place(response_.surface(), &displaced_);
  if (!rigid_ && (summary_.pressed > 0 || !stretches_.isZero(0.0))) FindPlastic();
  for (int i = 0; i < size(); ++i) {
    const auto& [pressing, normal] = presses_[i];
    const AffineMap& map = maps_to_world_[i];
    double& stretch = stretches_[i];
    contact->ForgetAllBut(pressing, first_ + i);
    if (pressing < 0) {
      if (stretch == 0.0) continue;
      stretch = std::min(stretch, (displaced_.col(i) - plastic_.col(i)).norm());
      stored_ += stiffness_[i] * law.Energy(stretch);
      continue;
    }
    const Vector3d x = map(displaced_.col(i)), without_elastic = map(plastic_.col(i));
    const PathPoint origin = obstacles[pressing].motion.At(time);
    const double held =
        -SignedDistance(obstacles[pressing].shape, origin.position, without_elastic).distance;
    stretch = std::max(0.0, rigid_ ? held : std::min(held, normal.dot(x - without_elastic)));
    // Where the obstacle is: x itself may stand off it.
    const Vector3d beyond = stretch * normal;
    Touch touch{pressing,
                first_ + i,
                {-stiffness_[i] * law.HookeanDisplacement(stretch), normal},
                without_elastic + beyond - origin.position,
                origin.velocity};
    const Vector3d v = carrier_.TipVelocity(i, plastic_.col(i), beyond);
    contact->UpdateEntry(touch, v);
    const PenaltyContact::Answer answer = contact->Force(touch, v);
    carrier_.Add(i, plastic_.col(i), beyond, answer.force, &reaction_);
    active_ += answer.active;
    touch.at.distance = 0.0;  // what is left is the spring along the surface
    stored_ += stiffness_[i] * law.Energy(stretch) + contact->Energy(touch);
  }
  return stored_ - before;
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

// The work of a kick is exactly that along the mean of the velocities before and after all of it.
void RidingBody::KickByForces(const Matrix3Xd& forces, double h, Exchange* exchange) {
  const double before = carrier_.Power(reaction_);
  Kick(LoadOf(forces), h, exchange);
  Kick(reaction_, h, exchange);
  const double mean = 0.5 * (before + carrier_.Power(reaction_));
  (*exchange)[WorkClass::kContact] += h * (mean - active_);
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

void RidingBody::AddTo(StateBlocks* layout, const std::string& of_body) const {
  const StateBlock proxy = carrier_.Layout();
  layout->Add(proxy.name + of_body, proxy.size, proxy.unit);
  layout->Add("reaction on the proxy" + of_body + ": force, Σ f aᵀ by columns", 12, "N, N m");
  layout->Add("reaction on the modes" + of_body, reaction_.modes.size(), "J");
  layout->Add("power of obstacles and energy of pressed points" + of_body, 2, "W, J");
  layout->Add("stretch of the spring of each point" + of_body, stretches_.size(), "m");
  layout->Add("pressed vertices, longest displacement, largest move" + of_body, 3, "1, m, m");
}

void RidingBody::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  carrier_.Save(state.head(carrier_.StateSize()));
  state.tail(StateSize() - carrier_.StateSize()) << reaction_.force, reaction_.moments.reshaped(),
      reaction_.modes, active_, stored_, stretches_, summary_.pressed,
      summary_.longest_displacement, summary_.largest_move;
}

void RidingBody::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  carrier_.Restore(state.head(carrier_.StateSize()));
  const auto rest = state.tail(StateSize() - carrier_.StateSize());
  reaction_.force = rest.head<3>();
  reaction_.moments = rest.segment<9>(3).reshaped(3, 3);
  Eigen::Index at = 12;
  reaction_.modes = rest.segment(at, reaction_.modes.size());
  at += reaction_.modes.size();
  active_ = rest[at++];
  stored_ = rest[at++];
  stretches_ = rest.segment(at, stretches_.size());
  const auto last = rest.tail<3>();
  summary_ = {static_cast<int>(last[0]), last[1], last[2]};
  if (rigid_) return;
  response_.Place(offsets_);
  carried_.Place(response_.surface(), &displaced_);
  FindPlastic();
}

}  // namespace pliant::kinematic_response
