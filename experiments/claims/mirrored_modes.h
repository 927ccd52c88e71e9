// Deformation modes seen in a mirror.
//
// A table of modes (solvers/dynamic_ffd/mode_table.h) belongs to the frame of a body: mode k displaces the place r by
// γ_k u_k(r). Of the body in a mirror, with S the reflection along one axis of that frame, it is
//
//   u'(r) = S u(S r)
//
// so that the same amplitudes γ are the same motion, seen in the mirror. A drawn mode has the columns of its matrix in
// the reverse order along the axis and its row negated; a mode of the library turns its angle about z around and
// changes the sign of its amount where its field is odd.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_MIRRORED_MODES_H_
#define PLIANT_EXPERIMENTS_CLAIMS_MIRRORED_MODES_H_

#include "solvers/data_table.h"

namespace pliant {

// `axis` 0 … 2, of a scene of this dimension. Throws BadInput as ReadModeTable() does.
MatrixTable MirroredModes(const MatrixTable& table, int axis, int dimension);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_MIRRORED_MODES_H_
