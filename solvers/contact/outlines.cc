#include "solvers/contact/outlines.h"

#include <algorithm>

#include "models/scene/body_contact.h"

namespace pliant {
namespace {

// It has as many edges as points, two at each.
bool IsClosedLine(const Body& body) {
  if (!body.faces.empty()) return false;
  std::vector<int> edges(body.size(), 0);
  for (const auto& [i, j] : body.edges) {
    ++edges[i];
    ++edges[j];
  }
  return std::ranges::count(edges, 2) == body.size();
}

}  // namespace

void WarnOfOutlines(const Scene& scene, std::vector<std::string>* warnings) {
  if (scene.dimension != 2) return;
  const int bodies = static_cast<int>(scene.bodies.size());
  for (int a = 0; a < bodies; ++a) {
    if (!IsClosedLine(scene.bodies[a])) continue;
    bool meets = false;
    for (int b = 0; b < bodies; ++b) meets = meets || (a != b && !ContactOf(scene, a, b).ignored);
    if (!meets) continue;
    warnings->push_back("every body passes through '" + scene.bodies[a].name +
                        "', which has edges and no faces: write contact_between = \"barrier\", "
                        "which meets edges, or give it faces (a sheet, or a profile with faces)");
  }
}

}  // namespace pliant
