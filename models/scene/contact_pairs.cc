#include "models/scene/contact_pairs.h"

#include <cstddef>

namespace pliant {

std::vector<ContactPair> ContactPairs(const Scene& scene) {
  const int bodies = static_cast<int>(scene.bodies.size());
  const int obstacles = static_cast<int>(scene.obstacles.size());
  const std::ptrdiff_t most = std::ptrdiff_t{bodies} * (obstacles + (bodies - 1) / 2);
  std::vector<ContactPair> pairs;
  // A bound on the work of asking every two bodies.
  if (most > std::ptrdiff_t{16} * kMostContactPairs) return pairs;
  for (int body = 0; body < bodies; ++body) {
    for (int o = 0; o < obstacles; ++o) pairs.push_back({body, o, -1});
  }
  for (int a = 0; a < bodies; ++a) {
    for (int b = a + 1; b < bodies; ++b) {
      if (!ContactOf(scene, a, b).ignored) pairs.push_back({a, -1, b});
    }
  }
  if (static_cast<int>(pairs.size()) > kMostContactPairs) pairs.clear();
  return pairs;
}

std::string NameOf(const Scene& scene, const ContactPair& pair) {
  return scene.bodies[pair.body].name + "." +
         (pair.obstacle >= 0 ? scene.obstacles[pair.obstacle].name : scene.bodies[pair.other].name);
}

}  // namespace pliant
