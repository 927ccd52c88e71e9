#include "models/scene/constraint_rows.h"

#include <Eigen/Geometry>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Unit vectors along which a slider must not leave its line or plane.
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
  auto where = [](const char* table, size_t index) {
    return std::string(table) + "[" + std::to_string(index) + "]";
  };
  for (size_t i = 0; i < scene.nails.size(); ++i) {
    const Nail& nail = scene.nails[i];
    rows.push_back(
        {"nail." + nail.name, {{nail.point, 1.0}}, nail.path, {}, nail.hold, where("nail", i)});
  }
  for (size_t i = 0; i < scene.attachments.size(); ++i) {
    const Attachment& attachment = scene.attachments[i];
    rows.push_back({"attachment." + attachment.name,
                    {{attachment.a, 1.0}, {attachment.b, -1.0}},
                    Path::Still(Vector3d::Zero()),
                    {},
                    attachment.hold,
                    where("attachment", i)});
  }
  for (size_t i = 0; i < scene.combinations.size(); ++i) {
    const Combination& combination = scene.combinations[i];
    rows.push_back({"combination." + combination.name,
                    combination.terms,
                    combination.path,
                    {},
                    combination.hold,
                    where("combination", i)});
  }
  for (size_t i = 0; i < scene.sliders.size(); ++i) {
    const Slider& slider = scene.sliders[i];
    if (slider.kind != Slider::Kind::kLine && slider.kind != Slider::Kind::kPlane) continue;
    for (const Vector3d& barred : Barred(slider, scene.dimension)) {
      rows.push_back({"slider." + slider.name,
                      {{slider.point, 1.0}},
                      Path::Still(slider.through),
                      barred,
                      slider.hold,
                      where("slider", i)});
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
