#include "models/finite_elements/solid_part.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "models/problem.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;

// kNodes nodes, kDimension of space.
template <int kNodes, int kDimension>
class SolidPart final : public ElasticPart {
  static constexpr int kStrains = kDimension == 3 ? 6 : 3;
  using Gradients = Eigen::Matrix<double, kDimension, kNodes>;  // G_i
  using Tensor = Eigen::Matrix<double, kDimension, kDimension>;
  using Places = Eigen::Matrix<double, kDimension, kNodes>;
  using Strain = Eigen::Vector<double, kStrains>;
  using Moduli = Eigen::Matrix<double, kStrains, kStrains>;
  static constexpr int kUnknowns = kDimension * kNodes;
  using Stiffness = Eigen::Matrix<double, kUnknowns, kUnknowns>;

  struct Point {
    Gradients G;
    double weight;
  };

 public:
  SolidPart(const SolidMesh& mesh, const Law& law, double density, double thickness)
      : law_(law), elements_(mesh.elements) {
    rest_ = mesh.nodes;
    embedding_ = mesh.embedding;
    between_ = mesh.between;
    const double depth = kDimension == 2 ? thickness : 1.0;
    MakePoints(mesh, depth);
    MakeMass(mesh, density * depth);
    surface_ = SurfaceOf(mesh, depth);
  }

  bool planar() const override { return kDimension == 2; }
  int element_count() const override { return static_cast<int>(elements_.cols()); }
  std::span<const int> nodes(int e) const override { return {&elements_(0, e), size_t{kNodes}}; }
  int most_nodes() const override { return kNodes; }

  double Energy(int e, const PointsRef& x) const override {
    double energy = 0.0;
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      energy += point.weight * law_.Energy(state.C, state.sign);
    }
    return energy;
  }

  void AddGradient(int e, const PointsRef& x, MutablePointsRef out) const override {
    Law::Response response;
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      law_.Respond(state.C, state.sign, &response);
      out.template topRows<kDimension>() +=
          point.weight * (Frame(state.F) * StressTensor(response.stress)) * point.G;
    }
  }

  void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const override {
    Stiffness sum = Stiffness::Zero();
    Law::Response response;
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      law_.Respond(state.C, state.sign, &response);
      AddStiffness(point.G, Frame(state.F), point.weight * ModuliOf(response.tangent), &sum);
      if (!law_.linear()) {
        AddGeometric(point.G, point.weight * StressTensor(response.stress), &sum);
      }
    }
    Scatter(sum, k);
  }

  void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef out) const override {
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      out.template topRows<kDimension>() += point.weight * DiscreteStress(pair) * point.G;
    }
  }

  void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override {
    Stiffness sum = Stiffness::Zero();
    Law::Response response;
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      const Matrix3d C = pair.upright() ? pair.MeanC() : pair.end.C;
      law_.Respond(C, pair.upright() ? 1.0 : pair.end.sign, &response);
      const Tensor F = Frame(pair.upright() ? pair.MeanF() : pair.end.F);
      AddStiffness(point.G, F, 0.5 * point.weight * ModuliOf(response.tangent), &sum);
      if (!law_.linear()) {
        AddGeometric(point.G, 0.5 * point.weight * StressTensor(response.stress), &sum);
      }
    }
    Scatter(sum, k);
  }

  bool viscous() const override { return true; }

  void AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                       MutablePointsRef out) const override {
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      const Tensor S = ViscousStress(pair, factor);
      out.template topRows<kDimension>() += point.weight * Frame(pair.MeanF()) * S * point.G;
    }
  }

  void AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                         MutableMatrixRef k) const override {
    Stiffness sum = Stiffness::Zero();
    const Moduli moduli = ModuliOf(law_.tangent_at_rest());
    for (int g = 0; g < per_element_; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      AddStiffness(point.G, Frame(pair.MeanF()), factor * point.weight * moduli, &sum);
    }
    Scatter(sum, k);
  }

  double SmallestDeterminant(int e, const PointsRef& x) const override {
    double least = std::numeric_limits<double>::infinity();
    for (int g = 0; g < per_element_; ++g) {
      const Tensor F = Places(x.template topRows<kDimension>()) * At(e, g).G.transpose();
      least = std::min(least, F.determinant());
    }
    return least;
  }

 private:
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

  // P̄ = F̄ S̄.
  Tensor DiscreteStress(const Pair& pair) const {
    Law::Response response;
    if (!pair.upright()) {
      const State middle = MiddleOf(pair);
      law_.Respond(middle.C, middle.sign, &response);
      Tensor P = middle.F * StressTensor(response.stress);
      const Tensor change = pair.end.F - pair.begin.F;
      P += Quotient(EnergyChange(pair) - P.cwiseProduct(change).sum(), change) * change;
      return P;
    }
    law_.Respond(pair.MeanC(), 1.0, &response);
    Tensor S = StressTensor(response.stress);
    if (!law_.quadratic()) {
      const Tensor change = pair.StrainChange();
      S += Quotient(EnergyChange(pair) - S.cwiseProduct(change).sum(), change) * change;
    }
    return Frame(pair.MeanF()) * S;
  }

  // defect/(change : change), smoothly 0 where the change is so small that the defect, of third order
  // in it, is rounding.
  static double Quotient(double defect, const Tensor& change) {
    constexpr double kLeastChange = 1e-5;
    const double square = change.squaredNorm();
    return defect * square / (square * square + std::pow(kLeastChange, 4));
  }

  double EnergyChange(const Pair& pair) const {
    return law_.Energy(pair.end.C, pair.end.sign) - law_.Energy(pair.begin.C, pair.begin.sign);
  }

  State MiddleOf(const Pair& pair) const {
    State middle = pair.end;
    middle.F = pair.MeanF();
    middle.C.template topLeftCorner<kDimension, kDimension>() = middle.F.transpose() * middle.F;
    middle.sign = middle.F.determinant() > 0.0 ? 1.0 : -1.0;
    return middle;
  }

  // factor D(1) : ΔE.
  Tensor ViscousStress(const Pair& pair, double factor) const {
    const Strain s =
        factor * ModuliOf(law_.tangent_at_rest()) * StrainComponents(pair.StrainChange());
    Tensor S;
    if constexpr (kDimension == 3) {
      S << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    } else {
      S << s[0], s[2], s[2], s[1];
    }
    return S;
  }

  // Adds Bᵀ D B.
  static void AddStiffness(const Gradients& G, const Tensor& F, const Moduli& D, Stiffness* sum) {
    Eigen::Matrix<double, kStrains, kUnknowns> B;
    for (int i = 0; i < kNodes; ++i) {
      for (int a = 0; a < kDimension; ++a) {
        const int column = kDimension * i + a;
        if constexpr (kDimension == 3) {
          for (int I = 0; I < 3; ++I) B(I, column) = F(a, I) * G(I, i);
          B(3, column) = F(a, 0) * G(1, i) + F(a, 1) * G(0, i);
          B(4, column) = F(a, 1) * G(2, i) + F(a, 2) * G(1, i);
          B(5, column) = F(a, 2) * G(0, i) + F(a, 0) * G(2, i);
        } else {
          B(0, column) = F(a, 0) * G(0, i);
          B(1, column) = F(a, 1) * G(1, i);
          B(2, column) = F(a, 0) * G(1, i) + F(a, 1) * G(0, i);
        }
      }
    }
    const Eigen::Matrix<double, kStrains, kUnknowns> DB = D * B;
    sum->noalias() += B.transpose().lazyProduct(DB);
  }

  // Adds (G_i · S G_j) 1.
  static void AddGeometric(const Gradients& G, const Tensor& S, Stiffness* sum) {
    const Eigen::Matrix<double, kDimension, kNodes> SG = S * G;
    for (int j = 0; j < kNodes; ++j) {
      for (int i = 0; i < kNodes; ++i) {
        const double value = G.col(i).dot(SG.col(j));
        for (int a = 0; a < kDimension; ++a) {
          (*sum)(kDimension * i + a, kDimension * j + a) += value;
        }
      }
    }
  }

  static void Scatter(const Stiffness& sum, MutableMatrixRef k) {
    if constexpr (kDimension == 3) {
      k += sum;
    } else {
      for (int j = 0; j < kUnknowns; ++j) {
        for (int i = 0; i < kUnknowns; ++i) k(i / 2 * 3 + i % 2, j / 2 * 3 + j % 2) += sum(i, j);
      }
    }
  }

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

  Law law_;
  Eigen::MatrixXi elements_;
  std::vector<Point> points_;  // per_element_ of each element
  int per_element_ = 0;
};

}  // namespace

std::unique_ptr<ElasticPart> MakeSolidPart(const SolidMesh& mesh, const Law& law, double density,
                                           double thickness) {
  switch (mesh.shape) {
    case ElementShape::kTriangle6:
      return std::make_unique<SolidPart<6, 2>>(mesh, law, density, thickness);
    case ElementShape::kTetrahedron10:
      return std::make_unique<SolidPart<10, 3>>(mesh, law, density, thickness);
    case ElementShape::kHexahedron27:
      return std::make_unique<SolidPart<27, 3>>(mesh, law, density, thickness);
  }
  return nullptr;
}

}  // namespace pliant::finite_elements
