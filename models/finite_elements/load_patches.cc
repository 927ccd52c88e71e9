#include "models/finite_elements/load_patches.h"

#include <Eigen/QR>
#include <algorithm>
#include <map>
#include <set>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Matrix4d;
using Eigen::Matrix4Xd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
// Of each node ∫ N_i φ (1, X − X_p).
using Patch = std::map<int, Vector4d>;

// X_p of all points: 3×n.
Matrix3Xd PlacesOf(const ElasticPart& part) { return part.rest() * part.embedding().transpose(); }

// φ (1, X − X_p) at nodes: 4×nodes.
Matrix4Xd WeightedAt(const ElasticPart& part, int point, const Vector3d& place,
                     const std::vector<int>& nodes) {
  Matrix4Xd weighted(4, static_cast<Eigen::Index>(nodes.size()));
  for (Eigen::Index i = 0; i < weighted.cols(); ++i) {
    const double weight = part.between().coeff(nodes[i], point);
    weighted.col(i) << weight, weight * (part.rest().col(nodes[i]) - place);
  }
  return weighted;
}

// Of each loaded point by the sides around it; `within`: those whose corners are all loaded.
std::vector<Patch> PatchesOn(const std::vector<BoundarySide>& sides, const ElasticPart& part,
                             const std::vector<bool>& loaded, bool within) {
  const Matrix3Xd places = PlacesOf(part);
  std::vector<Patch> patches(part.between().cols());
  for (const BoundarySide& side : sides) {
    const std::set<int> corners = CornersOf(part.between(), side.nodes);
    const auto is_loaded = [&](int point) { return loaded[point]; };
    if (within && !std::all_of(corners.begin(), corners.end(), is_loaded)) continue;
    for (const int point : corners) {
      if (!loaded[point]) continue;
      const Matrix4Xd integrals =
          WeightedAt(part, point, places.col(point), side.nodes) * side.products;
      for (size_t i = 0; i < side.nodes.size(); ++i) {
        const auto [at, added] = patches[point].try_emplace(side.nodes[i], Vector4d::Zero());
        at->second += integrals.col(static_cast<Eigen::Index>(i));
      }
    }
  }
  return patches;
}

Patch PatchInside(const ElasticPart& part, int point, const Vector3d& place) {
  std::vector<int> nodes;
  for (int node = 0; node < part.node_count(); ++node) {
    if (part.between().coeff(node, point) != 0.0) nodes.push_back(node);
  }
  const Matrix4Xd weighted = WeightedAt(part, point, place, nodes);
  Patch patch;
  for (size_t j = 0; j < nodes.size(); ++j) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(part.mass(), nodes[j]); it; ++it) {
      const auto [at, added] = patch.try_emplace(static_cast<int>(it.row()), Vector4d::Zero());
      at->second += it.value() * weighted.col(static_cast<Eigen::Index>(j));
    }
  }
  return patch;
}

std::vector<bool> Marked(const ElasticPart& part, const std::vector<int>& points) {
  std::vector<bool> marked(part.embedding().rows(), false);
  for (const int point : points) marked[point] = true;
  return marked;
}

Rows RowsOf(const std::vector<std::map<int, double>>& weights, int nodes) {
  std::vector<Eigen::Triplet<double>> entries;
  for (size_t row = 0; row < weights.size(); ++row) {
    for (const auto& [node, weight] : weights[row]) {
      if (weight != 0.0) entries.emplace_back(static_cast<int>(row), node, weight);
    }
  }
  Rows rows(static_cast<Eigen::Index>(weights.size()), nodes);
  rows.setFromTriplets(entries.begin(), entries.end());
  return rows;
}

std::map<int, double> Shares(const Patch& patch) {
  double sum = 0.0;
  for (const auto& [node, integrals] : patch) sum += integrals[0];
  std::map<int, double> shares;
  for (const auto& [node, integrals] : patch) shares[node] = integrals[0] / sum;
  return shares;
}

// w_i = c · m_i with the integrals m_i of the nodes and Σ_i P_i m_iᵀ c = (1, 0), P_i = (1, X_i − X_p). Of a
// flat patch that is singular across it, where the least c counts.
std::map<int, double> AffineWeights(const ElasticPart& part, const Vector3d& place,
                                    const Patch& patch) {
  double length = 0.0;  // so that the four equations are of one size
  for (const auto& [node, integrals] : patch) {
    length = std::max(length, (part.rest().col(node) - place).norm());
  }
  const Vector4d scale(1.0, 1.0 / length, 1.0 / length, 1.0 / length);
  Matrix4d products = Matrix4d::Zero();
  for (const auto& [node, integrals] : patch) {
    Vector4d affine;
    affine << 1.0, part.rest().col(node) - place;
    products += scale.cwiseProduct(affine) * scale.cwiseProduct(integrals).transpose();
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix4d> decomposition;
  decomposition.setThreshold(1e-9);
  const Vector4d c = scale.cwiseProduct(decomposition.compute(products).solve(Vector4d::Unit(0)));
  std::map<int, double> weights;
  for (const auto& [node, integrals] : patch) weights[node] = c.dot(integrals);
  return weights;
}

}  // namespace

Rows LoadPatches(const ElasticPart& part, const std::vector<int>& points) {
  const Rows embedding = part.embedding();
  const Matrix3Xd places = PlacesOf(part);
  const std::vector<bool> loaded = Marked(part, points);
  const bool has_places = part.between().rows() > 0;
  std::vector<Patch> on_face, around;
  if (has_places) {
    on_face = PatchesOn(part.boundary(), part, loaded, true);
    around = PatchesOn(part.boundary(), part, loaded, false);
  }
  std::vector<std::map<int, double>> weights;
  for (const int point : points) {
    if (!has_places) {
      weights.emplace_back();
      for (Rows::InnerIterator it(embedding, point); it; ++it) {
        weights.back()[static_cast<int>(it.col())] = it.value();
      }
    } else if (!on_face[point].empty()) {
      weights.push_back(Shares(on_face[point]));
    } else {
      weights.push_back(Shares(around[point].empty() ? PatchInside(part, point, places.col(point))
                                                     : around[point]));
    }
  }
  return RowsOf(weights, part.node_count());
}

Rows HoldPatches(const ElasticPart& part, const std::vector<int>& points) {
  const Matrix3Xd places = PlacesOf(part);
  const std::vector<bool> held = Marked(part, points);
  const std::vector<Patch> around = PatchesOn(part.boundary(), part, held, false);
  std::vector<Patch> inside;
  std::vector<std::map<int, double>> weights;
  for (const int point : points) {
    if (around[point].empty() && inside.empty()) {
      inside = PatchesOn(part.SidesInside(), part, held, false);
    }
    const Patch& patch = around[point].empty() ? inside[point] : around[point];
    weights.push_back(AffineWeights(part, places.col(point), patch));
  }
  return RowsOf(weights, part.node_count());
}

}  // namespace pliant::finite_elements
