// What holds for every discretised body, and statics of small ones: dense and slow on purpose.

#ifndef PLIANT_TESTS_MODELS_FINITE_ELEMENTS_PART_LAWS_H_
#define PLIANT_TESTS_MODELS_FINITE_ELEMENTS_PART_LAWS_H_

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "models/finite_elements/elastic_part.h"
#include "tests/models/finite_elements/whole_part.h"
#include "tests/random_numbers.h"

namespace pliant::finite_elements {

using Triplets = std::vector<Eigen::Triplet<double>>;

// ∂²E/∂q², unknown 3 i + axis.
inline Triplets TangentEntries(const ElasticPart& part, const Eigen::Matrix3Xd& q) {
  Triplets entries;
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    const int n = static_cast<int>(nodes.size());
    Eigen::Matrix3Xd x(3, n);
    for (int a = 0; a < n; ++a) x.col(a) = q.col(nodes[a]);
    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    part.AddTangent(e, x, k);
    for (int b = 0; b < 3 * n; ++b) {
      for (int a = 0; a < 3 * n; ++a) {
        entries.emplace_back(3 * nodes[a / 3] + a % 3, 3 * nodes[b / 3] + b % 3, k(a, b));
      }
    }
  }
  return entries;
}

inline Eigen::Matrix3Xd GradientOf(const ElasticPart& part, const Eigen::Matrix3Xd& q) {
  Eigen::Matrix3Xd g = Eigen::Matrix3Xd::Zero(3, q.cols());
  AddGradient(part, q, g);
  return g;
}

// Unknowns that move; the others keep their values.
class FreeUnknowns {
 public:
  FreeUnknowns(const ElasticPart& part, const std::set<int>& fixed) {
    place_.assign(3 * part.node_count(), -1);
    for (int i = 0; i < 3 * part.node_count(); ++i) {
      if (fixed.contains(i) || (part.planar() && i % 3 == 2)) continue;
      place_[i] = static_cast<int>(free_.size());
      free_.push_back(i);
    }
  }

  int size() const { return static_cast<int>(free_.size()); }
  Eigen::VectorXd Take(const Eigen::Matrix3Xd& all) const {
    Eigen::VectorXd some(size());
    for (int i = 0; i < size(); ++i) some(i) = all(free_[i] % 3, free_[i] / 3);
    return some;
  }
  void Add(const Eigen::VectorXd& some, Eigen::Matrix3Xd* all) const {
    for (int i = 0; i < size(); ++i) (*all)(free_[i] % 3, free_[i] / 3) += some(i);
  }
  Eigen::SparseMatrix<double> Take(const Triplets& entries) const {
    Triplets some;
    for (const auto& entry : entries) {
      const int row = place_[entry.row()], col = place_[entry.col()];
      if (row >= 0 && col >= 0) some.emplace_back(row, col, entry.value());
    }
    Eigen::SparseMatrix<double> matrix(size(), size());
    matrix.setFromTriplets(some.begin(), some.end());
    return matrix;
  }

 private:
  std::vector<int> place_, free_;
};

// Forces of a load at q, and minus their derivatives.
using Load = std::function<void(const Eigen::Matrix3Xd& q, double factor, Eigen::Matrix3Xd* forces,
                                Triplets* stiffness)>;

// Newton's iteration from q: full steps, until they are 1e-11 of the size of the body. Returns
// whether it converged; leaves q alone where it did not.
inline bool FindEquilibrium(const ElasticPart& part, const FreeUnknowns& unknowns, const Load& load,
                            double factor, Eigen::Matrix3Xd* q) {
  const double size = (part.rest().rowwise().maxCoeff() - part.rest().rowwise().minCoeff()).norm();
  Eigen::Matrix3Xd x = *q;
  for (int iteration = 0; iteration < 40; ++iteration) {
    Eigen::Matrix3Xd forces = Eigen::Matrix3Xd::Zero(3, x.cols());
    Triplets entries = TangentEntries(part, x);
    load(x, factor, &forces, &entries);
    const Eigen::VectorXd residual = unknowns.Take(forces - GradientOf(part, x));
    Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(unknowns.Take(entries));
    if (lu.info() != Eigen::Success) return false;
    const Eigen::VectorXd step = lu.solve(residual);
    if (!step.allFinite() || step.cwiseAbs().maxCoeff() > 10.0 * size) return false;
    unknowns.Add(step, &x);
    if (step.cwiseAbs().maxCoeff() <= 1e-11 * size) {
      *q = x;
      return true;
    }
  }
  return false;
}

// Leads the load from one factor to the next, dividing the way where Newton's iteration fails.
inline void Follow(const ElasticPart& part, const FreeUnknowns& unknowns, const Load& load,
                   double from, double to, Eigen::Matrix3Xd* q, int depth = 0) {
  if (FindEquilibrium(part, unknowns, load, to, q)) return;
  if (depth == 10) {
    ADD_FAILURE() << "no equilibrium at load factor " << to;
    return;
  }
  const double middle = 0.5 * (from + to);
  Follow(part, unknowns, load, from, middle, q, depth + 1);
  Follow(part, unknowns, load, middle, to, q, depth + 1);
}

// The lowest frequencies [Hz] of small motions about rest, without loads.
inline Eigen::VectorXd Frequencies(const ElasticPart& part, const std::set<int>& fixed) {
  const FreeUnknowns unknowns(part, fixed);
  Triplets masses;
  for (int col = 0; col < part.mass().outerSize(); ++col) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(part.mass(), col); entry; ++entry) {
      for (int axis = 0; axis < 3; ++axis) {
        masses.emplace_back(3 * static_cast<int>(entry.row()) + axis, 3 * col + axis,
                            entry.value());
      }
    }
  }
  const Eigen::MatrixXd k = unknowns.Take(TangentEntries(part, part.rest()));
  const Eigen::MatrixXd m = unknowns.Take(masses);
  const Eigen::VectorXd squares =
      Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(k, m, Eigen::EigenvaluesOnly)
          .eigenvalues();
  return squares.cwiseMax(0.0).cwiseSqrt() / (2.0 * M_PI);
}

// The part at rest, bent and stretched at random by `size` [m].
inline Eigen::Matrix3Xd Disturbed(const ElasticPart& part, double size, std::uint64_t seed) {
  Eigen::Matrix3Xd q = part.rest() + size * RandomNumbers(seed).Vectors(part.node_count());
  if (part.planar()) q.row(2).setZero();
  return q;
}

inline Eigen::Matrix3d SomeRotation(const ElasticPart& part) {
  const Eigen::Vector3d axis =
      part.planar() ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d(0.6, -0.3, 0.7).normalized();
  return Eigen::AngleAxisd(2.1, axis).toRotationMatrix();
}

inline void ExpectRigidMotionsWithoutStrain(const ElasticPart& part, double stiffness) {
  Eigen::Vector3d shift(3.0, -2.0, part.planar() ? 0.0 : 1.0);
  const Eigen::Matrix3Xd q = (SomeRotation(part) * part.rest()).colwise() + shift;
  EXPECT_LT(std::abs(Energy(part, q)), 1e-22 * stiffness);
  EXPECT_LT(GradientOf(part, q).cwiseAbs().maxCoeff(), 1e-11 * stiffness);
  EXPECT_NEAR(SmallestDeterminant(part, q), 1.0, 1e-12);
}

inline void ExpectRotationTurnsForces(const ElasticPart& part, const Eigen::Matrix3Xd& q) {
  const Eigen::Matrix3d rotation = SomeRotation(part);
  const Eigen::Matrix3Xd g = GradientOf(part, q);
  EXPECT_NEAR(Energy(part, rotation * q), Energy(part, q), 1e-11 * Energy(part, q));
  EXPECT_LT((GradientOf(part, rotation * q) - rotation * g).norm(), 1e-10 * g.norm());
}

// The laws of elastic_part.h for the discrete gradient.
inline void ExpectDiscreteGradient(const ElasticPart& part, const Eigen::Matrix3Xd& q0,
                                   const Eigen::Matrix3Xd& q1) {
  const auto discrete = [&part](const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) {
    Eigen::Matrix3Xd g = Eigen::Matrix3Xd::Zero(3, a.cols());
    AddDiscreteGradient(part, a, b, g);
    return g;
  };
  const Eigen::Matrix3Xd g = discrete(q0, q1);
  const double scale = g.norm();
  const double difference = Energy(part, q1) - Energy(part, q0);
  EXPECT_NEAR(g.cwiseProduct(q1 - q0).sum(), difference, 1e-10 * scale * (q1 - q0).norm());
  EXPECT_LT(g.rowwise().sum().norm(), 1e-10 * scale);
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int i = 0; i < q0.cols(); ++i) {
    const Eigen::Vector3d middle = 0.5 * (q0.col(i) + q1.col(i)), force = g.col(i);
    moment += middle.cross(force);
  }
  EXPECT_LT(moment.norm(), 1e-10 * scale * q0.norm());
  EXPECT_LT((discrete(q1, q0) - g).norm(), 1e-9 * scale);
  EXPECT_LT((discrete(q0, q0) - GradientOf(part, q0)).norm(), 1e-9 * GradientOf(part, q0).norm());

  // Second order: the distance from the gradient of the middle falls with the square.
  std::vector<double> distances;
  for (const double part_of : {0.2, 0.1, 0.05}) {
    const Eigen::Matrix3Xd near = q0 + part_of * (q1 - q0);
    distances.push_back((discrete(q0, near) - GradientOf(part, 0.5 * (q0 + near))).norm());
  }
  EXPECT_NEAR(std::log2(distances[0] / distances[1]), 2.0, 0.35);
  EXPECT_NEAR(std::log2(distances[1] / distances[2]), 2.0, 0.2);

  // Its tangent where the states are one.
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    const int n = static_cast<int>(nodes.size());
    Eigen::Matrix3Xd x(3, n);
    for (int a = 0; a < n; ++a) x.col(a) = q1.col(nodes[a]);
    Eigen::MatrixXd half = Eigen::MatrixXd::Zero(3 * n, 3 * n), whole = half;
    part.AddDiscreteTangent(e, x, x, half);
    part.AddTangent(e, x, whole);
    EXPECT_LT((2.0 * half - whole).norm(), 1e-12 * whole.norm());
    EXPECT_LT((whole - whole.transpose()).norm(), 1e-13 * whole.norm());
  }
}

// Viscosity takes energy, keeps momenta, and vanishes for a rigid motion.
inline void ExpectViscosity(const ElasticPart& part, const Eigen::Matrix3Xd& q0,
                            const Eigen::Matrix3Xd& q1) {
  ASSERT_TRUE(part.viscous());
  const auto force = [&part](const Eigen::Matrix3Xd& a, const Eigen::Matrix3Xd& b) {
    Eigen::Matrix3Xd g = Eigen::Matrix3Xd::Zero(3, a.cols());
    AddViscousForce(part, a, b, 0.3, g);
    return g;
  };
  const Eigen::Matrix3Xd g = force(q0, q1);
  EXPECT_GT(g.cwiseProduct(q1 - q0).sum(), 0.0);
  EXPECT_LT(g.rowwise().sum().norm(), 1e-10 * g.norm());
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  for (int i = 0; i < q0.cols(); ++i) {
    const Eigen::Vector3d middle = 0.5 * (q0.col(i) + q1.col(i)), f = g.col(i);
    moment += middle.cross(f);
  }
  EXPECT_LT(moment.norm(), 1e-10 * g.norm() * q0.norm());
  EXPECT_LT(force(q0, SomeRotation(part) * q0).norm(), 1e-10 * g.norm());

  // Proportional to the stiffness at rest, and its tangent with it.
  const Eigen::Matrix3Xd& rest = part.rest();
  const Eigen::Matrix3Xd near = rest + 1e-6 * (q1 - q0);
  const Eigen::Matrix3Xd elastic = GradientOf(part, near);
  EXPECT_LT((force(rest, near) - 0.3 * elastic).norm(), 1e-3 * elastic.norm());
  for (int e = 0; e < part.element_count(); ++e) {
    const std::span<const int> nodes = part.nodes(e);
    const int n = static_cast<int>(nodes.size());
    Eigen::Matrix3Xd x(3, n);
    for (int a = 0; a < n; ++a) x.col(a) = rest.col(nodes[a]);
    Eigen::MatrixXd viscous = Eigen::MatrixXd::Zero(3 * n, 3 * n), whole = viscous;
    part.AddViscousTangent(e, x, x, 0.3, viscous);
    part.AddTangent(e, x, whole);
    EXPECT_LT((viscous - 0.3 * whole).norm(), 1e-12 * whole.norm());
  }
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_MODELS_FINITE_ELEMENTS_PART_LAWS_H_
