// Similarity of the modes of a body, in the metric of its masses [Faloutsos 1995, Sec. 4.10.3]. The
// mass matrix mixes units and depends on the origin; angles between motions of the points do not.
// All measures refer to the modes without their rigid part, because the rigid motions have
// coordinates of their own.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CLOSENESS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CLOSENESS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/dynamic_ffd/ffd_body.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

// The similarities of a body with D ≥ 1 modes, undeformed.
struct ModeCloseness {
  Eigen::VectorXd inertia;   // D, of each mode free of rigid motion [kg m²]
  Eigen::VectorXd to_rigid;  // D, angle between the mode and the nearest rigid motion [rad]
  // Smallest principal angle between the span of all modes and the rigid motions [rad].
  double span_to_rigid;
  Eigen::MatrixXd cosines;  // D×D, between the free modes: their Gram matrix at unit length
  // Singular values of the free modes at unit length, the smallest last, √(eigenvalues of cosines);
  // column j of the combinations has that size. Independent modes: all 1; dependent: the last is 0.
  Eigen::VectorXd singular_values;
  Eigen::MatrixXd combinations;  // D×D
};
ModeCloseness ClosenessOf(const FfdBody& body);

// The weakest combination in words: "'a' is 0.98 'b' up to a rigid motion and 3 % of itself".
struct Resemblance {
  std::string words;
  double remainder;  // independent part of the first mode, 0 … 1
};
Resemblance WeakestOf(const ModeCloseness& closeness, const std::vector<std::string>& names);

// One table for the modes of all bodies, and a warning for each body with a nearly vanishing
// combination of modes.
struct NamedModes {
  std::string body;
  std::vector<std::string> names;
  Eigen::VectorXd stiffness;  // diagonal of K [J]
  ModeCloseness closeness;
};
FindingTable ClosenessTable(const std::vector<NamedModes>& bodies);
void WarnOfCloseness(const std::vector<NamedModes>& bodies, std::vector<std::string>* warnings);

// T, D×D and upper triangular, such that the modes Σ_k b_k T_kl span the same shapes and are
// orthogonal in the mass metric free of rigid motion, each with the mean inertia of the given ones:
// Gram–Schmidt in their order. The modes must be independent.
Eigen::MatrixXd OrthogonalCombinations(const FfdBody& body);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_CLOSENESS_H_
