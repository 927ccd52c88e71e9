#include "solvers/displacement_constraints/phase_pictures.h"

#include "models/scene/number_text.h"

namespace pliant::displacement_constraints {
namespace {

std::string Words(const PhaseView& view) {
  const std::string of_level = " of level " + std::to_string(view.level);
  const std::string gap = ": joints open by " + Digits(view.gap, 2) + " m";
  switch (view.phase) {
    case StepPhase::kForces:
      return "forces" + of_level;
    case StepPhase::kProlongation:
      return "level " + std::to_string(view.level) + " carried along by level " +
             std::to_string(view.level + 1);
    case StepPhase::kDynamics:
      return "free motion" + of_level + gap;
    case StepPhase::kSweep:
      return "sweep " + std::to_string(view.sweeps) + of_level + gap;
    case StepPhase::kVelocities:
      return "velocities" + of_level;
  }
  return "";
}

}  // namespace

Eigen::Matrix3Xd EndsOf(const SegmentSystem& segments) {
  Eigen::Matrix3Xd ends(3, 2 * segments.net().segments());
  Eigen::Index count = 0;
  for (int end = 0; end < 2 * segments.net().segments(); ++end) {
    if (segments.net().IsThere(end / 2)) ends.col(count++) = segments.Endpoint(end);
  }
  ends.conservativeResize(3, count);
  return ends;
}

StepPicture PictureOf(const PhaseView& view, const SegmentSystem& finest) {
  const SegmentSystem& segments = view.segments;
  StepPicture picture;
  picture.phase = Words(view);
  picture.points.resize(3, finest.net().points());
  finest.Points(picture.points);
  view.rigid.Points(picture.points);
  picture.pieces = EndsOf(segments);
  const bool forces = view.phase == StepPhase::kForces;
  if (forces || view.phase == StepPhase::kVelocities) {
    picture.origins.resize(3, segments.net().points());
    segments.Points(picture.origins);
    view.rigid.Points(picture.origins);
    picture.vectors = view.forces;
    if (!forces) {
      segments.PointVelocities(picture.vectors);
      view.rigid.PointVelocities(picture.vectors);
    }
    picture.unit = forces ? "N" : "m/s";
  }
  return picture;
}

}  // namespace pliant::displacement_constraints
