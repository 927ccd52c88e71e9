// The camera that all panes share: a turntable about world y, orthographic as in the figures of the
// report. No Qt.

#ifndef PLIANT_APP_WORKBENCH_VIEW_ORBIT_CAMERA_H_
#define PLIANT_APP_WORKBENCH_VIEW_ORBIT_CAMERA_H_

#include <Eigen/Core>
#include <vector>

#include "app/plots/camera.h"
#include "models/scene/scene.h"

namespace pliant {

// Its position: angles [rad] to the right of the front and above the horizon, the point in the
// middle [m], and the extent that fits into a pane of any shape [m].
struct CameraPose {
  double azimuth = 0.0, elevation = 0.0;
  Eigen::Vector3d target = Eigen::Vector3d::Zero();
  Eigen::Vector2d extent{1.0, 1.0};
};

class OrbitCamera {
 public:
  CameraPose pose() const { return {azimuth_, elevation_, target_, extent_}; }
  void SetPose(const CameraPose& pose) {
    azimuth_ = pose.azimuth;
    elevation_ = pose.elevation;
    target_ = pose.target;
    extent_ = pose.extent;
  }

  // Angles [rad]: to the right of the front, above the horizon.
  double azimuth() const { return azimuth_; }
  double elevation() const { return elevation_; }

  // The initial view of a scene: planar scenes from the front, others from the front, right and
  // above. Contains the scene as after Fit().
  void Reset(const Scene& scene, double room = 1.0);
  // Contains the scene and these runs from the present direction, with `room` times their extent.
  void Fit(const Scene& scene, const std::vector<ShownRun>& runs, double room = 1.0);
  // Are all points [m] visible in a pane of any shape?
  bool Holds(const Eigen::Ref<const Eigen::Matrix3Xf>& points) const;
  // Sets the direction; rotates about the point in the middle.
  void LookFrom(double azimuth, double elevation);

  // A drag by (right, down) pixels of a pane `size` pixels wide and high.
  void Orbit(double right, double down);
  void Pan(double right, double down, const Eigen::Vector2d& size);
  // The point at `at` (pixels from the middle of the pane, right and up) stays there; `factor` > 1
  // zooms in.
  void Zoom(double factor, const Eigen::Vector2d& at, const Eigen::Vector2d& size);

  // The camera of a pane of `size` pixels; its window has the same proportions.
  Camera InPane(const Eigen::Vector2d& size) const;
  // Metres per pixel in a pane of this size.
  double MetresPerPixel(const Eigen::Vector2d& size) const;

 private:
  Eigen::Matrix3d Axes() const;

  double azimuth_ = 0.0, elevation_ = 0.0;            // rad
  Eigen::Vector3d target_ = Eigen::Vector3d::Zero();  // m, in the middle of the pane
  Eigen::Vector2d extent_{1.0, 1.0};                  // m, fits into a pane of any shape
};

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_VIEW_ORBIT_CAMERA_H_
