#include "app/plots/slider_guide.h"

#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr int kRimPieces = 48;

// The corners joined in order, and the last to the first where it is closed.
Matrix3Xd Joined(const Matrix3Xd& corners, bool closed) {
  const Eigen::Index n = corners.cols(), pieces = closed ? n : n - 1;
  Matrix3Xd ends(3, 2 * pieces);
  for (Eigen::Index i = 0; i < pieces; ++i) {
    ends.col(2 * i) = corners.col(i);
    ends.col(2 * i + 1) = corners.col((i + 1) % n);
  }
  return ends;
}

}  // namespace

Matrix3Xd SliderGuide(const Slider& slider, const Eigen::Matrix3d& axes, double reach) {
  switch (slider.kind) {
    case Slider::Kind::kLine: {
      Matrix3Xd ends(3, 2);
      ends << slider.through - reach * slider.direction, slider.through + reach * slider.direction;
      return ends;
    }
    case Slider::Kind::kCurve:
      return Joined(slider.corners, slider.closed);
    case Slider::Kind::kBall: {
      Matrix3Xd rim(3, kRimPieces);
      for (int i = 0; i < kRimPieces; ++i) {
        const double angle = 2.0 * std::numbers::pi * i / kRimPieces;
        const Vector3d out = std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1);
        rim.col(i) = slider.through + slider.radius * out;
      }
      return Joined(rim, /*closed=*/true);
    }
    case Slider::Kind::kPlane:
    case Slider::Kind::kSurface:
      break;
  }
  return Matrix3Xd(3, 0);
}

}  // namespace pliant
