// Forces of a whole part between two places of its nodes, by the plain loop over its elements.

#ifndef PLIANT_TESTS_MODELS_FINITE_ELEMENTS_WHOLE_PART_H_
#define PLIANT_TESTS_MODELS_FINITE_ELEMENTS_WHOLE_PART_H_

#include <Eigen/Core>

#include "models/finite_elements/elastic_part.h"

namespace pliant::finite_elements {

// Adds to g, 3×m, what add(element, x₀, x₁, of_element) adds to of_element, 3×a, of each element.
template <typename Add>
void AddOfElements(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                   MutablePointsRef g, const Add& add) {
  for (int e = 0; e < part.element_count(); ++e) {
    const auto nodes = part.nodes(e);
    const auto a = static_cast<Eigen::Index>(nodes.size());
    Eigen::Matrix3Xd of_element = Eigen::Matrix3Xd::Zero(3, a);
    add(e, q0(Eigen::all, nodes), q1(Eigen::all, nodes), MutablePointsRef(of_element));
    for (Eigen::Index i = 0; i < a; ++i) g.col(nodes[i]) += of_element.col(i);
  }
}

inline void AddDiscreteGradient(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                                MutablePointsRef g) {
  AddOfElements(part, q0, q1, g, [&](int e, const auto& x0, const auto& x1, auto of_element) {
    part.AddDiscreteGradient(e, x0, x1, of_element);
  });
}

inline void AddViscousForce(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                            double factor, MutablePointsRef g) {
  AddOfElements(part, q0, q1, g, [&](int e, const auto& x0, const auto& x1, auto of_element) {
    part.AddViscousForce(e, x0, x1, factor, of_element);
  });
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_MODELS_FINITE_ELEMENTS_WHOLE_PART_H_
