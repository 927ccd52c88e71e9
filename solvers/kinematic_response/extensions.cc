#include "solvers/kinematic_response/extensions.h"

#include <algorithm>

#include "models/scene/number_text.h"
#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/patch.h"
#include "solvers/kinematic_response/self_contact.h"
#include "solvers/kinematic_response/skin.h"

namespace pliant::kinematic_response {
namespace {

void RequireLevel(const std::string& option, int level, const Body& body, int levels) {
  if (level < levels) return;
  throw BadInput(
      {option,
       "there is no level " + std::to_string(level) + " in the surface of body '" + body.name + "'",
       "give 0 to " + std::to_string(levels - 1)});
}

}  // namespace

void ExtensionOptions::Bind(ParameterBinder& binder) {
  binder.Real(
      "self_contact_depth", &self_contact_depth, "m", AtLeast(0.0),
      "parts of a held surface that have penetrated each other by at most this depth are pushed "
      "apart, each by half; choose less than the thickness of any part; 0: no self-contact");
  binder.Table("skeleton", &skeleton,
               "bones inside the only body, which carry it and push it outwards: a table of "
               "[[bone]] and [[turn]]; without bones the surface is held as it starts");
  binder.OnlyWhen(
      "there is a skeleton", [this](const Scene&) { return has_skeleton(); },
      [&] {
        binder.Integer("skeleton_level", &skeleton_level, "1", AtLeast(0),
                       "levels up to this one are attached to the bones; finer levels follow");
      });
  binder.Real("area_kept", &area_kept, "1", Between(0.0, 1.0),
              "share of the change of its area (for a curve, of its length) that a held surface "
              "compensates in each pass");
  const auto keeps_area = [this](const Scene&) { return area_kept > 0.0; };
  binder.OnlyWhen("area_kept is more than 0", keeps_area, [&] {
    binder.Integer("area_level", &area_level, "1", AtLeast(0),
                   "the level that compensates the area: 0 pulls the whole surface in");
  });
}

void ExtensionOptions::RequireScene(const Scene& scene, const std::vector<bool>& rides,
                                    const std::vector<int>& levels) const {
  const auto rider = std::find(rides.begin(), rides.end(), true);
  std::string of_held;
  if (area_kept > 0.0) of_held = "area_kept";
  if (self_contact_depth > 0.0) of_held = "self_contact_depth";
  if (has_skeleton()) of_held = "skeleton";
  if (!of_held.empty() && rider != rides.end()) {
    throw BadInput({of_held,
                    of_held + " is for held surfaces, but body '" +
                        scene.bodies[rider - rides.begin()].name + "' rides on a proxy",
                    "set rides = \"never\", or remove from the scene what moves the body"});
  }
  if (has_skeleton()) {
    if (scene.bodies.size() != 1) {
      throw BadInput({"skeleton",
                      "a skeleton needs a scene with one body, but this one has " +
                          std::to_string(scene.bodies.size()),
                      "keep one body"});
    }
    RequireLevel("skeleton_level", skeleton_level, scene.bodies[0], levels[0]);
    const Skeleton read = ReadSkeleton(skeleton);
    const bool flat = scene.dimension == 2;
    for (const Bone& bone : read.bones()) {
      if (!flat || (bone.start.z() == 0.0 && bone.end.z() == 0.0 && bone.axis.z() != 0.0 &&
                    bone.axis.head<2>().isZero(0.0))) {
        continue;
      }
      throw BadInput({"skeleton", "bone '" + bone.name + "' leaves the plane of a planar scene",
                      "its ends must have z = 0, and it must turn about z"});
    }
  }
  for (size_t i = 0; area_kept > 0.0 && i < scene.bodies.size(); ++i) {
    RequireLevel("area_level", area_level, scene.bodies[i], levels[i]);
  }
}

std::vector<std::string> ExtensionOptions::Warnings(const Scene& scene,
                                                    Prolongation prolongation) const {
  std::vector<std::string> warnings;
  if (self_contact_depth == 0.0) return warnings;
  for (const Body& body : scene.bodies) {
    if (Patch::Fits(body, scene.dimension)) continue;  // its patch is flat
    KinematicResponse response(SurfaceOf(body, StartOf(body), prolongation), Restriction::kMaximum);
    const SurfaceRays rays(body, response.surface());
    std::vector<SurfaceRays::Crossing> crossings;
    const double depth =
        SelfContact(body, self_contact_depth).Cast(rays, 1.0, &response, &crossings);
    if (depth <= response.shortest_displacement()) continue;
    warnings.push_back(
        "body '" + body.name + "' penetrates itself at the start, by " + Digits(depth) +
        " m, and will be pushed apart; if it only bends back behind itself, choose a smaller "
        "self_contact_depth");
  }
  return warnings;
}

}  // namespace pliant::kinematic_response
