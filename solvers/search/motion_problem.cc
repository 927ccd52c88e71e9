#include "solvers/search/motion_problem.h"

#include <cmath>

#include "models/problem.h"

namespace pliant {

void MotionNumbers::Validate() const {
  const auto count = static_cast<Eigen::Index>(names.size());
  if (count == 0) throw BadInput({"numbers", "at least one number must be varied", ""});
  if (lower.size() != count || upper.size() != count || start.size() != count) {
    throw BadInput({"numbers", "each number needs one name, one pair of bounds and one start", ""});
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    const std::string& name = names[static_cast<size_t>(i)];
    const bool ordered = std::isfinite(lower[i]) && std::isfinite(upper[i]) && lower[i] < upper[i];
    if (!ordered)
      throw BadInput({name, "the bounds of " + name + " must be finite, lower < upper", ""});
    if (!(start[i] >= lower[i] && start[i] <= upper[i])) {
      throw BadInput({name, name + " starts outside its bounds", "widen them, or start within"});
    }
  }
}

}  // namespace pliant
