// The right-hand side of the equations of motion the plain way: all points placed, all forces on
// them in one array, M summed over points and solved whole. To hold DynamicFfdSystem against, which skips
// what nothing acts on.

#ifndef PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SYSTEM_ORACLE_H_
#define PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SYSTEM_ORACLE_H_

#include <Eigen/Core>
#include <memory>

#include "solvers/dynamic_ffd/ffd_system.h"

namespace pliant::dynamic_ffd {

class SystemOracle {
 public:
  // Of the same parts and options as `system`, which must outlive it.
  SystemOracle(std::shared_ptr<const Scene> scene, const DynamicFfdSystem* system,
               const PenaltyOptions& contact, const ConstraintSpringOptions& constraints);

  Eigen::VectorXd Rates(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                        Exchange* power);
  void UpdateContact(double t, const Eigen::VectorXd& q, const Eigen::VectorXd& v);

  // Entry points, as DynamicFfdSystem saves them.
  Eigen::VectorXd ContactState() const;
  // Points inside an obstacle at the last Rates().
  int touching() const { return touching_; }

 private:
  std::shared_ptr<const Scene> scene_;
  const DynamicFfdSystem* system_;
  SceneForces forces_;
  PenaltyContact contact_;
  ConstraintSprings constraints_;
  int touching_ = 0;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_SOLVERS_DYNAMIC_FFD_SYSTEM_ORACLE_H_
