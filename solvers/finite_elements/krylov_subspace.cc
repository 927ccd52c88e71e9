#include "solvers/finite_elements/krylov_subspace.h"

#include <Eigen/QR>
#include <algorithm>

namespace pliant::finite_elements {

const Eigen::VectorXd& KrylovSubspace::Step(const Eigen::VectorXd& f) {
  if (steps_.rows() != f.size()) {
    Clear();
    steps_.resize(f.size(), kMost);
    changes_.resize(f.size(), kMost);
  }
  if (moved_) {
    const double size = (f_ - f).norm();
    if (size > 0.0) {
      changes_.col(next_) = (f_ - f) / size;
      steps_.col(next_) = part_ / size * step_;
      next_ = (next_ + 1) % kMost;
      count_ = std::min(count_ + 1, kMost);
    }
    moved_ = false;
  }
  f_ = f;
  step_ = f;
  if (count_ > 0) {
    const auto W = changes_.leftCols(count_);
    const Eigen::VectorXd c = W.colPivHouseholderQr().solve(f);
    step_ += (steps_.leftCols(count_) - W) * c;
  }
  return step_;
}

}  // namespace pliant::finite_elements
