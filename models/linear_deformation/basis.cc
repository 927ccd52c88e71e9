#include "models/linear_deformation/basis.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <array>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// A direction counts as flat when the body's extent along it is below this part of the largest:
// well above what rounding leaves of the moments' square roots (1e-8).
constexpr double kFlat = 1e-6;

// Products of two different coordinates, in the order of the source.
std::vector<std::array<int, 2>> MixedPairs(int dimension) {
  std::vector<std::array<int, 2>> pairs;
  for (int a = 0; a < dimension; ++a) {
    for (int b = a + 1; b < dimension; ++b) pairs.push_back({a, b});
  }
  return pairs;
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
  const double largest = std::sqrt(std::max(0.0, principal.eigenvalues()[2]));
  int dimension = 0;
  while (dimension < 3 && largest > 0.0 &&
         std::sqrt(std::max(0.0, principal.eigenvalues()[2 - dimension])) > kFlat * largest) {
    ++dimension;
  }
  frame.axes.resize(3, dimension);
  frame.extent.resize(dimension);
  for (int a = 0; a < dimension; ++a) {
    frame.axes.col(a) = principal.eigenvectors().col(2 - a);
    frame.extent[a] = std::sqrt(principal.eigenvalues()[2 - a]);
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
  const int affine = 1 + material_dimension;
  return order == 1 ? affine : affine + material_dimension * (material_dimension + 1) / 2;
}

VectorXd Terms(const VectorXd& u, int order) {
  const auto dimension = static_cast<int>(u.size());
  VectorXd p(TermCount(dimension, order));
  p[0] = 1.0;
  p.segment(1, dimension) = u;
  if (order == 1) return p;
  int term = 1 + dimension;
  for (const auto& [a, b] : MixedPairs(dimension)) p[term++] = u[a] * u[b];
  for (int a = 0; a < dimension; ++a) p[term++] = u[a] * u[a];
  return p;
}

MatrixXd TermGradients(const VectorXd& u, int order) {
  const auto dimension = static_cast<int>(u.size());
  MatrixXd gradients = MatrixXd::Zero(TermCount(dimension, order), dimension);
  gradients.middleRows(1, dimension).setIdentity();
  if (order == 1) return gradients;
  int term = 1 + dimension;
  for (const auto& [a, b] : MixedPairs(dimension)) {
    gradients(term, a) = u[b];
    gradients(term, b) = u[a];
    ++term;
  }
  for (int a = 0; a < dimension; ++a) gradients(term++, a) = 2.0 * u[a];
  return gradients;
}

std::vector<std::string> TermNames(int material_dimension, int order) {
  static const std::array<std::string, 3> kAxis = {"x", "y", "z"};
  std::vector<std::string> names = {"1"};
  for (int a = 0; a < material_dimension; ++a) names.push_back(kAxis[a]);
  if (order == 1) return names;
  for (const auto& [a, b] : MixedPairs(material_dimension)) names.push_back(kAxis[a] + kAxis[b]);
  for (int a = 0; a < material_dimension; ++a) names.push_back(kAxis[a] + "²");
  return names;
}

}  // namespace pliant
