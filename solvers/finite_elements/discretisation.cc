#include "solvers/finite_elements/discretisation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <utility>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;

void AddBlock(const Eigen::SparseMatrix<double>& block, int row, int column,
              std::vector<Eigen::Triplet<double>>* all) {
  for (int c = 0; c < block.outerSize(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(block, c); it; ++it) {
      all->emplace_back(row + static_cast<int>(it.row()), column + c, it.value());
    }
  }
}

}  // namespace

Discretisation::Discretisation(std::vector<std::unique_ptr<const ElasticPart>> parts,
                               std::vector<Damping> damping)
    : parts_(std::move(parts)), damping_(std::move(damping)) {
  damping_.resize(parts_.size());
  first_ = {0};
  int points = 0;
  std::vector<Eigen::Triplet<double>> mass, embedding;
  for (const auto& part : parts_) {
    AddBlock(part->mass(), first_.back(), first_.back(), &mass);
    AddBlock(part->embedding(), points, first_.back(), &embedding);
    first_.push_back(first_.back() + part->node_count());
    points += static_cast<int>(part->embedding().rows());
  }
  mass_.resize(node_count(), node_count());
  mass_.setFromTriplets(mass.begin(), mass.end());
  embedding_.resize(points, node_count());
  embedding_.setFromTriplets(embedding.begin(), embedding.end());
}

Matrix3Xd Discretisation::InitialNodes(const Scene& scene) const {
  Matrix3Xd q(3, node_count());
  for (int p = 0; p < part_count(); ++p) {
    const Body& body = scene.bodies[p];
    q.middleCols(first_[p], part(p).node_count()) =
        (body.orientation.toRotationMatrix() * body.stretch * part(p).rest()).colwise() +
        body.position;
  }
  return q;
}

Matrix3Xd Discretisation::InitialVelocities(const Scene& scene) const {
  const Matrix3Xd q = InitialNodes(scene);
  Matrix3Xd v(3, node_count());
  for (int p = 0; p < part_count(); ++p) {
    const Body& body = scene.bodies[p];
    const Eigen::VectorXd weights = part(p).mass() * Eigen::VectorXd::Ones(part(p).node_count());
    const auto x = NodesOf(p, q);
    const Eigen::Vector3d centre = x * weights / weights.sum();
    for (int i = 0; i < part(p).node_count(); ++i) {
      v.col(first_[p] + i) =
          body.velocity + body.angular_velocity.cross(Eigen::Vector3d(x.col(i)) - centre);
    }
  }
  return v;
}

double Discretisation::Energy(const PointsRef& q) const {
  double energy = 0.0;
  for (int p = 0; p < part_count(); ++p) {
    energy += finite_elements::Energy(part(p), NodesOf(p, q));
  }
  return energy;
}

void Discretisation::AddGradient(const PointsRef& q, MutablePointsRef g) const {
  for (int p = 0; p < part_count(); ++p) {
    finite_elements::AddGradient(part(p), NodesOf(p, q),
                                 g.middleCols(first_[p], part(p).node_count()));
  }
}

void Discretisation::AddDiscreteGradient(const PointsRef& q0, const PointsRef& q1,
                                         MutablePointsRef g) const {
  for (int p = 0; p < part_count(); ++p) {
    finite_elements::AddDiscreteGradient(part(p), NodesOf(p, q0), NodesOf(p, q1),
                                         g.middleCols(first_[p], part(p).node_count()));
  }
}

bool Discretisation::damped() const {
  return std::any_of(damping_.begin(), damping_.end(),
                     [](const Damping& d) { return d.mass > 0.0 || d.stiffness > 0.0; });
}

void Discretisation::AddDamping(double h, const PointsRef& q0, const PointsRef& q1,
                                MutablePointsRef g) const {
  for (int p = 0; p < part_count(); ++p) {
    auto of_part = g.middleCols(first_[p], part(p).node_count());
    if (damping_[p].mass > 0.0) {
      of_part += damping_[p].mass / h * (NodesOf(p, q1) - NodesOf(p, q0)) * part(p).mass();
    }
    if (damping_[p].stiffness > 0.0) {
      AddViscousForce(part(p), NodesOf(p, q0), NodesOf(p, q1), damping_[p].stiffness / h, of_part);
    }
  }
}

double Discretisation::SmallestDeterminant(const PointsRef& q) const {
  double least = std::numeric_limits<double>::infinity();
  for (int p = 0; p < part_count(); ++p) least = std::min(least, SmallestDeterminant(p, q));
  return least;
}

double Discretisation::SmallestDeterminant(int p, const PointsRef& q) const {
  return finite_elements::SmallestDeterminant(part(p), NodesOf(p, q));
}

}  // namespace pliant::finite_elements
