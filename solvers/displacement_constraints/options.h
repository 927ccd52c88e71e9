// What a user may choose of displacement constraints; the defaults are those of this struct.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_

#include <limits>
#include <string>
#include <vector>

#include "models/displacement_constraints/segment_net.h"
#include "solvers/displacement_constraints/ordering.h"
#include "solvers/parameters.h"

namespace pliant::displacement_constraints {

enum class CorrectionRule {
  kSource,      // translation and rotation by factors, as if translation alone closed the gap
  kUnweighted,  // the same with factors in the place of masses and inertias
  kCorrected,   // one correction closes one gap, to first order
  kLengths,     // points in the place of segments: distances are kept (length_simulation.h)
};

// x', v' are the free motion of a step from x, v; c is the displacement by corrections.
enum class VelocityUpdate {
  kCorrected,    // x' = x + h (v + v')/2,  v ← v' + c/h
  kEulerCromer,  // x' = x + h v',          v ← (x' + c − x)/h = v' + c/h
  kPrinted,      // x' = x + h (v + v')/2,  v ← (x' + c − x)/h: halves every acceleration
};

// How finer levels are carried along (hierarchy.h).
enum class GridProlongation {
  kSource,    // offsets turn about the points that they hang on, and mass with them
  kBalanced,  // what they move of the mass is taken back there: linear momentum is kept
};

struct DisplacementConstraintsOptions {
  // The scene gives masses of points and knows nothing of mass between them.
  SegmentInertia inertia = SegmentInertia::kLumped;
  CorrectionRule correction = CorrectionRule::kCorrected;
  double translation_factor = 1.0;  // t_f of the source's rules
  double rotation_factor = 1.0;     // r_f of the source's rules
  SweepOrder order = SweepOrder::kSequential;
  double relaxation = 1.0;  // ω
  double warm_start = 0.0;  // share of the last step's joint forces
  double compliance = 0.0;  // m/N, of edges whose lengths are kept
  int solver_levels = 1;    // levels that sweeps go through
  double break_force = std::numeric_limits<double>::infinity();  // N, of an edge
  VelocityUpdate velocity_update = VelocityUpdate::kCorrected;

  double tolerance = 0.004;  // largest gap over the shortest segment; the source uses 0.004
  int min_sweeps = 1;
  int max_sweeps = 500;

  double bounce = 0.3;
  double surface_thickness = 0.0;  // d, that points keep from faces [m]; 0: they pass through
  double surface_friction = 0.0;   // μ of surfaces
  std::vector<std::string> rigid_bodies;  // by name; "*": all
  double shape_stiffness = 0.0;           // κ of the reference shape [1/s²]

  std::vector<double> force_fractions = {1.0};  // φ, finest level first
  double filter_fraction = 0.0;                 // the source's pictures use 0.65
  GridProlongation prolongation = GridProlongation::kSource;

  void Bind(ParameterBinder& binder);
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_OPTIONS_H_
