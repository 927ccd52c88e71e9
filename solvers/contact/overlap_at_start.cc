#include "solvers/contact/overlap_at_start.h"

#include <algorithm>
#include <optional>

#include "models/contact/body_contacts.h"
#include "models/contact/scene_parts.h"
#include "models/contact/solid_surface.h"
#include "models/scene/number_text.h"

namespace pliant {

void WarnOfOverlap(const Scene& scene, double tolerance, std::vector<std::string>* warnings) {
  const int bodies = static_cast<int>(scene.bodies.size());
  if (bodies < 2) return;
  const SceneParts parts(scene);
  const Eigen::Matrix3Xd x = scene.InitialPoints();
  std::vector<Bounds> boxes(bodies, Bounds::Empty());
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    boxes[parts.body_of_point[i]].Take(Eigen::Vector3d(x.col(i)));
  }
  const MeetingBodies meeting(scene);
  std::vector<std::optional<SolidSurface>> solids(bodies);
  const auto depth_in = [&](int solid, int other) {
    if (!parts.solid[solid]) return 0.0;
    if (!solids[solid]) solids[solid].emplace(parts, solid, x);
    return DeepestInside(*solids[solid], parts, other, x);
  };
  BoxTree(boxes).ForEachPairWithin([&](int i, int j) {
    const auto [a, b] = std::minmax(i, j);
    const BodyContact contact = meeting.Of(a, b);
    if (contact.ignored) return;
    const double depth = std::max(depth_in(a, b), depth_in(b, a));
    if (!(depth > tolerance)) return;
    warnings->push_back("bodies '" + scene.bodies[a].name + "' and '" + scene.bodies[b].name +
                        "' begin " + ThreeDigits(depth) +
                        " m inside each other, and contact does not lead them apart: move them "
                        "apart, or set ignore = true in [" +
                        ContactName(scene, contact) + "]");
  });
}

}  // namespace pliant
