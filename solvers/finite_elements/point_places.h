// Where nails, attachments, combinations, sliders and springs act on a discretisation. A point of a solid
// or a profile is singular: at the point itself they would let go as the elements become finer.
//
//   - A side is held whole where one nail, slider or attachment holds all of its corners, by name: a face of a
//     cell, in the plane an edge; and so is a cell. Its points act where they are, and the nodes between
//     them are held, too (scene_rows.h).
//   - Any other point of a solid acts as the mean of its patch (models/finite_elements/load_patches.h).
//   - Thin bodies bear what acts at a point. What is between two points of one nail or slider is held.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_PLACES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_PLACES_H_

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "models/scene/constraint_rows.h"
#include "solvers/finite_elements/discretisation.h"

namespace pliant::finite_elements {

// Sides and cells all of whose corners have one name.
class WholeSides {
 public:
  explicit WholeSides(std::vector<std::string> names);  // of each point of the scene; "": none

  // Points of the scene; of a thin body none is added, and any corners of one name are whole.
  void AddCellsOf(const Scene& scene, int body);
  const std::string& name(int point) const { return names_[point]; }
  bool Has(int point) const { return !around_[point].empty(); }
  // Is what lies between these points of a solid, of a thin body, whole?
  bool HoldSolid(const std::vector<int>& corners) const;
  bool HaveOneName(const std::vector<int>& corners) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<int>> whole_;   // points, ascending
  std::vector<std::vector<int>> around_;  // by point: of these
};

class PointPlaces {
 public:
  PointPlaces(const Scene& scene, const std::vector<ConstraintRow>& constraints,
              const Discretisation& bodies);

  // n×m: of each point that is held or drawn, where it acts on the nodes; rows sum to one.
  const Eigen::SparseMatrix<double, Eigen::RowMajor>& rows() const { return rows_; }
  // Is what lies between these points of a body, numbered as in the scene, held by a nail or slider?
  bool Held(int body, const std::vector<int>& corners) const {
    return solid_[body] ? held_.HoldSolid(corners) : held_.HaveOneName(corners);
  }
  // Is it joined to another side by attachments?
  bool Joined(int body, const std::vector<int>& corners) const {
    return solid_[body] && joined_.HoldSolid(corners);
  }
  // Names of what holds or joins a point, "": nothing.
  const std::string& holder(int point) const { return held_.name(point); }
  const std::string& joint(int point) const { return joined_.name(point); }

 private:
  WholeSides held_, joined_;
  std::vector<bool> solid_;  // by body
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_POINT_PLACES_H_
