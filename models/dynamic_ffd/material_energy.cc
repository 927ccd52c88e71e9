#include "models/dynamic_ffd/material_energy.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>
#include <utility>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using elasticity::Law;
using elasticity::Matrix6d;
using elasticity::Vector6d;

template <int kDimension>
using Tensor = Eigen::Matrix<double, kDimension, kDimension>;

// A place: F, C (of the linear law 1 + 2 ε) and the sign of det F.
template <int kDimension>
struct Strained {
  Strained(const Law& law, const Tensor<kDimension>& deformation) : F(deformation) {
    C.setIdentity();
    auto in_space = C.template topLeftCorner<kDimension, kDimension>();
    if (law.linear()) {
      in_space = F + F.transpose() - Tensor<kDimension>::Identity();
      F.setIdentity();  // ∂ε/∂F = sym, as if F were 1
    } else {
      in_space = F.transpose() * F;
      if (!(F.determinant() > 0.0)) sign = -1.0;
    }
  }
  Tensor<kDimension> F;
  Matrix3d C;
  double sign = 1.0;
};

template <int kDimension>
Tensor<kDimension> StressTensor(const Vector6d& s) {
  Tensor<kDimension> S;
  if constexpr (kDimension == 3) {
    S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  } else {
    S << s[0], s[3], s[3], s[1];
  }
  return S;
}

// Components of sym(Fᵀ G), those of shear twice: 11, 22, 33, 12, 23, 31.
template <int kDimension>
Vector6d StrainOf(const Tensor<kDimension>& F, const Tensor<kDimension>& G) {
  const Tensor<kDimension> half = F.transpose() * G;
  Vector6d strain = Vector6d::Zero();
  for (int a = 0; a < kDimension; ++a) strain[a] = half(a, a);
  strain[3] = half(0, 1) + half(1, 0);
  if constexpr (kDimension == 3) {
    strain[4] = half(1, 2) + half(2, 1);
    strain[5] = half(2, 0) + half(0, 2);
  }
  return strain;
}

// Rows of 3×3 gradients that count in d dimensions.
MatrixXd InDimension(const MatrixXd& gradients, int dimension) {
  if (dimension == 3) return gradients;
  const Eigen::Index places = gradients.rows() / 9;
  MatrixXd planar(4 * places, gradients.cols());
  constexpr int kRows[] = {0, 1, 3, 4};
  for (Eigen::Index g = 0; g < places; ++g) {
    for (int r = 0; r < 4; ++r) planar.row(4 * g + r) = gradients.row(9 * g + kRows[r]);
  }
  return planar;
}

}  // namespace

MaterialEnergy::MaterialEnergy(const Material& material, bool planar, VectorXd volumes,
                               const MatrixXd& gradients)
    : material_(material),
      dimension_(planar ? 2 : 3),
      law_(material, planar),
      volumes_(std::move(volumes)),
      gradients_(InDimension(gradients, dimension_)),
      F_(gradients_.rows()),
      rate_(gradients_.rows()),
      stresses_(gradients_.rows()) {}

void MaterialEnergy::Recombine(const MatrixXd& combinations) {
  gradients_ = (gradients_ * combinations).eval();
}

void MaterialEnergy::Deform(const VectorRef& gamma) const {
  F_.noalias() = gradients_ * gamma;
  const int size = dimension_ * dimension_;
  for (Eigen::Index g = 0; g < volumes_.size(); ++g) {
    for (int a = 0; a < dimension_; ++a) F_[size * g + a * (dimension_ + 1)] += 1.0;
  }
}

void MaterialEnergy::DeformAtRate(const VectorRef& gamma_dot) const {
  rate_.noalias() = gradients_ * gamma_dot;
}

// Calls f(g, place) with the deformation of Deform().
template <int kDimension, typename Function>
void MaterialEnergy::ForEachPlace(Function f) const {
  constexpr int kSize = kDimension * kDimension;
  for (Eigen::Index g = 0; g < volumes_.size(); ++g) {
    f(g, Strained<kDimension>(law_, Eigen::Map<const Tensor<kDimension>>(&F_[kSize * g])));
  }
}

double MaterialEnergy::Energy(const VectorRef& gamma) const {
  Deform(gamma);
  double energy = 0.0;
  const auto add = [&](Eigen::Index g, const auto& place) {
    energy += volumes_[g] * law_.Energy(place.C, place.sign);
  };
  if (dimension_ == 2) {
    ForEachPlace<2>(add);
  } else {
    ForEachPlace<3>(add);
  }
  return energy;
}

// Of F_ and rate_: w F (S + S_v) into stresses_ (without S if only the viscous part is asked for);
// returns Σ w Ė : D : Ė β.
template <int kDimension>
double MaterialEnergy::AddForcesIn(bool only_viscous, MutableVectorRef forces) const {
  constexpr int kSize = kDimension * kDimension;
  double lost = 0.0;
  Law::Response response;
  ForEachPlace<kDimension>([&](Eigen::Index g, const Strained<kDimension>& place) {
    Vector6d stress = Vector6d::Zero();
    if (!only_viscous) {
      law_.Respond(place.C, place.sign, &response);
      stress = response.stress;
    }
    if (viscous()) {
      const Vector6d strain_rate =
          StrainOf<kDimension>(place.F, Eigen::Map<const Tensor<kDimension>>(&rate_[kSize * g]));
      const Vector6d drag = material_.stiffness_damping * (law_.tangent_at_rest() * strain_rate);
      lost += volumes_[g] * drag.dot(strain_rate);
      stress += drag;
    }
    Eigen::Map<Tensor<kDimension>> stressed(stresses_.data() + kSize * g);
    stressed = volumes_[g] * place.F * StressTensor<kDimension>(stress);
  });
  forces.noalias() -= gradients_.transpose() * stresses_;
  return lost;
}

double MaterialEnergy::AddForces(const VectorRef& gamma, const VectorRef& gamma_dot,
                                 MutableVectorRef forces) const {
  Deform(gamma);
  if (viscous()) DeformAtRate(gamma_dot);
  return -(dimension_ == 2 ? AddForcesIn<2>(false, forces) : AddForcesIn<3>(false, forces));
}

double MaterialEnergy::ViscousPower(const VectorRef& gamma, const VectorRef& gamma_dot,
                                    const VectorRef& other) const {
  if (!viscous()) return 0.0;
  viscous_.setZero(gradients_.cols());
  Deform(gamma);
  DeformAtRate(gamma_dot);
  if (dimension_ == 2) {
    AddForcesIn<2>(true, viscous_);
  } else {
    AddForcesIn<3>(true, viscous_);
  }
  return viscous_.dot(other);
}

double MaterialEnergy::SmallestDeterminant(const VectorRef& gamma) const {
  Deform(gamma);
  double least = std::numeric_limits<double>::infinity();
  for (Eigen::Index g = 0; g < volumes_.size(); ++g) {
    least = std::min(least, dimension_ == 2
                                ? Eigen::Map<const Eigen::Matrix2d>(&F_[4 * g]).determinant()
                                : Eigen::Map<const Eigen::Matrix3d>(&F_[9 * g]).determinant());
  }
  return least;
}

template <int kDimension>
MatrixXd MaterialEnergy::SecondDerivatives(const VectorRef& gamma, bool of_viscosity) const {
  constexpr int kSize = kDimension * kDimension;
  using Gradients = Eigen::Matrix<double, kSize, Eigen::Dynamic>;
  const auto count = gradients_.cols();
  Deform(gamma);
  MatrixXd sum = MatrixXd::Zero(count, count);
  Law::Response response;
  Eigen::Matrix<double, 6, Eigen::Dynamic> B(6, count);
  ForEachPlace<kDimension>([&](Eigen::Index g, const Strained<kDimension>& place) {
    const Gradients G = gradients_.middleRows<kSize>(kSize * g);
    for (Eigen::Index k = 0; k < count; ++k) {
      B.col(k) =
          StrainOf<kDimension>(place.F, Eigen::Map<const Tensor<kDimension>>(G.col(k).data()));
    }
    if (of_viscosity) {
      const Matrix6d D = volumes_[g] * material_.stiffness_damping * law_.tangent_at_rest();
      sum.noalias() += B.transpose() * (D * B);
      return;
    }
    law_.Respond(place.C, place.sign, &response);
    const Matrix6d D = volumes_[g] * response.tangent;
    sum.noalias() += B.transpose() * (D * B);
    if (law_.linear()) return;
    const Tensor<kDimension> S = volumes_[g] * StressTensor<kDimension>(response.stress);
    Gradients stressed(kSize, count);  // ∇b_k S
    for (Eigen::Index k = 0; k < count; ++k) {
      Eigen::Map<Tensor<kDimension>>(stressed.col(k).data()) =
          Eigen::Map<const Tensor<kDimension>>(G.col(k).data()) * S;
    }
    sum.noalias() += G.transpose() * stressed;
  });
  return sum;
}

MatrixXd MaterialEnergy::Hessian(const VectorRef& gamma) const {
  return dimension_ == 2 ? SecondDerivatives<2>(gamma, false) : SecondDerivatives<3>(gamma, false);
}

MatrixXd MaterialEnergy::Viscosity(const VectorRef& gamma) const {
  if (!viscous()) return MatrixXd::Zero(gradients_.cols(), gradients_.cols());
  return dimension_ == 2 ? SecondDerivatives<2>(gamma, true) : SecondDerivatives<3>(gamma, true);
}

}  // namespace pliant::dynamic_ffd
