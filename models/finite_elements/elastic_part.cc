#include "models/finite_elements/elastic_part.h"

#include <algorithm>
#include <limits>

namespace pliant::finite_elements {
namespace {

// The columns of `from` that belong to the nodes.
void Gather(std::span<const int> nodes, const PointsRef& from, Eigen::Matrix3Xd* to) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    to->col(static_cast<Eigen::Index>(i)) = from.col(nodes[i]);
  }
}

void ScatterAdd(std::span<const int> nodes, const Eigen::Matrix3Xd& from, MutablePointsRef to) {
  for (size_t i = 0; i < nodes.size(); ++i) {
    to.col(nodes[i]) += from.col(static_cast<Eigen::Index>(i));
  }
}

// The sum over elements of what depends on two places.
template <typename Add>
void AddOfPairs(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                MutablePointsRef g, const Add& add) {
  Eigen::Matrix3Xd x0(3, part.most_nodes()), x1 = x0, of_element = x0;
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    const auto a = static_cast<Eigen::Index>(nodes.size());
    Gather(nodes, q0, &x0);
    Gather(nodes, q1, &x1);
    of_element.setZero();
    add(e, x0.leftCols(a), x1.leftCols(a), of_element.leftCols(a));
    ScatterAdd(nodes, of_element, g);
  }
}

}  // namespace

double Energy(const ElasticPart& part, const PointsRef& q) {
  Eigen::Matrix3Xd x(3, part.most_nodes());
  double energy = 0.0;
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    Gather(nodes, q, &x);
    energy += part.Energy(e, x.leftCols(static_cast<Eigen::Index>(nodes.size())));
  }
  return energy;
}

void AddGradient(const ElasticPart& part, const PointsRef& q, MutablePointsRef g) {
  Eigen::Matrix3Xd x(3, part.most_nodes()), of_element(3, part.most_nodes());
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    const auto a = static_cast<Eigen::Index>(nodes.size());
    Gather(nodes, q, &x);
    of_element.setZero();
    part.AddGradient(e, x.leftCols(a), of_element.leftCols(a));
    ScatterAdd(nodes, of_element, g);
  }
}

void AddDiscreteGradient(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                         MutablePointsRef g) {
  AddOfPairs(part, q0, q1, g,
             [&](int e, const PointsRef& x0, const PointsRef& x1, MutablePointsRef of_element) {
               part.AddDiscreteGradient(e, x0, x1, of_element);
             });
}

void AddViscousForce(const ElasticPart& part, const PointsRef& q0, const PointsRef& q1,
                     double factor, MutablePointsRef g) {
  AddOfPairs(part, q0, q1, g,
             [&](int e, const PointsRef& x0, const PointsRef& x1, MutablePointsRef of_element) {
               part.AddViscousForce(e, x0, x1, factor, of_element);
             });
}

double SmallestDeterminant(const ElasticPart& part, const PointsRef& q) {
  Eigen::Matrix3Xd x(3, part.most_nodes());
  double least = std::numeric_limits<double>::infinity();
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    Gather(nodes, q, &x);
    least = std::min(
        least, part.SmallestDeterminant(e, x.leftCols(static_cast<Eigen::Index>(nodes.size()))));
  }
  return least;
}

}  // namespace pliant::finite_elements
