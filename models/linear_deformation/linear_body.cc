#include "models/linear_deformation/linear_body.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <string>
#include <vector>

#include "models/scene/problem.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Columns of M_b, scaled to a unit diagonal, count as dependent below this eigenvalue.
constexpr double kDependent = 1e-10;

// Throws unless all terms of p are independent on the masses: names the terms that coincide.
void RequireRegular(const Body& body, const MatrixXd& mass_matrix, int order,
                    const std::vector<std::string>& names) {
  const VectorXd scale = mass_matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> spectrum(scale.asDiagonal() * mass_matrix *
                                                         scale.asDiagonal());
  const auto terms = static_cast<int>(names.size());
  int dependent = 0;
  while (dependent < terms && spectrum.eigenvalues()[dependent] < kDependent) ++dependent;
  if (dependent == 0) return;

  // A term takes part when the null space of M_b reaches it.
  std::string coinciding;
  for (int term = 0; term < terms; ++term) {
    if (spectrum.eigenvectors().row(term).head(dependent).norm() < 1e-6) continue;
    coinciding += (coinciding.empty() ? "" : ", ") + names[term];
  }
  throw BadInput({"order",
                  "order " + std::to_string(order) + " needs " + std::to_string(terms) +
                      " independent terms, but the " + std::to_string(body.size()) +
                      " masses of body '" + body.name + "' give " +
                      std::to_string(terms - dependent) + ": its mass matrix is singular, since " +
                      coinciding + " are not independent on them",
                  "use order = 1 or give at least 3 masses along every axis"});
}

}  // namespace

LinearBody::LinearBody(const Body& body, int world_dimension, int order)
    : world_dimension_(world_dimension),
      order_(order),
      frame_(FindMaterialFrame(body, world_dimension)) {
  const int dimension = frame_.dimension(), terms = TermCount(dimension, order);
  terms_.resize(terms, body.size());
  for (int n = 0; n < body.size(); ++n) {
    terms_.col(n) = Terms(frame_.Coordinates(body.rest.col(n)), order);
  }
  mass_matrix_ = terms_ * body.mass.asDiagonal() * terms_.transpose();
  RequireRegular(body, mass_matrix_, order, TermNames(dimension, order));
  inverse_mass_ = mass_matrix_.llt().solve(MatrixXd::Identity(terms, terms));
  inverse_mass_ = (0.5 * (inverse_mass_ + inverse_mass_.transpose())).eval();
  second_moment_ = body.mass.sum() * frame_.extent.squaredNorm();

  samples_ = order == 1 ? 1 : body.size();
  gradient_terms_.resize(terms - 1, dimension * samples_);
  for (int n = 0; n < samples_; ++n) {
    // ∂p/∂r along the axes = ∂p/∂u / extent.
    const VectorXd u = frame_.Coordinates(body.rest.col(n));
    gradient_terms_.middleCols(n * dimension, dimension) =
        TermGradients(u, order).bottomRows(terms - 1) * frame_.extent.cwiseInverse().asDiagonal();
  }
}

VectorXd LinearBody::AffineCoordinates(const Matrix3d& map, const Vector3d& offset) const {
  RowMajorMatrix R = RowMajorMatrix::Zero(world_dimension_, columns());
  const Vector3d centre = offset + map * frame_.centre;
  R.col(0) = centre.head(world_dimension_);
  R.middleCols(1, material_dimension()) =
      (map * frame_.axes * frame_.extent.asDiagonal()).topRows(world_dimension_);
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

}  // namespace pliant
