#include "solvers/dynamic_ffd/constraint_springs.h"

#include <algorithm>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;

}  // namespace

void ConstraintSpringOptions::Bind(ParameterBinder& binder) {
  const auto has_springs = [](const Scene& scene) {
    return !scene.nails.empty() || !scene.attachments.empty();
  };
  binder.OnlyWhen("the scene has nails or attachments", has_springs, [&] {
    binder.Real("constraint_stiffness", &stiffness, "N/m", MoreThan(0.0),
                "stiffness of the springs that replace nails and attachments");
    binder.Real("constraint_damping", &damping, "N s/m", AtLeast(0.0),
                "damping of the springs that replace nails and attachments");
  });
}

ConstraintSprings::ConstraintSprings(const Scene& scene, const ConstraintSpringOptions& options)
    : options_(options) {
  for (const Nail& nail : scene.nails) nails_.push_back({scene.Index(nail.point), nail.path});
  for (const Attachment& attachment : scene.attachments) {
    attachments_.push_back({scene.Index(attachment.a), scene.Index(attachment.b)});
  }
}

void ConstraintSprings::AddForces(double time, const PointsRef& x, const PointsRef& v,
                                  MutablePointsRef forces, Exchange* rates) const {
  for (const IndexedNail& nail : nails_) {
    const PathPoint goal = nail.path.At(time);
    const Vector3d rate = v.col(nail.point) - goal.velocity;
    const Vector3d force =
        -options_.stiffness * (x.col(nail.point) - goal.position) - options_.damping * rate;
    forces.col(nail.point) += force;
    (*rates)[WorkClass::kMovedNail] += force.dot(goal.velocity);
    (*rates)[WorkClass::kDamping] -= options_.damping * rate.squaredNorm();
    rates->AddForceAt(x.col(nail.point), force);
  }
  for (const IndexedAttachment& joint : attachments_) {
    const Vector3d rate = v.col(joint.a) - v.col(joint.b);
    const Vector3d force =
        -options_.stiffness * (x.col(joint.a) - x.col(joint.b)) - options_.damping * rate;
    forces.col(joint.a) += force;
    forces.col(joint.b) -= force;
    (*rates)[WorkClass::kDamping] -= options_.damping * rate.squaredNorm();
  }
}

void ConstraintSprings::AddDamping(double time, const PointsRef& v, MutablePointsRef forces) const {
  for (const IndexedNail& nail : nails_) {
    forces.col(nail.point) -= options_.damping * (v.col(nail.point) - nail.path.At(time).velocity);
  }
  for (const IndexedAttachment& joint : attachments_) {
    const Vector3d force = options_.damping * (v.col(joint.a) - v.col(joint.b));
    forces.col(joint.a) -= force;
    forces.col(joint.b) += force;
  }
}

double ConstraintSprings::Energy(double time, const PointsRef& x) const {
  double squared = 0.0;
  for (const IndexedNail& nail : nails_) {
    squared += (x.col(nail.point) - nail.path.At(time).position).squaredNorm();
  }
  for (const IndexedAttachment& joint : attachments_) {
    squared += (x.col(joint.a) - x.col(joint.b)).squaredNorm();
  }
  return 0.5 * options_.stiffness * squared;
}

std::optional<ConstraintSprings::Gap> ConstraintSprings::LargestGap(double time, const PointsRef& x,
                                                                    const PointsRef& v) const {
  if (empty()) return std::nullopt;
  Gap gap;
  auto widen = [&gap](const Vector3d& error, const Vector3d& rate) {
    gap.error = std::max(gap.error, error.norm());
    gap.rate = std::max(gap.rate, rate.norm());
  };
  for (const IndexedNail& nail : nails_) {
    const PathPoint goal = nail.path.At(time);
    widen(x.col(nail.point) - goal.position, v.col(nail.point) - goal.velocity);
  }
  for (const IndexedAttachment& joint : attachments_) {
    widen(x.col(joint.a) - x.col(joint.b), v.col(joint.a) - v.col(joint.b));
  }
  return gap;
}

}  // namespace pliant::dynamic_ffd
