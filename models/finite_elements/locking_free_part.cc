#include "models/finite_elements/locking_free_part.h"

#include <Eigen/Cholesky>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "models/finite_elements/solid_elements.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;

// kPoints quadrature points, kModes functions that the change of volume is projected to.
template <int kNodes, int kDimension, int kPoints, int kModes>
class LockingFreePart final : public SolidElements<kNodes, kDimension> {
  using Base = SolidElements<kNodes, kDimension>;
  using Base::AddGeometric;
  using Base::AddStiffness;
  using Base::At;
  using Base::Frame;
  using Base::kStrains;
  using Base::kUnknowns;
  using Base::law_;
  using Base::ModuliOf;
  using Base::Scatter;
  using Base::StrainComponents;
  using Base::StressTensor;
  using Base::TensorOf;
  using typename Base::Law;
  using typename Base::Moduli;
  using typename Base::Pair;
  using typename Base::Places;
  using typename Base::Point;
  using typename Base::State;
  using typename Base::Stiffness;
  using typename Base::Strain;
  using typename Base::StrainOperator;
  using typename Base::Tensor;

  using AtPoints = Eigen::Vector<double, kPoints>;
  using Rows = Eigen::Matrix<double, kPoints, kUnknowns>;
  using Modes = Eigen::Matrix<double, kPoints, kModes>;
  template <typename T>
  using ForPoints = std::array<T, kPoints>;
  static constexpr double kD = kDimension;

 public:
  LockingFreePart(const SolidMesh& mesh, const Law& law, double density, double thickness)
      : Base(mesh, law, density, thickness) {
    MakeModes(mesh);
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
    Stiffness sum = Stiffness::Zero();
    if (!Move(e, x, &motion) || !SumTangent(e, motion, &sum)) return SpoilMatrix(k);
    Scatter(sum, k);
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
    Motion begin, end, mean;
    Stiffness sum = Stiffness::Zero();
    if (!Move(e, x0, &begin) || !Move(e, x1, &end)) return SpoilMatrix(k);
    Mean(begin, end, &mean);
    if (!SumTangent(e, mean, &sum)) return SpoilMatrix(k);
    Scatter(0.5 * sum, k);
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
    Stiffness sum = Stiffness::Zero();
    AddOfTraces(e, mean, factor * ModuliOf(law_.tangent_at_rest()), &sum);
    Scatter(sum, k);
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
  // Π f of each column.
  template <typename Values>
  Values Projected(int e, const Values& f) const {
    const Modes& Q = modes_[e];
    const Eigen::Matrix<double, kModes, Values::ColsAtCompileTime> parts =
        Q.transpose().lazyProduct(Weights(e).asDiagonal() * f);
    return Q.lazyProduct(parts);
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

  // The strain operators at all points, and Σ of each with the stress at(g).
  template <typename StressOf>
  void SumRows(int e, const ForPoints<Tensor>& F, const StressOf& at, Rows* rows) const {
    StrainOperator B;
    for (int g = 0; g < kPoints; ++g) {
      Base::MakeStrainOperator(At(e, g).G, Frame(F[g]), &B);
      rows->row(g) = StressComponents(at(g)).transpose() * B;
    }
  }

  // Adds Σ w B̂ᵀ D B̂ with traces projected, B̂ = B + 1 (Π tr B − tr B)/d.
  void AddOfTraces(int e, const Motion& motion, const Moduli& moduli, Stiffness* sum) const {
    Rows trace;
    SumRows(
        e, motion.F, [](int) { return Tensor(Tensor::Identity()); }, &trace);
    const Rows excess = (Projected(e, trace) - trace) / kD;
    const Strain one = StrainComponents(Tensor::Identity());
    StrainOperator B;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      Base::MakeStrainOperator(point.G, Frame(motion.F[g]), &B);
      B += one * excess.row(g);
      AddStiffness(B, point.weight * moduli, sum);
    }
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

  // With e = B u, ℓ = C⁻¹ : e the relative change of J and t that of θ, t = Π (J ℓ)/θ, the law's strain
  // changes by ẽ = (θ/J)^(2/d) e + C̃ (t − ℓ)/d, and the second derivative of the energy is
  //
  //   Σ w [ẽ D̃ ẽ + 4/d (θ/J)^(2/d) (t − ℓ) (S̃ : e) + 2/d² τ (t − ℓ)² − τ/d t² + J p ℓ²
  //        − 2 (J p − τ/d) (C⁻¹ e C⁻¹) : e + S : (∇uᵀ ∇u)]
  bool SumTangent(int e, const Motion& motion, Stiffness* sum) const {
    Answer answer;
    if (!Respond(e, motion.C, &answer)) return false;
    if (law_.linear()) {
      AddOfTraces(e, motion, ModuliOf(answer.response[0].tangent), sum);
      return true;
    }
    const Volume& volume = answer.volume;
    Rows of_J, of_theta, work;  // ℓ, t, S̃ : e
    SumRows(
        e, motion.F, [&](int g) { return answer.inverse[g]; }, &of_J);
    of_theta = Projected(e, Rows(volume.J.asDiagonal() * of_J));
    of_theta = volume.theta.cwiseInverse().asDiagonal() * of_theta;
    SumRows(
        e, motion.F, [&](int g) { return StressTensor(answer.response[g].stress); }, &work);
    StrainOperator B;
    for (int g = 0; g < kPoints; ++g) {
      const Point& point = At(e, g);
      const double w = point.weight, tau = answer.tau[g], ratio = volume.ratio[g];
      const Eigen::Vector<double, kUnknowns> l = of_J.row(g), t = of_theta.row(g), s = work.row(g),
                                             less = t - l;
      Base::MakeStrainOperator(point.G, motion.F[g], &B);
      AddStiffness(B, -2.0 * w * answer.excess[g] * Conjugation(answer.inverse[g]), sum);
      AddGeometric(point.G, w * StressAt(answer, g), sum);
      B *= ratio;
      B += StrainComponents(InSpace(volume.C[g])) / kD * less.transpose();
      AddStiffness(B, w * ModuliOf(answer.response[g].tangent), sum);
      AddProduct(w * 2.0 / kD * ratio, less, s, sum);
      AddProduct(w * 2.0 / kD * ratio, s, less, sum);
      AddProduct(w * 2.0 / (kD * kD) * tau, less, less, sum);
      AddProduct(-w * tau / kD, t, t, sum);
      AddProduct(w * answer.pressure[g], l, l, sum);
    }
    return true;
  }
  static void AddProduct(double factor, const Eigen::Vector<double, kUnknowns>& a,
                         const Eigen::Vector<double, kUnknowns>& b, Stiffness* sum) {
    for (int j = 0; j < kUnknowns; ++j) sum->col(j) += (factor * b[j]) * a;
  }

  // Orthonormal over each element at rest: Σ w Q_a Q_b = δ_ab, of 1 and, where there are as many, X.
  void MakeModes(const SolidMesh& mesh) {
    const ElementRule rule = EnergyRule(mesh.shape);
    modes_.reserve(static_cast<size_t>(mesh.elements.cols()));
    for (int e = 0; e < mesh.elements.cols(); ++e) {
      const Places x = mesh.nodes(Eigen::seqN(0, kDimension), mesh.elements.col(e));
      const Eigen::Vector<double, kDimension> middle = x.rowwise().mean();
      const double size = (x.colwise() - middle).norm();
      Modes functions;
      for (int g = 0; g < kPoints; ++g) {
        functions(g, 0) = 1.0;
        if constexpr (kModes > 1) {
          const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
          functions.row(g).template tail<kDimension>() =
              ((x * shape.values - middle) / size).transpose();
        }
      }
      const Eigen::Matrix<double, kModes, kModes> moments =
          functions.transpose() * Weights(e).asDiagonal() * functions;
      const Eigen::Matrix<double, kModes, kModes> lower = moments.llt().matrixL();
      modes_.push_back(
          lower.template triangularView<Eigen::Lower>().solve(functions.transpose()).transpose());
    }
  }

  std::vector<Modes> modes_;  // Q of each element
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
