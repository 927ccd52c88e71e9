// Surfaces whose cells are smaller than about a pixel, with their points merged: what the eye can tell apart stays,
// and cost follows the pixels that a scene covers, not its points. Points in one cube of a grid that stands before
// the viewer become one, at their mean [Rossignac & Borrel 1993]; faces and edges that keep different corners stay,
// each once. Bodies share the grid, so that a thousand of them in a pixel cost what one does. Free of Qt.

#ifndef PLIANT_APP_PLOTS_MERGED_SURFACE_H_
#define PLIANT_APP_PLOTS_MERGED_SURFACE_H_

#include <Eigen/Core>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "app/plots/camera.h"
#include "models/scene/scene.h"

namespace pliant {

inline constexpr double kMergedCell =
    1.5;  // px, mean length of edges below which a body is merged,
          // and the side of the cubes
inline constexpr size_t kFewPieces =
    2000;  // a scene of fewer faces, edges and marked points is drawn as it is
inline constexpr int kMostMarkedPoints =
    60;  // points of a body with faces are marked up to this many

// Which bodies of a scene are merged at this scale [px/m]; by their rest shape, so that all pictures of one figure
// agree. None where the scene has few pieces.
std::vector<bool> MergedBodies(const Scene& scene, double pixels_per_metre);

struct MergedFace {
  std::array<int, 3> corners;
  bool closed;  // of a body with an inside
};

class MergedSurface {
 public:
  // `camera` must outlive it.
  MergedSurface(const Camera& camera, double pixels_per_metre);

  // `x`: 3×n, world position of each point of the body [m]; points that are not finite are left out.
  void Add(const Body& body, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

  // World position [m], the mean of what was merged.
  Eigen::Vector3d Point(int point) const { return sums_[point] / counts_[point]; }
  const std::vector<MergedFace>& faces() const { return faces_; }
  // Of bodies without faces.
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }
  // Marked points, see kMostMarkedPoints, and all of bodies without faces.
  const std::vector<int>& marks() const { return marks_; }
  // Points of bodies with faces all of whose faces became smaller than the cubes.
  std::vector<int> Specks() const;

 private:
  using Key = std::array<std::int64_t, 3>;
  struct KeyHash {
    size_t operator()(const Key& key) const;
  };

  int PointAt(const Eigen::Vector3d& x, bool rim);
  void AddFaces(const Body& body);
  void AddEdges(const Body& body);

  const Camera& camera_;
  double cubes_per_metre_;
  std::unordered_map<Key, int, KeyHash> numbers_;  // of the cubes with points
  std::vector<Eigen::Vector3d> sums_;
  std::vector<double> counts_;
  std::vector<char> of_faces_, in_faces_, marked_;  // of each merged point
  std::vector<MergedFace> faces_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<int> marks_;
  std::unordered_set<Key, KeyHash> known_faces_, known_edges_;
  std::vector<int> merged_;  // of the points of the body that is being added; -1: none
};

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_MERGED_SURFACE_H_
