#include "solvers/dynamic_ffd/driven_inertia.h"

#include <utility>

namespace pliant::dynamic_ffd {

DrivenInertia::DrivenInertia(std::unique_ptr<FfdInertia> all, int driven)
    : all_(std::move(all)), driven_(driven) {
  added_axis_inertia_ = all_->added_axis_inertia();
}

bool DrivenInertia::Place(const VectorRef& q) {
  all_->Place(q);  // may be singular, which does not matter
  mass_ = all_->MassMatrix(q);
  const auto free = mass_.rows() - driven_;
  factor_.compute(mass_.topLeftCorner(free, free));
  return factor_.info() == Eigen::Success;
}

void DrivenInertia::Solve(MutableVectorRef b) {
  const auto free = b.size() - driven_;
  const Eigen::VectorXd rhs = b.head(free) - mass_.topRightCorner(free, driven_) * b.tail(driven_);
  b.head(free) = factor_.solve(rhs);
}

bool DrivenInertia::Accelerate(const VectorRef& q, const VectorRef& v,
                               const Eigen::Vector3d& gravity, MutableVectorRef a) {
  const Eigen::VectorXd accelerations = a.tail(driven_);
  if (!Place(q)) return false;
  AddGravity(gravity, a);
  AddVelocityForces(v, a);
  a.tail(driven_) = accelerations;
  Solve(a);
  return true;
}

}  // namespace pliant::dynamic_ffd
