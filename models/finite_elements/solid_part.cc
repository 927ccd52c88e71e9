#include "models/finite_elements/solid_part.h"

#include <cmath>
#include <memory>

#include "models/finite_elements/solid_elements.h"
#include "models/finite_elements/stiffness_sum.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;

// kNodes nodes, kDimension of space, kPoints quadrature points.
template <int kNodes, int kDimension, int kPoints>
class SolidPart final : public SolidElements<kNodes, kDimension> {
  using Base = SolidElements<kNodes, kDimension>;
  using Base::At;
  using Base::Frame;
  using Base::law_;
  using Base::ModuliOf;
  using Base::StrainComponents;
  using Base::StressTensor;
  using typename Base::Moduli;
  using typename Base::Pair;
  using typename Base::Places;
  using typename Base::Point;
  using typename Base::State;
  using typename Base::Strain;
  using typename Base::Tensor;
  using Sum = StiffnessSum<kNodes, kDimension, kPoints>;
  using Elasticity = typename Sum::Elasticity;

 public:
  SolidPart(const SolidMesh& mesh, const Law& law, double density, double thickness)
      : Base(mesh, law, density, thickness) {}

  double Energy(int e, const PointsRef& x) const override {
    double energy = 0.0;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      energy += point.weight * law_.Energy(state.C, state.sign);
    }
    return energy;
  }

  void AddGradient(int e, const PointsRef& x, MutablePointsRef out) const override {
    Law::Response response;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      law_.Respond(state.C, state.sign, &response);
      out.template topRows<kDimension>() +=
          point.weight * (Frame(state.F) * StressTensor(response.stress)) * point.G;
    }
  }

  void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const override {
    Sum sum;
    Law::Response response;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const State state(law_, Places(x.template topRows<kDimension>()), point.G);
      law_.Respond(state.C, state.sign, &response);
      Elasticity A = Elasticity::Zero();
      AddElasticity(state.F, response, point.weight, &A);
      sum.Set(g, point.G, A);
    }
    sum.AddTo(k);
  }

  void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef out) const override {
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      out.template topRows<kDimension>() += point.weight * DiscreteStress(pair) * point.G;
    }
  }

  void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override {
    AddTangents(e, x0, x1, 1.0, 0.0, k);
  }
  void AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                         MutableMatrixRef k) const override {
    AddTangents(e, x0, x1, 0.0, factor, k);
  }
  void AddStepTangent(int e, const PointsRef& x0, const PointsRef& x1, double viscosity,
                      MutableMatrixRef k) const override {
    AddTangents(e, x0, x1, 1.0, viscosity, k);
  }

  void AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                       MutablePointsRef out) const override {
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      const Tensor S = ViscousStress(pair, factor);
      out.template topRows<kDimension>() += point.weight * Frame(pair.MeanF()) * S * point.G;
    }
  }

 private:
  // ∂P/∂F times w, P = F S.
  void AddElasticity(const Tensor& F, const Law::Response& response, double weight,
                     Elasticity* A) const {
    AddModuli(Frame(F), weight * ModuliOf(response.tangent), A);
    if (law_.linear()) return;
    Base::AddGeometric(weight * StressTensor(response.stress), A);
  }
  // The part of D.
  static void AddModuli(const Tensor& frame, const Moduli& D, Elasticity* A) {
    const auto B = Base::StrainsAt(frame);
    A->noalias() += B.transpose() * D.lazyProduct(B).eval();
  }

  // `elastic` times the discrete tangent and `viscous` times the tangent at rest.
  void AddTangents(int e, const PointsRef& x0, const PointsRef& x1, double elastic, double viscous,
                   MutableMatrixRef k) const {
    Sum sum;
    Law::Response response;
    const Moduli at_rest = ModuliOf(law_.tangent_at_rest());
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const Pair pair(law_, Places(x0.template topRows<kDimension>()),
                      Places(x1.template topRows<kDimension>()), point.G);
      Elasticity A = Elasticity::Zero();
      if (elastic > 0.0) {
        const bool upright = pair.upright();
        law_.Respond(upright ? pair.MeanC() : pair.end.C, upright ? 1.0 : pair.end.sign, &response);
        AddElasticity(upright ? pair.MeanF() : pair.end.F, response, 0.5 * elastic * point.weight,
                      &A);
      }
      if (viscous > 0.0) AddModuli(Frame(pair.MeanF()), viscous * point.weight * at_rest, &A);
      sum.Set(g, point.G, A);
    }
    sum.AddTo(k);
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
    return Base::TensorOf(s);
  }
};

}  // namespace

std::unique_ptr<ElasticPart> MakeSolidPart(const SolidMesh& mesh, const Law& law, double density,
                                           double thickness) {
  switch (mesh.shape) {
    case ElementShape::kTriangle6:
      return std::make_unique<SolidPart<6, 2, 3>>(mesh, law, density, thickness);
    case ElementShape::kTriangle7:
      return std::make_unique<SolidPart<7, 2, 6>>(mesh, law, density, thickness);
    case ElementShape::kTetrahedron10:
      return std::make_unique<SolidPart<10, 3, 4>>(mesh, law, density, thickness);
    case ElementShape::kHexahedron27:
      return std::make_unique<SolidPart<27, 3, 27>>(mesh, law, density, thickness);
  }
  return nullptr;
}

}  // namespace pliant::finite_elements
