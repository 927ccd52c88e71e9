#include "solvers/holds/held_points.h"

#include <algorithm>

#include "models/scene/point_ref.h"
#include "models/scene/touch.h"
#include "solvers/holds/schedule.h"

namespace pliant {

HeldGaps MeasureHeldGaps(const Scene& scene, double time, const PointsRef& x, const PointsRef& v) {
  HeldGaps largest;
  for (const Nail& nail : scene.nails) {
    if (!HoldsThrough(nail.hold, time)) continue;
    const int i = scene.Index(nail.point);
    const PathPoint at = nail.path.At(time);
    largest.gap = std::max(largest.gap, (x.col(i) - at.position).norm());
    largest.rate = std::max(largest.rate, (v.col(i) - at.velocity).norm());
  }
  for (const Attachment& attachment : scene.attachments) {
    if (!HoldsThrough(attachment.hold, time)) continue;
    const int a = scene.Index(attachment.a), b = scene.Index(attachment.b);
    largest.gap = std::max(largest.gap, (x.col(a) - x.col(b)).norm());
    largest.rate = std::max(largest.rate, (v.col(a) - v.col(b)).norm());
  }
  return largest;
}

void AddUnmetHolds(const Scene& scene, double time, const PointsRef& x, double tolerance,
                   std::vector<UnmetConstraint>* unmet) {
  const auto add = [&](const std::string& name, double size) {
    if (!(size <= tolerance)) unmet->push_back({name, size, "m"});
  };
  for (const Nail& nail : scene.nails) {
    if (!HoldsThrough(nail.hold, time)) continue;
    const int i = scene.Index(nail.point);
    add("nail '" + nail.name + "'", (x.col(i) - nail.path.At(time).position).norm());
  }
  for (const Attachment& attachment : scene.attachments) {
    if (!HoldsThrough(attachment.hold, time)) continue;
    const int a = scene.Index(attachment.a), b = scene.Index(attachment.b);
    add("attachment '" + attachment.name + "'", (x.col(a) - x.col(b)).norm());
  }
  ForEachTouch(scene.obstacles, time, x, -tolerance, [&](const Touch& touch) {
    add("contact of " + NameOfPoint(scene, touch.point) + " with " +
            scene.obstacles[touch.obstacle].name,
        -touch.at.distance);
  });
}

void SortWorstFirst(std::vector<UnmetConstraint>* unmet) {
  std::stable_sort(
      unmet->begin(), unmet->end(),
      [](const UnmetConstraint& a, const UnmetConstraint& b) { return a.size > b.size; });
}

std::string NameOfHold(const Scene& scene, const Hold& hold) {
  return hold.nail() ? "nail '" + scene.nails[hold.index].name + "'"
                     : "attachment '" + scene.attachments[hold.index].name + "'";
}

std::string NameOfPoint(const Scene& scene, int point) {
  const PointRef ref = RefOf(scene, point);
  return "point " + std::to_string(ref.point) + " of " + scene.bodies[ref.body].name;
}

std::string NameOfBreak(const Scene& scene, size_t edges, int a, int b) {
  const std::string first = NameOfPoint(scene, a) + " to " + NameOfPoint(scene, b);
  if (edges == 1) return "the edge from " + first + " breaks";
  return std::to_string(edges) + " edges break, the first from " + first;
}

}  // namespace pliant
