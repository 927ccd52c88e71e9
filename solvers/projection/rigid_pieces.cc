#include "solvers/projection/rigid_pieces.h"

#include <algorithm>

#include "models/geometry/rotation.h"
#include "models/problem.h"

namespace pliant {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

Matrix3d Across(const Vector3d& r) {  // [r]ₓ
  Matrix3d m;
  m << 0.0, -r.z(), r.y(), r.z(), 0.0, -r.x(), -r.y(), r.x(), 0.0;
  return m;
}

}  // namespace

std::vector<bool> RigidBodiesOf(const Scene& scene, const std::vector<std::string>& names) {
  std::vector<bool> rigid;
  std::vector<std::string> bodies;
  for (const Body& body : scene.bodies) {
    rigid.push_back(body.rigid);
    bodies.push_back(body.name);
  }
  for (const std::string& wanted : names) {
    bool found = wanted == "*";
    for (size_t b = 0; b < bodies.size(); ++b) {
      if (wanted != "*" && bodies[b] != wanted) continue;
      rigid[b] = found = true;
    }
    if (found) continue;
    throw BadInput({"rigid_bodies", "the scene has no body '" + wanted + "' that could be rigid",
                    DidYouMean(wanted, bodies)});
  }
  return rigid;
}

RigidPieces::RigidPieces(const Scene& scene, const RigidPieceOptions& options,
                         const PointsRef& points)
    : update_(options.update),
      knows_mobility_(options.knows_mobility),
      translating_(options.translating),
      turning_(options.turning),
      piece_of_(points.cols(), -1) {
  const std::vector<bool> rigid = RigidBodiesOf(scene, options.bodies);
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    if (!rigid[b]) continue;
    const Body& body = scene.bodies[b];
    const int first = scene.Offset(b);
    RigidMotion motion;
    pieces_.emplace_back(points.middleCols(first, body.size()), body.mass, options.inertia,
                         &motion);
    motion.velocity = body.velocity;
    motion.spin = pieces_.back().Possible(motion.orientation, body.angular_velocity);
    motions_.push_back(motion);
    first_.push_back(first);
    std::fill_n(piece_of_.begin() + first, body.size(), size() - 1);
  }
  free_ = motions_;
  forces_.setZero(3, size());
  torques_.setZero(3, size());
  mean_velocities_ = mean_spins_ = turned_arms_ = forces_;
}

template <typename Visit>
void RigidPieces::ForEachPoint(const Visit& visit) const {
  for (int k = 0; k < size(); ++k) {
    const Matrix3d turn = motions_[k].orientation.toRotationMatrix();
    for (int i = 0; i < pieces_[k].points(); ++i) {
      visit(k, first_[k] + i, Vector3d(turn * pieces_[k].arm(i)));
    }
  }
}

void RigidPieces::Points(MutablePointsRef points) const {
  ForEachPoint([&](int k, int p, const Vector3d& r) { points.col(p) = motions_[k].centre + r; });
}

void RigidPieces::PointVelocities(MutablePointsRef rates) const {
  ForEachPoint([&](int k, int p, const Vector3d& r) {
    rates.col(p) = motions_[k].velocity + motions_[k].spin.cross(r);
  });
}

void RigidPieces::PointAccelerations(MutablePointsRef accelerations) const {
  ForEachPoint([&](int k, int p, const Vector3d& r) {
    const Vector3d turned = pieces_[k].Turned(motions_[k].orientation, torques_.col(k));
    accelerations.col(p) = forces_.col(k) / pieces_[k].mass() + turned.cross(r);
  });
}

double RigidPieces::KineticEnergy() const {
  double energy = 0.0;
  for (int k = 0; k < size(); ++k) {
    const RigidMotion& motion = motions_[k];
    energy += 0.5 * pieces_[k].mass() * motion.velocity.squaredNorm() +
              0.5 * motion.spin.dot(pieces_[k].Momentum(motion));
  }
  return energy;
}

double RigidPieces::HiddenEnergy(const Eigen::VectorXd& masses) const {
  if (empty()) return 0.0;
  double energy = KineticEnergy();
  ForEachPoint([&](int k, int p, const Vector3d& r) {
    energy -= 0.5 * masses[p] * (motions_[k].velocity + motions_[k].spin.cross(r)).squaredNorm();
  });
  return energy;
}

void RigidPieces::SetForces(const PointsRef& forces, const Vector3d& gravity) {
  torques_.setZero();
  for (int k = 0; k < size(); ++k) forces_.col(k) = pieces_[k].mass() * gravity;
  ForEachPoint([&](int k, int p, const Vector3d& r) {
    const Vector3d force = forces.col(p);
    forces_.col(k) += force;
    torques_.col(k) += r.cross(force);
  });
}

void RigidPieces::Dynamics(double step) {
  const double new_share = update_ == VelocityUpdate::kEulerCromer ? 1.0 : 0.5;
  for (int k = 0; k < size(); ++k) {
    MoveFreely(pieces_[k], step, new_share, forces_.col(k), torques_.col(k), &motions_[k]);
  }
  free_ = motions_;
  turned_arms_.setZero();
}

void RigidPieces::UpdateVelocities(double step) {
  for (int k = 0; k < size(); ++k) {
    RigidMotion& now = motions_[k];
    now.orientation.normalize();
    const Vector3d moved = (now.centre - free_[k].centre) / step,
                   turned =
                       RotationVector(now.orientation * free_[k].orientation.conjugate()) / step;
    mean_velocities_.col(k) =
        now.velocity - (step / pieces_[k].mass()) * forces_.col(k) + 0.5 * moved;
    mean_spins_.col(k) =
        now.spin - step * pieces_[k].Turned(free_[k].orientation, torques_.col(k)) + 0.5 * turned;
    now.velocity += moved;
    now.spin = pieces_[k].Possible(now.orientation, now.spin + turned);
  }
}

Vector3d RigidPieces::MeanMotion(int point) const {
  const int k = piece_of_[point];
  return mean_velocities_.col(k) + Vector3d(mean_spins_.col(k)).cross(FreeArm(point));
}

void RigidPieces::HalveAccelerations(double step) {
  for (int k = 0; k < size(); ++k) {
    RigidMotion& now = motions_[k];
    now.velocity -= (0.5 * step / pieces_[k].mass()) * forces_.col(k);
    now.spin -= 0.5 * step * pieces_[k].Turned(now.orientation, torques_.col(k));
  }
}

Vector3d RigidPieces::Arm(int point) const {
  const int k = piece_of_[point];
  return motions_[k].orientation * pieces_[k].arm(point - first_[k]);
}

Vector3d RigidPieces::FreeArm(int point) const {
  const int k = piece_of_[point];
  return free_[k].orientation * pieces_[k].arm(point - first_[k]);
}

Vector3d RigidPieces::Point(const WeightedPoint& point) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < point.count; ++i) {
    const int p = point.point[i];
    sum += point.weight[i] * (motions_[piece_of_[p]].centre + Arm(p));
  }
  return sum;
}

Matrix3d RigidPieces::Between(int p, int q, double t, double r) const {
  const int k = piece_of_[p];
  if (piece_of_[q] != k) return Matrix3d::Zero();
  Matrix3d mobility = Matrix3d::Identity() * (t / pieces_[k].mass());
  if (r == 0.0) return mobility;
  const Matrix3d turn = motions_[k].orientation.toRotationMatrix();
  mobility -= r * Across(Arm(p)) * turn * pieces_[k].inverse().asDiagonal() * turn.transpose() *
              Across(Arm(q));
  return mobility;
}

Matrix3d RigidPieces::Coupling(int p, int q) const { return Between(p, q, translating_, turning_); }

// By the chosen rules: those of the source use translations only.
Matrix3d RigidPieces::Mobility(const WeightedPoint& point) const {
  Matrix3d sum = Matrix3d::Zero();
  for (int i = 0; i < point.count; ++i) {
    for (int j = 0; j < point.count; ++j) {
      sum += point.weight[i] * point.weight[j] *
             Between(point.point[i], point.point[j], 1.0, knows_mobility_ ? 1.0 : 0.0);
    }
  }
  return sum;
}

// The trace of what turns bounds its largest part.
double RigidPieces::LargestMobility(const WeightedPoint& point) const {
  const double translating = 1.0 / pieces_[piece_of_[point.point[0]]].mass();
  return Mobility(point).trace() - 2.0 * translating;
}

void RigidPieces::Push(const WeightedPoint& point, const Vector3d& impulse) {
  for (int i = 0; i < point.count; ++i) {
    const int k = piece_of_[point.point[i]];
    RigidMotion& motion = motions_[k];
    const Vector3d p = point.weight[i] * impulse, r = Arm(point.point[i]);
    const Vector3d turn = pieces_[k].Turned(motion.orientation, r.cross(p));
    turned_arms_.col(k) += Vector3d(r - FreeArm(point.point[i])).cross(p);
    motion.centre += (translating_ / pieces_[k].mass()) * p;
    motion.orientation = Turn(turning_ * turn) * motion.orientation;
  }
}

void RigidPieces::Save(StateWriter* write) const {
  for (const RigidMotion& motion : motions_) {
    (*write)(motion.centre);
    for (const double c : motion.orientation.coeffs()) (*write)(c);
    (*write)(motion.velocity);
    (*write)(motion.spin);
  }
}

void RigidPieces::Restore(StateReader* read) {
  for (RigidMotion& motion : motions_) {
    (*read)(motion.centre);
    for (double& c : motion.orientation.coeffs()) c = (*read)();
    (*read)(motion.velocity);
    (*read)(motion.spin);
  }
}

}  // namespace pliant
