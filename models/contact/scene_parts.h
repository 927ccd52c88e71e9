// The edges and faces of all bodies of a scene, for contact.

#ifndef PLIANT_MODELS_CONTACT_SCENE_PARTS_H_
#define PLIANT_MODELS_CONTACT_SCENE_PARTS_H_

#include <array>
#include <vector>

#include "models/collision/bounds.h"
#include "models/collision/box_tree.h"
#include "models/collision/crossing.h"
#include "models/contact/clearance.h"
#include "models/scene/scene.h"

namespace pliant {

// The box around an edge or a face, given by columns of x.
template <size_t size>
Bounds BoundsAround(const std::array<int, size>& corners, const PointColumns& x) {
  Bounds box = Bounds::Empty();
  for (const int corner : corners) box.Take(Eigen::Vector3d(x.col(corner)));
  return box;
}

template <size_t size>
BoxTree TreeOf(const std::vector<std::array<int, size>>& parts, const PointColumns& x) {
  std::vector<Bounds> boxes;
  boxes.reserve(parts.size());
  for (const auto& part : parts) boxes.push_back(BoundsAround(part, x));
  return BoxTree(boxes);
}

// Points are columns of all points of the scene.
struct SceneParts {
  explicit SceneParts(const Scene& scene);

  int dimension;
  std::vector<std::array<int, 2>> edges;  // those of the bodies and the sides of faces, each once
  std::vector<std::array<int, 3>> faces;
  std::vector<int> body_of_edge, body_of_face, body_of_point;
  // True if the body takes up space: faces that enclose a volume, or in a planar scene any faces.
  std::vector<bool> solid;  // by body
  // Sides of exactly one face of a planar scene, turned as that face goes round.
  std::vector<std::array<int, 2>> outline;
  std::vector<int> body_of_outline;

  // What an obstacle may touch, each place once: faces, edges of none of them, points of neither.
  struct Part {
    std::array<int, 3> corners;
    int count;  // of corners: 1, 2 or 3
    int body;
    PartCorners At(const PointColumns& x) const {
      PartCorners at(3, count);
      for (int k = 0; k < count; ++k) at.col(k) = x.col(corners[k]);
      return at;
    }
    Bounds BoundsAt(const PointColumns& x) const {
      Bounds box = Bounds::Empty();
      for (int k = 0; k < count; ++k) box.Take(Eigen::Vector3d(x.col(corners[k])));
      return box;
    }
  };
  std::vector<Part> parts;
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_SCENE_PARTS_H_
