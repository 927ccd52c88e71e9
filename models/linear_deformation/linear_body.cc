#include "models/linear_deformation/linear_body.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "models/geometry/quadrature.h"
#include "models/geometry/spectrum.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Columns of M_b, scaled to a unit diagonal, count as dependent below this eigenvalue.
constexpr double kDependentTerms = 1e-10;

// How many different values the masses have of the coordinate that has fewest.
size_t FewestPlaces(const Body& body, const MaterialFrame& frame) {
  size_t fewest = std::numeric_limits<size_t>::max();
  for (int a = 0; a < frame.dimension(); ++a) {
    std::vector<double> places;
    for (int n = 0; n < body.size(); ++n) places.push_back(frame.Coordinates(body.rest.col(n))[a]);
    std::sort(places.begin(), places.end());
    const double apart = 1e-9 * (places.back() - places.front());
    const auto end = std::unique(places.begin(), places.end(),
                                 [apart](double x, double y) { return y - x <= apart; });
    fewest = std::min(fewest, static_cast<size_t>(end - places.begin()));
  }
  return fewest;
}

constexpr double kAbsentTerm = 1e-12;  // of the largest

// "x", "−y" of the body, or the direction itself.
std::string DirectionInWords(const Vector3d& axis) {
  for (int a = 0; a < 3; ++a) {
    if (std::abs(axis[a]) > 1.0 - 1e-6)
      return (axis[a] < 0.0 ? "−" : "") + std::string(1, "xyz"[a]);
  }
  return "(" + ThreeDigits(axis[0]) + ", " + ThreeDigits(axis[1]) + ", " + ThreeDigits(axis[2]) +
         ")";
}

// Which directions the letters of terms stand for, where these are not the body's own.
std::string AxesInWords(const MaterialFrame& frame) {
  std::string words;
  bool own = true;
  for (int a = 0; a < frame.dimension(); ++a) {
    const std::string direction = DirectionInWords(frame.axes.col(a));
    own = own && direction.back() == "xyz"[a];
    words += (a == 0 ? " (here " : ", ") + std::string(1, "xyz"[a]) + " is " + direction;
  }
  return own ? "" : words + " of the body, its longest extent first)";
}

DeformationBasis MakeBasis(const Body& body, const MaterialFrame& frame, int order,
                           BasisFamily family) {
  const int dimension = frame.dimension();
  VectorXd lower = VectorXd::Constant(dimension, 1e300), upper = -lower;
  for (int n = 0; n < body.size(); ++n) {
    const VectorXd u = frame.Coordinates(body.rest.col(n));
    lower = lower.cwiseMin(u);
    upper = upper.cwiseMax(u);
  }
  return {family, order, lower, upper};
}

// The highest degree below that of `basis` whose terms are independent on the masses; 0 where none is.
int HighestRegularOrder(const Body& body, const MaterialFrame& frame,
                        const DeformationBasis& basis) {
  int lower = basis.order() - 1;
  for (; lower > 0; --lower) {
    const DeformationBasis tried = MakeBasis(body, frame, lower, basis.family());
    MatrixXd terms(tried.size(), body.size());
    for (int n = 0; n < body.size(); ++n) {
      terms.col(n) = tried.At(frame.Coordinates(body.rest.col(n)));
    }
    const MatrixXd masses = terms * body.mass.asDiagonal() * terms.transpose();
    const VectorXd scale = masses.diagonal().cwiseSqrt().cwiseInverse();
    if (!scale.allFinite()) continue;  // a term that is nowhere
    const MatrixXd scaled = scale.asDiagonal() * masses * scale.asDiagonal();
    if (EigenvaluesOf(scaled)[0] >= kDependentTerms) break;
  }
  return lower;
}

// Throws unless all terms of p are independent on the masses: names the terms that coincide.
void RequireRegular(const Body& body, const MaterialFrame& frame, const MatrixXd& mass_matrix,
                    const DeformationBasis& basis, Inertia inertia) {
  const std::vector<std::string> names = basis.Names();
  const int order = basis.order();
  // A term that is nowhere on the masses, as xyz on an icosahedron, stays nothing.
  const VectorXd size = mass_matrix.diagonal().cwiseSqrt();
  const VectorXd scale =
      (size.array() > kAbsentTerm * size.maxCoeff()).select(size.cwiseInverse(), 0.0);
  const MatrixXd scaled = scale.asDiagonal() * mass_matrix * scale.asDiagonal();
  // Eigenvalues cost thirty times as much as this factor. The least one is at least 1/‖A⁻¹‖₁, and
  // the factor estimates ‖A⁻¹‖₁ from below, to a small factor.
  const Eigen::LLT<MatrixXd> factor(scaled);
  const double norm = scaled.cwiseAbs().colwise().sum().maxCoeff();
  if (factor.info() == Eigen::Success && factor.rcond() * norm > 10.0 * kDependentTerms) return;
  const Spectrum spectrum = SpectrumOf(scaled);
  const auto terms = static_cast<int>(names.size());
  int dependent = 0;
  while (dependent < terms && spectrum.values[dependent] < kDependentTerms) ++dependent;
  if (dependent == 0) return;

  // A term takes part when the null space of M_b has a component along it.
  constexpr int kMostNames = 8;
  std::string coinciding;
  int count = 0;
  for (int term = 0; term < terms; ++term) {
    if (spectrum.vectors.row(term).head(dependent).norm() < 1e-6) continue;
    if (++count <= kMostNames) coinciding += (coinciding.empty() ? "" : ", ") + names[term];
  }
  if (count > kMostNames) coinciding += " and " + std::to_string(count - kMostNames) + " more";
  const std::string needs = "order " + std::to_string(order) + " needs " + std::to_string(terms) +
                            " independent terms, but ";
  const std::string give = " give " + std::to_string(terms - dependent) +
                           (inertia == Inertia::kBox ? " in floating point" : "") +
                           ": its mass matrix is singular, since " + coinciding +
                           " are not independent on them" + AxesInWords(frame);
  if (inertia == Inertia::kBox) {
    throw BadInput({"order", needs + "the masses of a box around body '" + body.name + "'" + give,
                    "use a lower order"});
  }
  const int lower = HighestRegularOrder(body, frame, basis);
  const bool enough = FewestPlaces(body, frame) > static_cast<size_t>(order);
  throw BadInput(
      {"order",
       needs + "the " + std::to_string(body.size()) + " masses of body '" + body.name + "'" + give,
       (enough
            ? "use a lower order or more masses"
            : "use " + (lower > 0 ? "order = " + std::to_string(lower) : "a lower order") +
                  ", or give at least " + std::to_string(order + 1) + " masses along every axis") +
           std::string(
               ", or as a last resort inertia = \"box\" takes the mass of a box around the body, "
               "which is not where its masses are")});
}

// Length, area or volume of the material at rest [m^μ].
double Content(const Body& body, const MaterialFrame& frame, const DeformationBasis& basis) {
  double content = 0.0;
  if (frame.dimension() >= 2) {
    for (const auto& [a, b, c] : body.faces) {
      const Vector3d x = body.rest.col(a) - frame.centre, y = body.rest.col(b) - frame.centre,
                     z = body.rest.col(c) - frame.centre;
      content += frame.dimension() == 3 ? x.dot(y.cross(z)) / 6.0
                                        : 0.5 * (y - x).cross(Vector3d(z - x)).norm();
    }
  }
  if (content > 0.0) return content;
  return (basis.upper() - basis.lower()).cwiseProduct(frame.extent).prod();
}

}  // namespace

LinearBody::LinearBody(const Body& body, int world_dimension, int order, BasisFamily family,
                       Inertia inertia)
    : world_dimension_(world_dimension),
      inertia_(inertia),
      frame_(FindMaterialFrame(body, world_dimension)),
      basis_(MakeBasis(body, frame_, order, family)),
      mass_(body.mass.sum()),
      content_(Content(body, frame_, basis_)),
      constant_(basis_.Constant()) {
  terms_.resize(basis_.size(), body.size());
  for (int n = 0; n < body.size(); ++n) {
    terms_.col(n) = basis_.At(frame_.Coordinates(body.rest.col(n)));
  }
  Integrate(body);
  RequireRegular(body, frame_, mass_matrix_, basis_, inertia_);
  inverse_mass_ = mass_matrix_.llt().solve(MatrixXd::Identity(columns(), columns()));
  inverse_mass_ = (0.5 * (inverse_mass_ + inverse_mass_.transpose())).eval();
}

// M_b, and where the energy is sampled.
void LinearBody::Integrate(const Body& body) {
  const int dimension = frame_.dimension();
  std::vector<VectorXd> at;
  if (inertia_ == Inertia::kPoints) {
    mass_matrix_ = terms_ * body.mass.asDiagonal() * terms_.transpose();
    second_moment_ = mass_ * frame_.extent.squaredNorm();
    for (int n = 0; n < body.size(); ++n) at.push_back(frame_.Coordinates(body.rest.col(n)));
    // The points of a body with a material weigh what they stand for.
    sample_weights_ = body.material ? Eigen::VectorXd(body.mass / mass_)
                                    : Eigen::VectorXd::Constant(body.size(), 1.0 / body.size());
  } else {
    // Degree 2 n of each coordinate is integrated exactly by n + 1 points.
    const QuadratureRule rule = GaussLegendre(order() + 1);
    const VectorXd width = basis_.upper() - basis_.lower();
    int count = 1;
    for (int a = 0; a < dimension; ++a) count *= order() + 1;
    mass_matrix_.setZero(columns(), columns());
    second_moment_ = 0.0;
    sample_weights_.resize(count);
    for (int i = 0; i < count; ++i) {
      VectorXd u = basis_.lower();
      double weight = 1.0;
      for (int a = 0, rest = i; a < dimension; ++a, rest /= order() + 1) {
        u[a] += width[a] * rule.nodes[rest % (order() + 1)];
        weight *= rule.weights[rest % (order() + 1)];
      }
      const VectorXd p = basis_.At(u);
      mass_matrix_ += mass_ * weight * p * p.transpose();
      const VectorXd centre = 0.5 * (basis_.lower() + basis_.upper());
      second_moment_ += mass_ * weight * (u - centre).cwiseProduct(frame_.extent).squaredNorm();
      sample_weights_[i] = weight;
      at.push_back(u);
    }
  }
  if (is_affine()) {
    at.resize(1);
    sample_weights_.setOnes(1);
  }
  SampleGradients(at);
}

// ∂p/∂r along the axes = ∂p/∂u / extent.
void LinearBody::SampleGradients(const std::vector<VectorXd>& at) {
  const int dimension = frame_.dimension(), varying = columns() - basis_.constant_terms();
  gradient_terms_.resize(varying, dimension * static_cast<Eigen::Index>(at.size()));
  if (dimension == 0) return;  // one point alone has no gradients
  for (size_t n = 0; n < at.size(); ++n) {
    gradient_terms_.middleCols(static_cast<Eigen::Index>(n) * dimension, dimension) =
        basis_.GradientAt(at[n]).bottomRows(varying) * frame_.extent.cwiseInverse().asDiagonal();
  }
}

VectorXd LinearBody::AffineCoordinates(const Matrix3d& map, const Vector3d& offset) const {
  const Vector3d centre = offset + map * frame_.centre;
  const RowMajorMatrix R =
      centre.head(world_dimension_) * constant_.transpose() +
      (map * frame_.axes * frame_.extent.asDiagonal()).topRows(world_dimension_) *
          basis_.Linear().transpose();
  return Eigen::Map<const VectorXd>(R.data(), R.size());
}

VectorXd LinearBody::InitialCoordinates(const Body& body) const {
  return AffineCoordinates(body.orientation.toRotationMatrix() * body.stretch, body.position);
}

VectorXd LinearBody::InitialRates(const Body& body) const {
  // v + ω × (x − x_centre) with x − x_centre = map (r − centre).
  const Matrix3d map = body.orientation.toRotationMatrix() * body.stretch;
  Matrix3d spin;
  for (int a = 0; a < 3; ++a) spin.col(a) = body.angular_velocity.cross(Vector3d(map.col(a)));
  return AffineCoordinates(spin, body.velocity - spin * frame_.centre);
}

}  // namespace pliant::linear_deformation
