// All parts of a scene together: nodes of all bodies, one body after the other.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_DISCRETISATION_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_DISCRETISATION_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <vector>

#include "models/finite_elements/elastic_part.h"
#include "models/scene/scene.h"
#include "solvers/finite_elements/element_colours.h"

namespace pliant::finite_elements {

struct Damping {
  double mass = 0.0;       // 1/s, of every motion
  double stiffness = 0.0;  // s, of strain alone
};

// Not for several threads at once: it has threads of its own.
class Discretisation {
 public:
  explicit Discretisation(std::vector<std::unique_ptr<const ElasticPart>> parts,
                          std::vector<Damping> damping = {});

  int part_count() const { return static_cast<int>(parts_.size()); }
  const ElasticPart& part(int p) const { return *parts_[p]; }
  const Damping& damping(int p) const { return damping_[p]; }
  int first(int p) const { return first_[p]; }  // node of a part
  int node_count() const { return first_.back(); }
  const Eigen::SparseMatrix<double>& mass() const { return mass_; }            // m×m [kg]
  const Eigen::SparseMatrix<double>& embedding() const { return embedding_; }  // n×m

  // 3×m, from the placement of the bodies of the scene, in the order of the parts.
  Eigen::Matrix3Xd InitialNodes(const Scene& scene) const;
  Eigen::Matrix3Xd InitialVelocities(const Scene& scene) const;

  // For q, 3×m.
  double Energy(const PointsRef& q) const;  // J, elastic
  void AddGradient(const PointsRef& q, MutablePointsRef g) const;
  void AddDiscreteGradient(const PointsRef& q0, const PointsRef& q1, MutablePointsRef g) const;
  // Force that brakes in a step of h seconds [N], against it: its power is −g · (q₁ − q₀)/h.
  void AddDamping(double h, const PointsRef& q0, const PointsRef& q1, MutablePointsRef g) const;
  bool damped() const;

  // Sums over elements are shared by so many threads, with the same bytes at any number.
  void set_threads(int threads);
  ThreadTeam& team() const { return *team_; }
  double SmallestDeterminant(const PointsRef& q) const;
  double SmallestDeterminant(int p, const PointsRef& q) const;  // of one part

 private:
  Eigen::Ref<const Eigen::Matrix3Xd> NodesOf(int p, const PointsRef& q) const {
    return q.middleCols(first_[p], first_[p + 1] - first_[p]);
  }

  // Adds to g what add(part, e, x₀, x₁, of_element) gives for each element of part p.
  template <typename Add>
  void AddOfElements(int p, const PointsRef& q0, const PointsRef& q1, MutablePointsRef g,
                     const Add& add) const;

  std::vector<std::unique_ptr<const ElasticPart>> parts_;
  std::vector<ElementColours> colours_;  // of each part, by its nodes
  std::unique_ptr<ThreadTeam> team_;
  std::vector<Damping> damping_;
  std::vector<int> first_;  // of each part, then their sum
  Eigen::SparseMatrix<double> mass_, embedding_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_DISCRETISATION_H_
