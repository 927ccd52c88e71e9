// One camera for all runs and times of a comparison, so that what differs is the formulation and
// not the view. Orthographic: a length parallel to the paper is the same everywhere, and a scale
// bar holds for the whole figure. Free of Qt and of any renderer.

#ifndef PLIANT_APP_PLOTS_CAMERA_H_
#define PLIANT_APP_PLOTS_CAMERA_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct Camera {
  // Columns: right, up, towards the viewer; a rotation, world ← view.
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();
  Eigen::AlignedBox2d window;  // what is seen, in view coordinates (right, up) [m]

  // World → view: right, up, towards the viewer [m].
  Eigen::Vector3d ToView(const Eigen::Vector3d& x) const { return axes.transpose() * x; }
};

// Whether a nail or an attachment with this hold time holds at `time`.
bool Holds(const HoldTime& hold, double time);

// From the front for planar scenes; from the front, the right and above for others.
Eigen::Matrix3d ViewAxes(const Scene& scene);

// Points of one run at the times that will be shown.
struct ShownRun {
  std::vector<double> times;             // s
  std::vector<Eigen::Matrix3Xd> points;  // 3×n [m]
  bool diverged = false;
};

// Holds the bodies where they start, obstacles and nails at the times shown, and the points of all
// runs, with a margin. A run that has gone far away does not shrink the others: it is left out
// when its view would be more than `kFarAway` times theirs (`kFarAwayDiverged` for a diverged one).
// Of planes, only the part near the bodies has to be seen. Points that are not finite are passed
// over.
inline constexpr double kFarAway = 6.0;
inline constexpr double kFarAwayDiverged = 1.5;
Camera FitCamera(const Scene& scene, const std::vector<ShownRun>& runs);
// The same camera along other axes.
Camera FitCamera(const Scene& scene, const std::vector<ShownRun>& runs,
                 const Eigen::Matrix3d& axes);

// The length [m] of a scale bar: 1, 2 or 5 times a power of ten, at most `most` > 0.
double ScaleBarLength(double most);

}  // namespace pliant

#endif  // PLIANT_APP_PLOTS_CAMERA_H_
