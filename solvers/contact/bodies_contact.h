// Contact of bodies with one another as forces: by penalty on what they have in common, or by a barrier between their
// surfaces (contact_between).

#ifndef PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_
#define PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_

#include <Eigen/Core>
#include <memory>

#include "solvers/contact/body_penalty.h"
#include "solvers/contact/surface_barrier.h"

namespace pliant {

class BodiesContact {
 public:
  BodiesContact(const Scene& scene, const PenaltyOptions& options);

  bool empty() const { return !barrier_ && penalty_.empty(); }  // do no two bodies meet?
  BodyPenalty& penalty() { return penalty_; }                   // empty with a barrier
  const BodyPenalty& penalty() const { return penalty_; }
  SurfaceBarrier* barrier() const { return barrier_.get(); }  // null: by penalty

  // As those of BodyPenalty and SurfaceBarrier; `t` is the time of the points [s].
  void AddForces(double t, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates, Eigen::Matrix3Xd* working = nullptr);
  bool pushes() const;                          // did the last AddForces() add anything?
  double Energy(double t, const PointsRef& x);  // J
  double Update(double t, const PointsRef& x, const PointsRef& v);

  // Entry places and springs of friction are state.
  int StateSize() const { return barrier_ ? barrier_->StateSize() : penalty_.StateSize(); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  BodyPenalty penalty_;
  std::unique_ptr<SurfaceBarrier> barrier_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_BODIES_CONTACT_H_
