// Contact of bodies in their lattices with one another, and what contact keeps over a step.

#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

using Eigen::VectorXd;

void DynamicFfdSystem::AddBodyContact(double t, const VectorXd& q, const VectorXd& v, VectorXd* Q,
                                      Exchange* power) {
  Points(q, &met_x_);
  PointVelocities(q, v, met_x_, &met_v_);
  met_forces_.setZero(3, met_x_.cols());
  met_working_.setZero(3, met_x_.cols());
  bodies_contact_.AddForces(t, met_x_, met_v_, met_forces_, power, &met_working_);
  if (!bodies_contact_.pushes()) return;
  local_.resize(parts_.size());
  for (size_t b = 0; b < parts_.size(); ++b) {
    const FfdPart& part = parts_[b];
    part.body.AddGeneralizedForces(Coordinates(part, q), PointsOf(part, met_x_),
                                   PointsOf(part, met_forces_), &local_[b], Velocities(part, Q));
  }
}

double DynamicFfdSystem::PowerOfBodyContact(const VectorXd& q, const VectorXd& other) {
  if (!bodies_contact_.pushes()) return 0.0;
  PointVelocities(q, other, met_x_, &met_v_);
  return met_working_.cwiseProduct(met_v_).sum();
}

double DynamicFfdSystem::UpdateContact(double t, const VectorXd& q, const VectorXd& v) {
  double work = 0.0;
  if (!contact_.empty()) {
    Locate(q);
    work += contact_.Update(t, parts_, bodies_, v);
  }
  if (bodies_contact_.StateSize() > 0) {
    Points(q, &met_x_);
    PointVelocities(q, v, met_x_, &met_v_);
    work += bodies_contact_.Update(t, met_x_, met_v_);
  }
  return work;
}

void DynamicFfdSystem::SaveContact(Eigen::Ref<VectorXd> state) const {
  contact_.Save(state.head(contact_.StateSize()));
  bodies_contact_.Save(state.tail(bodies_contact_.StateSize()));
}

void DynamicFfdSystem::RestoreContact(const Eigen::Ref<const VectorXd>& state) {
  contact_.Restore(state.head(contact_.StateSize()), parts_);
  bodies_contact_.Restore(state.tail(bodies_contact_.StateSize()));
}

}  // namespace pliant::dynamic_ffd
