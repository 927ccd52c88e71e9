// Whether a body has noticed that nothing supports it (Notice in models/scene/scene.h).

#ifndef PLIANT_SOLVERS_CONTROL_NOTICING_H_
#define PLIANT_SOLVERS_CONTROL_NOTICING_H_

#include <memory>
#include <optional>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

class Noticing {
 public:
  Noticing(std::shared_ptr<const Scene> scene, const Notice& notice);

  int body() const { return notice_.body; }
  // Gravity does not act on the body: it has no support and is not aware of it.
  bool weightless() const { return !aware_ && alone_since_.has_value(); }
  bool aware() const { return aware_; }

  // At the start (step 0) and at the end of each step, at `time`: points of the scene (3×n) and the
  // rotation body → world. A delay that ends within a step is over at the end of that step.
  void Update(double time, double step, const PointsRef& x, const Eigen::Matrix3d& rotation);

  static constexpr int kStateSize = 3;
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  std::shared_ptr<const Scene> scene_;
  Notice notice_;
  std::vector<int> points_;  // of the body, as columns
  bool aware_ = false;
  std::optional<double> alone_since_;  // s, without support; absent while it has support
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTROL_NOTICING_H_
