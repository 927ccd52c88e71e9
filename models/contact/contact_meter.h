// How bodies are in contact with obstacles, with one another and with themselves, measured on edges
// and faces: by this one code path for every formulation.

#ifndef PLIANT_MODELS_CONTACT_CONTACT_METER_H_
#define PLIANT_MODELS_CONTACT_CONTACT_METER_H_

#include <memory>
#include <optional>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/contact/scene_parts.h"
#include "models/contact/solid_surface.h"

namespace pliant {

// Absent: not defined.
struct ContactMeasures {
  // Of the deepest place of a face, edge or point inside an obstacle; where there are obstacles [m].
  std::optional<double> obstacle_depth;
  // Of the deepest place of a part of one body inside another that takes up space; where there are
  // two bodies and one of them does [m].
  std::optional<double> body_depth;
  // Which body is deepest in which, and how deep [m], of those that do not ignore each other; 0: none.
  int deepest_body = -1, deepest_in = -1;
  double deepest = 0.0;
  // Pairs of an edge and a face, in the plane of two edges, that cross: of one body, unless they
  // cross at rest; and of two bodies.
  std::optional<double> self_crossings, body_crossings;
};

class ContactMeter {
 public:
  explicit ContactMeter(std::shared_ptr<const Scene> scene);

  // x: 3×n [m]. O(parts) where few are near obstacles, other bodies or parts that they do not
  // belong to.
  ContactMeasures Measure(double time, const PointColumns& x);

 private:
  void FindCrossingsAtRest();
  double ObstacleDepth(double time, const PointColumns& x) const;
  void MeasureBodyDepth(const PointColumns& x, ContactMeasures* measures);
  void CountCrossings(const PointColumns& x, ContactMeasures* measures);
  template <typename Visit>
  void ForEachCrossing(const PointColumns& x, const Visit& visit);

  std::shared_ptr<const Scene> scene_;
  SceneParts parts_;
  BoxTree part_tree_, edge_tree_, face_tree_, body_tree_;
  std::vector<std::optional<SolidSurface>> solids_;   // by body
  std::vector<std::array<int, 2>> crossing_at_rest_;  // pairs, sorted
};

}  // namespace pliant

#endif  // PLIANT_MODELS_CONTACT_CONTACT_METER_H_
