#include "experiments/runs/ledger.h"

namespace pliant {
namespace {

// The first value is kept; returns the distance of this one from it.
double Change(const Eigen::Vector3d& value, std::optional<Eigen::Vector3d>* first) {
  if (!*first) *first = value;
  return (value - **first).norm();
}

}  // namespace

LedgerFigures Ledger::Add(const Observation& o, const PointSums& sums) {
  EnergyBalance balance;
  balance.kinetic = sums.kinetic_energy;
  balance.stored = StoredEnergy(o);
  balance.gravitational = sums.gravitational_energy.value_or(0.0);
  LedgerFigures figures;
  figures.total_energy = balance.total();
  if (!o.work) return figures;
  balance.exchange = *o.work;
  const double unworked = balance.total() - o.work->TotalWork();
  if (!initial_balance_) initial_balance_ = unworked;
  balance.residual = unworked - *initial_balance_;
  figures.residual_energy = balance.residual;
  figures.numerical_energy = balance.residual + (*o.work)[WorkClass::kConstraint];
  figures.made_energy = made_energy_.Add(o.time, balance);
  if (o.explains_momentum) {
    figures.momentum_residual = Change(sums.momentum - o.work->impulse, &initial_momentum_);
    figures.angular_momentum_residual =
        Change(sums.angular_momentum - o.work->angular_impulse, &initial_angular_momentum_);
  }
  return figures;
}

}  // namespace pliant
