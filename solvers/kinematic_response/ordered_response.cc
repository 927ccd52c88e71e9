// The extensions of a surface beyond the algorithm of the source, in their order.

#include <algorithm>

#include "solvers/kinematic_response/body_surface.h"
#include "solvers/kinematic_response/kinematic_response_simulation.h"
#include "solvers/kinematic_response/sharing.h"

namespace pliant::kinematic_response {

// The extensions that the options of a surface request.
void KinematicResponseSimulation::Extend(Surface* surface) {
  const ExtensionOptions& extensions = options_.extensions;
  const Body& body = surface->patch ? surface->patch->surface() : scene().bodies[surface->body];
  KinematicResponse& response = surface->response;
  if (extensions.area_kept > 0.0) {
    surface->area.emplace(body, response.model(), extensions.area_level);
  }
  if (!options_.relative_stiffness.empty() || extensions.self_contact_depth > 0.0) {
    surface->rays.emplace(body, response.surface());
  }
  if (surface->maps.Has(MappedControl::kRelativeStiffness)) {
    surface->stiffness = surface->maps.OfFinest(MappedControl::kRelativeStiffness);
  } else if (!options_.relative_stiffness.empty()) {
    surface->stiffness = Eigen::VectorXd::Constant(response.surface().rows(),
                                                   options_.relative_stiffness[surface->body]);
  }
  if (extensions.self_contact_depth > 0.0) {
    surface->self_contact.emplace(body, extensions.self_contact_depth);
  }
  if (extensions.has_skeleton()) {
    surface->skin.emplace(ReadSkeleton(extensions.skeleton), extensions.skeleton_level,
                          response.levels()[extensions.skeleton_level]);
    surface->skin->Pose(0.0, &response);
    response.Place(surface->offsets);
  }
}

// Pressed vertices keep their offsets while the rest relaxes, whether bones, the surface itself,
// other surfaces or obstacles press them. If one of these came later, a held contact would relax
// into it in every step and be distributed again, and a crook would never come to rest. So all are
// cast from the relaxed surface, which is also the first pass of the iteration.
void KinematicResponseSimulation::RespondInOrder(double begin, double end, double h) {
  for (Surface& surface : surfaces_) {
    if (surface.skin) surface.skin->Pose(end, &surface.response);
    surface.response.Relax(surface.controls, surface.offsets);
  }
  std::vector<CastObstacle> all = obstacles_;
  if (surfaces_[0].skin) {  // then it is the only one
    const std::span<const CastObstacle> bones = surfaces_[0].skin->bones();
    all.insert(all.end(), bones.begin(), bones.end());
  }
  for (Surface& surface : surfaces_) CastDisplacements(all, &surface.response);
  CastOnEachOther();
  for (Surface& surface : surfaces_) {
    surface.response.RestrictDisplacements();
    surface.response.Deform(surface.controls, &surface.offsets);
  }
  Share(options_.sharing_passes - 1);
  for (Surface& surface : surfaces_) Respond(&surface, begin, end, h);
}

// Displacement vectors out of other surfaces and other parts of the same, times the step size,
// where they are longer than what is there. Returns the longest one without the step size [m]. All
// are cast before any surface moves, so that their order does not matter.
double KinematicResponseSimulation::CastOnEachOther() {
  double longest = 0.0;
  for (Surface& surface : surfaces_) {
    if (surface.rays) surface.rays->Follow(surface.response.surface());
  }
  for (size_t i = 0; i < surfaces_.size(); ++i) {
    KinematicResponse& mine = surfaces_[i].response;
    if (surfaces_[i].self_contact) {
      longest =
          std::max(longest, surfaces_[i].self_contact->Cast(
                                *surfaces_[i].rays, 0.5 * options_.step_size, &mine, &crossings_));
    }
    if (options_.relative_stiffness.empty()) continue;
    for (size_t j = 0; j < surfaces_.size(); ++j) {
      if (i == j) continue;
      longest = std::max(longest, CastAgainstSurface(*surfaces_[j].rays, options_.step_size,
                                                     surfaces_[i].stiffness, surfaces_[j].stiffness,
                                                     &mine, &crossings_));
    }
  }
  return longest;
}

// Bones take part in each pass: a crook that is pressed apart must not end in a bone. Without bones
// it would be pressed apart again in every step and creep into them.
void KinematicResponseSimulation::Share(int passes) {
  for (Surface& surface : surfaces_) {
    for (LevelControls& level : surface.controls) level.retention = 1.0;  // it has relaxed
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (Surface& surface : surfaces_) {
      CastDisplacements(surface.skin ? surface.skin->bones() : std::span<const CastObstacle>(),
                        &surface.response);
    }
    if (CastOnEachOther() == 0.0) return;
    for (Surface& surface : surfaces_) {
      surface.response.Relax(surface.controls, surface.offsets);
      surface.response.RestrictDisplacements();
      surface.response.Deform(surface.controls, &surface.offsets);
    }
  }
}

}  // namespace pliant::kinematic_response
