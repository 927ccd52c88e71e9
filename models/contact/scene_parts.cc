#include "models/contact/scene_parts.h"

#include <algorithm>
#include <map>

namespace pliant {

SceneParts::SceneParts(const Scene& scene) : dimension(scene.dimension) {
  int offset = 0;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const Body& body = scene.bodies[b];
    solid.push_back(!body.faces.empty() && (body.closed || dimension == 2));
    body_of_point.insert(body_of_point.end(), body.size(), b);
    const auto ascending = [](int i, int j) {
      return std::array<int, 2>{std::min(i, j), std::max(i, j)};
    };
    std::map<std::array<int, 2>, int> sides;  // number of faces at each edge
    for (const auto& [i, j, k] : body.faces) {
      const std::array<int, 3> face = {offset + i, offset + j, offset + k};
      faces.push_back(face);
      body_of_face.push_back(b);
      parts.push_back({face, 3, b});
      for (int s = 0; s < 3; ++s) ++sides[ascending(face[s], face[(s + 1) % 3])];
    }
    for (const auto& [i, j] : body.edges) sides.try_emplace(ascending(offset + i, offset + j), 0);
    std::vector<bool> joined(body.size(), false);
    for (const auto& [ends, count] : sides) {
      edges.push_back(ends);
      body_of_edge.push_back(b);
      for (const int end : ends) joined[end - offset] = true;
      if (count == 0) parts.push_back({{ends[0], ends[1], 0}, 2, b});
    }
    for (const auto& [i, j, k] : dimension == 2 ? body.faces : decltype(body.faces)()) {
      const std::array<int, 3> face = {offset + i, offset + j, offset + k};
      for (int s = 0; s < 3; ++s) {
        const int from = face[s], to = face[(s + 1) % 3];
        if (sides.at(ascending(from, to)) != 1) continue;
        outline.push_back({from, to});
        body_of_outline.push_back(b);
      }
    }
    for (int i = 0; i < body.size(); ++i) {
      if (!joined[i]) parts.push_back({{offset + i, 0, 0}, 1, b});
    }
    offset += body.size();
  }
}

}  // namespace pliant
