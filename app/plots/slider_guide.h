// The line, curve or outline that is drawn for a slider. Free of Qt and of any renderer.

#ifndef PLIANT_APP_PLOTS_SLIDER_GUIDE_H_
#define PLIANT_APP_PLOTS_SLIDER_GUIDE_H_

#include <Eigen/Core>

#include "models/scene/scene.h"

namespace pliant {

// The line (`reach` [m] to both sides), the pieces of the curve, or the outline of the ball as a
// camera of these axes sees it: 3×2k, the ends of each piece side by side [m]. A plane has no
// outline, and an obstacle is drawn anyway: no column.
Eigen::Matrix3Xd SliderGuide(const Slider& slider, const Eigen::Matrix3d& axes, double reach);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_SLIDER_GUIDE_H_
