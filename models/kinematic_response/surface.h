// A multiresolution surface [Harrison 1994, Secs. 4.1, 5.1]: each level is the prolongation of the
// coarser one, displaced by offsets in its local frames.
//
//   s_0 = r_0 + o_0 + p_0,   s_j = P(s_{j−1}) ⊕ (r_j + o_j + p_j)
//
// r rest offsets (part of the model), o elastic and p plastic offsets (the state), s the surface.

#ifndef PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_
#define PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_

#include <array>
#include <memory>
#include <vector>

#include "models/kinematic_response/framed_rows.h"

namespace pliant::kinematic_response {

// One set of vectors per level, coarsest first.
using LevelVectors = std::vector<GridVectors>;

struct SurfaceOffsets {
  LevelVectors elastic;  // o [m], local frames
  LevelVectors plastic;  // p [m], local frames
};

// One number for each vertex of a strip, along each direction of its frame: t_u, t_v, n. The same
// pointer three times where the direction has no effect.
using StripValues = std::array<const double*, 3>;
inline StripValues InAllDirections(const double* values) { return {values, values, values}; }

// A number for all vertices of a level, or a map with one row per vertex: one column, or three
// (along t_u, t_v and n) where the number depends on the direction.
struct VertexValues {
  double all = 0.0;                      // of a map: the least of its numbers
  const Eigen::MatrixXd* map = nullptr;  // lives elsewhere

  VertexValues(double value) : all(value) {}  // NOLINT(google-explicit-constructor): is a number
  VertexValues(const Eigen::MatrixXd& values, double least) : all(least), map(&values) {}

  bool directed() const { return map != nullptr && map->cols() > 1; }
  // Values at the vertices of a strip; `room` is filled when there is no map.
  StripValues Of(const FramedStrip& strip, std::array<double, kStripLength>* room) const;
  // Of one vertex along a unit vector l of its frame: Σ l_i² value_i.
  double Along(Eigen::Index vertex, const Eigen::Vector3d& l) const {
    if (map == nullptr) return all;
    return directed() ? map->row(vertex).dot(l.cwiseAbs2().transpose()) : (*map)(vertex, 0);
  }
};

// s = b ⊕ (r + q + p) for the vertices of a strip, with q = kept o; o and p may be null where they
// are zero.
void PlaceStrip(const FramedStrip& strip, const GridVectors& rest, const GridVectors* elastic,
                const StripValues& kept, const GridVectors* plastic, GridVectors* surface);

// Grids and rest offsets: the data that a step does not change, unless a skeleton moves them.
class MultiresolutionSurface {
 public:
  // `target` is the finest surface at rest, finest.size()×3 [m]; `finest` can be halved (see
  // Halvings).
  MultiresolutionSurface(const GridSize& finest, const GridVectors& target,
                         Prolongation prolongation);

  // The same for a mesh refined from a cage; `target` has its finest vertices, in order.
  MultiresolutionSurface(std::shared_ptr<const MeshLevels> mesh, const GridVectors& target);

  int levels() const { return static_cast<int>(grids_.size()); }  // k + 1
  // Of a mesh: its vertices as one row.
  const GridSize& grid(int level) const { return grids_[level]; }
  const GridSize& finest() const { return grids_.back(); }
  bool is_mesh() const { return mesh_ != nullptr; }
  Prolongation prolongation() const { return prolongation_; }  // of a grid
  // Selects, of vectors of the finest level, those that lie on vertices of `level`.
  GridVectors AtLevel(const GridVectors& finest, int level) const;
  // Pairs of vertices of a level but the finest: the lines of the grid, the edges of the mesh.
  std::vector<std::array<int, 2>> Edges(int level) const;
  const GridVectors& rest(int level) const { return rest_[level]; }  // r [m], local frames

  // Makes the rest offsets of levels 0 … `level` such that without other offsets the surface of
  // `level` is `target`. `room` is to work in. O(vertices of the level); allocates nothing.
  void MoveRest(int level, const GridVectors& target, FramedRows* rows, LevelVectors* room);

  SurfaceOffsets ZeroOffsets() const;
  LevelVectors ZeroVectors() const;

  // The surface of every level with kept[j] of the elastic offsets of level j: ones give the
  // surface itself, the retained fractions of a step the relaxed one. O(vertices); allocates
  // nothing.
  void Place(const SurfaceOffsets& offsets, const std::vector<VertexValues>& kept, FramedRows* rows,
             LevelVectors* surface) const;

  // Moves the rest positions of the vertices of a level ≥ 1 along the normals of the prolongated
  // surface, by one distance [m] per vertex.
  void AddToRest(int level, const Eigen::VectorXd& along_normal) {
    rest_[level].col(2) += along_normal;
  }

  // Walks over the vertices of `level` with the frames of the prolongation of `surface`, as far as
  // they are in rows [first, last) and in strips that are on in `only`, which may be null;
  // `surface` must be valid on the next coarser level.
  template <typename Visit>
  void WalkLevel(int level, const LevelVectors& surface, FramedRows* rows, const StripMap* only,
                 int first, int last, Visit&& visit) const {
    if (level == 0) {
      rows->WalkCoarsest(grids_[0], only, first, last, visit);
    } else if (mesh_ != nullptr) {
      rows->Walk(*mesh_, level, surface[level - 1], only, visit);
    } else {
      rows->Walk(prolongation_, grids_[level - 1], surface[level - 1], grids_[level], only, first,
                 last, visit);
    }
  }
  // All of the level.
  template <typename Visit>
  void WalkLevel(int level, const LevelVectors& surface, FramedRows* rows, Visit&& visit) const {
    WalkLevel(level, surface, rows, nullptr, 0, grids_[level].nv, visit);
  }

  // The strips of `level` ≥ 1 that depend on strips of the level below that are on, and perhaps more.
  void Reach(int level, const StripMap& coarse, StripMap* fine) const;

  // Displacement vectors of a strip of level `level` − 1 from those of its children on `level`: false
  // and untouched where all of these are zero by `pressed`, otherwise whether any of the strip is
  // not.
  bool RestrictStrip(int level, Restriction restriction, const GridVectors& displacements,
                     const StripMap& pressed, int strip, int row, GridVectors* restricted) const;

  // Unit normal of the finest surface at a vertex; zero where it is folded onto itself.
  Eigen::Vector3d Normal(const GridVectors& finest, int vertex) const;

 private:
  void FindAllRest(const GridVectors& target);
  // Rest offsets of one level, from the target positions of this level and the level below.
  void FindRest(int level, const LevelVectors& targets, FramedRows* rows);

  Prolongation prolongation_ = Prolongation::kLinear;
  std::shared_ptr<const MeshLevels> mesh_;  // null for a grid
  std::vector<GridSize> grids_;
  LevelVectors rest_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_MODELS_KINEMATIC_RESPONSE_SURFACE_H_
