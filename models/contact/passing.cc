#include "models/contact/passing.h"

#include "models/scene/number_text.h"

namespace pliant {

std::optional<Passing> FindPassing(const Scene& scene, const std::vector<double>& apart) {
  for (const Obstacle& obstacle : scene.obstacles) {
    if (PlaneOf(obstacle.shape) != nullptr) continue;
    const double thick = 2.0 * HalfThickness(obstacle.shape);
    for (size_t b = 0; b < apart.size(); ++b) {
      if (!(thick < apart[b])) continue;
      return Passing{"obstacle '" + obstacle.name + "' is " + ThreeDigits(thick) +
                         " m thick and can pass between",
                     static_cast<int>(b)};
    }
  }
  return std::nullopt;
}

}  // namespace pliant
