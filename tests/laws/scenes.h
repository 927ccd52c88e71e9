// The scenes of the laws: one body of some matter, in situations that every method of its kind
// understands.

#ifndef PLIANT_TESTS_LAWS_SCENES_H_
#define PLIANT_TESTS_LAWS_SCENES_H_

#include <Eigen/Geometry>

#include "models/scene/scene.h"

namespace pliant::laws {

enum class Matter {
  kSheet,  // 5×5 points in the xy-plane of a spatial scene, 2 kg
  kBlock,  // 5×5×5 points that fill their world, 2 kg
  kCrate,  // an outline in a planar scene, 3 kg
  kTube,   // 12×5 points around and along z, in space, 2 kg
  kPlate,  // 3×3 points of rubber that fill their world, a planar scene, 2 kg
  kLamp,   // the articulated lamp in a planar scene
};

// At rest, nothing around it, no gravity.
Scene Resting(Matter matter);
// The same moving, turning (in the plane where the scene is planar; a sheet about its normal) and,
// but for the lamp, a little stretched.
Scene Flying(Matter matter);
// Flying, under gravity.
Scene Falling(Matter matter);
// On soft springs, with a ball that moves into it and away again; the lamp stands on the ground.
Scene Pressed(Matter matter);
// Falling, with each force a scene has: a damped spring, a timed force, an impulse.
Scene Driven(Matter matter);
// Two of them joined at a point, turning about each other; the first one is pulled.
Scene Joined(Matter matter);

// Slanted, it swings down from two of its points, one of which is led about.
Scene Swinging(Matter matter);

// The scene seen from another place: everything in it carried by `motion`.
Scene Carried(const Scene& scene, const Eigen::Isometry3d& motion);

}  // namespace pliant::laws

#endif  // PLIANT_TESTS_LAWS_SCENES_H_
