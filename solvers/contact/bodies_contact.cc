#include "solvers/contact/bodies_contact.h"

namespace pliant {

BodiesContact::BodiesContact(const Scene& scene, const PenaltyOptions& options)
    : penalty_(scene, options) {
  if (options.between == BodiesMeetBy::kBarrier && SurfacesMeet(scene)) {
    barrier_ = std::make_unique<SurfaceBarrier>(scene, options, scene.InitialPoints());
  }
  if (options.obstacles == ObstaclesMeet::kSurface && !scene.obstacles.empty()) {
    obstacles_ = std::make_unique<SurfacePenalty>(scene, options);
  }
}

void BodiesContact::AddForces(double t, const PointsRef& x, const PointsRef& v,
                              MutablePointsRef forces, Exchange* rates, Eigen::Matrix3Xd* working) {
  if (obstacles_) obstacles_->AddForces(t, x, v, forces, rates, working);
  if (barrier_) {
    barrier_->AddForces(t, x, v, forces, rates, working);
  } else {
    penalty_.AddForces(x, v, forces, rates, working);
  }
}

void BodiesContact::TallyForces(double t, const PointsRef& x, const PointsRef& v,
                                ContactTally* tally) {
  if (obstacles_) obstacles_->TallyForces(t, x, v, tally);
  if (barrier_) {
    barrier_->TallyForces(t, x, v, tally);
  } else {
    penalty_.TallyForces(x, v, tally);
  }
}

bool BodiesContact::pushes() const {
  if (obstacles_ && obstacles_->pushes()) return true;
  return barrier_ ? barrier_->pushes() : !penalty_.contacts().empty();
}

double BodiesContact::Energy(double t, const PointsRef& x) {
  const double of_bodies = barrier_ ? barrier_->Energy(t, x) : penalty_.Energy(x);
  return obstacles_ ? of_bodies + obstacles_->Energy(t, x) : of_bodies;
}

double BodiesContact::Update(double t, const PointsRef& x, const PointsRef& v) {
  const double of_bodies = barrier_ ? barrier_->Update(t, x) : penalty_.Update(x, v);
  return obstacles_ ? of_bodies + obstacles_->Update(t, x, v) : of_bodies;
}

void BodiesContact::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  if (barrier_) {
    barrier_->Save(state.head(OfBodies()));
  } else {
    penalty_.Save(state.head(OfBodies()));
  }
  if (obstacles_) obstacles_->Save(state.tail(obstacles_->StateSize()));
}

void BodiesContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  if (barrier_) {
    barrier_->Restore(state.head(OfBodies()));
  } else {
    penalty_.Restore(state.head(OfBodies()));
  }
  if (obstacles_) obstacles_->Restore(state.tail(obstacles_->StateSize()));
}

}  // namespace pliant
