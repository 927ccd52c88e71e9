#include "models/linear_deformation/basis.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/geometry/bernstein.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A direction counts as flat when the body's extent along it is below this part of the largest:
// well above what rounding leaves of the moments' square roots (1e-8).
constexpr double kFlat = 1e-6;

// Second moments are equal when they differ by less than this part of them, or by this part of the largest.
constexpr double kEqual = 1e-12, kRounding = 1e-14;

using Exponents = std::vector<int>;

// Of the given total degree, the powers of the first coordinates descending.
void AddOfDegree(int degree, int axis, Exponents* exponents, std::vector<Exponents>* all) {
  const auto dimension = static_cast<int>(exponents->size());
  if (axis == dimension - 1) {
    (*exponents)[axis] = degree;
    all->push_back(*exponents);
    return;
  }
  for (int power = degree; power >= 0; --power) {
    (*exponents)[axis] = power;
    AddOfDegree(degree - power, axis + 1, exponents, all);
  }
}

// Degree by degree; second order as the source writes it, mixed products before squares.
std::vector<Exponents> PolynomialExponents(int dimension, int order) {
  std::vector<Exponents> all = {Exponents(dimension, 0)};
  if (dimension == 0) return all;
  for (int degree = 1; degree <= order; ++degree) {
    std::vector<Exponents> some;
    Exponents exponents(dimension, 0);
    AddOfDegree(degree, 0, &exponents, &some);
    if (degree == 2) {
      std::stable_partition(some.begin(), some.end(), [](const Exponents& e) {
        return std::find(e.begin(), e.end(), 2) == e.end();
      });
    }
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

double Power(double base, int exponent) {
  double power = 1.0;
  for (int i = 0; i < exponent; ++i) power *= base;
  return power;
}

// Of a power; nothing for the first.
std::string Superscript(int exponent) {
  static const std::array<std::string, 10> kDigit = {"⁰", "¹", "²", "³", "⁴",
                                                     "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (int rest = exponent; rest > 0 && exponent > 1; rest /= 10) text = kDigit[rest % 10] + text;
  return text;
}

int Count(int dimension, int order) {  // (order + 1)^dimension
  int count = 1;
  for (int a = 0; a < dimension; ++a) count *= order + 1;
  return count;
}

// Products over the axes of one column each, the first axis running fastest.
VectorXd TensorProduct(const std::vector<VectorXd>& factors) {
  VectorXd product = VectorXd::Ones(1);
  for (const VectorXd& factor : factors) {
    const VectorXd before = product;
    product.resize(before.size() * factor.size());
    for (Eigen::Index i = 0; i < factor.size(); ++i) {
      product.segment(i * before.size(), before.size()) = factor[i] * before;
    }
  }
  return product;
}

// d B_i^n/ds = n (B_{i−1}^{n−1} − B_i^{n−1}).
VectorXd BernsteinSlope(int degree, double s) {
  const VectorXd lower = Bernstein(degree - 1, s);
  VectorXd slope = VectorXd::Zero(degree + 1);
  slope.tail(degree) += degree * lower;
  slope.head(degree) -= degree * lower;
  return slope;
}

// Of a cube or a square, any axes of equal moment are principal ones, and rounding would choose among them. These are as near
// to the coordinate axes of the body as axes of the same span can be. `moments` descend; `axes` has their unit vectors.
void SettleAxesOfEqualMoments(const Vector3d& moments, Matrix3d* axes) {
  for (int first = 0, next = 1; first < 3; first = next++) {
    while (next < 3 &&
           moments[first] - moments[next] <= kEqual * moments[first] + kRounding * moments[0]) {
      ++next;
    }
    if (next == first + 1) continue;
    Matrix3d onto = Matrix3d::Identity();  // the span of these axes, less those that are settled
    for (int other = 0; other < 3; ++other) {
      if (other < first || other >= next) onto -= axes->col(other) * axes->col(other).transpose();
    }
    for (int a = first; a < next; ++a) {
      int nearest = 0;  // the first of those that are equally near
      for (int along = 1; along < 3; ++along) {
        if (onto(along, along) > onto(nearest, nearest) + kEqual) nearest = along;
      }
      const Vector3d axis = onto.col(nearest).normalized();
      axes->col(a) = axis;
      onto -= axis * axis.transpose();
    }
  }
}

}  // namespace

VectorXd MaterialFrame::Coordinates(const Eigen::Vector3d& rest) const {
  return (axes.transpose() * (rest - centre)).cwiseQuotient(extent);
}

MaterialFrame FindMaterialFrame(const Body& body, int world_dimension) {
  MaterialFrame frame;
  const double mass = body.mass.sum();
  frame.centre = body.rest * body.mass / mass;
  const Eigen::Matrix3Xd arms = body.rest.colwise() - frame.centre;
  const Matrix3d moment = arms * body.mass.asDiagonal() * arms.transpose() / mass;
  const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(moment);

  // Ascending in the solver, longest first in the frame.
  const Vector3d moments = principal.eigenvalues().reverse().cwiseMax(0.0);
  Matrix3d axes = principal.eigenvectors().rowwise().reverse();
  SettleAxesOfEqualMoments(moments, &axes);
  const Vector3d extents = moments.cwiseSqrt();
  int dimension = 0;
  while (dimension < 3 && extents[0] > 0.0 && extents[dimension] > kFlat * extents[0]) ++dimension;
  frame.axes = axes.leftCols(dimension);
  frame.extent = extents.head(dimension);
  for (int a = 0; a < dimension; ++a) {
    int longest = 0;
    frame.axes.col(a).cwiseAbs().maxCoeff(&longest);
    if (frame.axes(longest, a) < 0.0) frame.axes.col(a) *= -1.0;
  }
  if (dimension == world_dimension && frame.axes.topRows(world_dimension).determinant() < 0.0) {
    frame.axes.col(dimension - 1) *= -1.0;
  }
  return frame;
}

int TermCount(int material_dimension, int order) {
  int count = 1;
  for (int a = 1; a <= material_dimension; ++a) count = count * (order + a) / a;
  return count;
}

VectorXd Terms(const VectorXd& u, int order) {
  const auto exponents = PolynomialExponents(static_cast<int>(u.size()), order);
  VectorXd p = VectorXd::Ones(static_cast<Eigen::Index>(exponents.size()));
  for (Eigen::Index term = 0; term < p.size(); ++term) {
    for (Eigen::Index a = 0; a < u.size(); ++a) p[term] *= Power(u[a], exponents[term][a]);
  }
  return p;
}

MatrixXd TermGradients(const VectorXd& u, int order) {
  const auto exponents = PolynomialExponents(static_cast<int>(u.size()), order);
  MatrixXd gradients = MatrixXd::Zero(static_cast<Eigen::Index>(exponents.size()), u.size());
  for (Eigen::Index term = 0; term < gradients.rows(); ++term) {
    for (Eigen::Index a = 0; a < u.size(); ++a) {
      const int power = exponents[term][a];
      if (power == 0) continue;
      double slope = power * Power(u[a], power - 1);
      for (Eigen::Index b = 0; b < u.size(); ++b) {
        if (b != a) slope *= Power(u[b], exponents[term][b]);
      }
      gradients(term, a) = slope;
    }
  }
  return gradients;
}

std::vector<std::string> TermNames(int material_dimension, int order) {
  static const std::array<std::string, 3> kAxis = {"x", "y", "z"};
  std::vector<std::string> names;
  for (const Exponents& exponents : PolynomialExponents(material_dimension, order)) {
    std::string name;
    for (int a = 0; a < material_dimension; ++a) {
      if (exponents[a] > 0) name += kAxis[a] + Superscript(exponents[a]);
    }
    names.push_back(name.empty() ? "1" : name);
  }
  return names;
}

DeformationBasis::DeformationBasis(BasisFamily family, int order, VectorXd lower, VectorXd upper)
    : family_(family), order_(order), lower_(std::move(lower)), upper_(std::move(upper)) {}

int DeformationBasis::size() const {
  return family_ == BasisFamily::kPolynomial ? TermCount(dimension(), order_)
                                             : Count(dimension(), order_);
}

VectorXd DeformationBasis::At(const VectorXd& u) const {
  if (family_ == BasisFamily::kPolynomial) return Terms(u, order_);
  std::vector<VectorXd> factors;
  for (int a = 0; a < dimension(); ++a) {
    factors.push_back(Bernstein(order_, (u[a] - lower_[a]) / (upper_[a] - lower_[a])));
  }
  return TensorProduct(factors);
}

MatrixXd DeformationBasis::GradientAt(const VectorXd& u) const {
  if (family_ == BasisFamily::kPolynomial) return TermGradients(u, order_);
  MatrixXd gradients(size(), dimension());
  for (int along = 0; along < dimension(); ++along) {
    std::vector<VectorXd> factors;
    for (int a = 0; a < dimension(); ++a) {
      const double width = upper_[a] - lower_[a], s = (u[a] - lower_[a]) / width;
      factors.emplace_back(a == along ? BernsteinSlope(order_, s) / width : Bernstein(order_, s));
    }
    gradients.col(along) = TensorProduct(factors);
  }
  return gradients;
}

std::vector<std::string> DeformationBasis::Names() const {
  if (family_ == BasisFamily::kPolynomial) return TermNames(dimension(), order_);
  std::vector<std::string> names;
  for (int i = 0; i < size(); ++i) {
    std::string name = "B(";
    for (int a = 0, rest = i; a < dimension(); ++a, rest /= order_ + 1) {
      if (a > 0) name += ",";
      name += std::to_string(rest % (order_ + 1));
    }
    names.push_back(name + ")");
  }
  return names;
}

VectorXd DeformationBasis::Constant() const {
  return family_ == BasisFamily::kPolynomial ? VectorXd(VectorXd::Unit(size(), 0))
                                             : VectorXd(VectorXd::Ones(size()));
}

// Control points at lower + i/n (upper − lower) reproduce the coordinate.
MatrixXd DeformationBasis::Linear() const {
  MatrixXd linear = MatrixXd::Zero(size(), dimension());
  for (int a = 0; a < dimension(); ++a) {
    if (family_ == BasisFamily::kPolynomial) {
      linear(1 + a, a) = 1.0;
      continue;
    }
    for (int i = 0; i < size(); ++i) {
      const int place = i / Count(a, order_) % (order_ + 1);
      linear(i, a) = lower_[a] + (upper_[a] - lower_[a]) * place / order_;
    }
  }
  return linear;
}

}  // namespace pliant::linear_deformation
