#include "models/finite_elements/rigid_part.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStiffness = 3e4;  // Ω [rad/s]
// Extents below this fraction of the largest are rounding: the body is flat, or a line.
constexpr double kFlat = 1e-6;
constexpr int kMostNodes = 4;

// e_i in columns, of k dimensions.
MatrixXd CornersOfSimplex(int k) {
  MatrixXd corners(k, k + 1);
  switch (k) {
    case 1:
      corners << 1, -1;
      break;
    case 2:
      corners << std::sqrt(2.0), -std::sqrt(0.5), -std::sqrt(0.5), 0, std::sqrt(1.5),
          -std::sqrt(1.5);
      break;
    case 3:
      corners << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
      break;
    default:
      break;
  }
  return corners;
}

// Sides of faces; in the plane those of one face only, which are the outline.
std::vector<std::array<int, 2>> SidesOfFaces(const Body& body, bool outline) {
  std::map<std::array<int, 2>, int> faces_at;
  for (const auto& face : body.faces) {
    for (int s = 0; s < 3; ++s) {
      const int a = face[s], b = face[(s + 1) % 3];
      ++faces_at[{std::min(a, b), std::max(a, b)}];
    }
  }
  std::vector<std::array<int, 2>> sides;
  for (const auto& [side, faces] : faces_at) {
    if (!outline || faces == 1) sides.push_back(side);
  }
  return sides;
}

class RigidPart final : public ElasticPart {
 public:
  RigidPart(const Body& body, int world_dimension) : planar_(world_dimension == 2) {
    const MatrixXd N = Embed(body);
    embedding_ = N.sparseView();
    MakeSurface(body, N);
  }

  bool planar() const override { return planar_; }
  int element_count() const override { return gradients_.cols() > 0 ? 1 : 0; }
  std::span<const int> nodes(int /*e*/) const override { return nodes_; }
  int most_nodes() const override { return static_cast<int>(nodes_.size()); }

  double Energy(int /*e*/, const PointsRef& x) const override {
    return energy_ * Strain(x * gradients_).squaredNorm();
  }
  void AddGradient(int /*e*/, const PointsRef& x, MutablePointsRef g) const override {
    const Tensor F = x * gradients_;
    g += 2.0 * energy_ * F * Strain(F) * gradients_.transpose();
  }
  void AddTangent(int /*e*/, const PointsRef& x, MutableMatrixRef k) const override {
    const Tensor F = x * gradients_;
    AddStiffness(F, Strain(F), 1.0, k);
  }
  void AddDiscreteGradient(int /*e*/, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef g) const override {
    const Tensor F0 = x0 * gradients_, F1 = x1 * gradients_;
    g += 0.5 * energy_ * (F0 + F1) * (Strain(F0) + Strain(F1)) * gradients_.transpose();
  }
  void AddDiscreteTangent(int /*e*/, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override {
    const Tensor F0 = x0 * gradients_, F1 = x1 * gradients_;
    AddStiffness(0.5 * (F0 + F1), 0.5 * (Strain(F0) + Strain(F1)), 0.5, k);
  }
  double SmallestDeterminant(int /*e*/, const PointsRef& x) const override {
    const Tensor F = x * gradients_;
    if (F.cols() == 3) return F.determinant();
    if (F.cols() == 2 && planar_) return F.topRows<2>().determinant();
    return std::sqrt((F.transpose() * F).determinant());
  }

 private:
  // No memory is allocated for these.
  using Tensor = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor, 3, 3>;
  using Symmetric = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 3, 3>;
  using Gradients =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kMostNodes, 3>;

  static Symmetric Strain(const Tensor& F) {
    Symmetric strain = 0.5 * (F.transpose() * F);
    strain.diagonal().array() -= 0.5;
    return strain;
  }

  // N of each point, n×(k + 1); nodes, mass, ∂N/∂r along the axes, and κ.
  MatrixXd Embed(const Body& body) {
    const double mass = body.mass.sum();
    const Vector3d centre = body.rest * body.mass / mass;
    const Matrix3Xd arms = body.rest.colwise() - centre;
    const Matrix3d second = arms * body.mass.asDiagonal() * arms.transpose() / mass;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> principal(second);
    Matrix3d axes = principal.eigenvectors().rowwise().reverse();
    const Vector3d extents = principal.eigenvalues().reverse().cwiseMax(0.0).cwiseSqrt();
    int k = 0;
    while (k < 3 && extents[k] > kFlat * extents[0]) ++k;
    if (axes.leftCols(3).determinant() < 0.0) axes.col(k > 0 ? k - 1 : 0) *= -1.0;
    const MatrixXd corners = CornersOfSimplex(k);
    rest_.resize(3, k + 1);
    for (int i = 0; i <= k; ++i) {
      rest_.col(i) = centre + axes.leftCols(k) * extents.head(k).cwiseProduct(corners.col(i));
    }
    nodes_.resize(k + 1);
    std::iota(nodes_.begin(), nodes_.end(), 0);
    mass_ = (MatrixXd::Identity(k + 1, k + 1) * (mass / (k + 1))).sparseView();
    const VectorXd per_extent = extents.head(k).cwiseInverse();
    gradients_ = corners.transpose() * per_extent.asDiagonal() / (k + 1);
    energy_ = 0.5 * mass * extents[0] * extents[0] * kStiffness * kStiffness;
    const MatrixXd u = per_extent.asDiagonal() * axes.leftCols(k).transpose() * arms;
    return ((u.transpose() * corners).array() + 1.0).matrix() / (k + 1);
  }

  void MakeSurface(const Body& body, const MatrixXd& N) {
    std::vector<int> number(body.size(), -1);
    std::vector<int> points;
    const auto place = [&](int point) {
      if (number[point] < 0) {
        number[point] = static_cast<int>(points.size());
        points.push_back(point);
      }
      return number[point];
    };
    VectorXd areas = VectorXd::Zero(body.size());
    if (!planar_) {
      for (const auto& [a, b, c] : body.faces) {
        surface_.faces.push_back({place(a), place(b), place(c)});
        const Vector3d ab = body.rest.col(b) - body.rest.col(a);
        const Vector3d ac = body.rest.col(c) - body.rest.col(a);
        for (const int point : {a, b, c}) areas[point] += ab.cross(ac).norm() / 6.0;
      }
    }
    const bool has_faces = !body.faces.empty();
    const double width =
        body.material && body.material->thickness > 0.0 ? body.material->thickness : 1.0;
    for (const auto& [a, b] : has_faces ? SidesOfFaces(body, planar_) : body.edges) {
      surface_.edges.push_back({place(a), place(b)});
      if (has_faces && !planar_) continue;
      const double length = (body.rest.col(b) - body.rest.col(a)).norm();
      for (const int point : {a, b}) areas[point] += 0.5 * width * length;
    }
    MatrixXd places(static_cast<Eigen::Index>(points.size()), N.cols());
    surface_.areas.resize(places.rows());
    for (size_t i = 0; i < points.size(); ++i) {
      places.row(static_cast<Eigen::Index>(i)) = N.row(points[i]);
      surface_.areas[static_cast<Eigen::Index>(i)] = areas[points[i]];
    }
    surface_.places = places.sparseView();
  }

  // factor (∂²V/∂q² at F with this strain).
  void AddStiffness(const Tensor& F, const Symmetric& strain, double factor,
                    MutableMatrixRef k) const {
    const auto count = gradients_.rows();
    for (Eigen::Index i = 0; i < count; ++i) {
      for (Eigen::Index j = 0; j < count; ++j) {
        const double geometric = gradients_.row(i) * strain * gradients_.row(j).transpose();
        const double dot = gradients_.row(i).dot(gradients_.row(j));
        const Vector3d Fi = F * gradients_.row(i).transpose(),
                       Fj = F * gradients_.row(j).transpose();
        // Of E:E, whose derivatives are 2 E : sym(Fᵀ ⊗ G).
        k.block<3, 3>(3 * i, 3 * j) += factor * energy_ *
                                       (2.0 * geometric * Matrix3d::Identity() +
                                        dot * (F * F.transpose()) + Fj * Fi.transpose());
      }
    }
  }

  bool planar_;
  std::vector<int> nodes_;
  Gradients gradients_;  // ∂N_i/∂r, (k + 1)×k [1/m]
  double energy_ = 0.0;  // κ [J]
};

}  // namespace

std::unique_ptr<ElasticPart> MakeRigidPart(const Body& body, int world_dimension) {
  return std::make_unique<RigidPart>(body, world_dimension);
}

}  // namespace pliant::finite_elements
