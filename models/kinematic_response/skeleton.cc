#include "models/kinematic_response/skeleton.h"

#include <algorithm>
#include <utility>

namespace pliant::kinematic_response {

using Eigen::Vector3d;

namespace {

// Fraction of the length of a bone: distances that differ by less count as equal. Otherwise
// rounding would separate the vertices around a joint.
constexpr double kEqual = 1e-9;

}  // namespace

Skeleton::Skeleton(std::vector<Bone> bones) : bones_(std::move(bones)) {}

double Skeleton::Distance(int index, const Vector3d& x) const {
  const Bone& bone = bones_[index];
  const Vector3d along = bone.end - bone.start;
  const double at = std::clamp((x - bone.start).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - bone.start - at * along).norm() - bone.radius;
}

int Skeleton::Nearest(const Vector3d& x) const {
  int nearest = 0;
  for (int bone = 1; bone < size(); ++bone) {
    const double equal = kEqual * (bones_[bone].end - bones_[bone].start).norm();
    if (Distance(bone, x) < Distance(nearest, x) - equal) nearest = bone;
  }
  return nearest;
}

void Skeleton::Place(double time, std::vector<Eigen::Isometry3d>* pose) const {
  pose->resize(bones_.size());
  for (int i = 0; i < size(); ++i) {
    const Bone& bone = bones_[i];
    Eigen::Isometry3d& T = (*pose)[i];
    if (bone.parent >= 0) {
      T = (*pose)[bone.parent];
    } else {
      T.setIdentity();
    }
    const double angle = bone.angle.At(time).position.x();
    T.translate(bone.start).rotate(Eigen::AngleAxisd(angle, bone.axis)).translate(-bone.start);
  }
}

}  // namespace pliant::kinematic_response
