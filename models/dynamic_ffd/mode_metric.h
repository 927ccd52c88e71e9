// Modes as motions of a body's mass: the metric Σ m u·u of displacements, in which kinetic energy
// is half the square of a velocity.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_MODE_METRIC_H_
#define PLIANT_MODELS_DYNAMIC_FFD_MODE_METRIC_H_

#include <Eigen/Core>

#include "models/dynamic_ffd/ffd_body.h"

namespace pliant::dynamic_ffd {

// √m times the displacements of the undeformed body's points, stacked: columns of 3n numbers whose
// dot products are the mass metric [√kg m]. O(n (twist + D)²).
struct MassWeightedMotions {
  Eigen::MatrixXd
      rigid;  // orthonormal basis of the rigid motions; a straight line in space has five
  Eigen::MatrixXd modes;  // 3n×D
  Eigen::MatrixXd free;   // 3n×D: the modes without their rigid part
};
MassWeightedMotions MotionsOf(const FfdBody& body);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_MODE_METRIC_H_
