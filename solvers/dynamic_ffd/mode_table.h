// The parameter `modes`: a table as data files hold it, read into deformation modes.
//
//   degree_x, degree_y, degree_z   of the lattice; 3, 3 and 0 (plane) or 3 (space)
//   basis = "b-spline"             instead of "bernstein": cubic, with points_x, points_y, points_z
//                                  control points, at least 4, or points_z = 1 for one layer
//   size_x, size_y, size_z         m, the box the displacements were drawn for; 1
//   youngs_modulus [Pa], poisson_ratio [1], and density [kg/m³] or, in the plane, thickness [m]:
//                                  the material of the modes that state no stiffness
//   [[lattice]]   one of several lattices, instead of the first three lines:
//     name, and those keys
//     lower_x … upper_z   the part of the body's box it covers; 0 and 1
//     values    of an extended lattice: dims × P places of its control points in its box [m]
//   [[entry]]     a mode: its name, and what it is, one of
//     values    dims × P displacements [m]: row 0 is d_x, row 1 is d_y, row 2 (if any) d_z;
//               control point (i,j,k) is column i + (l+1)(j + (m+1)k)
//     shape     stretch, squash, shear, bend, taper or twist, with axis, toward ("x", "y", "z"),
//               angle [rad] that turns both about z, and amount [1 or rad] (see mode_shapes.h)
//     blend     {name = weight, …}, a sum of modes that stand before it; these are then parts and
//               no modes of their own, unless they are asked for by name
//   and, of the mode,
//     stiffness [J] or frequency [Hz]       else of the material, else 0
//     exponent                              of the potential stiffness |γ|^exponent; 2
//     damping [J s] or damping_ratio [1]    0
//     initial [1], initial_rate [1/s]       0
//     lower, upper                          limits of γ; none when absent
//     lattice                               its name; the first
//
// The matrices printed in [Faloutsos 1995, Sec. 4.10.1, App. A] hold one component each, with one j
// (vertical, lowest first) to a line and one i to a column: written line after line they are a row
// of `values`. Read with i to a line, the rod's stretch would be a shear.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_TABLE_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_TABLE_H_

#include <string>
#include <vector>

#include "models/dynamic_ffd/modes.h"
#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

// For a scene of this dimension, which determines the layers of a lattice if no matrix does. A
// table with a lattice and no entries is that of rigid bodies. Throws BadInput (where = "modes" or
// a place in it) for a table that is empty or not of this form.
ModeTable ReadModeTable(const MatrixTable& table, int dimension = 3);

// The place of mode k of the table, for BadInput::where.
std::string PlaceOfMode(int k);

// Selects the modes of these names and no others; without names, changes nothing. Throws BadInput
// (where = "use_modes") for a name that is not in the table or appears twice.
void UseModes(const std::vector<std::string>& names, ModeTable* table);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_TABLE_H_
