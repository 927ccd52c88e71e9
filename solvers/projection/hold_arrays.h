// The forces of holds as arrays: what nails, attachments and sliders gave their points in the sweeps of
// the last step, element by element.

#ifndef PLIANT_SOLVERS_PROJECTION_HOLD_ARRAYS_H_
#define PLIANT_SOLVERS_PROJECTION_HOLD_ARRAYS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/arrays.h"
#include "solvers/holds/guides.h"
#include "solvers/holds/hold.h"

namespace pliant {

class HoldImpulses {
 public:
  explicit HoldImpulses(const Scene& scene);

  bool empty() const { return names_.empty(); }
  // Impulses of the step [kg m] on the point of the element.
  void AddNail(int nail, const Eigen::Vector3d& impulse) { impulses_.row(nail) += impulse; }
  void Add(const std::vector<Hold>& holds);  // those that are on
  void Add(const Guides& guides);            // sliders

  // "multipliers/lambda", one row for each element [N]: the impulses times `scale` [1/s²].
  NamedArray Forces(double scale) const;

 private:
  const Scene& scene_;
  std::vector<std::string> names_;  // nails, attachments, sliders
  Eigen::MatrixXd impulses_;
};

// "x", "y", "z".
const std::vector<std::string>& AxisNames();

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_HOLD_ARRAYS_H_
