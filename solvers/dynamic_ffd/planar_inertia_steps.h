// The steps of planar_inertia.h, for the files that compile them: sizes are distributed over
// several files, since each takes seconds.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_STEPS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_STEPS_H_

#include <cmath>
#include <utility>

#include "solvers/dynamic_ffd/planar_inertia.h"

namespace pliant::dynamic_ffd {

template <int kModes>
PlanarInertia<kModes>::PlanarInertia(PlanarMoments moments)
    : plain_(std::move(moments)),
      modes_(plain_.modes),
      mass_(plain_.mass),
      moments_(plain_.sums),
      factor_(plain_.ConstantBlock()),
      c_(1 + modes_),
      sums_(2 * modes_ + 4),
      border_(2 + modes_),
      rhs_(2 + modes_) {}

template <int kModes>
bool PlanarInertia<kModes>::Place(const VectorRef& q) {
  const double c = std::cos(q[2]), s = std::sin(q[2]);
  rotation_ << c, -s, s, c;
  c_[0] = 1.0;
  c_.tail(D()) = q.tail(D());
  sums_ = moments_.lazyProduct(c_);
  border_.template head<2>() = PlanarTurn(S());
  border_.tail(D()) = sums_.segment(2 + modes_, D());
  const double inertia = c_.dot(sums_.head(Eigen::fix<kShapes>(1 + modes_)));
  return factor_.Factor(border_, typename Factor::Corner(inertia));
}

template <int kModes>
void PlanarInertia<kModes>::AddVelocityForces(const VectorRef& v, MutableVectorRef Q) {
  const double theta_dot = v[2];
  const auto gamma_dot = v.tail(D());
  // Of the sums of γ̇, those of Cᵀ and f are needed: Σ_l γ̇_l C_lk, k = 1 … D, and ṡ.
  const Eigen::Matrix<double, kBlock, 1> rates =
      moments_.bottomRightCorner(Eigen::fix<kBlock>(2 + modes_), D()).lazyProduct(gamma_dot);
  const Eigen::Vector2d s_dot = rates.template tail<2>();
  Q.head<2>() += rotation_ * (theta_dot * theta_dot * S() - 2.0 * theta_dot * PlanarTurn(s_dot));
  Q[2] -= 2.0 * theta_dot * gamma_dot.dot(ModesG());
  Q.tail(D()) += theta_dot * theta_dot * ModesG() - 2.0 * theta_dot * rates.head(D());
}

template <int kModes>
void PlanarInertia<kModes>::AddGravity(const Eigen::Vector3d& g, MutableVectorRef Q) const {
  const Eigen::Vector2d world = g.head<2>(), local = rotation_.transpose() * world;
  Q.head<2>() += mass_ * world;
  Q[2] += PlanarTurn(S()).dot(local);
  Q.tail(D()) += moments_.bottomRightCorner(Eigen::fix<2>, D()).transpose().lazyProduct(local);
}

template <int kModes>
void PlanarInertia<kModes>::Solve(MutableVectorRef b) {
  rhs_.template head<2>() = rotation_.transpose() * b.head<2>();
  rhs_.tail(D()) = b.tail(D());
  typename Factor::CornerVector turn(b[2]);
  factor_.Solve(&rhs_, &turn);
  b.head<2>() = rotation_ * rhs_.template head<2>();
  b[2] = turn[0];
  b.tail(D()) = rhs_.tail(D());
}

template <int kModes>
bool PlanarInertia<kModes>::Accelerate(const VectorRef& q, const VectorRef& v,
                                       const Eigen::Vector3d& gravity, MutableVectorRef a) {
  if (!Place(q)) return false;
  AddGravity(gravity, a);
  AddVelocityForces(v, a);
  Solve(a);
  return true;
}

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_PLANAR_INERTIA_STEPS_H_
