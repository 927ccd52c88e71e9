#include "solvers/response/riding_body.h"

#include "solvers/response/body_surface.h"

#include <algorithm>
#include <utility>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;

Matrix3Xd ColumnsOf(const Scene& scene, int body, const Matrix3Xd& all) {
  return all.middleCols(scene.Offset(body), scene.bodies[body].size());
}

RigidProxy ProxyOf(const Scene& scene, int body) {
  return RigidProxy(ColumnsOf(scene, body, scene.InitialPoints()),
                    ColumnsOf(scene, body, scene.InitialVelocities()), scene.bodies[body].mass,
                    scene.dimension, scene.bodies[body].orientation);
}

// Of the lattice an outline hangs in.
GridSize LatticeOf(const ResponseOptions& options) {
  const int side = (1 << options.lattice_level) + 1;
  return {side, side};
}

// The box around the points. One that is flat gets a tenth of its larger side, since a lattice has
// cells.
struct Bounds {
  Vector2d lower, upper;
};
Bounds BoundsOf(const Matrix3Xd& points) {
  Bounds box{points.topRows<2>().rowwise().minCoeff(), points.topRows<2>().rowwise().maxCoeff()};
  const Vector2d middle = 0.5 * (box.lower + box.upper);
  const Vector2d half = 0.5 * (box.upper - box.lower);
  const Vector2d filled = half.cwiseMax(0.1 * half.maxCoeff());
  return {middle - filled, middle + filled};
}

CarriedPoints CarriedBy(const Body& body, const ResponseOptions& options, const Matrix3Xd& points) {
  if (body.shape != ShapeKind::kProfile) return CarriedPoints::Vertices(body.size());
  const Bounds box = BoundsOf(points);
  return CarriedPoints::InLattice(LatticeOf(options), box.lower, box.upper, points);
}

MultiresolutionSurface SurfaceOf(const Body& body, const ResponseOptions& options,
                                 const Matrix3Xd& points) {
  if (body.shape != ShapeKind::kProfile) {
    return pliant::SurfaceOf(body, points, options.prolongation);
  }
  const GridSize grid = LatticeOf(options);
  const Bounds box = BoundsOf(points);
  return MultiresolutionSurface(grid, EvenLattice(grid, box.lower, box.upper),
                                options.prolongation);
}

}  // namespace

int RidingBody::Levels(const Body& body, const ResponseOptions& options) {
  return body.shape == ShapeKind::kProfile ? options.lattice_level + 1 : LevelsOf(body);
}

RidingBody::RidingBody(const Scene& scene, int body, const ResponseOptions& options,
                       const std::vector<BehaviourMap>& maps)
    : first_(scene.Offset(body)),
      proxy_(ProxyOf(scene, body)),
      carried_(CarriedBy(scene.bodies[body], options, proxy_.points())),
      response_(SurfaceOf(scene.bodies[body], options, proxy_.points()), options.restriction),
      offsets_(response_.model().ZeroOffsets()),
      maps_(maps, options, scene.bodies[body].name, response_.model(), response_.surface()),
      controls_(response_.model().levels()),
      presses_(carried_.size()),
      displacements_(3, carried_.size()),
      relaxed_(3, carried_.size()),
      displaced_(3, carried_.size()),
      plastic_(3, carried_.size()),
      without_elastic_(response_.model().ZeroVectors()),
      nothing_(response_.model().levels(), 0.0),
      rows_(response_.model().finest()) {
  carried_.Place(response_.surface(), &displaced_);
  for (const MappedControl held : {MappedControl::kOffset, MappedControl::kLayerThickness,
                                   MappedControl::kAccelerationLimit}) {
    if (!maps_.Has(held)) continue;
    throw BadInput({"maps",
                    "offsets, layers and inertia are for bodies that are held, and body '" +
                        scene.bodies[body].name + "' rides",
                    "give those maps the name of another body, or rides = \"never\""});
  }
}

void RidingBody::Respond(double time, double step, const ResponseOptions& options,
                         const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  ControlsOfStep(options, time - step, step, &controls_);
  maps_.Apply(options.StageAt(time - 0.5 * step), step, &controls_);
  response_.Relax(controls_, offsets_);
  carried_.Place(response_.relaxed(), &relaxed_);
  Cast(time, obstacles);
  carried_.HandOn(displacements_, response_.displacements());
  response_.RestrictDisplacements();
  summary_ = response_.Deform(controls_, &offsets_);
  React(time, options, obstacles, contact);
}

void RidingBody::Cast(double time, const std::vector<Obstacle>& obstacles) {
  const Matrix3d Q = proxy_.axes();
  displacements_.setZero();
  presses_.assign(presses_.size(), Press());
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    const Vector3d origin = obstacles[o].motion.At(time).position;
    for (int i = 0; i < size(); ++i) {
      const Proximity at =
          SignedDistance(obstacles[o].shape, origin, proxy_.centre() + Q * relaxed_.col(i));
      const double depth = -at.distance;
      if (depth <= response_.shortest_displacement()) continue;
      if (depth * depth <= displacements_.col(i).squaredNorm()) continue;
      displacements_.col(i) = depth * (Q.transpose() * at.normal);
      presses_[i] = {o, at.normal};
    }
  }
}

void RidingBody::React(double time, const ResponseOptions& options,
                       const std::vector<Obstacle>& obstacles, PenaltyContact* contact) {
  reaction_ = Wrench();
  carried_.Place(response_.surface(), &displaced_);
  if (summary_.pressed > 0) {
    response_.model().Place(offsets_, nothing_, &rows_, &without_elastic_);
    carried_.Place(without_elastic_.back(), &plastic_);
  }
  const Matrix3d Q = proxy_.axes();
  for (int i = 0; i < size(); ++i) {
    const auto& [pressing, normal] = presses_[i];
    for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
      if (o != pressing) contact->Forget(o, first_ + i);
    }
    if (pressing < 0) continue;
    const Vector3d arm = Q * displaced_.col(i), x = proxy_.centre() + arm;
    const PathPoint origin = obstacles[pressing].motion.At(time);
    const double held = -SignedDistance(obstacles[pressing].shape, origin.position,
                                        proxy_.centre() + Q * plastic_.col(i))
                             .distance;
    const double displaced = std::min(held, normal.dot(Q * (displaced_.col(i) - plastic_.col(i))));
    const Touch touch{pressing,
                      first_ + i,
                      {-options.reaction.HookeanDisplacement(displaced), normal},
                      x - origin.position,
                      origin.velocity};
    const Vector3d v = proxy_.VelocityAt(x);
    contact->UpdateEntry(touch, v);
    const Vector3d force = contact->Force(touch, v).force;
    reaction_.force += force;
    reaction_.moment += arm.cross(force);
  }
}

RidingBody::Wrench RidingBody::WrenchOf(const Matrix3Xd& x, const Matrix3Xd& forces) const {
  Wrench wrench;
  for (int i = first_; i < first_ + size(); ++i) {
    wrench.force += forces.col(i);
    wrench.moment += (x.col(i) - proxy_.centre()).cross(Vector3d(forces.col(i)));
  }
  return wrench;
}

void RidingBody::KickByPoints(const Matrix3Xd& x, const Matrix3Xd& forces, double h) {
  const Wrench wrench = WrenchOf(x, forces);
  proxy_.Kick(h * wrench.force, h * wrench.moment);
}

double RidingBody::FastestAfter(const Matrix3Xd& x, const Matrix3Xd& impulses) const {
  const Wrench wrench = WrenchOf(x, impulses);
  RigidProxy struck = proxy_;
  struck.Kick(wrench.force, wrench.moment);
  return struck.Fastest();
}

void RidingBody::PlacePoints(Eigen::Ref<Matrix3Xd> x) const {
  x = (proxy_.axes() * displaced_).colwise() + proxy_.centre();
}

void RidingBody::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  proxy_.Save(state.head<RigidProxy::kStateSize>());
  state.tail<9>() << reaction_.force, reaction_.moment, summary_.pressed,
      summary_.longest_displacement, summary_.largest_move;
}

void RidingBody::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  proxy_.Restore(state.head<RigidProxy::kStateSize>());
  const auto rest = state.tail<9>();
  reaction_ = {rest.head<3>(), rest.segment<3>(3)};
  summary_ = {static_cast<int>(rest[6]), rest[7], rest[8]};
  response_.Place(offsets_);
  carried_.Place(response_.surface(), &displaced_);
}

}  // namespace pliant
