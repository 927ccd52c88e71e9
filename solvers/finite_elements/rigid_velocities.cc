#include "solvers/finite_elements/rigid_velocities.h"

#include <algorithm>

#include "models/rigid_bodies/rigid_piece.h"

namespace pliant::finite_elements {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double MakeRigid(const Scene& scene, const Discretisation& bodies, const Matrix3Xd& q,
                 Matrix3Xd* v) {
  double largest = 0.0;
  for (int p = 0; p < bodies.part_count(); ++p) {
    if (!scene.bodies[p].rigid) continue;
    const int first = bodies.first(p), count = bodies.part(p).node_count();
    const VectorXd masses = bodies.part(p).mass().diagonal();  // there is no more in it
    RigidMotion motion;
    const RigidPiece piece(q.middleCols(first, count), masses, PieceInertia::kOfPoints, &motion);
    Vector3d momentum = Vector3d::Zero(), spin = momentum;
    for (int i = 0; i < count; ++i) {
      const Vector3d r = motion.orientation * piece.arm(i), rate = v->col(first + i);
      momentum += masses[i] * rate;
      spin += masses[i] * r.cross(rate);
    }
    motion.velocity = momentum / piece.mass();
    motion.spin = piece.Turned(motion.orientation, spin);
    for (int i = 0; i < count; ++i) {
      const Vector3d r = motion.orientation * piece.arm(i);
      const Vector3d rigid = motion.velocity + motion.spin.cross(r);
      largest = std::max(largest, (rigid - v->col(first + i)).norm());
      v->col(first + i) = rigid;
    }
  }
  return largest;
}

}  // namespace pliant::finite_elements
