// The stiffness of an element whose quadrature points see, beside their own ∇u, a number t that is projected over the
// element (locking_free_part.h). A point has the form ∇u A ∇u + 2 t (y · ∇u) + z t², with
//
//   t_g = Q_g c/θ_g,   c = Σ_g w J Q_gᵀ (l_g · ∇u)
//
// A is the owner's (stiffness_sum.h). What contains t needs a few rows of an element, since c is of few numbers:
//
//   K = Y c + cᵀ Yᵀ + cᵀ Z c,   Y = Σ_g w/θ (∇ᵀ y) Q_g,   Z = Σ_g w z/θ² Q_gᵀ Q_g

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_PROJECTED_SUM_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_PROJECTED_SUM_H_

#include <Eigen/Core>

#include "models/finite_elements/elastic_part.h"

namespace pliant::finite_elements {

// kModes functions in an element. Of fixed size: it allocates nothing.
template <int kNodes, int kDimension, int kModes>
class ProjectedSum {
 public:
  using Gradients = Eigen::Matrix<double, kDimension, kNodes>;
  using OfGradient = Eigen::Vector<double, kDimension * kDimension>;  // at d I + a, of ∂u_a/∂X_I
  using Row = Eigen::Matrix<double, 1, kModes>;

  struct Form {
    Eigen::Matrix<double, kDimension * kDimension, kDimension * kDimension> A;
    OfGradient l, y;
    double z, J = 1.0, theta = 1.0;
  };

  // Of each point once: `factor` times its form, and the point's gradients, row of Q and weight w.
  void Add(const Gradients& G, const Row& Q, const Form& form, double w, double factor) {
    const double of_t = w * factor / form.theta;
    c_ += w * form.J * Q.transpose() * OfNodes(G, form.l).transpose();
    Y_ += OfNodes(G, of_t * form.y) * Q;
    Z_ += of_t / form.theta * form.z * Q.transpose() * Q;
  }

  // Adds the sum to rows and columns 3 i + a.
  void AddTo(MutableMatrixRef k) const {
    const Columns half = Y_ + 0.5 * c_.transpose() * Z_;
    Eigen::Matrix<double, kUnknowns, kUnknowns> sum;
    sum.noalias() = half.lazyProduct(c_);
    for (int j = 0; j < kUnknowns; ++j) {
      for (int i = 0; i < kUnknowns; ++i) k(At(i), At(j)) += sum(i, j) + sum(j, i);
    }
  }

 private:
  static constexpr int kUnknowns = kDimension * kNodes;
  using Columns = Eigen::Matrix<double, kUnknowns, kModes>;

  static int At(int unknown) { return 3 * (unknown / kDimension) + unknown % kDimension; }

  // What unit motions of the nodes have of f · ∇u.
  static Eigen::Vector<double, kUnknowns> OfNodes(const Gradients& G, const OfGradient& f) {
    Eigen::Vector<double, kUnknowns> sum;
    Eigen::Map<Eigen::Matrix<double, kDimension, kNodes>>(sum.data()) =
        Eigen::Map<const Eigen::Matrix<double, kDimension, kDimension>>(f.data()) * G;
    return sum;
  }

  Eigen::Matrix<double, kModes, kUnknowns> c_ = Eigen::Matrix<double, kModes, kUnknowns>::Zero();
  Columns Y_ = Columns::Zero();
  Eigen::Matrix<double, kModes, kModes> Z_ = Eigen::Matrix<double, kModes, kModes>::Zero();
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_PROJECTED_SUM_H_
