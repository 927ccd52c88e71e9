// Parameters of the formulation.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_OPTIONS_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_OPTIONS_H_

#include "solvers/finite_elements/contact_places.h"
#include "solvers/finite_elements/time_step.h"
#include "solvers/parameters.h"

namespace pliant::finite_elements {

struct Options {
  int refinement = 1;
  bool locking_free = false;
  TimeOptions time;
  double step_tolerance = 0.0;  // m/s; 0: steps are not divided
  ContactOptions contact;
  int threads = 1;
  double load_time = 1.0;  // s, at which static loads are full

  void Bind(ParameterBinder& binder);
};

// Do these parameters ask for statics whose load rises from 0 s on, as gravity and forces do?
bool LoadRises(const Scene& scene, const ParameterValues& parameters);

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_OPTIONS_H_
