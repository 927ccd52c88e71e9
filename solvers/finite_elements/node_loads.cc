#include "solvers/finite_elements/node_loads.h"

#include <map>
#include <string>
#include <utility>

#include "models/finite_elements/load_patches.h"

namespace pliant::finite_elements {
namespace {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// Points under one load.
using NameAndBody = std::pair<std::string, int>;  // "force.NAME" or "impulse.NAME", body
using PatchesOfLoad = std::map<int, int>;         // point, row

}  // namespace

NodeLoads::NodeLoads(const Scene& scene, const Discretisation& bodies) {
  std::map<NameAndBody, PatchesOfLoad> loads;
  const auto meet = [&loads](const std::string& name, const PointRef& point) {
    loads[{name, point.body}][point.point] = 0;
  };
  for (const TimedForce& force : scene.forces) meet("force." + force.name, force.point);
  for (const Impulse& impulse : scene.impulses) meet("impulse." + impulse.name, impulse.point);
  std::vector<Eigen::Triplet<double>> entries;
  int rows = 0;
  for (auto& [load, of_point] : loads) {
    std::vector<int> points;
    const int first = rows;
    for (auto& [point, row] : of_point) {
      points.push_back(point);
      row = rows++;
    }
    const Rows patches = LoadPatches(bodies.part(load.second), points);
    for (int row = 0; row < patches.rows(); ++row) {
      for (Rows::InnerIterator it(patches, row); it; ++it) {
        entries.emplace_back(first + row, bodies.first(load.second) + static_cast<int>(it.col()),
                             it.value());
      }
    }
  }
  patches_.resize(rows, bodies.node_count());
  patches_.setFromTriplets(entries.begin(), entries.end());
  const auto row_of = [&loads](const std::string& name, const PointRef& point) {
    return loads.at({name, point.body}).at(point.point);
  };
  for (const TimedForce& force : scene.forces) {
    forces_.push_back(
        {row_of("force." + force.name, force.point), force.force, force.from, force.until});
  }
  for (const Impulse& impulse : scene.impulses) {
    impulses_.push_back({row_of("impulse." + impulse.name, impulse.point), impulse.impulse,
                         impulse.time, impulse.time});
  }
}

void NodeLoads::Add(const Load& load, Eigen::Matrix3Xd* on_nodes) const {
  for (Rows::InnerIterator it(patches_, load.patch); it; ++it) {
    on_nodes->col(it.col()) += it.value() * load.value;
  }
}

void NodeLoads::AddForces(double time, Eigen::Matrix3Xd* on_nodes) const {
  for (const Load& force : forces_) {
    if (force.from <= time && time < force.until) Add(force, on_nodes);
  }
}

bool NodeLoads::AddImpulses(double begin, double end, Eigen::Matrix3Xd* on_nodes) const {
  bool any = false;
  for (const Load& impulse : impulses_) {
    if (!(begin <= impulse.from && impulse.from < end)) continue;
    Add(impulse, on_nodes);
    any = true;
  }
  return any;
}

}  // namespace pliant::finite_elements
