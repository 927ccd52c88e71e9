// What it is worth that the constraint matrix of linearly deformable bodies is constant
// [Witkin & Welch 1990, Sec. 3.3]: one step of a chain of n bodies, always from the same state,
// with
//
//   Constant        S factorised once
//   FactorisedAnew  S built and factorised in every step, sparse: what a change of the rows costs
//   InvertedAnew    the dense inverse of S in every step, the source's alternative, beside the step
//
// All must end in the same state. `./pliant bench --benchmark_filter='Constant|Anew'`.

#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/linear_deformation/linear_deformation_system.h"

namespace pliant {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kStep = 1e-4;  // s

Scene Chain(int links) {
  Scene scene;
  scene.dimension = 2;
  for (int i = 0; i < links; ++i) {
    scene.bodies.push_back(
        MakeChain("link" + std::to_string(i), Vector3d::Zero(), Vector3d::UnitX(), 2, 1.0));
    scene.bodies.back().position = Vector3d(i, 0.0, 0.0);
    if (i > 0) scene.attachments.push_back({"joint", {i - 1, 1}, {i, 0}});
  }
  scene.nails = {{"hook", {0, 0}, Path::Still(Vector3d::Zero())}};
  return scene;
}

// S_ab = Σ ± p_aᵀ W p_b of the chain: the nail, then the joints.
MatrixXd DenseMatrix(const std::vector<linear_deformation::LinearBody>& bodies) {
  const auto n = static_cast<Eigen::Index>(bodies.size());
  MatrixXd S = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const linear_deformation::LinearBody& body = bodies[i];
    const MatrixXd ends = body.terms().transpose() * body.inverse_mass() * body.terms();  // 2×2
    S(i, i) += ends(0, 0);
    if (i + 1 == n) break;
    S(i + 1, i + 1) += ends(1, 1);
    // The nail holds its point with weight 1, a joint its second body with −1.
    S(i, i + 1) = S(i + 1, i) = i == 0 ? ends(0, 1) : -ends(0, 1);
  }
  return S;
}

enum class Matrix { kConstant, kFactorisedAnew, kInvertedAnew };

void Steps(benchmark::State& state, Matrix matrix) {
  const auto links = static_cast<int>(state.range(0));
  const Scene scene = Chain(links);
  std::vector<linear_deformation::LinearBody> bodies;
  for (const Body& body : scene.bodies) bodies.emplace_back(body, scene.dimension, 1);
  const MatrixXd S = matrix == Matrix::kInvertedAnew ? DenseMatrix(bodies) : MatrixXd();
  linear_deformation::LinearDeformationSystem system(
      scene, std::move(bodies),
      std::vector<linear_deformation::LinearMaterial>(scene.bodies.size()), {}, {});
  const std::vector<ConstraintRow> rows = SceneRows(scene);
  const std::vector<const ConstraintRow*> holding = RowsAtStart(rows);
  VectorXd q, v, q_start, v_start, expected;
  system.InitialState(scene, &q_start, &v_start);
  Exchange work;
  q = q_start;
  v = v_start;
  system.Step(0.0, kStep, 1e9, &q, &v, &work);
  expected = v;
  MatrixXd inverse;
  for (auto _ : state) {
    q = q_start;
    v = v_start;
    if (matrix == Matrix::kFactorisedAnew) system.SetConstraints(holding);
    if (matrix == Matrix::kInvertedAnew) inverse = S.inverse();
    system.Step(0.0, kStep, 1e9, &q, &v, &work);
    benchmark::DoNotOptimize(v.data());
    benchmark::DoNotOptimize(inverse.data());
  }
  if (!v.isApprox(expected, 1e-9)) state.SkipWithError("another velocity");
  if (matrix == Matrix::kInvertedAnew) {
    // It is the matrix that the constraints factorise.
    VectorXd one = VectorXd::Unit(links, links / 2);
    system.constraints().matrix().SolveRows(one.data(), 1);
    if (!one.isApprox(inverse.col(links / 2), 1e-6)) state.SkipWithError("another matrix");
  }
  state.SetComplexityN(links);
}

void Constant(benchmark::State& state) { Steps(state, Matrix::kConstant); }
void FactorisedAnew(benchmark::State& state) { Steps(state, Matrix::kFactorisedAnew); }
void InvertedAnew(benchmark::State& state) { Steps(state, Matrix::kInvertedAnew); }

BENCHMARK(Constant)->RangeMultiplier(10)->Range(10, 1000)->Complexity(benchmark::oN);
BENCHMARK(FactorisedAnew)->RangeMultiplier(10)->Range(10, 1000)->Complexity(benchmark::oN);
BENCHMARK(InvertedAnew)->RangeMultiplier(10)->Range(10, 1000)->Complexity(benchmark::oNCubed);

}  // namespace
}  // namespace pliant
