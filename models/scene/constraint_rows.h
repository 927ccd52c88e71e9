// All point constraints of a scene and its behaviours, as rows
//
//   c = Σ w x − n(t)                  nails, attachments, combinations, points that are led
//   c = u·(x − n)                     sliders, one row for each direction u they may not leave
//
// all linear in the state, so that the constraint matrix is constant as long as the same rows hold
// [Witkin & Welch 1990, Sec. 3.3].

#ifndef PLIANT_MODELS_SCENE_CONSTRAINT_ROWS_H_
#define PLIANT_MODELS_SCENE_CONSTRAINT_ROWS_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/geometry/cubic_segment.h"
#include "models/scene/scene.h"

namespace pliant {

struct ConstraintRow {
  std::string name;  // canonical name of the scene element: "nail.left", "attachment.knee"
  std::vector<Combination::Term> terms;
  std::variant<Path, CubicSegment> target = Path::Still(Eigen::Vector3d::Zero());  // n(t)
  std::optional<Eigen::Vector3d> along;  // u, unit, of a slider
  HoldTime hold = {};
  std::string where;  // document path of the element: "nail[3]"
};

// Nails, attachments, combinations, sliders, in the order of the scene.
std::vector<ConstraintRow> SceneRows(const Scene& scene);

// Rows that hold at the start.
std::vector<const ConstraintRow*> RowsAtStart(const std::vector<ConstraintRow>& rows);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_CONSTRAINT_ROWS_H_
