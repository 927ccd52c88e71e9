// Projection of a function to polynomials of low order in each element, in L² at rest:
//
//   Π f = Σ_a Q_a Σ_g w_g Q_a(g) f(g),   Σ_g w_g Q_a(g) Q_b(g) = δ_ab

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_ELEMENT_MODES_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_ELEMENT_MODES_H_

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <vector>

#include "models/finite_elements/solid_mesh.h"

namespace pliant::finite_elements {

// At kPoints quadrature points; kModes = 1: constant, d + 1: linear in X.
template <int kPoints, int kModes>
class ElementModes {
 public:
  using Weights = Eigen::Vector<double, kPoints>;
  using Modes = Eigen::Matrix<double, kPoints, kModes>;

  // One more element, its nodes at rest in the columns of `nodes`.
  void Add(ElementShape shape, const Eigen::MatrixXd& nodes, const Weights& weights) {
    const Eigen::VectorXd middle = nodes.rowwise().mean();
    const double size = (nodes.colwise() - middle).norm();
    const ElementRule rule = EnergyRule(shape);
    Modes functions;
    for (int g = 0; g < kPoints; ++g) {
      functions(g, 0) = 1.0;
      if constexpr (kModes > 1) {
        const ShapeFunctions at = ShapeFunctionsAt(shape, rule.points.col(g));
        functions.row(g).template tail<kModes - 1>() =
            ((nodes * at.values - middle) / size).transpose();
      }
    }
    const Eigen::Matrix<double, kModes, kModes> moments =
        functions.transpose() * weights.asDiagonal() * functions;
    const Eigen::Matrix<double, kModes, kModes> lower = moments.llt().matrixL();
    modes_.push_back(
        lower.template triangularView<Eigen::Lower>().solve(functions.transpose()).transpose());
  }

  auto At(int e, int g) const { return modes_[e].row(g); }

  // Π f of each column.
  template <typename Values>
  Values Projected(int e, const Weights& weights, const Values& f) const {
    const Modes& Q = modes_[e];
    const Eigen::Matrix<double, kModes, Values::ColsAtCompileTime> parts =
        Q.transpose().lazyProduct(weights.asDiagonal() * f);
    return Q.lazyProduct(parts);
  }

 private:
  std::vector<Modes> modes_;  // Q of each element
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_ELEMENT_MODES_H_
