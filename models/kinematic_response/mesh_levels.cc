#include "models/kinematic_response/mesh_levels.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <span>

#include "models/kinematic_response/framed_rows.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Vector3d;

// What surrounds a vertex: per face the neighbour before it and the one after it,
// counter-clockwise.
struct Corner {
  int after, before;  // next and previous vertex along the face
  int face;
};
using Corners = std::vector<std::vector<Corner>>;

Corners CornersOf(const PolygonMesh& mesh) {
  Corners corners(mesh.vertices);
  for (size_t f = 0; f < mesh.faces.size(); ++f) {
    const std::vector<int>& face = mesh.faces[f];
    const size_t n = face.size();
    for (size_t i = 0; i < n; ++i) {
      corners[face[i]].push_back({face[(i + 1) % n], face[(i + n - 1) % n], static_cast<int>(f)});
    }
  }
  return corners;
}

// The neighbours counter-clockwise; on a border from its one side to the other.
struct Ring {
  std::vector<int> neighbours;
  bool closed = true;
};

Ring RingOf(const std::vector<Corner>& corners) {
  // A face connects the neighbour after the vertex to the one before it.
  auto leads_from = [&](int neighbour) {
    return std::find_if(corners.begin(), corners.end(),
                        [&](const Corner& corner) { return corner.after == neighbour; });
  };
  Ring ring;
  int first = corners[0].after;
  for (const Corner& corner : corners) {  // no face leads to the start of a border
    const bool reached = std::any_of(corners.begin(), corners.end(), [&](const Corner& other) {
      return other.before == corner.after;
    });
    if (reached) continue;
    first = corner.after;
    ring.closed = false;
  }
  for (int at = first;;) {
    ring.neighbours.push_back(at);
    const auto corner = leads_from(at);
    if (corner == corners.end() || corner->before == first) break;
    at = corner->before;
  }
  return ring;
}

class WeightWriter {
 public:
  explicit WeightWriter(NeighbourWeights* weights) : weights_(weights) {}
  void Add(int index, double first, double second) {
    weights_->index.push_back(index);
    weights_->first.push_back(first);
    weights_->second.push_back(second);
  }
  void EndRow() { weights_->start.push_back(static_cast<int>(weights_->index.size())); }

 private:
  NeighbourWeights* weights_;
};

NeighbourWeights TangentsOf(const PolygonMesh& mesh, const Corners& corners) {
  NeighbourWeights tangents;
  WeightWriter writer(&tangents);
  for (int v = 0; v < mesh.vertices; ++v) {
    const Ring ring = RingOf(corners[v]);
    const size_t n = ring.neighbours.size();
    if (ring.closed) {
      for (size_t k = 0; k < n; ++k) {
        const double angle =
            2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
        writer.Add(ring.neighbours[k], std::cos(angle), std::sin(angle));
      }
    } else {
      writer.Add(ring.neighbours.front(), 1.0, 0.0);
      writer.Add(ring.neighbours.back(), -1.0, 0.0);
      writer.Add(v, 0.0, -1.0);
      const double share = 1.0 / static_cast<double>(corners[v].size());
      for (const Corner& corner : corners[v]) {
        const std::vector<int>& face = mesh.faces[corner.face];
        for (int w : face) writer.Add(w, 0.0, share / static_cast<double>(face.size()));
      }
    }
    writer.EndRow();
  }
  return tangents;
}

NeighbourWeights ChildrenOf(const PolygonMesh& fine, const Corners& corners, int coarse_vertices) {
  NeighbourWeights children;
  WeightWriter writer(&children);
  for (int v = 0; v < coarse_vertices; ++v) {
    std::set<int> near, around;  // across an edge, across a face
    for (const Corner& corner : corners[v]) {
      near.insert({corner.after, corner.before});
      around.insert(fine.faces[corner.face].begin(), fine.faces[corner.face].end());
    }
    writer.Add(v, 4.0, 0.0);
    for (int w : near) writer.Add(w, 2.0, 0.0);
    for (int w : around) {
      if (w != v && !near.contains(w)) writer.Add(w, 1.0, 0.0);
    }
    writer.EndRow();
  }
  return children;
}

}  // namespace

MeshLevels::MeshLevels(const PolygonMesh& cage, SubdivisionScheme scheme, int subdivisions,
                       Prolongation prolongation) {
  PolygonMesh mesh = cage;
  sizes_.push_back(mesh.vertices);
  masks_.emplace_back();
  children_.emplace_back();
  tangents_.push_back(TangentsOf(mesh, CornersOf(mesh)));
  for (int level = 1; level <= subdivisions; ++level) {
    edges_.push_back(EdgesOf(mesh));
    RefinedMesh finer = Refine(mesh, scheme);
    const Corners corners = CornersOf(finer.mesh);
    masks_.push_back(prolongation == Prolongation::kLinear ? finer.linear : finer.smooth);
    children_.push_back(ChildrenOf(finer.mesh, corners, mesh.vertices));
    tangents_.push_back(TangentsOf(finer.mesh, corners));
    mesh = std::move(finer.mesh);
    sizes_.push_back(mesh.vertices);
  }
}

void MeshLevels::Prolongate(int level, const double* coarse, double* fine) const {
  const VertexMasks& masks = masks_[level];
  for (int i = 0; i < masks.rows(); ++i) {
    double sum = 0.0;
    for (int k = masks.start[i]; k < masks.start[i + 1]; ++k) {
      sum += masks.weight[k] * coarse[masks.column[k]];
    }
    fine[i] = sum;
  }
}

Vector3d MeshLevels::Restrict(int level, Restriction restriction, const GridVectors& displacements,
                              int v) const {
  const NeighbourWeights& children = children_[level];
  const int begin = children.start[v];
  const auto count = static_cast<size_t>(children.start[v + 1] - begin);
  return RestrictChildren(restriction, displacements,
                          std::span(children.index).subspan(begin, count),
                          std::span(children.first).subspan(begin, count), 0);
}

Vector3d MeshLevels::Normal(const GridVectors& finest, int v) const {
  const NeighbourWeights& tangents = tangents_.back();
  Vector3d along = Vector3d::Zero(), across = Vector3d::Zero();
  for (int k = tangents.start[v]; k < tangents.start[v + 1]; ++k) {
    const Vector3d x = finest.row(tangents.index[k]);
    along += tangents.first[k] * x;
    across += tangents.second[k] * x;
  }
  const Vector3d normal = along.cross(across);
  return normal * InverseLength(normal.squaredNorm());
}

}  // namespace pliant::kinematic_response
