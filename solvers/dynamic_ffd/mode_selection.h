// Which modes deform which body, and whether they are independent there.
//
// Two modes that move the mass points alike, or a mode that moves none, make the mass matrix
// singular [Faloutsos 1995, Sec. 4.10.3]; so does a mode that moves a body rigidly, since the rigid
// motions are coordinates of their own.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_SELECTION_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_SELECTION_H_

#include <string>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/dynamic_ffd/modes.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

// For each body of the scene the modes in use (indices into the table) that move points of it; none
// for rigid bodies.
// `warnings` lists modes that are dropped from a body. Throws BadInput (where = "modes"), naming
// the modes, for a mode that moves no point of any body, that leaves the plane of a planar scene,
// or that is a combination of rigid motions and other modes.
std::vector<std::vector<int>> SelectModes(const Scene& scene, const ModeTable& table,
                                          std::vector<std::string>* warnings);

// Body `b` of the scene in the lattice around it, with these modes of the table, and shapes of
// driven amplitudes.
FfdBody Embed(const Scene& scene, size_t b, const ModeTable& table, const std::vector<int>& modes,
              FfdOrigin origin, const std::vector<Eigen::Matrix3Xd>& driven = {});

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_SELECTION_H_
