// A held surface around an articulated skeleton [Harrison 1994, Sec. 5.6, Ch. 6]: the rest offsets
// of its coarser levels are attached to the bones, finer levels follow in their frames, and the
// bones, as objects inside it, push it out by the shortest way: in a crook normals point anywhere,
// and rays along them would move vertices by up to the length of a bone.
//
// The source attaches "the reference vectors of the coarsest level". A grid has too few vertices
// there to bend at a joint; which level it is, with all coarser ones, is a choice here.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_SKIN_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_SKIN_H_

#include <span>
#include <vector>

#include "models/kinematic_response/skeleton.h"
#include "solvers/kinematic_response/casting.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

// The skeleton of a table of [[bone]] and [[turn]]; docs/kinematic-response.md describes them.
// Throws BadInput (where = "skeleton…").
Skeleton ReadSkeleton(const MatrixTable& table);

class Skin {
 public:
  // `rest` (vertices×3, world [m]) is level `level` at rest; levels up to it are attached.
  Skin(Skeleton skeleton, int level, const GridVectors& rest);

  Skin(const Skin&) = delete;  // bones_ points into shapes_
  Skin& operator=(const Skin&) = delete;
  Skin(Skin&&) = default;
  Skin& operator=(Skin&&) = default;

  const Skeleton& skeleton() const { return skeleton_; }

  // Moves the bones and the rest positions of the attached levels to `time`. The next call must be
  // Relax() or Place(). O(vertices of the attached level); allocates nothing.
  void Pose(double time, KinematicResponse* response);

  // The bones as objects inside the skin, where the last Pose() put them.
  std::span<const CastObstacle> bones() const { return bones_; }

  // Largest depth of a vertex of `surface` in a bone [m]; 0 when none is inside.
  double Depth(const GridVectors& surface) const;

  // The longest path of an end of a bone in [begin, end], measured in small pieces [m].
  double LongestWay(double begin, double end) const;

 private:
  Skeleton skeleton_;
  int level_;
  std::vector<int> bone_of_;   // per vertex of the attached level
  GridVectors rest_, target_;  // of that level
  std::vector<Eigen::Isometry3d> pose_;
  std::vector<ObstacleShape> shapes_;
  std::vector<CastObstacle> bones_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SKIN_H_
