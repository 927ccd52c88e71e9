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
