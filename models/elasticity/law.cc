#include "models/elasticity/law.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant::elasticity {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The tensor indices of the six components.
constexpr std::array<std::array<int, 2>, 6> kIndices = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};

Vector6d Components(const Matrix3d& s) {
  return {s(0, 0), s(1, 1), s(2, 2), s(0, 1), s(1, 2), s(2, 0)};
}

// Adds a b ⊗ b + c I_b, with (I_b)_ijkl = ½ (b_ik b_jl + b_il b_jk).
void AddProducts(double a, double c, const Matrix3d& b, Matrix6d* d) {
  for (int r = 0; r < 6; ++r) {
    const auto [i, j] = kIndices[r];
    for (int s = 0; s < 6; ++s) {
      const auto [k, l] = kIndices[s];
      (*d)(r, s) += a * b(i, j) * b(k, l) + 0.5 * c * (b(i, k) * b(j, l) + b(i, l) * b(j, k));
    }
  }
}

// Principal stretches, with the sign of det F on the smallest, and their directions.
struct Stretches {
  // In a plane, the smallest of those in the plane.
  Stretches(const Matrix3d& C, double sign, bool plane) {
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(C);
    values = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    directions = solver.eigenvectors();
    const bool first_is_normal = plane && std::abs(directions(2, 0)) > 0.5;
    values[first_is_normal ? 1 : 0] *= sign;
  }
  Vector3d values;
  Matrix3d directions;
};

// What of the content follows from E, without the rounding of numbers near one: energies are of second
// order in E, and differences of them divide by small changes.
struct Content {
  Content(const Matrix3d& C, double sign) {
    const Matrix3d E = 0.5 * (C - Matrix3d::Identity());
    trace = E.trace();
    higher = 2.0 * (trace * trace - E.squaredNorm()) + 8.0 * E.determinant();
    d = 2.0 * trace + higher;
    const double J = std::sqrt(std::max(1.0 + d, 0.0));
    j = sign > 0.0 ? d / (1.0 + J) : -J - 1.0;
  }
  double trace, higher;  // tr E, and d − 2 tr E
  double d;              // det C − 1
  double j;              // J − 1
};

// x − ln(1 + x)
double LessLogarithm(double x) {
  if (std::abs(x) > 0.05) return x - std::log1p(x);
  double sum = 0.0, power = x;
  for (int n = 2; n < 14; ++n) {
    power *= -x;
    sum -= power / n;
  }
  return sum;
}

// The constants of the stable law.
struct StableConstants {
  StableConstants(double lambda, double mu)
      : mu(4.0 / 3.0 * mu),
        lambda(lambda + 5.0 / 6.0 * mu),
        alpha(1.0 + 0.75 * this->mu / this->lambda) {}
  double mu, lambda, alpha;  // μ', λ', α
};

}  // namespace

std::string NameOf(ElasticLaw law) {
  switch (law) {
    case ElasticLaw::kLinear:
      return "linear";
    case ElasticLaw::kStVenantKirchhoff:
      return "st-venant-kirchhoff";
    case ElasticLaw::kCorotated:
      return "corotated";
    case ElasticLaw::kNeoHookeanLog:
      return "neo-hookean-log";
    case ElasticLaw::kNeoHookeanStable:
      return "neo-hookean-stable";
  }
  return "";
}

Law::Law(ElasticLaw law, double youngs_modulus, double poisson_ratio, Kind kind)
    : law_(law),
      lambda_(youngs_modulus * poisson_ratio /
              ((1.0 + poisson_ratio) * (1.0 - 2.0 * poisson_ratio))),
      mu_(0.5 * youngs_modulus / (1.0 + poisson_ratio)),
      finds_thickness_(kind == Kind::kPlaneStress &&
                       (law == ElasticLaw::kNeoHookeanLog || law == ElasticLaw::kNeoHookeanStable)),
      plane_(kind != Kind::kSolid) {
  if (kind == Kind::kPlaneStress && !finds_thickness_) {
    lambda_ = 2.0 * lambda_ * mu_ / (lambda_ + 2.0 * mu_);
  }
  Response response;
  Respond(Matrix3d::Identity(), 1.0, &response);
  at_rest_ = response.tangent;
}

Law::Law(const Material& material, bool planar)
    : Law(material.law, material.youngs_modulus, material.poisson_ratio,
          !planar                 ? Kind::kSolid
          : material.plane_strain ? Kind::kPlaneStrain
                                  : Kind::kPlaneStress) {}

double Law::Energy(const Matrix3d& C, double sign) const {
  return EnergyInSpace(WithThickness(C, sign), sign);
}

void Law::Respond(const Matrix3d& C, double sign, Response* response) const {
  RespondInSpace(WithThickness(C, sign), sign, response);
  if (!finds_thickness_) return;
  // S₃₃ stays 0: the tangent without E₃₃.
  const Vector6d column = response->tangent.col(2);
  response->tangent -= column * column.transpose() / column[2];
}

Matrix3d Law::WithThickness(const Matrix3d& C, double sign) const {
  if (!plane_) return C;
  Matrix3d whole = C;
  whole(2, 2) = 1.0;
  if (!finds_thickness_) return whole;
  // C₃₃ S₃₃ = 0 for t = ln C₃₃; its derivative is C₃₃ S₃₃ + ½ C₃₃² D₃₃₃₃.
  Response response;
  double t = 0.0;
  for (int iteration = 0; iteration < 60; ++iteration) {
    whole(2, 2) = std::exp(t);
    RespondInSpace(whole, sign, &response);
    const double c = whole(2, 2);
    const double value = c * response.stress[2];
    const double slope = value + 0.5 * c * c * response.tangent(2, 2);
    const double step = slope > 0.0 ? -value / slope : (value > 0.0 ? -1.0 : 1.0);
    if (!std::isfinite(step)) break;
    t += std::clamp(step, -1.0, 1.0);
    if (std::abs(step) < 1e-15) break;
    if (std::abs(step) < 1e-9) {  // the next error is its square
      whole(2, 2) = std::exp(t);
      break;
    }
  }
  return whole;
}

double Law::EnergyInSpace(const Matrix3d& C, double sign) const {
  switch (law_) {
    case ElasticLaw::kLinear:
    case ElasticLaw::kStVenantKirchhoff: {
      const Matrix3d E = 0.5 * (C - Matrix3d::Identity());
      const double trace = E.trace();
      return mu_ * E.squaredNorm() + 0.5 * lambda_ * trace * trace;
    }
    case ElasticLaw::kCorotated: {
      const Vector3d excess = Stretches(C, sign, plane_).values - Vector3d::Ones();
      const double trace = excess.sum();
      return mu_ * excess.squaredNorm() + 0.5 * lambda_ * trace * trace;
    }
    case ElasticLaw::kNeoHookeanLog: {
      // I_C − 3 − 2 ln J = (d − ln(1 + d)) − (d − 2 tr E), free of terms of first order.
      const Content content(C, sign);
      if (!(sign > 0.0 && content.d > -1.0)) return std::numeric_limits<double>::infinity();
      const double log_J = 0.5 * std::log1p(content.d);
      return 0.5 * mu_ * (LessLogarithm(content.d) - content.higher) +
             0.5 * lambda_ * log_J * log_J;
    }
    case ElasticLaw::kNeoHookeanStable: {
      // With j = J − 1: 2 j + j² = d, which leaves terms of second order only.
      const StableConstants k(lambda_, mu_);
      const Content content(C, sign);
      const double j2 = content.j * content.j;
      return 0.375 * k.mu * (j2 - content.higher) +
             0.5 * k.mu * LessLogarithm(0.5 * content.trace) + 0.5 * k.lambda * j2;
    }
  }
  return 0.0;
}

void Law::RespondInSpace(const Matrix3d& C, double sign, Response* response) const {
  const Matrix3d identity = Matrix3d::Identity();
  response->energy = EnergyInSpace(C, sign);
  Matrix6d& D = response->tangent;
  D.setZero();
  switch (law_) {
    case ElasticLaw::kLinear:
    case ElasticLaw::kStVenantKirchhoff: {
      const Matrix3d E = 0.5 * (C - identity);
      response->stress = Components(2.0 * mu_ * E + lambda_ * E.trace() * identity);
      AddProducts(lambda_, 2.0 * mu_, identity, &D);
      return;
    }
    case ElasticLaw::kCorotated: {
      // In principal directions S_i = 2 μ + a/σ_i with a = λ (tr U − 3) − 2 μ; and
      // (S_i − S_j)/(σ_i² − σ_j²) = −a/(σ_i σ_j (σ_i + σ_j)), also where σ_i = σ_j.
      const Stretches stretches(C, sign, plane_);
      const Vector3d& s = stretches.values;
      const double a = lambda_ * (s.sum() - 3.0) - 2.0 * mu_;
      Matrix3d S = 2.0 * mu_ * identity;
      for (int i = 0; i < 3; ++i) {
        const Vector3d n = stretches.directions.col(i);
        S += a / s[i] * n * n.transpose();
      }
      response->stress = Components(S);
      Matrix3d factor[3][3];  // n_i ⊗ n_j, symmetric part
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const Matrix3d product =
              stretches.directions.col(i) * stretches.directions.col(j).transpose();
          factor[i][j] = 0.5 * (product + product.transpose());
        }
      }
      for (int i = 0; i < 3; ++i) {
        const Vector6d n_ii = Components(factor[i][i]);
        D -= a / (s[i] * s[i] * s[i]) * n_ii * n_ii.transpose();
        for (int j = 0; j < 3; ++j) {
          const Vector6d n_jj = Components(factor[j][j]);
          D += lambda_ / (s[i] * s[j]) * n_ii * n_jj.transpose();
          if (j <= i) continue;
          const Vector6d n_ij = Components(factor[i][j]);
          D -= 4.0 * a / (s[i] * s[j] * (s[i] + s[j])) * n_ij * n_ij.transpose();
        }
      }
      return;
    }
    case ElasticLaw::kNeoHookeanLog: {
      const double determinant = C.determinant();
      const double log_J =
          sign > 0.0 ? 0.5 * std::log(determinant) : std::numeric_limits<double>::quiet_NaN();
      const Matrix3d inverse = C.inverse();
      response->stress = Components(mu_ * identity + (lambda_ * log_J - mu_) * inverse);
      AddProducts(lambda_, 2.0 * (mu_ - lambda_ * log_J), inverse, &D);
      return;
    }
    case ElasticLaw::kNeoHookeanStable: {
      const StableConstants k(lambda_, mu_);
      const double J = sign * std::sqrt(std::max(C.determinant(), 0.0));
      const Matrix3d inverse = C.inverse();
      const double I = C.trace() + 1.0;
      response->stress =
          Components(k.mu * (1.0 - 1.0 / I) * identity + k.lambda * (J - k.alpha) * J * inverse);
      AddProducts(k.lambda * J * (2.0 * J - k.alpha), -2.0 * k.lambda * (J - k.alpha) * J, inverse,
                  &D);
      AddProducts(2.0 * k.mu / (I * I), 0.0, identity, &D);
      return;
    }
  }
}

}  // namespace pliant::elasticity
