// Builds the levels of segments that represent a scene.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LEVELS_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LEVELS_H_

#include <memory>
#include <utility>
#include <vector>

#include "models/displacement_constraints/hierarchy.h"
#include "models/scene/scene.h"
#include "solvers/contact/displacement.h"
#include "solvers/displacement_constraints/options.h"
#include "solvers/displacement_constraints/segment_system.h"
#include "solvers/displacement_constraints/shared_sweep.h"
#include "solvers/holds/hold.h"

namespace pliant::displacement_constraints {

struct Level {
  explicit Level(SegmentSystem its_segments) : segments(std::move(its_segments)) {}

  SegmentSystem segments;   // state
  double fraction = 1.0;    // φ, of the forces
  double hold_share = 1.0;  // of the gap of a nail or attachment that the level closes
  double tolerance = 0.0;   // m
  std::vector<Hold> holds;  // nails, then attachments
  int filter_edges = 0;     // the edges that make points neighbours: all but the stiff diagonals
  std::vector<int> neighbours;  // of each point
  double rest_fraction = 0.0;   // Σ φ of coarser levels, for the points these leave out
  std::vector<int> left_out;    // in a torn net
  std::vector<int> order;       // of the points in a sweep
  SharedSweep shares;           // of the points in this order, among threads
  // Forces of the joints in the last step, 3×pairs [N]: state with a warm start, else empty.
  Eigen::Matrix3Xd joint_forces;

  // Of the present step.
  std::vector<Contact> contacts;
  Eigen::Matrix3Xd start;           // 3×n, points at its start [m]
  Eigen::Matrix3Xd points;          // 3×n, as far as they have got
  Eigen::Matrix3Xd balanced;        // 3×n, S of `start`; where levels keep momentum
  Eigen::Matrix3Xd forces;          // 3×n, restricted [N]; without gravity
  Eigen::Matrix3Xd joint_impulses;  // 3×pairs, so far [kg m]
  Eigen::VectorXd pulled;           // S, Σ arm u·p so far [kg m²]; empty where nothing can break

  void Share(int threads);
  // All edges hold but the broken ones, by edge; the point masses [kg] are those of the level.
  void Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses);
};

// The levels of all bodies of a scene, for as many force fractions as there are; null for one
// level, which any scene has. Throws BadInput (where = "force_fractions") when their sum is not 1
// or a body does not have that many levels, naming the sizes that would do.
std::shared_ptr<const GridLevels> MakeGridLevels(const Scene& scene,
                                                 const std::vector<double>& force_fractions);

// Segments at rest between the points of UnstretchedPoints() on all levels. `grids` as from
// MakeGridLevels().
std::vector<Level> MakeLevels(const Scene& scene, const DisplacementConstraintsOptions& options,
                              const GridLevels* grids);

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_LEVELS_H_
