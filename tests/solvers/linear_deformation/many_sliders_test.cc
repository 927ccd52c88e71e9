#include "solvers/linear_deformation/many_sliders.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <memory>

#include "models/scene/shapes.h"
#include "solvers/linear_deformation/point_constraints.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr int kDimension = 3, kFunctions = 4;

// What is left out is small against the metric.
MatrixXd PseudoInverse(const MatrixXd& matrix, const VectorXd& metric, int* zero) {
  const VectorXd scale = metric.cwiseSqrt().cwiseInverse();
  const Eigen::SelfAdjointEigenSolver<MatrixXd> scaled(scale.asDiagonal() * matrix *
                                                       scale.asDiagonal());
  VectorXd inverse = scaled.eigenvalues();
  for (double& value : inverse) value = value > ConstraintMatrix::kSingular ? 1.0 / value : 0.0;
  *zero = static_cast<int>((inverse.array() == 0.0).count());
  const MatrixXd vectors = scale.asDiagonal() * scaled.eigenvectors();
  return vectors * inverse.asDiagonal() * vectors.transpose();
}

// Whole points and sliders on bodies of W = 1, and their dense matrices over all axes.
struct Held {
  ConstraintEnds whole, sliders;
  int whole_count = 0, slider_count = 0;
  MatrixXd J, R;  // d n_c×dofs and n_s×dofs
  std::vector<VectorXd> whole_rows, slider_rows;

  explicit Held(int bodies) : bodies(bodies) {}
  const int bodies;
  int size() const { return bodies * kFunctions * kDimension; }

  void HoldWhole(const std::vector<std::pair<int, double>>& terms) {
    VectorXd row = VectorXd::Zero(bodies * kFunctions);
    for (const auto& [body, weight] : terms) {
      const VectorXd p = weight * VectorXd::Random(kFunctions);
      whole.Add(whole_count, First(body), kFunctions, p.data(), p.data());
      row.segment(body * kFunctions, kFunctions) += p;
    }
    whole_rows.push_back(row);
    ++whole_count;
  }
  void Slide(int body, const Vector3d& u) {
    const VectorXd p = VectorXd::Random(kFunctions);
    VectorXd row(kFunctions * kDimension);
    for (int r = 0; r < kDimension; ++r) row.segment(r * kFunctions, kFunctions) = u[r] * p;
    sliders.Add(slider_count++, First(body), kFunctions * kDimension, row.data(), row.data());
    VectorXd all = VectorXd::Zero(size());
    all.segment(First(body), kFunctions * kDimension) = row;
    slider_rows.push_back(all);
  }
  static int First(int body) { return body * kFunctions * kDimension; }

  void Finish() {
    J = MatrixXd::Zero(whole_count * kDimension, size());
    for (int a = 0; a < whole_count; ++a) {
      for (int b = 0; b < bodies; ++b) {
        for (int r = 0; r < kDimension; ++r) {
          J.block(a * kDimension + r, First(b) + r * kFunctions, 1, kFunctions) =
              whole_rows[a].segment(b * kFunctions, kFunctions).transpose();
        }
      }
    }
    R.resize(slider_count, size());
    for (int k = 0; k < slider_count; ++k) R.row(k) = slider_rows[k].transpose();
  }
};

Vector3d Direction() { return Vector3d::Random().normalized(); }

// One body with many sliders of any directions, of one direction, or with nails that imply some;
// several bodies with few sliders each.
std::vector<std::shared_ptr<Held>> SliderCases() {
  std::vector<std::shared_ptr<Held>> cases;
  auto add = [&](int bodies) -> Held& {
    return *cases.emplace_back(std::make_shared<Held>(bodies));
  };
  Held& any = add(1);
  for (int k = 0; k < 60; ++k) any.Slide(0, Direction());
  Held& one = add(1);
  for (int k = 0; k < 60; ++k) one.Slide(0, Vector3d::UnitZ());
  Held& nailed = add(2);
  for (int a = 0; a < 3; ++a) nailed.HoldWhole({{0, 1.0}});
  nailed.HoldWhole({{0, 1.0}, {1, -1.0}});
  for (int k = 0; k < 50; ++k) nailed.Slide(0, k % 2 == 0 ? Direction() : Vector3d::UnitX());
  for (int k = 0; k < 3; ++k) nailed.Slide(1, Direction());
  Held& fixed = add(2);  // the nails leave the sliders of body 0 nothing to do
  for (int a = 0; a < 50; ++a) fixed.HoldWhole({{0, 1.0}});
  for (int k = 0; k < 20; ++k) fixed.Slide(0, Direction());
  for (int k = 0; k < 20; ++k) fixed.Slide(1, Direction());
  Held& several = add(30);
  for (int b = 0; b + 1 < 30; ++b) several.HoldWhole({{b, 1.0}, {b + 1, -1.0}});
  for (int b = 0; b < 30; ++b) {
    for (int k = 0; k < 2; ++k) several.Slide(b, Direction());
  }
  Held& apart = add(50);
  for (int b = 0; b < 50; ++b) {
    for (int k = 0; k < 14; ++k) apart.Slide(b, Direction());
  }
  // Bodies for themselves and in pairs, with few sliders and with more than they have ways to move.
  Held& islands = add(24);
  for (int b = 0; b < 24; ++b) {
    for (int a = 0; a < b % 3; ++a) islands.HoldWhole({{b, 1.0}});
    if (b % 3 == 1) islands.HoldWhole({{b - 1, 1.0}, {b, -1.0}});
    for (int k = 0; k < 1 + 5 * b % 16; ++k) islands.Slide(b, Direction());
  }
  for (const auto& held : cases) held->Finish();
  return cases;
}

TEST(ManySliders, SolveLikeTheDenseSchurComplement) {
  int number = 0;
  for (const auto& held : SliderCases()) {
    SCOPED_TRACE(testing::Message() << "case " << number++);
    const ConstraintMatrix S(held->whole_count, held->whole);
    const ManySliders sliders(kDimension, held->whole, S, held->slider_count, held->sliders);

    const MatrixXd A = held->J * held->J.transpose(), T = held->J * held->R.transpose();
    const MatrixXd C = held->R * held->R.transpose();
    int zero_axes = 0, zero = 0;
    const MatrixXd A_inverse =
        held->whole_count == 0 ? MatrixXd(0, 0) : PseudoInverse(A, A.diagonal(), &zero_axes);
    const MatrixXd schur = PseudoInverse(C - T.transpose() * A_inverse * T, C.diagonal(), &zero);
    EXPECT_EQ(sliders.redundant(), zero);

    const VectorXd b = VectorXd::Random(A.rows()), s = VectorXd::Random(C.rows());
    const VectorXd y = schur * (s - T.transpose() * A_inverse * b);
    const VectorXd x = A_inverse * (b - T * y);
    VectorXd whole = b, multipliers = s;
    sliders.Solve(S, whole.data(), multipliers.data());
    EXPECT_LT((multipliers - y).norm(), 1e-8 * y.norm());
    EXPECT_LT((whole - x).norm(), 1e-8 * (x.norm() + 1e-300));
  }
}

// Of a body that nails fix, every slider and every nail is involved; of a free one with fewer sliders
// than it has ways to move, none.
TEST(ManySliders, NamesWhatIsInvolved) {
  const auto held = SliderCases()[3];
  const ConstraintMatrix S(held->whole_count, held->whole);
  const ManySliders sliders(kDimension, held->whole, S, held->slider_count, held->sliders);
  const std::vector<int>& involved = sliders.involved();
  const auto has = [&](int i) {
    return std::find(involved.begin(), involved.end(), i) != involved.end();
  };
  for (int a = 0; a < held->whole_count; ++a) EXPECT_TRUE(has(a)) << a;
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(has(held->whole_count + k)) << k;
  // 20 random rows of 12 unknowns depend on each other all.
  for (int k = 20; k < 40; ++k) EXPECT_TRUE(has(held->whole_count + k)) << k;

  const auto several = SliderCases()[4];
  const ConstraintMatrix joints(several->whole_count, several->whole);
  EXPECT_TRUE(
      ManySliders(kDimension, several->whole, joints, several->slider_count, several->sliders)
          .involved()
          .empty());
}

// A sheet whose points all slide, and are all nailed, moves as the dense equations say.
TEST(ManySliders, ConstrainedAccelerationsAreThoseOfTheDenseEquations) {
  for (const int nails : {0, 2, 40}) {
    Scene scene;
    scene.bodies = {MakeSheet("a", {1.0, 1.0}, {7, 7}, 2.0),
                    MakeSheet("b", {1.0, 1.0}, {7, 7}, 1.0)};
    scene.bodies[1].position = Vector3d(1.0, 0.0, 0.0);
    for (int i = 0; i < nails; ++i) {
      scene.nails.push_back(NailWhereItStarts(scene, "n" + std::to_string(i), {0, i}));
    }
    for (int i = 0; i < 49; ++i) {
      scene.sliders.push_back(
          SliderAt(scene, {0, i}, Slider::Kind::kPlane, Vector3d(0.1, 0.3, 1.0)));
      scene.sliders.back().name += std::to_string(i);
    }
    scene.attachments = {{"ab", {0, 6}, {1, 0}}};
    const auto system = MakeSystem(scene, 1);
    const PointConstraints& constraints = system->constraints();
    ASSERT_EQ(constraints.size(), nails + 49 + 1);
    const MatrixXd J = DenseJacobian(*system), W = DenseInverseMass(*system);
    const MatrixXd A = J * W * J.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(A);
    VectorXd inverse = solver.eigenvalues();
    for (double& value : inverse) {
      value = value > 1e-10 * inverse[inverse.size() - 1] ? 1.0 / value : 0.0;
    }
    VectorXd free(system->coordinates());
    for (int i = 0; i < free.size(); ++i) free[i] = std::sin(1.7 * i * i + 0.3);
    const VectorXd expected =
        free - W * J.transpose() * solver.eigenvectors() *
                   (inverse.asDiagonal() * (solver.eigenvectors().transpose() * (J * free)));
    VectorXd a = free;
    const VectorXd zero = VectorXd::Zero(free.size());
    PointConstraints::Workspace workspace = constraints.MakeWorkspace();
    Exchange rates;
    constraints.Constrain(0.0, zero, zero, {0.0, 1.0}, &a, &workspace, &rates);
    EXPECT_LT((a - expected).norm(), 1e-9 * free.norm()) << nails;
    EXPECT_LT((J * a).norm(), 1e-9 * (J * free).norm()) << nails;
  }
}

}  // namespace
}  // namespace pliant::linear_deformation
