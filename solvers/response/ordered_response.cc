// What a surface does beyond the algorithm of the source, and in which order.

#include <algorithm>

#include "solvers/response/body_surface.h"
#include "solvers/response/response_simulation.h"
#include "solvers/response/sharing.h"

namespace pliant {

// What the options give a surface beyond the algorithm itself.
void ResponseSimulation::Extend(Surface* surface) {
  const ExtensionOptions& extensions = options_.extensions;
  const Body& body = surface->patch ? surface->patch->surface() : scene().bodies[surface->body];
  CollisionResponse& response = surface->response;
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

void ResponseSimulation::RespondInOrder(double begin, double end, double h) {
  for (Surface& surface : surfaces_) {
    if (surface.skin) surface.skin->Pose(end, &surface.response);
    surface.response.Relax(surface.controls, surface.offsets);
    CastDisplacements(surface.skin ? surface.skin->bones() : std::span<const CastObstacle>(),
                      &surface.response);
    surface.response.RestrictDisplacements();
    surface.response.Deform(surface.controls, &surface.offsets);
    for (LevelControls& level : surface.controls) level.retention = 1.0;  // it has relaxed
  }
  Share();
  for (Surface& surface : surfaces_) Respond(&surface, begin, end, h);
}

void ResponseSimulation::Share() {
  const bool each_other = !options_.relative_stiffness.empty();
  if (!each_other && options_.extensions.self_contact_depth == 0.0) return;
  for (int pass = 0; pass < options_.sharing_passes; ++pass) {
    double longest = 0.0;
    for (Surface& surface : surfaces_) surface.rays->Follow(surface.response.surface());
    // All are cast before any moves, so that their order does not matter.
    for (size_t i = 0; i < surfaces_.size(); ++i) {
      CollisionResponse& mine = surfaces_[i].response;
      for (LevelControls& level : surfaces_[i].controls) level.retention = 1.0;
      mine.displacements()->setZero();
      if (surfaces_[i].self_contact) {
        longest = std::max(
            longest, surfaces_[i].self_contact->Cast(*surfaces_[i].rays, 0.5 * options_.step_size,
                                                     &mine, &crossings_));
      }
      for (size_t j = 0; each_other && j < surfaces_.size(); ++j) {
        if (i == j) continue;
        longest = std::max(longest, CastAgainstSurface(*surfaces_[j].rays, options_.step_size,
                                                       surfaces_[i].stiffness,
                                                       surfaces_[j].stiffness, &mine, &crossings_));
      }
    }
    if (longest == 0.0) return;
    for (Surface& surface : surfaces_) {
      surface.response.Relax(surface.controls, surface.offsets);
      surface.response.RestrictDisplacements();
      surface.response.Deform(surface.controls, &surface.offsets);
    }
  }
}

}  // namespace pliant
