// Inertia of a body some of whose amplitudes are driven, the last ones of q (a morph). Their
// accelerations are given, and M v̇ = Q + h is solved for the others:
//
//   M_ff v̇_f = Q_f + h_f − M_fs s̈
//
// M as a whole may be singular, because a morph may coincide with a mode. M is simply assembled and
// factored at each stage, O(D³), since few bodies change their shape.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_DRIVEN_INERTIA_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_DRIVEN_INERTIA_H_

#include <Eigen/Cholesky>
#include <memory>

#include "solvers/dynamic_ffd/inertia.h"

namespace pliant::dynamic_ffd {

class DrivenInertia final : public FfdInertia {
 public:
  // `all` is the inertia of the body as if all its amplitudes were free, the last `driven` of which
  // are not.
  DrivenInertia(std::unique_ptr<FfdInertia> all, int driven);

  Eigen::MatrixXd MassMatrix(const VectorRef& q) const override { return all_->MassMatrix(q); }
  // On entry the driven entries of `a` and `b` hold prescribed accelerations; they are left
  // unchanged.
  bool Accelerate(const VectorRef& q, const VectorRef& v, const Eigen::Vector3d& gravity,
                  MutableVectorRef a) override;
  bool Place(const VectorRef& q) override;
  void AddVelocityForces(const VectorRef& v, MutableVectorRef Q) override {
    all_->AddVelocityForces(v, Q);
  }
  void AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const override {
    all_->AddGravity(g, Q);
  }
  void Solve(MutableVectorRef b) override;

 private:
  std::unique_ptr<FfdInertia> all_;
  int driven_;
  Eigen::MatrixXd mass_;
  Eigen::LLT<Eigen::MatrixXd> factor_;  // of M_ff
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_DRIVEN_INERTIA_H_
