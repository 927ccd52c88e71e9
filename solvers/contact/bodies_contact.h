// Contact of surfaces as forces: of bodies with one another, by penalty on what they have in common or by
// a barrier between their surfaces (contact_between); and of edges and faces with obstacles, by penalty
// beside that of points (obstacle_contact).

#ifndef PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_
#define PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_

#include <Eigen/Core>
#include <memory>

#include "solvers/contact/body_penalty.h"
#include "solvers/contact/surface_barrier.h"
#include "solvers/contact/surface_penalty.h"

namespace pliant {

class BodiesContact {
 public:
  BodiesContact(const Scene& scene, const PenaltyOptions& options);

  // Do no two bodies meet, and no edges or faces an obstacle?
  bool empty() const { return !barrier_ && penalty_.empty() && !obstacles_; }
  bool meets_obstacles() const { return obstacles_ != nullptr; }
  BodyPenalty& penalty() { return penalty_; }  // empty with a barrier
  const BodyPenalty& penalty() const { return penalty_; }
  SurfaceBarrier* barrier() const { return barrier_.get(); }  // null: by penalty

  // As those of BodyPenalty, SurfaceBarrier and SurfacePenalty; `t` is the time of the points [s].
  void AddForces(double t, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates, Eigen::Matrix3Xd* working = nullptr);
  void TallyForces(double t, const PointsRef& x, const PointsRef& v, ContactTally* tally);
  bool pushes() const;                          // did the last AddForces() add anything?
  double Energy(double t, const PointsRef& x);  // J
  double Update(double t, const PointsRef& x, const PointsRef& v);

  // Entry places and springs of friction are state.
  int StateSize() const { return OfBodies() + (obstacles_ ? obstacles_->StateSize() : 0); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  int OfBodies() const { return barrier_ ? barrier_->StateSize() : penalty_.StateSize(); }

  BodyPenalty penalty_;
  std::unique_ptr<SurfaceBarrier> barrier_;
  std::unique_ptr<SurfacePenalty> obstacles_;  // null: points alone meet obstacles
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_
