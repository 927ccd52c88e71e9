// The body that an energy keeps rigid: its mass is that of its points, and its derivatives are those of
// its energy.

#include "models/finite_elements/rigid_part.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/geometry/rotation.h"
#include "models/scene/shapes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

struct Sample {
  Body body;
  int dimension, nodes;
};

std::vector<Sample> Samples() {
  Body slanted = MakeBlock("block", {0.4, 0.6, 1.0}, {2, 3, 2}, 2.0);
  slanted.mass[3] *= 4.0;
  slanted.rest = Turn(Vector3d(0.3, -0.7, 1.1)).toRotationMatrix() * slanted.rest;
  slanted.rest.colwise() += Vector3d(4, 5, 6);
  return {{slanted, 3, 4},
          {MakeSheet("sheet", {1.0, 0.6}, {3, 2}, 1.5), 3, 3},
          {MakeSheet("plate", {1.0, 0.6}, {3, 2}, 1.5), 2, 3},
          {MakeChain("rod", {0, 0, 0}, {1, 2, 0}, 4, 1.0), 3, 2}};
}

// Nodes of a body that is strained by about a ten-thousandth and turned.
Matrix3Xd Strained(const ElasticPart& part, double by = 1e-4) {
  Matrix3d map = Matrix3d::Identity();
  map += by * (Matrix3d() << 0.3, -0.5, 0.2, 0.1, 0.4, 0.7, -0.2, 0.6, -0.1).finished();
  if (part.planar()) map.row(2) = map.col(2) = Vector3d::UnitZ();
  const Vector3d turn = part.planar() ? Vector3d(0, 0, 0.8) : Vector3d(0.5, 0.2, -0.9);
  return (Turn(turn).toRotationMatrix() * map * part.rest()).colwise() + Vector3d(1, 2, 0);
}

TEST(RigidPart, HasTheMassesOfItsPoints) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(sample.body.name);
    const auto part = MakeRigidPart(sample.body, sample.dimension);
    EXPECT_EQ(part->node_count(), sample.nodes);
    const MatrixXd points = part->rest() * part->embedding().transpose();
    EXPECT_LT((points - sample.body.rest).norm(), 1e-12);
    // The second moment tells every velocity its energy: Σ m x xᵀ.
    const MatrixXd of_nodes = part->rest() * part->mass() * part->rest().transpose();
    const MatrixXd of_points =
        sample.body.rest * sample.body.mass.asDiagonal() * sample.body.rest.transpose();
    EXPECT_LT((of_nodes - of_points).norm(), 1e-11 * of_points.norm());
    EXPECT_LT((part->rest() * MatrixXd(part->mass()).rowwise().sum() -
               sample.body.rest * sample.body.mass)
                  .norm(),
              1e-12);
  }
}

TEST(RigidPart, HasNoEnergyInRigidMotions) {
  for (const Sample& sample : Samples()) {
    const auto part = MakeRigidPart(sample.body, sample.dimension);
    const Matrix3Xd turned = Strained(*part, 0.0);
    EXPECT_LT(Energy(*part, turned), 1e-18 * Energy(*part, Strained(*part, 0.1)));
    EXPECT_NEAR(SmallestDeterminant(*part, turned), 1.0, 1e-12);
    EXPECT_GT(Energy(*part, Strained(*part)), 0.0);
  }
}

TEST(RigidPart, DerivativesAreThoseOfTheEnergy) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(sample.body.name);
    const auto part = MakeRigidPart(sample.body, sample.dimension);
    const Matrix3Xd x = Strained(*part, 0.05);
    Matrix3Xd gradient = Matrix3Xd::Zero(3, sample.nodes);
    part->AddGradient(0, x, gradient);
    MatrixXd tangent = MatrixXd::Zero(3 * sample.nodes, 3 * sample.nodes);
    part->AddTangent(0, x, tangent);
    EXPECT_LT((tangent - tangent.transpose()).norm(), 1e-12 * tangent.norm());
    constexpr double kStep = 1e-5;
    for (int k = 0; k < 3 * sample.nodes; ++k) {
      Matrix3Xd ahead = x, behind = x;
      ahead.reshaped()[k] += kStep;
      behind.reshaped()[k] -= kStep;
      const double slope = (part->Energy(0, ahead) - part->Energy(0, behind)) / (2.0 * kStep);
      EXPECT_NEAR(gradient.reshaped()[k], slope, 1e-6 * gradient.norm());
      Matrix3Xd after = Matrix3Xd::Zero(3, sample.nodes), before = after;
      part->AddGradient(0, ahead, after);
      part->AddGradient(0, behind, before);
      const MatrixXd column = (after - before) / (2.0 * kStep);
      EXPECT_LT((tangent.col(k) - column.reshaped()).norm(), 1e-6 * tangent.norm());
    }
  }
}

TEST(RigidPart, DiscreteGradientKeepsEnergyAndMomenta) {
  for (const Sample& sample : Samples()) {
    SCOPED_TRACE(sample.body.name);
    const auto part = MakeRigidPart(sample.body, sample.dimension);
    const Matrix3Xd x0 = Strained(*part, 0.05), x1 = part->rest();
    Matrix3Xd g = Matrix3Xd::Zero(3, sample.nodes);
    part->AddDiscreteGradient(0, x0, x1, g);
    const double change = part->Energy(0, x1) - part->Energy(0, x0);
    EXPECT_NEAR(g.cwiseProduct(x1 - x0).sum(), change, 1e-10 * std::abs(change));
    Vector3d moment = Vector3d::Zero();
    for (int i = 0; i < sample.nodes; ++i) {
      moment += Vector3d(0.5 * (x0.col(i) + x1.col(i))).cross(Vector3d(g.col(i)));
    }
    EXPECT_LT(g.rowwise().sum().norm(), 1e-12 * g.norm());
    EXPECT_LT(moment.norm(), 1e-10 * g.norm());
    MatrixXd tangent = MatrixXd::Zero(3 * sample.nodes, 3 * sample.nodes), half = tangent;
    part->AddDiscreteTangent(0, x0, x0, tangent);
    part->AddTangent(0, x0, half);
    EXPECT_LT((tangent - 0.5 * half).norm(), 1e-12 * half.norm());
  }
}

// A cube of 3×3×3 points: each face of it has its area, shared by its points.
TEST(RigidPart, MeetsOthersAtItsPoints) {
  const Body cube = MakeBlock("cube", {1, 1, 1}, {3, 3, 3}, 1.0);
  const auto part = MakeRigidPart(cube, 3);
  EXPECT_EQ(part->surface().size(), 26);
  EXPECT_EQ(part->surface().faces.size(), cube.faces.size());
  EXPECT_NEAR(part->surface().areas.sum(), 6.0, 1e-12);
  const MatrixXd places = part->rest() * part->surface().places.transpose();
  EXPECT_NEAR(places.cwiseAbs().maxCoeff(), 0.5, 1e-12);
  Body plate = MakeSheet("plate", {1.0, 0.6}, {3, 2}, 1.5);
  EXPECT_EQ(MakeRigidPart(plate, 2)->surface().edges.size(), 6u);  // its outline
  EXPECT_TRUE(MakeRigidPart(plate, 2)->surface().faces.empty());
}

}  // namespace
}  // namespace pliant::finite_elements
