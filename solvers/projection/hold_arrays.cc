#include "solvers/projection/hold_arrays.h"

namespace pliant {

const std::vector<std::string>& AxisNames() {
  static const std::vector<std::string> names = {"x", "y", "z"};
  return names;
}

HoldImpulses::HoldImpulses(const Scene& scene) : scene_(scene) {
  for (const Nail& nail : scene.nails) names_.push_back("nail '" + nail.name + "'");
  for (const Attachment& one : scene.attachments) names_.push_back("attachment '" + one.name + "'");
  for (const Slider& slider : scene.sliders) names_.push_back("slider '" + slider.name + "'");
  impulses_.setZero(static_cast<Eigen::Index>(names_.size()), 3);
}

void HoldImpulses::Add(const std::vector<Hold>& holds) {
  const auto nails = static_cast<Eigen::Index>(scene_.nails.size());
  for (const Hold& hold : holds) {
    if (hold.on) impulses_.row(hold.nail() ? hold.index : nails + hold.index) += hold.impulse;
  }
}

void HoldImpulses::Add(const Guides& guides) {
  const size_t before = scene_.nails.size() + scene_.attachments.size();
  guides.ForEachSlid([&](int, const Eigen::Vector3d& impulse, const Slider& slider) {
    const size_t i = before + static_cast<size_t>(&slider - scene_.sliders.data());
    impulses_.row(static_cast<Eigen::Index>(i)) += impulse;
  });
}

NamedArray HoldImpulses::Forces(double scale) const {
  return {
      "multipliers",
      "lambda",
      "N",
      "mean force of each nail, attachment and slider on its point in the last step; NaN before it",
      names_,
      AxisNames(),
      scale * impulses_};
}

}  // namespace pliant
