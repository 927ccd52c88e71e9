// What all elements of a solid or planar profile share: quadrature points with the gradients of the
// shape functions, strain and stress in components, masses. The laws are in solid_part.h and
// locking_free_part.h.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_SOLID_ELEMENTS_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_SOLID_ELEMENTS_H_

#include <fmt/format.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "models/elasticity/law.h"
#include "models/finite_elements/elastic_part.h"
#include "models/finite_elements/solid_mesh.h"
#include "models/problem.h"

namespace pliant::finite_elements {

// kNodes nodes, kDimension of space.
template <int kNodes, int kDimension>
class SolidElements : public ElasticPart {
 protected:
  using Law = elasticity::Law;
  using Matrix3d = Eigen::Matrix3d;
  using Matrix6d = elasticity::Matrix6d;
  using Vector6d = elasticity::Vector6d;
  static constexpr int kStrains = kDimension == 3 ? 6 : 3;
  using Gradients = Eigen::Matrix<double, kDimension, kNodes>;  // G_i
  using Tensor = Eigen::Matrix<double, kDimension, kDimension>;
  using Places = Eigen::Matrix<double, kDimension, kNodes>;
  using Strain = Eigen::Vector<double, kStrains>;
  using Moduli = Eigen::Matrix<double, kStrains, kStrains>;

  struct Point {
    Gradients G;
    double weight;
  };

 public:
  bool planar() const override { return kDimension == 2; }
  int element_count() const override { return static_cast<int>(elements_.cols()); }
  std::span<const int> nodes(int e) const override { return {&elements_(0, e), size_t{kNodes}}; }
  int most_nodes() const override { return kNodes; }
  bool viscous() const override { return true; }
  std::vector<BoundarySide> SidesInside() const override {
    const SolidMesh mesh{shape_, rest_, elements_, embedding_, between_};
    return BoundarySidesOf(mesh, SidesBetweenCells(mesh));
  }

  double SmallestDeterminant(int e, const PointsRef& x) const override {
    double least = std::numeric_limits<double>::infinity();
    for (int g = 0; g < per_element_; ++g) {
      const Tensor F = Places(x.template topRows<kDimension>()) * At(e, g).G.transpose();
      least = std::min(least, F.determinant());
    }
    return least;
  }

 protected:
  SolidElements(const SolidMesh& mesh, const Law& law, double density, double thickness)
      : law_(law), shape_(mesh.shape), elements_(mesh.elements) {
    rest_ = mesh.nodes;
    embedding_ = mesh.embedding;
    between_ = mesh.between;
    const double depth = kDimension == 2 ? thickness : 1.0;
    MakePoints(mesh, depth);
    MakeMass(mesh, density * depth);
    const BoundaryPlaces boundary = BoundaryOf(mesh);
    boundary_ = BoundarySidesOf(mesh, boundary);
    surface_ = SurfaceOf(mesh, boundary, depth);
  }

  // One quadrature point at one place: F, C (of the linear law 1 + 2 ε) and the sign of det F.
  struct State {
    State(const Law& law, const Places& x, const Gradients& G) : F(x * G.transpose()) {
      C.setIdentity();
      if (law.linear()) {
        C.template topLeftCorner<kDimension, kDimension>() = F + F.transpose() - Tensor::Identity();
        sign = 1.0;
      } else {
        C.template topLeftCorner<kDimension, kDimension>() = F.transpose() * F;
        sign = F.determinant() > 0.0 ? 1.0 : -1.0;
      }
    }
    Tensor F;
    Matrix3d C;
    double sign;
  };

  // The same at the begin and the end of a step.
  struct Pair {
    Pair(const Law& law, const Places& x0, const Places& x1, const Gradients& G)
        : begin(law, x0, G), end(law, x1, G) {}
    bool upright() const { return begin.sign > 0.0 && end.sign > 0.0; }
    Tensor MeanF() const { return 0.5 * (begin.F + end.F); }
    Matrix3d MeanC() const { return 0.5 * (begin.C + end.C); }
    Tensor StrainChange() const {  // ΔE
      return 0.5 * (end.C - begin.C).template topLeftCorner<kDimension, kDimension>();
    }
    State begin, end;
  };

  const Point& At(int e, int g) const { return points_[static_cast<size_t>(e) * per_element_ + g]; }

  // ∂ε/∂F = sym, as if F were 1.
  Tensor Frame(const Tensor& F) const { return law_.linear() ? Tensor(Tensor::Identity()) : F; }

  static Tensor StressTensor(const Vector6d& s) {
    Tensor S;
    if constexpr (kDimension == 3) {
      S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    } else {
      S << s[0], s[3], s[3], s[1];
    }
    return S;
  }

  static Moduli ModuliOf(const Matrix6d& D) {
    if constexpr (kDimension == 3) {
      return D;
    } else {
      const std::array<int, 3> in_plane = {0, 1, 3};
      return D(in_plane, in_plane);
    }
  }

  // Components as in law.h, shear doubled.
  static Strain StrainComponents(const Tensor& E) {
    Strain e;
    if constexpr (kDimension == 3) {
      e << E(0, 0), E(1, 1), E(2, 2), 2.0 * E(0, 1), 2.0 * E(1, 2), 2.0 * E(2, 0);
    } else {
      e << E(0, 0), E(1, 1), 2.0 * E(0, 1);
    }
    return e;
  }

  static Tensor TensorOf(const Strain& s) {
    Tensor S;
    if constexpr (kDimension == 3) {
      S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    } else {
      S << s[0], s[2], s[2], s[1];
    }
    return S;
  }

  // Strains from ∇u at F; the column d I + a belongs to ∂u_a/∂X_I.
  using StrainOperator = Eigen::Matrix<double, kStrains, kDimension * kDimension>;
  static StrainOperator StrainsAt(const Tensor& F) {
    StrainOperator B = StrainOperator::Zero();
    for (int a = 0; a < kDimension; ++a) {
      for (int I = 0; I < kDimension; ++I) B(I, kDimension * I + a) = F(a, I);
      for (int shear = kDimension; shear < kStrains; ++shear) {
        const int I = shear - kDimension, J = (I + 1) % kDimension;
        B(shear, kDimension * J + a) = F(a, I);
        B(shear, kDimension * I + a) = F(a, J);
      }
    }
    return B;
  }
  // Adds the form S : (∇uᵀ ∇u).
  static void AddGeometric(
      const Tensor& S, Eigen::Matrix<double, kDimension * kDimension, kDimension * kDimension>* A) {
    for (int J = 0; J < kDimension; ++J) {
      for (int I = 0; I < kDimension; ++I) {
        for (int a = 0; a < kDimension; ++a) {
          (*A)(kDimension * I + a, kDimension * J + a) += S(I, J);
        }
      }
    }
  }

 private:
  void MakePoints(const SolidMesh& mesh, double depth) {
    const ElementRule rule = EnergyRule(mesh.shape);
    per_element_ = static_cast<int>(rule.weights.size());
    std::vector<ShapeFunctions> shapes;
    for (int g = 0; g < per_element_; ++g) {
      shapes.push_back(ShapeFunctionsAt(mesh.shape, rule.points.col(g)));
    }
    points_.reserve(static_cast<size_t>(per_element_) * mesh.elements.cols());
    for (int e = 0; e < element_count(); ++e) {
      const Places x = rest_(Eigen::seqN(0, kDimension), mesh.elements.col(e));
      for (int g = 0; g < per_element_; ++g) {
        const Tensor J = x * shapes[g].derivatives.transpose();  // ∂X/∂ξ
        const double determinant = J.determinant();
        if (!(determinant > 0.0)) throw InsideOut(x.rowwise().mean());
        points_.push_back({J.inverse().transpose() * shapes[g].derivatives,
                           rule.weights[g] * determinant * depth});
      }
    }
  }

  static BadInput InsideOut(const Eigen::Vector<double, kDimension>& middle) {
    std::string place = fmt::format("{:.4g}", middle[0]);
    for (int a = 1; a < kDimension; ++a) place += fmt::format(", {:.4g}", middle[a]);
    return BadInput({"cells", "a cell near (" + place + ") is turned inside out or has no content",
                     "reorder its corners, or repair the mesh"});
  }

  void MakeMass(const SolidMesh& mesh, double density) {
    const ElementRule rule = MassRule(mesh.shape);
    std::vector<Eigen::Triplet<double>> entries;
    for (int e = 0; e < element_count(); ++e) {
      const Places x = rest_(Eigen::seqN(0, kDimension), mesh.elements.col(e));
      Eigen::Matrix<double, kNodes, kNodes> sum = Eigen::Matrix<double, kNodes, kNodes>::Zero();
      for (Eigen::Index g = 0; g < rule.weights.size(); ++g) {
        const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
        const Tensor J = x * shape.derivatives.transpose();
        sum +=
            density * rule.weights[g] * J.determinant() * shape.values * shape.values.transpose();
      }
      for (int j = 0; j < kNodes; ++j) {
        for (int i = 0; i < kNodes; ++i) {
          entries.emplace_back(mesh.elements(i, e), mesh.elements(j, e), sum(i, j));
        }
      }
    }
    mass_.resize(rest_.cols(), rest_.cols());
    mass_.setFromTriplets(entries.begin(), entries.end());
  }

 protected:
  Law law_;
  ElementShape shape_;
  Eigen::MatrixXi elements_;
  std::vector<Point> points_;  // per_element_ of each element
  int per_element_ = 0;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_SOLID_ELEMENTS_H_
