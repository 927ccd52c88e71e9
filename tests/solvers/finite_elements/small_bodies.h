// A block of 1 m × 0.6 m × 0.4 m in hexahedra and in tetrahedra, and a profile of uneven columns, of 1 MPa; and the
// parts of a scene.

#ifndef PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_SMALL_BODIES_H_
#define PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_SMALL_BODIES_H_

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/scene/material.h"
#include "models/scene/shapes.h"
#include "models/scene/volume_mesh.h"
#include "solvers/finite_elements/discretisation.h"
#include "solvers/finite_elements/scene_parts.h"

namespace pliant::finite_elements {

inline constexpr double kYoung = 1e6, kPoisson = 0.3;
inline const Eigen::Vector3d kSize(1.0, 0.6, 0.4);

inline Material Rubber(ElasticLaw law, double thickness = 0.0) {
  return {.density = 1000.0,
          .youngs_modulus = kYoung,
          .poisson_ratio = kPoisson,
          .law = law,
          .thickness = thickness};
}

inline Body Block(ElasticLaw law) {
  Body body = MakeBlock("body", kSize, {4, 3, 3}, 1.0);
  body.material = Rubber(law);
  return body;
}

// Each hexahedron of the block in six tetrahedra about its diagonal.
inline Body Tetrahedra(ElasticLaw law) {
  const Body block = Block(law);
  VolumeCells cells;
  for (const auto& cell : Hexahedra(block)) {
    for (const auto& [a, b] : {std::array{1, 3}, std::array{3, 2}, std::array{2, 6},
                               std::array{6, 4}, std::array{4, 5}, std::array{5, 1}}) {
      cells.tetrahedra.push_back({cell[0], cell[a], cell[b], cell[7]});
    }
  }
  Body body = MakeVolumeMesh("body", block.rest, cells, 1.0);
  body.material = Rubber(law);
  return body;
}

// A rectangle of uneven columns, in triangles.
inline Body Profile(ElasticLaw law) {
  Body body = MakeSheet("body", {kSize.x(), kSize.y()}, {4, 3}, 1.0);
  body.shape = ShapeKind::kProfile;
  body.grid = {0, 0, 0};
  for (int p = 0; p < body.size(); ++p) body.rest(0, p) += 0.2 * std::pow(body.rest(0, p), 2);
  body.material = Rubber(law, 0.1);
  return body;
}

inline Discretisation PartsOf(const Scene& scene, int refinement) {
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    parts.push_back(MakePart(scene, b, refinement, false).part);
  }
  return Discretisation(std::move(parts));
}

}  // namespace pliant::finite_elements

#endif  // PLIANT_TESTS_SOLVERS_FINITE_ELEMENTS_SMALL_BODIES_H_
