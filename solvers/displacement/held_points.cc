#include "solvers/displacement/held_points.h"

#include <algorithm>

namespace pliant {

HeldGaps MeasureHeldGaps(const Scene& scene, double time, const PointsRef& x, const PointsRef& v) {
  HeldGaps largest;
  for (const Nail& nail : scene.nails) {
    const int i = scene.Index(nail.point);
    const PathPoint at = nail.path.At(time);
    largest.gap = std::max(largest.gap, (x.col(i) - at.position).norm());
    largest.rate = std::max(largest.rate, (v.col(i) - at.velocity).norm());
  }
  for (const Attachment& attachment : scene.attachments) {
    const int a = scene.Index(attachment.a), b = scene.Index(attachment.b);
    largest.gap = std::max(largest.gap, (x.col(a) - x.col(b)).norm());
    largest.rate = std::max(largest.rate, (v.col(a) - v.col(b)).norm());
  }
  return largest;
}

std::string NameOfHold(const Scene& scene, const Hold& hold) {
  return hold.nail() ? "nail '" + scene.nails[hold.index].name + "'"
                     : "attachment '" + scene.attachments[hold.index].name + "'";
}

std::string NameOfPoint(const Scene& scene, int point) {
  int b = 0;
  while (point >= scene.bodies[b].size()) point -= scene.bodies[b++].size();
  return "point " + std::to_string(point) + " of " + scene.bodies[b].name;
}

}  // namespace pliant
