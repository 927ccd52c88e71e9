// Obstacles that pass between the points of a body, which are further apart than the obstacle is thick.

#ifndef PLIANT_MODELS_CONTACT_PASSING_H_
#define PLIANT_MODELS_CONTACT_PASSING_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

// visit(i, j): each edge, and each side of a face.
template <typename Visit>
void ForEachSide(const std::vector<std::array<int, 2>>& edges,
                 const std::vector<std::array<int, 3>>& faces, const Visit& visit) {
  for (const auto& [i, j] : edges) visit(i, j);
  for (const auto& [i, j, k] : faces) {
    visit(i, j);
    visit(j, k);
    visit(k, i);
  }
}

struct Passing {
  std::string what;  // "obstacle 'peg' is 0.01 m thick and can pass between"
  int body;
};

// The first bounded obstacle, and the first body whose points are `apart` [m, of each body] by more than its thickness.
std::optional<Passing> FindPassing(const Scene& scene, const std::vector<double>& apart);

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_PASSING_H_
