// What the arrows in a pane can show: computed from the material points by the same code for every
// formulation, so that panes can be compared. No Qt.

#ifndef PLIANT_APP_WORKBENCH_VIEW_ARROWS_H_
#define PLIANT_APP_WORKBENCH_VIEW_ARROWS_H_

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>

#include "app/workbench/session/recording.h"
#include "models/scene/scene.h"

namespace pliant {

enum class ArrowKind {
  kNone,
  kSceneForces,
  kInnerForces,
  kConstraintForces,
  kOffsets,
  kAngularVelocity
};

struct ArrowInfo {
  ArrowKind kind;
  const char* words;
  const char* unit;
  const char* meaning;
};
std::span<const ArrowInfo> ArrowKinds();
const ArrowInfo& InfoOf(ArrowKind kind);

struct ArrowField {
  Eigen::Matrix3Xd origins;  // m, world
  Eigen::Matrix3Xd vectors;  // as InfoOf().unit
  double Longest() const;    // 0 of none
};

// The arrows at frame `index` of a run of the scene. Absent where they are not defined: forces
// without velocities, inner forces without a second frame, constraint forces that the formulation
// does not define or does not know yet, or that a bundle does not record.
//   scene forces: gravity, springs and timed forces on each point;
//   inner forces: m Δv/Δt − (scene forces and impulses), the mean from this
//   frame to the next (of
//     the last: from the one before): contact, constraints and material
//     together;
//   constraint forces: Simulation::ConstraintForces() of the record;
//   offsets: x − (R x₀ + t) of each point, with the rigid motion of each body
//   that minimises
//     Σ m |·|² (in a planar scene a rotation about z) [Horn 1987];
//   angular velocity: Θ⁻¹ L about the centre of mass of each body, drawn from
//   there.
// O(points).
std::optional<ArrowField> ArrowsOf(ArrowKind kind, const Scene& scene, const Recording& recording,
                                   size_t index);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_ARROWS_H_
