#include "models/rigid_bodies/reference_shape.h"

#include "models/scene/rigid_motion.h"

namespace pliant {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

template <typename Visit>
void ReferenceShape::ForEachBody(const PointsRef& x, const Visit& visit) const {
  Eigen::Index first = 0;
  for (const Body& body : scene_->bodies) {
    const double mass = body.mass.sum();
    const Vector3d rest_centre = body.rest * body.mass / mass;
    const Vector3d centre = x.middleCols(first, body.size()) * body.mass / mass;
    const Matrix3Xd rest = body.rest.colwise() - rest_centre;
    const Matrix3Xd now = x.middleCols(first, body.size()).colwise() - centre;
    const Matrix3Xd ways = BestRotation(body.mass, rest, now) * rest - now;
    visit(body, first, ways);
    first += body.size();
  }
}

void ReferenceShape::AddForces(const PointsRef& x, MutablePointsRef forces) const {
  if (!acts()) return;
  ForEachBody(x, [&](const Body& body, Eigen::Index first, const Matrix3Xd& ways) {
    forces.middleCols(first, body.size()) += stiffness_ * ways * body.mass.asDiagonal();
  });
}

double ReferenceShape::Energy(const PointsRef& x) const {
  double sum = 0.0;
  if (!acts()) return sum;
  ForEachBody(x, [&](const Body& body, Eigen::Index, const Matrix3Xd& ways) {
    sum += ways.colwise().squaredNorm().dot(body.mass);
  });
  return 0.5 * stiffness_ * sum;
}

}  // namespace pliant
