#include "solvers/contact/bodies_contact.h"

namespace pliant {

BodiesContact::BodiesContact(const Scene& scene, const PenaltyOptions& options)
    : penalty_(scene, options) {
  if (options.between == BodiesMeetBy::kBarrier && SurfacesMeet(scene)) {
    barrier_ = std::make_unique<SurfaceBarrier>(scene, options, scene.InitialPoints());
  }
}

void BodiesContact::AddForces(double t, const PointsRef& x, const PointsRef& v,
                              MutablePointsRef forces, Exchange* rates, Eigen::Matrix3Xd* working) {
  if (barrier_) {
    barrier_->AddForces(t, x, v, forces, rates, working);
  } else {
    penalty_.AddForces(x, v, forces, rates, working);
  }
}

bool BodiesContact::pushes() const {
  return barrier_ ? barrier_->pushes() : !penalty_.contacts().empty();
}

double BodiesContact::Energy(double t, const PointsRef& x) {
  return barrier_ ? barrier_->Energy(t, x) : penalty_.Energy(x);
}

double BodiesContact::Update(double t, const PointsRef& x, const PointsRef& v) {
  return barrier_ ? barrier_->Update(t, x) : penalty_.Update(x, v);
}

void BodiesContact::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  if (barrier_) {
    barrier_->Save(state);
  } else {
    penalty_.Save(state);
  }
}

void BodiesContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  if (barrier_) {
    barrier_->Restore(state);
  } else {
    penalty_.Restore(state);
  }
}

}  // namespace pliant
