// The parameter `modes`: a table of matrices as data files hold it, read into deformation modes.
//
//   degree_x, degree_y, degree_z   of the lattice; 3, 3 and 0 (two rows) or 3 (three rows)
//   size_x, size_y, size_z         m, the box the displacements were drawn for; 1
//   [[entry]]  name, stiffness [J], damping [J s], initial [1]; 0 when absent
//              exponent of the potential stiffness |γ|^exponent, 2 when absent
//              lower, upper: limits of γ; none when absent
//              values = dims × P displacements [m]: row 0 is d_x, row 1 is d_y, row 2 (if any) d_z;
//              control point (i,j,k) is column i + (l+1)(j + (m+1)k)
//
// The matrices printed in [Faloutsos 1995, Sec. 4.10.1, App. A] hold one component each, with one j
// (vertical, lowest first) to a line and one i to a column: written line after line they are a row
// of `values`. Read with i to a line, the rod's stretch would be a shear.

#ifndef PLIANT_SOLVERS_LAGRANGIAN_MODE_TABLE_H_
#define PLIANT_SOLVERS_LAGRANGIAN_MODE_TABLE_H_

#include "models/dynamic_ffd/modes.h"
#include "solvers/parameters.h"

namespace pliant {

// A table with degrees and no entries is that of rigid bodies. Throws BadInput (where = "modes")
// for a table that is empty or not of this form.
ModeTable ReadModeTable(const MatrixTable& table);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_LAGRANGIAN_MODE_TABLE_H_
