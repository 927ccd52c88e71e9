// Jets of jets: second derivatives by automatic differentiation.

#ifndef PLIANT_TESTS_MODELS_FINITE_ELEMENTS_NESTED_JETS_H_
#define PLIANT_TESTS_MODELS_FINITE_ELEMENTS_NESTED_JETS_H_

#include <ceres/jet.h>

#include <type_traits>

namespace pliant::finite_elements {

// Jets of jets do not mix with numbers: what is constant.
template <typename T>
T Constant(double number) {
  if constexpr (std::is_same_v<T, double>) {
    return number;
  } else {
    return T(Constant<typename T::Scalar>(number));
  }
}

template <int n>
using NestedJet = ceres::Jet<ceres::Jet<double, n>, n>;

// The i-th of n variables: its second derivatives are those of the result's v[i].v[j].
template <int n>
NestedJet<n> Variable(double value, int i) {
  NestedJet<n> x;
  x.a = ceres::Jet<double, n>(value, i);
  for (int j = 0; j < n; ++j) x.v[j] = ceres::Jet<double, n>(i == j ? 1.0 : 0.0);
  return x;
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_MODELS_FINITE_ELEMENTS_NESTED_JETS_H_
