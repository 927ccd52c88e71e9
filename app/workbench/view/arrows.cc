#include "app/workbench/view/arrows.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "models/scene/forces.h"
#include "models/scene/rigid_motion.h"
#include "solvers/linear_algebra/pseudo_inverse.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr std::array<ArrowInfo, 6> kKinds = {{
    {ArrowKind::kNone, "none", "", "No arrows"},
    {ArrowKind::kSceneForces, "scene forces", "N",
     "Gravity, springs and timed forces of the scene on each point"},
    {ArrowKind::kInnerForces, "inner forces", "N",
     "Mass times acceleration minus the forces of the scene: the sum of contact, constraints and "
     "material, as the mean from one record to the next"},
    {ArrowKind::kConstraintForces, "constraint forces", "N",
     "Forces of nails, attachments and sliders, or of the springs that replace them, on each point "
     "they hold; for displacement constraints the mean over the last step. Contact and the forces "
     "that keep the shape of a body are not included. A bundle does not record them"},
    {ArrowKind::kOffsets, "offsets", "m",
     "Displacement of each point from its position in the initial shape after "
     "the best rigid motion"},
    {ArrowKind::kAngularVelocity, "angular velocity", "rad/s",
     "Angular velocity of each body about its centre of mass: angular momentum divided by inertia"},
}};

// A moment of inertia below this share of the sum counts as zero: all points lie on the axis, and
// the rotation about it is not defined.
constexpr double kThin = 1e-9;

bool HasVelocities(const PaneFrame& frame) {
  return frame.velocities.cols() == frame.points.cols() && frame.points.cols() > 0;
}

Matrix3Xd ForcesOfScene(const SceneForces& forces, const PaneFrame& frame) {
  const Matrix3Xd x = frame.points.cast<double>(), v = frame.velocities.cast<double>();
  Matrix3Xd sum = Matrix3Xd::Zero(3, x.cols());
  forces.AddGravity(sum);
  forces.AddSprings(x, sum);
  forces.AddSpringDamping(x, v, sum);
  forces.AddTimedForces(frame.time, sum);
  return sum;
}

std::optional<ArrowField> InnerForces(const Scene& scene, const Recording& recording,
                                      size_t index) {
  if (recording.size() < 2) return std::nullopt;
  const size_t first = std::min(index, recording.size() - 2);
  const PaneFrame &before = recording[first], &after = recording[first + 1];
  if (!HasVelocities(before) || !HasVelocities(after)) return std::nullopt;
  const SceneForces forces(scene);
  const double h = after.time - before.time;
  Matrix3Xd impulses = Matrix3Xd::Zero(3, before.points.cols());
  forces.AddImpulses(before.time, after.time, impulses);
  const Matrix3Xd change = (after.velocities.cast<double>() - before.velocities.cast<double>()) *
                           forces.masses().asDiagonal();
  const Matrix3Xd given =
      0.5 * (ForcesOfScene(forces, before) + ForcesOfScene(forces, after)) + impulses / h;
  return ArrowField{recording[index].points.cast<double>(), change / h - given};
}

// For a planar body a rotation about z.
Matrix3d RotationBetween(const Matrix3Xd& rest, const Matrix3Xd& now, const Eigen::VectorXd& mass,
                         bool planar) {
  if (!planar) return BestRotation(mass, rest, now);
  const Matrix3d b = now * mass.asDiagonal() * rest.transpose();
  const double angle = std::atan2(b(1, 0) - b(0, 1), b(0, 0) + b(1, 1));
  return Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
}

ArrowField Offsets(const Scene& scene, const PaneFrame& frame) {
  ArrowField field{frame.points.cast<double>(), {}};
  field.vectors.resize(3, frame.points.cols());
  const Matrix3Xd start = scene.InitialPoints();
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const int first = scene.Offset(static_cast<int>(b));
    Matrix3Xd from = start.middleCols(first, body.size());
    Matrix3Xd to = field.origins.middleCols(first, body.size());
    const Eigen::VectorXd share = body.mass / body.mass.sum();
    from.colwise() -= Vector3d(from * share);
    to.colwise() -= Vector3d(to * share);
    field.vectors.middleCols(first, body.size()) =
        to - RotationBetween(from, to, body.mass, scene.dimension == 2) * from;
  }
  return field;
}

ArrowField AngularVelocities(const Scene& scene, const PaneFrame& frame) {
  const auto bodies = static_cast<Eigen::Index>(scene.bodies.size());
  ArrowField field{Matrix3Xd(3, bodies), Matrix3Xd(3, bodies)};
  for (Eigen::Index b = 0; b < bodies; ++b) {
    const Body& body = scene.bodies[static_cast<size_t>(b)];
    const int first = scene.Offset(static_cast<int>(b));
    Matrix3Xd x = frame.points.middleCols(first, body.size()).cast<double>();
    const Matrix3Xd v = frame.velocities.middleCols(first, body.size()).cast<double>();
    const Vector3d centre = x * body.mass / body.mass.sum();
    x.colwise() -= centre;
    Vector3d momentum = Vector3d::Zero();
    for (Eigen::Index i = 0; i < x.cols(); ++i) {
      momentum += body.mass[i] * Vector3d(x.col(i)).cross(Vector3d(v.col(i)));
    }
    const Matrix3d inertia = InertiaOf(body.mass, x);
    field.origins.col(b) = centre;
    field.vectors.col(b) = PseudoInverse(inertia, kThin * inertia.trace()) * momentum;
  }
  return field;
}

}  // namespace

std::span<const ArrowInfo> ArrowKinds() { return kKinds; }

const ArrowInfo& InfoOf(ArrowKind kind) { return kKinds[static_cast<size_t>(kind)]; }

double ArrowField::Longest() const {
  return vectors.cols() > 0 ? vectors.colwise().norm().maxCoeff() : 0.0;
}

std::optional<ArrowField> ArrowsOf(ArrowKind kind, const Scene& scene, const Recording& recording,
                                   size_t index) {
  const PaneFrame& frame = recording[index];
  switch (kind) {
    case ArrowKind::kNone:
      break;
    case ArrowKind::kSceneForces:
      if (!HasVelocities(frame)) break;
      return ArrowField{frame.points.cast<double>(), ForcesOfScene(SceneForces(scene), frame)};
    case ArrowKind::kInnerForces:
      return InnerForces(scene, recording, index);
    case ArrowKind::kConstraintForces:
      if (frame.constraint_forces.cols() == 0) break;
      return ArrowField{frame.points.cast<double>(), frame.constraint_forces.cast<double>()};
    case ArrowKind::kOffsets:
      return Offsets(scene, frame);
    case ArrowKind::kAngularVelocity:
      if (!HasVelocities(frame)) break;
      return AngularVelocities(scene, frame);
  }
  return std::nullopt;
}

}  // namespace pliant
