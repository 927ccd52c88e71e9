#include "models/finite_elements/load_patches.h"

#include <map>

namespace pliant::finite_elements {
namespace {

using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Patch = std::map<int, double>;  // node, weight; not yet divided by their sum

// φ of a point at nodes.
Eigen::VectorXd WeightsAt(const Rows& between, const std::vector<int>& nodes, int point) {
  Eigen::VectorXd weights(static_cast<Eigen::Index>(nodes.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    weights[static_cast<Eigen::Index>(i)] = between.coeff(nodes[i], point);
  }
  return weights;
}

bool AllCornersIn(const Rows& between, const std::vector<int>& nodes,
                  const std::vector<bool>& loaded) {
  for (const int node : nodes) {
    for (Rows::InnerIterator it(between, node); it; ++it) {
      if (!loaded[it.col()]) return false;
    }
  }
  return true;
}

// Of each loaded point by the sides of the boundary around it; `within`: those whose corners are all loaded.
std::vector<Patch> PatchesOnBoundary(const ElasticPart& part, const std::vector<bool>& loaded,
                                     bool within) {
  const Rows& between = part.between();
  std::vector<Patch> patches(between.cols());
  for (const BoundarySide& side : part.boundary()) {
    if (within && !AllCornersIn(between, side.nodes, loaded)) continue;
    std::map<int, bool> corners;
    for (const int node : side.nodes) {
      for (Rows::InnerIterator it(between, node); it; ++it) corners[static_cast<int>(it.col())];
    }
    for (const auto& [point, unused] : corners) {
      if (!loaded[point]) continue;
      const Eigen::VectorXd forces = side.products * WeightsAt(between, side.nodes, point);
      for (size_t i = 0; i < side.nodes.size(); ++i) {
        patches[point][side.nodes[i]] += forces[static_cast<Eigen::Index>(i)];
      }
    }
  }
  return patches;
}

Patch PatchInside(const ElasticPart& part, int point) {
  const Eigen::VectorXd forces = part.mass() * Eigen::VectorXd(part.between().col(point));
  Patch patch;
  for (Eigen::Index node = 0; node < forces.size(); ++node) {
    if (forces[node] != 0.0) patch[static_cast<int>(node)] = forces[node];
  }
  return patch;
}

}  // namespace

Rows LoadPatches(const ElasticPart& part, const std::vector<int>& points) {
  std::vector<bool> loaded(part.embedding().rows(), false);
  for (const int point : points) loaded[point] = true;
  const Rows embedding = part.embedding();
  const bool has_places = part.between().rows() > 0;
  std::vector<Patch> on_face, around;
  if (has_places) {
    on_face = PatchesOnBoundary(part, loaded, true);
    around = PatchesOnBoundary(part, loaded, false);
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t row = 0; row < points.size(); ++row) {
    const int point = points[row];
    Patch patch;
    if (!has_places) {
      for (Rows::InnerIterator it(embedding, point); it; ++it) {
        patch[static_cast<int>(it.col())] = it.value();
      }
    } else if (!on_face[point].empty()) {
      patch = on_face[point];
    } else {
      patch = around[point].empty() ? PatchInside(part, point) : around[point];
    }
    double sum = 0.0;
    for (const auto& [node, weight] : patch) sum += weight;
    for (const auto& [node, weight] : patch) {
      if (weight != 0.0) entries.emplace_back(static_cast<int>(row), node, weight / sum);
    }
  }
  Rows patches(static_cast<Eigen::Index>(points.size()), part.node_count());
  patches.setFromTriplets(entries.begin(), entries.end());
  return patches;
}

}  // namespace pliant::finite_elements
