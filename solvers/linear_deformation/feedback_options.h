// How fast gaps of constraints close, c̈ + 2 ζ ω ċ + ω² c = 0 (point_constraints.h), and in which scenes that counts.

#ifndef PLIANT_SOLVERS_LINEAR_DEFORMATION_FEEDBACK_OPTIONS_H_
#define PLIANT_SOLVERS_LINEAR_DEFORMATION_FEEDBACK_OPTIONS_H_

#include <functional>

#include "models/scene/scene.h"
#include "solvers/parameters.h"

namespace pliant::linear_deformation {

// True if something in the scene holds points, for some time at least, or keeps a body rigid.
bool HasMultipliers(const Scene& scene);

struct FeedbackOptions {
  double frequency = 50.0;     // ω, rad/s ≥ 0; also r of impulse.h
  double damping_ratio = 1.0;  // ζ ≥ 0
  // `impulses`: is contact by impulses in this scene?
  void Bind(ParameterBinder& binder, std::function<bool(const Scene&)> impulses);
};

}  // namespace pliant::linear_deformation

#endif  // PLIANT_SOLVERS_LINEAR_DEFORMATION_FEEDBACK_OPTIONS_H_
