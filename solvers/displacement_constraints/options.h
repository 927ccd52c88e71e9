// The options of displacement constraints, with their defaults.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_

#include <vector>

#include "models/displacement_constraints/segment_net.h"
#include "solvers/parameters.h"
#include "solvers/projection/options.h"
#include "solvers/projection/rigid_pieces.h"

namespace pliant::displacement_constraints {

enum class CorrectionRule {
  kSource,      // translation and rotation by factors, as if translation alone closed the gap
  kUnweighted,  // the same with factors instead of masses and inertias
  kCorrected,   // one correction closes one gap, to first order
};

// How finer levels are carried along (hierarchy.h).
enum class GridProlongation {
  kSource,    // offsets turn about the points that they hang on, and mass with them
  kBalanced,  // what they move of the mass is taken back there: linear momentum is kept
};

constexpr int kMostThreads = 256;

struct DisplacementConstraintsOptions : ProjectionOptions {
  // The scene gives masses of points and does not define mass between them.
  SegmentInertia inertia = SegmentInertia::kLumped;
  CorrectionRule correction = CorrectionRule::kCorrected;
  double translation_factor = 1.0;  // t_f of the source's rules
  double rotation_factor = 1.0;     // r_f of the source's rules
  double warm_start = 0.0;          // share of the last step's joint forces
  int threads = 1;                  // that share sweeps

  std::vector<double> force_fractions = {1.0};  // φ, finest level first
  double filter_fraction = 0.0;                 // the source's pictures use 0.65
  GridProlongation prolongation = GridProlongation::kSource;

  void Bind(ParameterBinder& binder);
  // Throws BadInput (where = the parameter) for parameters that contradict each other.
  void RequireConsistent(const Scene& scene) const;
  // How rigid bodies move and are corrected.
  RigidPieceOptions pieces() const;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_
