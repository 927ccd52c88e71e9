// Bounds of the strips of the finest level, known before they are placed: a step need not place
// strips that nothing can press.
//
// A prolongated vertex is a weighted sum, Σ w = 1, of vertices of the level below. It lies in the
// box around these, made larger by Σ|w| about its middle. An offset moves it by its length at most.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_STRIP_REACH_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_STRIP_REACH_H_

#include <Eigen/Geometry>
#include <vector>

#include "models/kinematic_response/surface.h"

namespace pliant::kinematic_response {

class StripReach {
 public:
  // Of a grid of at least two levels.
  explicit StripReach(const MultiresolutionSurface& model);

  // Updates the bounds after a change of the rest offsets of the finest level.
  void FindRest(const MultiresolutionSurface& model);

  // The next coarser level is now `surface`, in its rows [first_row, last_row); updates only rows
  // with strips that are on in `changed`. O(vertices in these).
  void Follow(const GridVectors& surface, const StripMap& changed, int first_row, int last_row);

  // Can any vertex of a strip without elastic and plastic offsets be in one of these boxes? O(boxes).
  bool Meets(int strip, int row, std::span<const Eigen::AlignedBox3d> boxes) const;

 private:
  Eigen::AlignedBox3d BoxOf(int strip, int row) const;

  Prolongation prolongation_;
  GridSize coarse_;
  int per_row_;                    // strips of the finest level
  std::vector<AxisReach> along_;   // per strip of a row: columns of the coarser level
  std::vector<AxisReach> across_;  // per row: its rows
  // Around these columns, for each strip of a row and each row of the coarser level.
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<double> rest_;  // per strip of the finest level, the longest rest offset [m]
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_STRIP_REACH_H_
