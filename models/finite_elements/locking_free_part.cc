#include "models/finite_elements/locking_free_part.h"

#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "models/finite_elements/element_modes.h"
#include "models/finite_elements/projected_sum.h"
#include "models/finite_elements/solid_elements.h"
#include "models/finite_elements/stiffness_sum.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;

// kPoints quadrature points, kModes functions that the change of volume is projected to.
template <int kNodes, int kDimension, int kPoints, int kModes>
class LockingFreePart final : public SolidElements<kNodes, kDimension> {
  using Base = SolidElements<kNodes, kDimension>;
  using Base::At;
  using Base::Frame;
  using Base::kStrains;
  using Base::law_;
  using Base::ModuliOf;
  using Base::StrainComponents;
  using Base::StressTensor;
  using Base::TensorOf;
  using typename Base::Law;
  using typename Base::Moduli;
  using typename Base::Pair;
  using typename Base::Places;
  using typename Base::Point;
  using typename Base::State;
  using typename Base::Strain;
  using typename Base::StrainOperator;
  using typename Base::Tensor;
  using Sum = StiffnessSum<kNodes, kDimension, kPoints>;
  using Elasticity = typename Sum::Elasticity;
  using Projection = ProjectedSum<kNodes, kDimension, kModes>;
  using Form = typename Projection::Form;

  using AtPoints = Eigen::Vector<double, kPoints>;
  template <typename T>
  using ForPoints = std::array<T, kPoints>;
  static constexpr double kD = kDimension;

 public:
  LockingFreePart(const SolidMesh& mesh, const Law& law, double density, double thickness)
      : Base(mesh, law, density, thickness) {
    for (int e = 0; e < Base::element_count(); ++e) {
      modes_.Add(mesh.shape, mesh.nodes(Eigen::seqN(0, kDimension), mesh.elements.col(e)),
                 Weights(e));
    }
  }

  double Energy(int e, const PointsRef& x) const override {
    Motion motion;
    if (!Move(e, x, &motion)) return std::numeric_limits<double>::infinity();
    return EnergyOf(e, motion.C);
  }

  void AddGradient(int e, const PointsRef& x, MutablePointsRef out) const override {
    Motion motion;
    ForPoints<Tensor> S;
    if (!Move(e, x, &motion) || !Stress(e, motion.C, &S)) return Spoil(out);
    AddForces(e, motion.F, S, out);
  }

  void AddTangent(int e, const PointsRef& x, MutableMatrixRef k) const override {
    Motion motion;
    if (!Move(e, x, &motion)) return SpoilMatrix(k);
    AddTangents(e, motion, 1.0, 0.0, k);
  }

  void AddDiscreteGradient(int e, const PointsRef& x0, const PointsRef& x1,
                           MutablePointsRef out) const override {
    Motion begin, end, mean;
    if (!Move(e, x0, &begin) || !Move(e, x1, &end)) return Spoil(out);
    Mean(begin, end, &mean);
    ForPoints<Tensor> S;
    if (!Stress(e, mean.C, &S)) return Spoil(out);
    if (!law_.linear()) {
      double defect = EnergyOf(e, end.C) - EnergyOf(e, begin.C), square = 0.0, content = 0.0;
      for (int g = 0; g < kPoints; ++g) {
        const double w = At(e, g).weight;
        const Tensor change = Change(begin, end, g);
        defect -= w * S[g].cwiseProduct(change).sum();
        square += w * change.squaredNorm();
        content += w;
      }
      const double factor = Quotient(defect / content, square / content);
      for (int g = 0; g < kPoints; ++g) S[g] += factor * Change(begin, end, g);
    }
    AddForces(e, mean.F, S, out);
  }

  void AddDiscreteTangent(int e, const PointsRef& x0, const PointsRef& x1,
                          MutableMatrixRef k) const override {
    AddStepTangent(e, x0, x1, 0.0, k);
  }
  void AddStepTangent(int e, const PointsRef& x0, const PointsRef& x1, double viscosity,
                      MutableMatrixRef k) const override {
    Motion begin, end, mean;
    if (!Move(e, x0, &begin) || !Move(e, x1, &end)) return SpoilMatrix(k);
    Mean(begin, end, &mean);
    AddTangents(e, mean, 0.5, viscosity, k);
  }

  void AddViscousForce(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                       MutablePointsRef out) const override {
    Motion begin, end, mean;
    Move(e, x0, &begin);
    Move(e, x1, &end);
    Mean(begin, end, &mean);
    ForPoints<Tensor> S;
    for (int g = 0; g < kPoints; ++g) S[g] = Change(begin, end, g);
    ProjectTraces(e, &S);
    const Moduli moduli = factor * ModuliOf(law_.tangent_at_rest());
    for (Tensor& at : S) at = TensorOf(moduli * StrainComponents(at));
    ProjectTraces(e, &S);
    AddForces(e, mean.F, S, out);
  }

  void AddViscousTangent(int e, const PointsRef& x0, const PointsRef& x1, double factor,
                         MutableMatrixRef k) const override {
    Motion begin, end, mean;
    Move(e, x0, &begin);
    Move(e, x1, &end);
    Mean(begin, end, &mean);
    AddTangents(e, mean, 0.0, factor, k);
  }

 private:
  static constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

  struct Motion {
    ForPoints<Tensor> F;
    ForPoints<Matrix3d> C;  // of the linear law 1 + 2 ε
  };

  // False where a point is turned inside out.
  bool Move(int e, const PointsRef& x, Motion* motion) const {
    const Places places = x.template topRows<kDimension>();
    bool upright = true;
    for (int g = 0; g < kPoints; ++g) {
      const State state(law_, places, At(e, g).G);
      motion->F[g] = state.F;
      motion->C[g] = state.C;
      upright &= state.sign > 0.0;
    }
    return upright;
  }
  static void Mean(const Motion& begin, const Motion& end, Motion* mean) {
    for (int g = 0; g < kPoints; ++g) {
      mean->F[g] = 0.5 * (begin.F[g] + end.F[g]);
      mean->C[g] = 0.5 * (begin.C[g] + end.C[g]);
    }
  }
  static Tensor InSpace(const Matrix3d& C) {
    return C.template topLeftCorner<kDimension, kDimension>();
  }
  static Tensor Change(const Motion& begin, const Motion& end, int g) {  // ΔE
    return 0.5 * InSpace(end.C[g] - begin.C[g]);
  }
  static void Spoil(MutablePointsRef out) { out.setConstant(kUndefined); }
  static void SpoilMatrix(MutableMatrixRef k) { k.setConstant(kUndefined); }

  // As in solid_part.cc: smoothly 0 where the change is so small that the defect is rounding.
  static double Quotient(double defect, double square) {
    constexpr double kLeastChange = 1e-5;
    return defect * square / (square * square + std::pow(kLeastChange, 4));
  }

  AtPoints Weights(int e) const {
    AtPoints w;
    for (int g = 0; g < kPoints; ++g) w[g] = At(e, g).weight;
    return w;
  }
  template <typename Values>
  Values Projected(int e, const Values& f) const {
    return modes_.Projected(e, Weights(e), f);
  }

  // J and what the law sees.
  struct Volume {
    AtPoints J, theta;
    ForPoints<double> ratio;  // (θ/J)^(2/d)
    ForPoints<Matrix3d> C;    // C̃
  };
  // False where a mean change of volume is not positive.
  bool Project(int e, const ForPoints<Matrix3d>& C, Volume* volume) const {
    for (int g = 0; g < kPoints; ++g) {
      const Tensor c = InSpace(C[g]);
      volume->J[g] =
          law_.linear() ? 1.0 + 0.5 * (c.trace() - kD) : std::sqrt(std::max(c.determinant(), 0.0));
    }
    volume->theta = Projected(e, volume->J);
    for (int g = 0; g < kPoints; ++g) {
      volume->C[g] = C[g];
      auto c = volume->C[g].template topLeftCorner<kDimension, kDimension>();
      if (law_.linear()) {
        volume->ratio[g] = 1.0;
        c += 2.0 / kD * (volume->theta[g] - volume->J[g]) * Tensor::Identity();
      } else {
        if (!(volume->theta[g] > 0.0 && volume->J[g] > 0.0)) return false;
        volume->ratio[g] = std::pow(volume->theta[g] / volume->J[g], 2.0 / kD);
        c *= volume->ratio[g];
      }
    }
    return true;
  }

  double EnergyOf(int e, const ForPoints<Matrix3d>& C) const {
    Volume volume;
    if (!Project(e, C, &volume)) return std::numeric_limits<double>::infinity();
    double energy = 0.0;
    for (int g = 0; g < kPoints; ++g) {
      energy += At(e, g).weight * law_.Energy(volume.C[g], 1.0);
    }
    return energy;
  }

  // The law at C̃, and what presses.
  struct Answer {
    Volume volume;
    ForPoints<elasticity::Law::Response> response;
    ForPoints<Tensor> inverse;  // C⁻¹, of the linear law 1
    AtPoints tau, excess;       // S̃ : C̃, J p − τ/d
    AtPoints pressure;          // p J
  };
  bool Respond(int e, const ForPoints<Matrix3d>& C, Answer* answer) const {
    if (!Project(e, C, &answer->volume)) return false;
    const Volume& volume = answer->volume;
    for (int g = 0; g < kPoints; ++g) {
      law_.Respond(volume.C[g], 1.0, &answer->response[g]);
      const Tensor S = StressTensor(answer->response[g].stress);
      answer->tau[g] = law_.linear() ? S.trace() : S.cwiseProduct(InSpace(volume.C[g])).sum();
      answer->inverse[g] =
          law_.linear() ? Tensor(Tensor::Identity()) : Tensor(InSpace(C[g]).inverse());
    }
    if (law_.linear()) {
      answer->pressure = Projected(e, AtPoints(answer->tau / kD));
    } else {
      const AtPoints mean = answer->tau.cwiseQuotient(kD * volume.theta);
      answer->pressure = volume.J.cwiseProduct(Projected(e, mean));
    }
    answer->excess = answer->pressure - answer->tau / kD;
    return true;
  }

  bool Stress(int e, const ForPoints<Matrix3d>& C, ForPoints<Tensor>* S) const {
    Answer answer;
    if (!Respond(e, C, &answer)) return false;
    for (int g = 0; g < kPoints; ++g) (*S)[g] = StressAt(answer, g);
    return true;
  }
  static Tensor StressAt(const Answer& answer, int g) {
    return answer.volume.ratio[g] * StressTensor(answer.response[g].stress) +
           answer.excess[g] * answer.inverse[g];
  }

  void AddForces(int e, const ForPoints<Tensor>& F, const ForPoints<Tensor>& S,
                 MutablePointsRef out) const {
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      out.template topRows<kDimension>() += point.weight * (Frame(F[g]) * S[g]) * point.G;
    }
  }

  // Adds (Π tr − tr) 1/d.
  void ProjectTraces(int e, ForPoints<Tensor>* tensors) const {
    AtPoints trace;
    for (int g = 0; g < kPoints; ++g) trace[g] = (*tensors)[g].trace();
    const AtPoints excess = (Projected(e, trace) - trace) / kD;
    for (int g = 0; g < kPoints; ++g) (*tensors)[g] += excess[g] * Tensor::Identity();
  }

  // Components of a stress, which work on those of a strain.
  static Strain StressComponents(const Tensor& S) {
    Strain s = StrainComponents(S);
    s.template tail<kStrains - kDimension>() *= 0.5;
    return s;
  }

  // The components of the map E → C⁻¹ E C⁻¹.
  static Moduli Conjugation(const Tensor& b) {
    Moduli map;
    for (int s = 0; s < kStrains; ++s) {
      map.col(s) = StressComponents(b * TensorOfStrain(Strain::Unit(s)) * b);
    }
    return map;
  }
  static Tensor TensorOfStrain(Strain e) {
    e.template tail<kStrains - kDimension>() *= 0.5;
    return TensorOf(e);
  }

  // With e = B ∇u, ℓ = C⁻¹ : e the relative change of J and t that of θ, t = Π (J ℓ)/θ, the law's strain
  // changes by ẽ = (θ/J)^(2/d) e + C̃ (t − ℓ)/d, and the second derivative of the energy is
  //
  //   Σ w [ẽ D̃ ẽ + 4/d (θ/J)^(2/d) (t − ℓ) (S̃ : e) + 2/d² τ (t − ℓ)² − τ/d t² + J p ℓ²
  //        − 2 (J p − τ/d) (C⁻¹ e C⁻¹) : e + S : (∇uᵀ ∇u)]
  //
  // The form of point g: what stands in the brackets.
  Form OfLaw(const Answer& answer, int g, const StrainOperator& B) const {
    const double tau = answer.tau[g], ratio = answer.volume.ratio[g];
    Form form = OfModuli(ModuliOf(answer.response[g].tangent), B, answer.inverse[g], ratio,
                         InSpace(answer.volume.C[g]));
    const auto& l = form.l;
    const auto s =
        (B.transpose() * StressComponents(StressTensor(answer.response[g].stress))).eval();
    form.A -= 2.0 / kD * ratio * (l * s.transpose() + s * l.transpose());
    form.A += (2.0 / (kD * kD) * tau + answer.pressure[g]) * l * l.transpose();
    form.A -= 2.0 * answer.excess[g] * B.transpose() * (Conjugation(answer.inverse[g]) * B).eval();
    form.y += 2.0 / kD * ratio * s - 2.0 / (kD * kD) * tau * l;
    form.z += 2.0 / (kD * kD) * tau - tau / kD;
    Base::AddGeometric(StressAt(answer, g), &form.A);
    form.J = answer.volume.J[g];
    form.theta = answer.volume.theta[g];
    return form;
  }
  // Of moduli alone: ẽ = e + 1 (t − ℓ)/d, ℓ = tr e, t = Π ℓ.
  static Form OfTraces(const Moduli& D, const StrainOperator& B) {
    return OfModuli(D, B, Tensor::Identity(), 1.0, Tensor::Identity());
  }
  // ẽ D ẽ of ẽ = ratio e + C (t − ℓ)/d, ℓ = c : e.
  static Form OfModuli(const Moduli& D, const StrainOperator& B, const Tensor& c, double ratio,
                       const Tensor& C) {
    Form form;
    form.l = B.transpose() * StressComponents(c);
    const Strain of_t = StrainComponents(C) / kD, D_of_t = D * of_t;
    const StrainOperator of_u = ratio * B - of_t * form.l.transpose();
    form.A.noalias() = of_u.transpose() * D.lazyProduct(of_u).eval();
    form.y = of_u.transpose() * D_of_t;
    form.z = of_t.dot(D_of_t);
    return form;
  }

  // `elastic` times the tangent of the law and `viscous` times that of its moduli at rest.
  void AddTangents(int e, const Motion& motion, double elastic, double viscous,
                   MutableMatrixRef k) const {
    Answer answer;
    if (elastic > 0.0 && !Respond(e, motion.C, &answer)) return SpoilMatrix(k);
    const Moduli at_rest = ModuliOf(law_.tangent_at_rest());
    Sum sum;
    Projection of_law, of_viscosity;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const StrainOperator B = Base::StrainsAt(Frame(motion.F[g]));
      Elasticity A = Elasticity::Zero();
      if (elastic > 0.0) {
        const bool linear = law_.linear();
        const Form form =
            linear ? OfTraces(ModuliOf(answer.response[g].tangent), B) : OfLaw(answer, g, B);
        A += elastic * point.weight * form.A;
        of_law.Add(point.G, modes_.At(e, g), form, point.weight, elastic);
      }
      if (viscous > 0.0) {
        const Form form = OfTraces(at_rest, B);
        A += viscous * point.weight * form.A;
        of_viscosity.Add(point.G, modes_.At(e, g), form, point.weight, viscous);
      }
      sum.Set(g, point.G, A);
    }
    sum.AddTo(k);
    if (elastic > 0.0) of_law.AddTo(k);
    if (viscous > 0.0) of_viscosity.AddTo(k);
  }

  ElementModes<kPoints, kModes> modes_;
};

}  // namespace

std::unique_ptr<ElasticPart> MakeLockingFreePart(const SolidMesh& mesh, const elasticity::Law& law,
                                                 double density, double thickness) {
  switch (mesh.shape) {
    case ElementShape::kTriangle6:
      return MakeLockingFreePart(WithMiddles(mesh), law, density, thickness);
    case ElementShape::kTriangle7:
      return std::make_unique<LockingFreePart<7, 2, 6, 3>>(mesh, law, density, thickness);
    case ElementShape::kTetrahedron10:
      return std::make_unique<LockingFreePart<10, 3, 4, 1>>(mesh, law, density, thickness);
    case ElementShape::kHexahedron27:
      return std::make_unique<LockingFreePart<27, 3, 27, 4>>(mesh, law, density, thickness);
  }
  return nullptr;
}

}  // namespace pliant::finite_elements
