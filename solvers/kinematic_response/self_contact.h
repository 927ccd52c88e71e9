// A surface that has passed through itself [Harrison 1994, Sec. 5.6: "these methods work also for
// self-surface collisions"]: both sides have the same stiffness, so each takes half of the
// separating displacement, in the iteration of two surfaces (sharing.h).
//
// A vertex is in another part of the surface when the ray against its normal leaves that part
// through its front. Topologically near elements do not count: those within kRings edges of the
// vertex. Elements beyond a given depth do not count either: behind a sheet that bulges there is
// the other side of the bulge. Of a surface that closes around a volume the ray always leaves the
// far side of its own part; a vertex is in another part when the ray leaves the surface at least
// once more than that, entries counted against exits.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_SELF_CONTACT_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_SELF_CONTACT_H_

#include <vector>

#include "models/scene/scene.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/kinematic_response/surface_rays.h"

namespace pliant::kinematic_response {

class SelfContact {
 public:
  static constexpr int kRings = 2;

  // `deepest` [m]: how deep a part can be in another, less than the thickness of any part.
  SelfContact(const Body& body, double deepest);

  // Displacement vectors that take the vertices of `response`->surface(), which `rays` follow, out
  // of other parts of it, times `share`, where they are longer than those already there. Returns
  // the longest without the share [m]. O(vertices · log elements).
  double Cast(const SurfaceRays& rays, double share, KinematicResponse* response,
              std::vector<SurfaceRays::Crossing>* crossings) const;

  // Depth of vertex `vertex` in another part of the surface [m]; 0 when it is not inside.
  double Depth(const SurfaceRays& rays, const KinematicResponse& response, int vertex,
               std::vector<SurfaceRays::Crossing>* crossings) const;

 private:
  bool IsNear(int vertex, const std::array<int, 3>& element) const;

  double deepest_;
  int own_;                     // exits of a ray through its own part
  std::vector<int> near_;       // vertices within kRings edges, those of vertex 0 first, sorted
  std::vector<int> near_from_;  // where those of each vertex begin; vertices + 1
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_SELF_CONTACT_H_
