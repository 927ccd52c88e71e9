// The hierarchy of a polygon mesh and its refinements by subdivision: what the regularity of grids
// implies (see grid_hierarchy.h, transfer.h, framed_rows.h) is stored explicitly for each vertex.
//
// Children of a vertex are the vertex itself on the finer level and those that share a face with it
// there; full weighting gives them 4, 2 across an edge and 1 across a face, as on a grid.
//
// The directions of a frame come from the neighbours x_0 … x_{n−1} of a vertex, counter-clockwise:
//
//   ∂_u ∝ Σ cos(2πk/n) x_k,   ∂_v ∝ Σ sin(2πk/n) x_k
//
// and on a border, where x_0 and x_{n−1} lie on it, ∂_u ∝ x_0 − x_{n−1}, ∂_v from the vertex to the
// mean of the middles of its faces.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_MESH_LEVELS_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_MESH_LEVELS_H_

#include <Eigen/Core>
#include <array>
#include <vector>

#include "models/geometry/subdivision.h"
#include "models/kinematic_response/transfer.h"

namespace pliant::kinematic_response {

// Neighbours of each vertex with two weights: rows of two sparse matrices with the same places.
struct NeighbourWeights {
  std::vector<int> start = {0};
  std::vector<int> index;
  std::vector<double> first, second;
};

class MeshLevels {
 public:
  // Levels 0 (the cage) to `subdivisions`. Linear prolongation puts new vertices in the middle, the
  // others use the scheme's own masks.
  MeshLevels(const PolygonMesh& cage, SubdivisionScheme scheme, int subdivisions,
             Prolongation prolongation);

  int levels() const { return static_cast<int>(sizes_.size()); }
  int size(int level) const { return sizes_[level]; }

  // One coordinate of all vertices of `level` ≥ 1 from those of the level below; `fine` has room
  // for them.
  void Prolongate(int level, const double* coarse, double* fine) const;

  // Displacement vector of vertex `v` of level `level` − 1 from those of its children on `level`.
  Eigen::Vector3d Restrict(int level, Restriction restriction, const GridVectors& displacements,
                           int v) const;

  // Pairs of vertices of a level but the finest, each edge once.
  const std::vector<std::array<int, 2>>& edges(int level) const { return edges_[level]; }

  // Weights of ∂_u and ∂_v.
  const NeighbourWeights& tangents(int level) const { return tangents_[level]; }

  // Unit normal ∂_u × ∂_v of the finest surface at a vertex; zero where there is none.
  Eigen::Vector3d Normal(const GridVectors& finest, int v) const;

 private:
  std::vector<int> sizes_;
  std::vector<std::vector<std::array<int, 2>>> edges_;  // [level] but the finest
  std::vector<VertexMasks> masks_;          // [level], from the level below; none for level 0
  std::vector<NeighbourWeights> children_;  // [level]: of the vertices of the level below; first:
                                            // weights of full weighting, the vertex itself leads
  std::vector<NeighbourWeights> tangents_;  // [level]
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_MESH_LEVELS_H_
