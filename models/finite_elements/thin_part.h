// The thin bodies of a scene as shells and rods: sheets, tubes and tori, chains and rings.

#ifndef PLIANT_MODELS_FINITE_ELEMENTS_THIN_PART_H_
#define PLIANT_MODELS_FINITE_ELEMENTS_THIN_PART_H_

#include <memory>

#include "models/finite_elements/elastic_part.h"
#include "models/scene/scene.h"

namespace pliant::finite_elements {

// Is this a shape that MakeThinPart() makes?
bool IsThin(const Body& body);

// Each cell of the body's grid is `refinement` ≥ 1 spans along each of its axes (at least four
// around a closed one). The rest shape is that which the points lie on, a rectangle, cylinder, torus,
// line or circle, not the polygon between them; the points at rest are exact. The total mass is that
// of the points. Laws other than St. Venant–Kirchhoff count by their constants of small strain:
// thin bodies bend far with small strain.
//
// dimension 2: chains and rings in z = 0. dimension 3: chains, without twist.
//
// Throws BadInput: where = "material" for a body without one, or without thickness; "shape" for
// points that lie on another shape, a ring in space (which couples bending and twist) and for a
// surface in the plane.
std::unique_ptr<ElasticPart> MakeThinPart(const Body& body, int dimension, int refinement);

}  // namespace pliant::finite_elements

#endif  // PLIANT_MODELS_FINITE_ELEMENTS_THIN_PART_H_
