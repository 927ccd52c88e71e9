// Elements: patch test, rigid motions, objectivity, derivatives, discrete gradients, masses, meshes.

#include "models/finite_elements/solid_part.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/finite_elements/locking_free_part.h"
#include "models/problem.h"
#include "models/scene/scene.h"
#include "tests/models/finite_elements/whole_part.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kYoung = 1.0e3, kPoisson = 0.3, kDensity = 700.0, kThickness = 0.05;

// Points of a grid, moved a little inside so that no cell is a box.
Matrix3Xd WarpedGrid(const std::array<int, 3>& n) {
  Matrix3Xd points(3, n[0] * n[1] * n[2]);
  for (int p = 0; p < points.cols(); ++p) {
    const Vector3d at(p % n[0], p / n[0] % n[1], p / n[0] / n[1]);
    points.col(p) =
        0.1 * at + 0.01 * Vector3d(std::sin(2.0 * at.y() + at.z()), std::sin(at.x() + 2.0 * at.z()),
                                   n[2] > 1 ? std::sin(at.x() + 3.0 * at.y()) : 0.0);
  }
  return points;
}

struct PartCase {
  std::string name;
  ElementShape shape;
  ElasticLaw law;
  bool locking_free;
};

// In a locking-free part triangles of 6 nodes get a seventh.
std::unique_ptr<ElasticPart> MakePart(const SolidMesh& mesh, const Law& law, bool locking_free) {
  return locking_free ? MakeLockingFreePart(mesh, law, kDensity, kThickness)
                      : MakeSolidPart(mesh, law, kDensity, kThickness);
}

SolidMesh MeshOf(ElementShape shape, int refinement = 1) {
  switch (shape) {
    case ElementShape::kTriangle7:
      return WithMiddles(MeshOf(ElementShape::kTriangle6, refinement));
    case ElementShape::kTriangle6:
      return MeshOfCells(WarpedGrid({3, 3, 1}),
                         std::vector<std::array<int, 3>>{{0, 1, 4},
                                                         {4, 3, 0},
                                                         {1, 2, 5},
                                                         {5, 4, 1},
                                                         {3, 4, 7},
                                                         {7, 6, 3},
                                                         {4, 5, 8},
                                                         {8, 7, 4}},
                         refinement);
    case ElementShape::kTetrahedron10:
      return MeshOfCells(WarpedGrid({2, 2, 2}),
                         std::vector<std::array<int, 4>>{
                             {0, 1, 3, 5}, {0, 3, 2, 6}, {0, 5, 6, 4}, {3, 6, 5, 7}, {0, 3, 6, 5}},
                         refinement);
    case ElementShape::kHexahedron27: {
      Body block;
      block.shape = ShapeKind::kBlock;
      block.grid = {3, 2, 2};
      block.rest = WarpedGrid(block.grid);
      return MeshOfCells(block.rest, Hexahedra(block), refinement);
    }
  }
  return {};
}

Law LawOf(ElementShape shape, ElasticLaw law, bool locking_free = false) {
  const Law::Kind plane = locking_free ? Law::Kind::kPlaneStrain : Law::Kind::kPlaneStress;
  return {law, kYoung, kPoisson, shape == ElementShape::kTriangle6 ? plane : Law::Kind::kSolid};
}

class SolidParts : public testing::TestWithParam<PartCase> {
 protected:
  SolidParts()
      : law_(LawOf(GetParam().shape, GetParam().law, GetParam().locking_free)),
        part_(MakePart(MeshOf(GetParam().shape), law_, GetParam().locking_free)) {}

  int dimension() const { return part_->planar() ? 2 : 3; }
  // The largest force of interest [N], for tolerances.
  double scale() const { return kYoung * 0.01; }

  Matrix3Xd Perturbed(double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    Matrix3Xd q = part_->rest();
    for (int a = 0; a < dimension(); ++a) {
      for (int i = 0; i < q.cols(); ++i) q(a, i) += uniform(random_);
    }
    return q;
  }
  Matrix3d Rotation(double angle) const {
    const Vector3d axis = part_->planar() ? Vector3d(0, 0, 1) : Vector3d(1, 2, 3).normalized();
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  bool objective() const { return !law_.linear(); }

  std::mt19937 random_{3};
  Law law_;
  std::unique_ptr<ElasticPart> part_;
};

TEST_P(SolidParts, HasTheMassAndTheCentreOfItsCells) {
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(part_->node_count());
  // The content by the divergence theorem, from F = c · 1: det of a scaling.
  const ElementRule rule = MassRule(GetParam().shape);
  EXPECT_NEAR(rule.weights.sum(),
              part_->planar()                                    ? 0.5
              : GetParam().shape == ElementShape::kTetrahedron10 ? 1.0 / 6.0
                                                                 : 1.0,
              1e-14);
  const double mass = ones.dot(part_->mass() * ones);
  EXPECT_GT(mass, 0.0);
  // Refinement changes neither the mass nor the first moments: cells stay the same places.
  const auto finer = MakePart(MeshOf(GetParam().shape, 2), law_, GetParam().locking_free);
  const Eigen::VectorXd more = Eigen::VectorXd::Ones(finer->node_count());
  EXPECT_NEAR(more.dot(finer->mass() * more), mass, 1e-12 * mass);
  EXPECT_LT(
      (finer->rest() * (finer->mass() * more) - part_->rest() * (part_->mass() * ones)).norm(),
      1e-13 * mass);
}

TEST_P(SolidParts, EmbedsThePointsOfTheBody) {
  const Matrix3Xd points = part_->rest() * part_->embedding().transpose();
  const Matrix3Xd expected = GetParam().shape == ElementShape::kTriangle6 ? WarpedGrid({3, 3, 1})
                             : GetParam().shape == ElementShape::kTetrahedron10
                                 ? WarpedGrid({2, 2, 2})
                                 : WarpedGrid({3, 2, 2});
  ASSERT_EQ(points.cols(), expected.cols());
  EXPECT_LT((points - expected).norm(), 1e-15);
}

TEST_P(SolidParts, RigidMotionHasNoEnergyAndNoForce) {
  if (!objective()) GTEST_SKIP() << "small strain takes a rotation for strain";
  const Matrix3Xd q =
      (Rotation(1.1) * part_->rest()).colwise() + Vector3d(0.3, -0.2, part_->planar() ? 0.0 : 1.0);
  Matrix3Xd g = Matrix3Xd::Zero(3, q.cols());
  AddGradient(*part_, q, g);
  EXPECT_NEAR(Energy(*part_, q), 0.0, 1e-13);
  EXPECT_LT(g.norm(), 1e-11);
  EXPECT_NEAR(SmallestDeterminant(*part_, q), 1.0, 1e-12);
}

TEST_P(SolidParts, EnergyIsObjective) {
  if (!objective()) GTEST_SKIP() << "small strain takes a rotation for strain";
  const Matrix3Xd q = Perturbed(0.004);
  Matrix3Xd g = Matrix3Xd::Zero(3, q.cols()), turned = g;
  AddGradient(*part_, q, g);
  AddGradient(*part_, Rotation(0.8) * q, turned);
  EXPECT_NEAR(Energy(*part_, Rotation(0.8) * q), Energy(*part_, q), 1e-12 * Energy(*part_, q));
  EXPECT_LT((turned - Rotation(0.8) * g).norm(), 1e-12 * scale());
}

// Patch test: under a homogeneous deformation the inner nodes feel no force, whatever the mesh.
TEST_P(SolidParts, HomogeneousDeformationIsInEquilibriumInside) {
  Matrix3d F = Matrix3d::Identity();
  F.topLeftCorner<2, 2>() << 1.1, 0.15, -0.05, 0.92;
  if (!part_->planar()) F.row(2) << 0.04, -0.1, 1.05;
  const Matrix3Xd q = F * part_->rest();
  Matrix3Xd g = Matrix3Xd::Zero(3, q.cols());
  AddGradient(*part_, q, g);
  // Energy: the density at F times the content.
  const Matrix3d C = law_.linear() ? Matrix3d(F + F.transpose() - Matrix3d::Identity())
                                   : Matrix3d(F.transpose() * F);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(part_->node_count());
  const double content = ones.dot(part_->mass() * ones) / kDensity;
  // The energy rule is exact where cells are affine; warped hexahedra have a cubic determinant.
  EXPECT_NEAR(Energy(*part_, q), content * law_.Energy(C, 1.0), 1e-12 * content * kYoung);
  // Nodes inside the body: the middles of hexahedra and of the face between them; the shared corner
  // of the triangles. The tetrahedra have none, and the sum of their forces is what is left to see.
  SolidMesh mesh = MeshOf(GetParam().shape);
  if (part_->node_count() > mesh.nodes.cols()) mesh = WithMiddles(mesh);
  int inner = 0;
  for (int node = 0; node < part_->node_count(); ++node) {
    const bool inside =
        GetParam().shape == ElementShape::kHexahedron27
            ? (mesh.elements(13, 0) == node || mesh.elements(13, 1) == node ||
               mesh.elements(14, 0) == node)
            : GetParam().shape == ElementShape::kTriangle6 && mesh.embedding.coeff(4, node) == 1.0;
    if (!inside) continue;
    ++inner;
    EXPECT_LT(g.col(node).norm(), 1e-13 * kYoung) << "node " << node;
  }
  EXPECT_EQ(inner > 0, GetParam().shape != ElementShape::kTetrahedron10);
  EXPECT_LT(g.rowwise().sum().norm(), 1e-13 * kYoung);
}

TEST_P(SolidParts, GradientAndTangentAreDerivatives) {
  const Matrix3Xd q = Perturbed(0.006);
  ASSERT_GT(SmallestDeterminant(*part_, q), 0.0);
  Matrix3Xd direction = Perturbed(1.0) - part_->rest();
  const double h = 1e-6;
  Matrix3Xd g = Matrix3Xd::Zero(3, q.cols()), ahead = g, behind = g;
  AddGradient(*part_, q, g);
  const double slope =
      (Energy(*part_, q + h * direction) - Energy(*part_, q - h * direction)) / (2.0 * h);
  EXPECT_NEAR(g.cwiseProduct(direction).sum(), slope, 2e-7 * scale());
  AddGradient(*part_, q + h * direction, ahead);
  AddGradient(*part_, q - h * direction, behind);
  Matrix3Xd product = Matrix3Xd::Zero(3, q.cols());
  Eigen::MatrixXd k(3 * part_->most_nodes(), 3 * part_->most_nodes());
  for (int e = 0; e < part_->element_count(); ++e) {
    const auto nodes = part_->nodes(e);
    k.setZero();
    part_->AddTangent(e, q(Eigen::all, nodes), k);
    EXPECT_LT((k - k.transpose()).norm(), 1e-12 * k.norm());
    const Matrix3Xd d = direction(Eigen::all, nodes);
    const Eigen::VectorXd f = k * d.reshaped();
    for (size_t i = 0; i < nodes.size(); ++i) {
      product.col(nodes[i]) += f.segment<3>(3 * static_cast<Eigen::Index>(i));
    }
  }
  EXPECT_LT((product - (ahead - behind) / (2.0 * h)).norm(), 1e-7 * product.norm());
}

TEST_P(SolidParts, DiscreteGradientKeepsEnergyAndMomenta) {
  for (const double size : {0.006, 1e-5}) {
    const Matrix3Xd q0 = Perturbed(0.004);
    const Matrix3Xd q1 = Rotation(objective() ? 0.3 : 0.0) * (q0 + Perturbed(size) - part_->rest());
    Matrix3Xd g = Matrix3Xd::Zero(3, q0.cols());
    AddDiscreteGradient(*part_, q0, q1, g);
    const double change = Energy(*part_, q1) - Energy(*part_, q0);
    EXPECT_NEAR(g.cwiseProduct(q1 - q0).sum(), change, 1e-13 * scale() + 1e-12 * std::abs(change));
    EXPECT_LT(g.rowwise().sum().norm(), 1e-12 * scale());
    if (!objective()) continue;
    Vector3d moment = Vector3d::Zero();
    for (int i = 0; i < q0.cols(); ++i) {
      moment += (0.5 * (q0 + q1).col(i)).cross(Vector3d(g.col(i)));
    }
    EXPECT_LT(moment.norm(), 1e-12 * scale());
  }
}

TEST_P(SolidParts, DiscreteGradientIsOfSecondOrder) {
  const Matrix3Xd q0 = Perturbed(0.003), change = Perturbed(0.003) - part_->rest();
  const auto error = [&](double size) {
    Matrix3Xd discrete = Matrix3Xd::Zero(3, q0.cols()), middle = discrete;
    AddDiscreteGradient(*part_, q0, q0 + size * change, discrete);
    AddGradient(*part_, q0 + 0.5 * size * change, middle);
    return (discrete - middle).norm();
  };
  if (law_.linear()) {
    EXPECT_LT(error(1.0), 1e-12 * scale());
    return;
  }
  EXPECT_NEAR(std::log2(error(1.0) / error(0.5)), 2.0, 0.1);
  EXPECT_NEAR(std::log2(error(0.5) / error(0.25)), 2.0, 0.05);
}

TEST_P(SolidParts, DiscreteTangentIsHalfTheTangentWherePlacesAgree) {
  const Matrix3Xd q = Perturbed(0.004);
  const int size = 3 * part_->most_nodes();
  for (int e = 0; e < part_->element_count(); ++e) {
    Eigen::MatrixXd half = Eigen::MatrixXd::Zero(size, size), whole = half;
    const Matrix3Xd x = q(Eigen::all, part_->nodes(e));
    part_->AddTangent(e, x, whole);
    part_->AddDiscreteTangent(e, x, x, half);
    EXPECT_LT((2.0 * half - whole).norm(), 1e-12 * whole.norm());
  }
}

TEST_P(SolidParts, ViscosityTakesEnergyAndDampsNoRotation) {
  if (!objective()) GTEST_SKIP() << "small strain takes a rotation for strain";
  const Matrix3Xd q0 = Perturbed(0.004);
  const auto work = [&](const Matrix3Xd& q1, Matrix3Xd* g) {
    g->setZero(3, q0.cols());
    AddViscousForce(*part_, q0, q1, 0.7, *g);
    return g->cwiseProduct(q1 - q0).sum();
  };
  Matrix3Xd g;
  EXPECT_GT(work(Rotation(0.2) * Perturbed(0.004), &g), 1e-3);
  EXPECT_LT(g.rowwise().sum().norm(), 1e-12 * scale());
  EXPECT_NEAR(work(Rotation(0.2) * q0, &g), 0.0, 1e-13);
  EXPECT_LT(g.norm(), 1e-11);
}

std::vector<PartCase> AllParts() {
  std::vector<PartCase> all;
  const std::array<std::pair<const char*, ElementShape>, 3> shapes = {
      {{"Triangle6", ElementShape::kTriangle6},
       {"Tetrahedron10", ElementShape::kTetrahedron10},
       {"Hexahedron27", ElementShape::kHexahedron27}}};
  const std::array<std::pair<const char*, ElasticLaw>, 5> laws = {
      {{"Linear", ElasticLaw::kLinear},
       {"StVenantKirchhoff", ElasticLaw::kStVenantKirchhoff},
       {"Corotated", ElasticLaw::kCorotated},
       {"NeoHookeanLog", ElasticLaw::kNeoHookeanLog},
       {"NeoHookeanStable", ElasticLaw::kNeoHookeanStable}}};
  for (const bool locking_free : {false, true}) {
    for (const auto& [shape_name, shape] : shapes) {
      for (const auto& [law_name, law] : laws) {
        all.push_back({std::string(locking_free ? "LockingFree" : "") + shape_name + law_name,
                       shape, law, locking_free});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SolidParts, testing::ValuesIn(AllParts()),
                         [](const auto& info) { return info.param.name; });

TEST(SolidMesh, NeighboursShareNodes) {
  // r parts of each of (nx−1)(ny−1)(nz−1) cells: (2 r (nx−1) + 1) … nodes.
  for (const int r : {1, 2, 3}) {
    const SolidMesh hexahedra = MeshOf(ElementShape::kHexahedron27, r);
    EXPECT_EQ(hexahedra.elements.cols(), 2 * r * r * r);
    EXPECT_EQ(hexahedra.nodes.cols(), (4 * r + 1) * (2 * r + 1) * (2 * r + 1));
    const SolidMesh triangles = MeshOf(ElementShape::kTriangle6, r);
    EXPECT_EQ(triangles.elements.cols(), 8 * r * r);
    EXPECT_EQ(triangles.nodes.cols(), (4 * r + 1) * (4 * r + 1));
    const SolidMesh tetrahedra = MeshOf(ElementShape::kTetrahedron10, r);
    EXPECT_EQ(tetrahedra.elements.cols(), 5 * r * r * r);
    // Corners and middles of 5 tetrahedra that fill a cube: the tensor grid lacks none on its faces,
    // and inside every element keeps its orientation.
    EXPECT_NO_THROW(MakeSolidPart(tetrahedra, LawOf(tetrahedra.shape, ElasticLaw::kLinear), 1, 1));
  }
}

TEST(SolidMesh, RefusesACellTurnedInsideOut) {
  const SolidMesh mesh =
      MeshOfCells(WarpedGrid({2, 2, 2}), std::vector<std::array<int, 4>>{{0, 3, 1, 5}}, 1);
  try {
    MakeSolidPart(mesh, LawOf(mesh.shape, ElasticLaw::kLinear), 1.0, 1.0);
    FAIL();
  } catch (const BadInput& error) {
    EXPECT_NE(error.problem().what.find("turned inside out"), std::string::npos);
  }
}

}  // namespace
}  // namespace pliant::finite_elements
