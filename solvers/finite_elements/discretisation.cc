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
    : parts_(std::move(parts)),
      team_(std::make_unique<ThreadTeam>(1)),
      damping_(std::move(damping)) {
  damping_.resize(parts_.size());
  first_ = {0};
  int points = 0;
  std::vector<Eigen::Triplet<double>> mass, embedding;
  for (const auto& part : parts_) {
    colours_.emplace_back(part->element_count(), part->node_count(),
                          [&part](int e) { return part->nodes(e); });
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

void Discretisation::set_threads(int threads) { team_ = std::make_unique<ThreadTeam>(threads); }

template <typename Add>
void Discretisation::AddOfElements(int p, const PointsRef& q0, const PointsRef& q1,
                                   MutablePointsRef g, const Add& add) const {
  struct Scratch {
    Matrix3Xd x0, x1, of_element;
  };
  std::vector<Scratch> scratch(team_->threads());
  colours_[p].Run(team_.get(), [&](int e, int thread) {
    const std::span<const int> nodes = part(p).nodes(e);
    auto& [x0, x1, of_element] = scratch[thread];
    x0 = q0(Eigen::all, nodes);
    x1 = q1(Eigen::all, nodes);
    of_element.setZero(3, static_cast<Eigen::Index>(nodes.size()));
    add(part(p), e, x0, x1, of_element);
    for (size_t i = 0; i < nodes.size(); ++i) {
      g.col(nodes[i]) += of_element.col(static_cast<Eigen::Index>(i));
    }
  });
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
    AddOfElements(p, NodesOf(p, q), NodesOf(p, q), g.middleCols(first_[p], part(p).node_count()),
                  [](const ElasticPart& part, int e, const PointsRef& /*x0*/, const PointsRef& x,
                     MutablePointsRef of_element) { part.AddGradient(e, x, of_element); });
  }
}

void Discretisation::AddDiscreteGradient(const PointsRef& q0, const PointsRef& q1,
                                         MutablePointsRef g) const {
  for (int p = 0; p < part_count(); ++p) {
    AddOfElements(
        p, NodesOf(p, q0), NodesOf(p, q1), g.middleCols(first_[p], part(p).node_count()),
        [](const ElasticPart& part, int e, const PointsRef& x0, const PointsRef& x1,
           MutablePointsRef of_element) { part.AddDiscreteGradient(e, x0, x1, of_element); });
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
      const double factor = damping_[p].stiffness / h;
      AddOfElements(p, NodesOf(p, q0), NodesOf(p, q1), of_part,
                    [factor](const ElasticPart& part, int e, const PointsRef& x0,
                             const PointsRef& x1, MutablePointsRef of_element) {
                      part.AddViscousForce(e, x0, x1, factor, of_element);
                    });
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
