#include "solvers/linear_deformation/feedback_options.h"

#include <utility>

#include "solvers/rigid_facts.h"

namespace pliant::linear_deformation {

bool HasMultipliers(const Scene& scene) {
  return !scene.nails.empty() || !scene.attachments.empty() || !scene.sliders.empty() ||
         !scene.combinations.empty() || !scene.behaviours.empty() || HasRigidBodies(scene);
}

void FeedbackOptions::Bind(ParameterBinder& binder, std::function<bool(const Scene&)> impulses) {
  const auto counts = [impulses = std::move(impulses)](const Scene& scene) {
    return HasMultipliers(scene) || impulses(scene);
  };
  binder.OnlyWhen(
      "the scene holds points or has rigid bodies, or contact = impulse meets something", counts,
      [&] {
        binder.Real("feedback_frequency", &frequency, "rad/s", AtLeast(0.0),
                    "rate ω at which a gap of a nail or attachment, or a strain of a rigid body, "
                    "closes, and at which impulses of "
                    "contact remove the depth of what is inside; 0 lets both drift");
      });
  const auto closes = [this](const Scene& scene) {
    return frequency > 0.0 && HasMultipliers(scene);
  };
  binder.OnlyWhen(
      "the scene holds points or has rigid bodies, and feedback_frequency is more than 0", closes,
      [&] {
        binder.Real("feedback_damping_ratio", &damping_ratio, "1", AtLeast(0.0),
                    "damping ratio ζ of a closing gap; 1 closes it without overshoot");
      });
}

}  // namespace pliant::linear_deformation
