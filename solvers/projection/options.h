// The common options of methods in which points move freely and sweeps then displace them until
// every constraint is met, with their defaults.

#ifndef PLIANT_SOLVERS_PROJECTION_OPTIONS_H_
#define PLIANT_SOLVERS_PROJECTION_OPTIONS_H_

#include <limits>
#include <string>
#include <vector>

#include "solvers/contact/obstacles_meet.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/parameters.h"
#include "solvers/projection/sweep_order.h"
#include "solvers/projection/velocity_update.h"

namespace pliant {

// True if the scene has forces, impulses or springs.
bool ActsOnPoints(const Scene& scene);

struct ProjectionOptions {
  SweepOrder order = SweepOrder::kSequential;
  double relaxation = 1.0;                                       // ω
  int solver_levels = 1;                                         // levels that sweeps go through
  double break_force = std::numeric_limits<double>::infinity();  // N, of an edge
  double break_resolution = 0.01;  // of break_force, to which sweeps resolve tensions; inf: not
  VelocityUpdate velocity_update = VelocityUpdate::kVerlet;

  double tolerance = 0.004;  // largest gap over the shortest edge; [Palazzi 1993] uses 0.004
  int min_sweeps = 1;
  int max_sweeps = 500;

  double bounce = 0.3;
  ObstaclesMeet obstacle_contact = ObstaclesMeet::kPoints;
  double surface_thickness = 0.0;         // d, that surfaces keep from each other [m]; 0: chosen
  double surface_friction = 0.0;          // μ of surfaces of which the scene says nothing
  std::vector<std::string> rigid_bodies;  // by name; "*": all
  double shape_stiffness = 0.0;           // κ of the reference shape [1/s²]

  SurfaceContactOptions surfaces() const { return {surface_thickness, surface_friction}; }

  // Throws BadInput (where = the parameter) for parameters that contradict each other.
  void RequireConsistent(const Scene& scene) const;

 protected:
  void BindShared(ParameterBinder& binder);
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_OPTIONS_H_
