// A term whose rows are a function of its blocks that knows no derivatives: automatic differentiation makes them.
//
// `Rows` has   template <typename T> void operator()(const T* const* x, T* rows) const
// for T = double and T = ceres::Jet, with x[i] the values of block i of the term.

#ifndef PLIANT_SOLVERS_SPACETIME_DIFFERENTIATED_TERM_H_
#define PLIANT_SOLVERS_SPACETIME_DIFFERENTIATED_TERM_H_

#include <ceres/jet.h>

#include <utility>
#include <vector>

#include "solvers/spacetime/program.h"

namespace pliant {

template <typename Rows>
class DifferentiatedTerm final : public SpacetimeTerm {
 public:
  // `sizes`: of the blocks.
  DifferentiatedTerm(double time, std::vector<int> blocks, std::vector<int> sizes,
                     std::vector<RowGroup> groups, Rows rows)
      : SpacetimeTerm(time, std::move(blocks), std::move(groups)),
        sizes_(std::move(sizes)),
        rows_(std::move(rows)) {}

  // With derivatives: so many evaluations in numbers of 1 + kStride as the unknowns have strides.
  void Evaluate(const double* const* x, double* values, double* const* jacobians) const override {
    if (jacobians == nullptr) return rows_(x, values);
    using Jet = ceres::Jet<double, kStride>;
    int unknowns = 0;
    for (const int size : sizes_) unknowns += size;
    std::vector<Jet> numbers(unknowns), out(rows());
    std::vector<const Jet*> pointers;
    int at = 0;
    for (size_t b = 0; b < sizes_.size(); ++b) {
      pointers.push_back(numbers.data() + at);
      for (int k = 0; k < sizes_[b]; ++k) numbers[at++] = Jet(x[b][k]);
    }
    for (int first = 0; first < std::max(unknowns, 1); first += kStride) {
      const int past = std::min(first + kStride, unknowns);
      for (int k = first; k < past; ++k) numbers[k].v[k - first] = 1.0;
      rows_(pointers.data(), out.data());
      for (int k = first; k < past; ++k) numbers[k].v[k - first] = 0.0;
      for (int row = 0; row < rows(); ++row) {
        values[row] = out[row].a;
        at = 0;
        for (size_t b = 0; b < sizes_.size(); at += sizes_[b++]) {
          for (int k = std::max(first, at); k < std::min(past, at + sizes_[b]); ++k)
            jacobians[b][row * sizes_[b] + k - at] = out[row].v[k - first];
        }
      }
    }
  }

 private:
  static constexpr int kStride = 12;

  std::vector<int> sizes_;
  Rows rows_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_DIFFERENTIATED_TERM_H_
