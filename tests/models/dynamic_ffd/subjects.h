// Bodies that the tests of the formulation are tried on.

#ifndef PLIANT_TESTS_MODELS_DYNAMIC_FFD_SUBJECTS_H_
#define PLIANT_TESTS_MODELS_DYNAMIC_FFD_SUBJECTS_H_

#include <Eigen/Core>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "models/dynamic_ffd/modes.h"
#include "models/geometry/lattice.h"
#include "models/scene/scene.h"
#include "tests/random_numbers.h"

namespace pliant::dynamic_ffd {

// The table of the source: 400 × 300 m (one pixel = one metre) in a 4×4 lattice of that size, 11
// points: five along the top (12 kg each), three down each leg (8 kg each). The source shows a
// picture only; these places and masses are ours.
Body ThesisTable();
Lattice ThesisLattice();

// Displacements (3×16) of its modes. In the source's printed matrices a row is one j (vertical,
// lowest first) and a column one i.
Eigen::Matrix3Xd VerticalShear();     // d_y = −100 (1 − 2i/3)
Eigen::Matrix3Xd HorizontalBend();    // the printed matrix, Sec. 4.10.1
Eigen::Matrix3Xd VerticalSquash();    // d_y = −60 j
Eigen::Matrix3Xd HorizontalSquash();  // d_x = −60 (i − 1.5)
// A squash turned by φ: along e = (cos φ, sin φ), d = −0.6 ((L − L_c)·e) e. Horizontal at 0°, at
// 90° it is the vertical squash up to a translation.
Eigen::Matrix3Xd TurnedSquash(double phi);

// `body` in `lattice`, given in the body frame, with modes that displace its control points,
// 3×lattice.size() each.
FfdBody InLattice(int dimension, const Body& body, const Lattice& lattice,
                  const std::vector<Eigen::Matrix3Xd>& displacements, FfdOrigin origin,
                  const std::vector<Eigen::Matrix3Xd>& driven = {});

// A cloud of points with uneven masses in the unit cube (z = 0 in the plane), in a lattice that
// exceeds it, with random modes.
FfdBody RandomFfdBody(int dimension, int points, int modes, FfdOrigin origin,
                      RandomNumbers* random);
// Random coordinates (unit quaternion, amplitudes up to ½) and velocities of it.
Eigen::VectorXd RandomCoordinates(const FfdBody& body, RandomNumbers* random);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_TESTS_MODELS_DYNAMIC_FFD_SUBJECTS_H_
