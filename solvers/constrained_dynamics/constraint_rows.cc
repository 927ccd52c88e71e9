#include "solvers/constrained_dynamics/constraint_rows.h"

#include <Eigen/Geometry>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Unit vectors a slider may not leave its line or plane along.
std::vector<Vector3d> Barred(const Slider& slider, int dimension) {
  if (slider.kind == Slider::Kind::kPlane) return {slider.direction};
  const Vector3d& along = slider.direction;
  if (dimension == 2) return {Vector3d(-along.y(), along.x(), 0.0)};
  const Vector3d first = along.unitOrthogonal();
  return {first, along.cross(first)};
}

}  // namespace

std::vector<ConstraintRow> SceneRows(const Scene& scene) {
  std::vector<ConstraintRow> rows;
  for (const Nail& nail : scene.nails) {
    rows.push_back({"nail." + nail.name, {{nail.point, 1.0}}, nail.path, {}, nail.hold});
  }
  for (const Attachment& attachment : scene.attachments) {
    rows.push_back({"attachment." + attachment.name,
                    {{attachment.a, 1.0}, {attachment.b, -1.0}},
                    Path::Still(Vector3d::Zero()),
                    {},
                    attachment.hold});
  }
  for (const Combination& combination : scene.combinations) {
    rows.push_back({"combination." + combination.name,
                    combination.terms,
                    combination.path,
                    {},
                    combination.hold});
  }
  for (const Slider& slider : scene.sliders) {
    for (const Vector3d& barred : Barred(slider, scene.dimension)) {
      rows.push_back({"slider." + slider.name,
                      {{slider.point, 1.0}},
                      Path::Still(slider.through),
                      barred,
                      slider.hold});
    }
  }
  return rows;
}

std::vector<const ConstraintRow*> RowsAtStart(const std::vector<ConstraintRow>& rows) {
  std::vector<const ConstraintRow*> holding;
  for (const ConstraintRow& row : rows) {
    if (row.hold.from <= 0.0) holding.push_back(&row);
  }
  return holding;
}

}  // namespace pliant
