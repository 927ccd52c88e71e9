// Forces and impulses of a scene on the nodes: each acts on the patch of its point
// (models/finite_elements/load_patches.h), those of one name and body together.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_NODE_LOADS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_NODE_LOADS_H_

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/finite_elements/discretisation.h"

namespace pliant::finite_elements {

class NodeLoads {
 public:
  NodeLoads(const Scene& scene, const Discretisation& bodies);

  bool has_forces() const { return !forces_.empty(); }
  // Adds the forces at `time` [N], 3×m. O(forces · nodes of a patch).
  void AddForces(double time, Eigen::Matrix3Xd* on_nodes) const;
  // Adds impulses [N s] with begin ≤ time < end; returns whether there is any.
  bool AddImpulses(double begin, double end, Eigen::Matrix3Xd* on_nodes) const;

 private:
  struct Load {
    int patch;              // row
    Eigen::Vector3d value;  // N or N s
    double from, until;     // s; of an impulse from = its time
  };
  void Add(const Load& load, Eigen::Matrix3Xd* on_nodes) const;

  std::vector<Load> forces_, impulses_;
  Eigen::SparseMatrix<double, Eigen::RowMajor> patches_;  // k×m
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_NODE_LOADS_H_
