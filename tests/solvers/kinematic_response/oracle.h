// A slow and obvious second reading of the collision response, written from the algorithm alone:
// every level is stored in full, every vertex handled by itself. Nothing of models/ or solvers/ is
// used but the names of the choices. It can also make the mistakes of the print.

#ifndef PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_ORACLE_H_
#define PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_ORACLE_H_

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "models/kinematic_response/transfer.h"
#include "solvers/kinematic_response/controls.h"

namespace pliant::kinematic_response::oracle {

using Field = std::vector<Eigen::Vector3d>;  // n×n vertices, (u, v) at u + n v

Field Prolongated(Prolongation prolongation, const Field& coarse);
Field Restricted(Restriction restriction, const Field& fine);
Eigen::Matrix3d Frame(const Field& surface, int u, int v);

// What the print says where we depart from it.
struct Print {
  bool measures_from_last_solution = false;  // a = h·(n − s) instead of h·(n − S)
  bool leaves_coarsest_unclamped = false;    // level 0 always takes α|d|
  bool keeps_offsets_for_free = false;       // e = 0
  bool caps_the_finest = false;              // the finest level takes α|d| at most
};

class Response {
 public:
  Response(const Field& target, Prolongation prolongation, Restriction restriction, double shortest,
           Print print = {});

  // Relaxes, asks `cast` for the displacement vectors of the relaxed finest surface, deforms.
  void Step(const std::vector<LevelControls>& controls,
            const std::function<Field(const Field& relaxed)>& cast);

  // The basic algorithm of [Harrison 1994, Sec. 5.3], steps 1–3 with its double counting of offsets
  // mended: no relaxation, no damping, no yield; the finest level absorbs what is left.
  void BasicStep(const std::vector<double>& absorption, const Field& displacements);

  const Field& surface() const { return s_.back(); }
  const std::vector<Field>& elastic() const { return o_; }
  const std::vector<Field>& plastic() const { return p_; }

 private:
  Prolongation prolongation_;
  Restriction restriction_;
  double shortest_;
  Print print_;
  std::vector<Field> r_, o_, p_, s_;  // per level
};

}  // namespace pliant::kinematic_response::oracle

#endif  // PLIANT_TESTS_SOLVERS_KINEMATIC_RESPONSE_ORACLE_H_
