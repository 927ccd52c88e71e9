// A library of deformation modes by name, for any lattice: the modes of [Faloutsos 1995, Sec. 4.10]
// and their relatives, as fields of displacement of the place r from the centre of the lattice.
// e is the axis, f the direction `toward`, h half the length of the box along e:
//
//   stretch   u =  a (e·r) e                                   grows along the axis by the part a
//   squash    u = −a (e·r) e                                   the h(φ) of Sec. 4.10.3
//   shear     u =  a (e·r) f                                   lines along e lean toward f
//   bend      u =  a/(2h) [(e·r)² f − 2 (e·r)(f·r) e]          ends turn by a, sections stay
//   straight taper     u =  a/h (e·r) (r − (e·r) e)                     sections grow by a at one
//   end twist     u =  a/h (e·r) e × r                             ends turn by a about the axis
//
// Squares in r need degree 2 along their axes; every lattice can represent the affine shapes. An
// angle φ turns e and f about z. The source's words leave open whether "a squash rotated by φ"
// turns the axis or the displacements only; only the former ends in the other squash at 90°.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_MODE_SHAPES_H_
#define PLIANT_MODELS_DYNAMIC_FFD_MODE_SHAPES_H_

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "models/geometry/lattice.h"

namespace pliant::dynamic_ffd {

enum class ModeShapeKind { kStretch, kSquash, kShear, kBend, kTaper, kTwist };
// All shapes, with their names.
const std::vector<std::pair<std::string, ModeShapeKind>>& ModeShapeKinds();

struct ModeShape {
  ModeShapeKind kind = ModeShapeKind::kStretch;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();    // e, of unit length
  Eigen::Vector3d toward = Eigen::Vector3d::UnitY();  // f, at right angles to it: shear and bend
  double amount = 0.1;                                // a: 1 or rad, at γ = 1
};

// Displacements of the control points of `lattice`, 3×lattice.size() [m]. In a box the lattice
// moves every point exactly by the field; in an extended one exactly for affine shapes, else
// nearly. Throws BadInput (where empty) when the degree of the lattice is too low.
Eigen::Matrix3Xd ShapeDisplacements(const ModeShape& shape, const Lattice& lattice);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_MODE_SHAPES_H_
