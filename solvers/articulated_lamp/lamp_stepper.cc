#include "solvers/articulated_lamp/lamp_stepper.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/articulated_lamp/base_contact.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// m/s, faster than a lamp falls.
constexpr double kAnySpeed = 1e4;

}  // namespace

LampPlacement::LampPlacement(const LampVector& q) {
  const Eigen::Vector4d psi = LinkAngles(q);
  for (int j = 0; j < kLampLinks; ++j) {
    sine[j] = std::sin(psi[j]);
    cosine[j] = std::cos(psi[j]);
  }
}

Vector3d LampStepper::Step(double h, const LampPlacement& placement, const HingeTorques& torques,
                           LampVector* q, LampVector* v, LampPushes forces) const {
  const Contact contact = {true, kRestingSpeed * h * lamp_.gravity(), kDepthShare / h, placement};
  const Vector3d impulse = Kick(h, placement, *v, torques, contact, *q, forces, h, v);
  *q += h * *v;
  return impulse;
}

Vector3d LampStepper::Midpoint(double h, double whole, const LampPlacement& placement,
                               const HingeTorques& torques, LampVector* q, LampVector* v,
                               const LampPushLaw& forces) const {
  const Contact contact = {false, std::numeric_limits<double>::infinity(), kDepthShare / whole,
                           placement};
  const auto pushes = [&forces](const LampPlacement& at, const LampVector& of_q,
                                const LampVector& of_v) {
    return forces ? forces(at, of_q, of_v) : LampPushes();
  };
  LampVector rates = *v;
  Kick(0.5 * h, placement, *v, torques, contact, *q, pushes(placement, *q, *v), 0.5 * h, &rates);
  const LampVector middle = *q + 0.5 * h * *v, before = *v;
  const LampPlacement there(middle);
  const Vector3d impulse =
      Kick(h, there, rates, torques, contact, *q, pushes(there, middle, rates), h, v);
  *q += 0.5 * h * (before + *v);
  return impulse;
}

Vector3d LampStepper::Impact(const LampPlacement& placement, const LampVector& q,
                             double resting_speed, LampVector* v, LampPushes impulses) const {
  return Kick(0.0, placement, *v, {}, {false, resting_speed, 0.0, placement}, q, impulses, 1.0, v);
}

// u = (sin ψ, cos ψ) along a link and r = (cos ψ, −sin ψ) to its right: u' = r, r' = −u.
LampStepper::Pushed LampStepper::Push(const LampPlacement& placement, LampPushes pushes) const {
  Pushed pushed;
  for (const LampPush& push : pushes) {
    pushed.sum += push.value;
    for (int j = 0; j <= push.link; ++j) {
      const Vector2d u(placement.sine[j], placement.cosine[j]), r(u.y(), -u.x());
      pushed.links[j] += j < push.link ? lamp_.link(j).length * r.dot(push.value)
                                       : (push.local[0] * r - push.local[1] * u).dot(push.value);
    }
  }
  return pushed;
}

Vector3d LampStepper::Kick(double h, const LampPlacement& placement, const LampVector& rates,
                           const HingeTorques& torques, const Contact& contact, const LampVector& q,
                           LampPushes pushes, double push_time, LampVector* v) const {
  const Eigen::Vector4d& s = placement.sine;
  const Eigen::Vector4d& c = placement.cosine;
  const Eigen::Vector4d rate = LinkAngles(rates, 0.0);
  const Eigen::Vector4d rate2 = rate.cwiseAbs2();

  // Links about the centre of mass of the whole, hinges that yield; columns: the free motion and
  // unit impulses F_x, F_y, M_c on the base.
  Eigen::Matrix4d inertia;  // its lower half
  Eigen::Matrix4d columns = Eigen::Matrix4d::Zero();
  for (int j = 0; j < kLampLinks; ++j) {
    inertia(j, j) = lamp_.central_moment(j, j);
    for (int k = 0; k < j; ++k) {
      const double a = lamp_.central_moment(j, k);
      inertia(j, k) = a * (c[j] * c[k] + s[j] * s[k]);
      const double sine = h * a * (s[j] * c[k] - c[j] * s[k]);
      columns(j, 0) -= sine * rate2[k];
      columns(k, 0) += sine * rate2[j];
    }
    const double lever = lamp_.first_moment(j) / lamp_.mass();
    columns(j, 1) = -lever * c[j];
    columns(j, 2) = lever * s[j];
  }
  columns(0, 3) = 1.0;
  for (int i = 0; i < kLampHinges; ++i) {
    columns(i + 1, 0) += h * torques.start[i];
    columns(i, 0) -= h * torques.start[i];
    const double resistance = h * torques.resistance[i];
    inertia(i, i) += resistance;
    inertia(i + 1, i + 1) += resistance;
    inertia(i + 1, i) -= resistance;
  }
  Vector2d pushed = Vector2d::Zero();
  if (!pushes.empty()) {
    const Pushed push = Push(placement, pushes);
    pushed = push_time * push.sum;
    columns.col(0) += push_time * push.links + columns.middleCols<2>(1) * pushed;
  }
  const Eigen::Matrix<double, 4, 3> levers = columns.rightCols<3>();
  const Eigen::Matrix4d changes = inertia.llt().solve(columns);  // of ψ̇

  // The base follows from the links, in translation as the forces on it would.
  Eigen::Vector4d change = changes.col(0);
  Vector3d base_change = levers.transpose() * change;
  for (int j = 0; j < kLampLinks; ++j) {
    const double lever = h * lamp_.first_moment(j) / lamp_.mass() * rate2[j];
    base_change[0] += lever * s[j];
    base_change[1] += lever * c[j];
  }
  base_change[1] -= h * lamp_.gravity();
  base_change.head<2>() += pushed / lamp_.mass();

  Vector3d impulse = Vector3d::Zero();
  if (!ground_.empty()) {
    Eigen::Matrix3d response = levers.transpose() * changes.rightCols<3>();
    response(0, 0) += 1.0 / lamp_.mass();
    response(1, 1) += 1.0 / lamp_.mass();
    const Vector3d before = v->head<3>();
    impulse = Touch(h, contact, placement, q, before, before + base_change, response);
    if (!impulse.isZero(0.0)) {
      base_change += response * impulse;
      change += changes.rightCols<3>() * impulse;
    }
  }
  v->head<3>() += base_change;
  for (int i = 0; i < kLampHinges; ++i) (*v)[3 + i] += change[i + 1] - change[i];
  return impulse;
}

Vector3d LampStepper::Touch(double h, const Contact& contact, const LampPlacement& placement,
                            const LampVector& q, const Vector3d& before, const Vector3d& free,
                            const Eigen::Matrix3d& response) const {
  const double w = lamp_.parameters().half_width;
  BaseContactProblem problem{response, free, {}, {}, {}, 0.0};
  bool clear = true;
  double lowest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? -w : w;
    const Vector2d arm(side * placement.cosine[0], -side * placement.sine[0]);
    const Vector2d turning(arm.y(), -arm.x());  // its velocity per θ̇, clockwise
    const Vector2d end =
        q.head<2>() + side * Vector2d(contact.start.cosine[0], -contact.start.sine[0]);
    const LampFloor* under = Under(end);
    if (under == nullptr) {  // no ground: any velocity is allowed
      const LampFloor& any = ground_.front();
      problem.normal[i] << any.normal, any.normal.dot(turning);
      problem.tangent[i] << any.normal.y(), -any.normal.x(), 0.0;
      problem.least_speed[i] = -kAnySpeed;
      continue;
    }
    const LampFloor& floor = *under;
    const Vector2d tangent(floor.normal.y(), -floor.normal.x());
    problem.normal[i] << floor.normal, floor.normal.dot(turning);
    problem.tangent[i] << tangent, tangent.dot(turning);
    const double gap = floor.Gap(end);
    // If the ends are over different ground, the friction of the nearer one applies.
    if (gap < lowest) {
      lowest = gap;
      problem.friction = floor.friction;
    }
    const double arrival = problem.normal[i].dot(free);
    // Not below the floor within this step, and gradually out of it.
    double least;
    if (contact.reachable) {
      least = gap > 0.0 ? -gap / h : -kDepthShare * gap / h;
    } else if (gap > touching()) {
      least = -kAnySpeed;
    } else {
      least = gap < -touching() ? -contact.depth_rate * gap : 0.0;
    }
    const bool arrives = contact.reachable ? gap + h * arrival < 0.0 : gap <= touching();
    if (floor.restitution > 0.0 && arrives) {
      const double approach = -problem.normal[i].dot(before);
      if (approach > contact.resting_speed) {
        least = std::max(least, floor.restitution * approach);
      }
    }
    problem.least_speed[i] = least;
    clear = clear && arrival >= least;
  }
  return clear ? Vector3d(Vector3d::Zero()) : SolveBaseContact(problem);
}

const LampFloor* LampStepper::Under(const Vector2d& x) const {
  const LampFloor* under = nullptr;
  double nearest = std::numeric_limits<double>::infinity();
  for (const LampFloor& floor : ground_) {
    const double gap = floor.Gap(x);
    if (gap >= nearest) continue;
    if (!floor.endless() && (x.x() < floor.left || x.x() > floor.right || gap < -reach())) continue;
    nearest = gap;
    under = &floor;
  }
  return under;
}

std::array<double, 2> LampStepper::Gaps(const LampPlacement& placement, const LampVector& q) const {
  const double w = lamp_.parameters().half_width;
  const Vector2d along(placement.cosine[0], -placement.sine[0]);
  std::array<double, 2> gaps;
  gaps.fill(std::numeric_limits<double>::infinity());
  for (int i = 0; i < 2; ++i) {
    const Vector2d end = q.head<2>() + (i == 0 ? -w : w) * along;
    if (const LampFloor* floor = Under(end)) gaps[i] = floor->Gap(end);
  }
  return gaps;
}

double LampStepper::Clearance(const LampPlacement& placement, const LampVector& q) const {
  const std::array<double, 2> gaps = Gaps(placement, q);
  return std::min(gaps[0], gaps[1]);
}

}  // namespace pliant::articulated_lamp
