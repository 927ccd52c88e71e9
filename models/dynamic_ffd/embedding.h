// A body in the lattices of a mode table. A lattice covers the body, or a part of its box if
// several lattices share the body. It moves only the points inside, so that the modes of a part end
// at its border. Where parts overlap their displacements add up.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_EMBEDDING_H_
#define PLIANT_MODELS_DYNAMIC_FFD_EMBEDDING_H_

#include <Eigen/Core>
#include <vector>

#include "models/dynamic_ffd/modes.h"
#include "models/geometry/lattice.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

struct EmbeddedLattice {
  Lattice lattice;          // in the body frame
  std::vector<int> inside;  // points of the body that it moves
  Eigen::MatrixXd weights;  // lattice.size() × inside.size()
};

// The lattices of the table around one body. Throws BadInput (where = "modes") naming the point
// that an extended lattice does not contain, or at which it is folded.
std::vector<EmbeddedLattice> EmbedLattices(const Body& body, const ModeTable& table);

// The same around other places `at` in the body (3×m, body frame [m]) instead of its points.
std::vector<EmbeddedLattice> EmbedLattices(const Body& body, const ModeTable& table,
                                           const Eigen::Matrix3Xd& at);
Eigen::Matrix3Xd DisplacementsAt(const Eigen::Matrix3Xd& at, const ModeTable& table,
                                 const std::vector<EmbeddedLattice>& lattices, int k);
Eigen::VectorXd GradientsAt(const Eigen::Matrix3Xd& at, const ModeTable& table,
                            const std::vector<EmbeddedLattice>& lattices, int k);

// Displacements of the points of the body by mode k, 3×n [m]; 0 outside its lattice.
Eigen::Matrix3Xd PointDisplacements(const Body& body, const ModeTable& table,
                                    const std::vector<EmbeddedLattice>& lattices, int k);

// Their gradients ∂b_k/∂X at the points in the body frame, 9n: column after column of each 3×3
// matrix; 0 outside its lattice and along an axis of degree 0.
Eigen::VectorXd PointGradients(const Body& body, const ModeTable& table,
                               const std::vector<EmbeddedLattice>& lattices, int k);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_EMBEDDING_H_
