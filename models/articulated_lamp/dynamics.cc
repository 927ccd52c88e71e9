#include "models/articulated_lamp/dynamics.h"

#include <Eigen/Cholesky>

namespace pliant::articulated_lamp {
namespace {

// Forces of (θ, φ) from moments G on the links, and columns by (θ, φ) from columns by ψ: both are
// sums over the links from j outwards.
template <typename Derived>
void SumOutwards(Eigen::MatrixBase<Derived>& columns) {
  for (int j = kLampLinks - 2; j >= 0; --j) columns.derived().col(j) += columns.col(j + 1);
}

// The 6×6 derivative with respect to (x, y, θ, φ) from its parts with respect to (x, y, ψ):
// `force` rows F, `moment` rows G.
void Assemble(const Eigen::Matrix<double, 2, 4>& force_by_angle,
              const Eigen::Matrix4d& moment_by_angle, LampMatrix* result) {
  Eigen::Matrix<double, 2, 4> force = force_by_angle;
  SumOutwards(force);
  Eigen::Matrix4d moment = moment_by_angle;
  SumOutwards(moment);
  for (int j = kLampLinks - 2; j >= 0; --j) moment.row(j) += moment.row(j + 1);
  result->topRightCorner<2, 4>() = force;
  result->bottomRightCorner<4, 4>() = moment;
}

struct Trigonometry {
  Eigen::Vector4d sine, cosine;
  explicit Trigonometry(const LampVector& q) {
    const Eigen::Vector4d psi = LinkAngles(q);
    for (int j = 0; j < kLampLinks; ++j) {
      sine[j] = std::sin(psi[j]);
      cosine[j] = std::cos(psi[j]);
    }
  }
  double CosineOf(int j, int k) const { return cosine[j] * cosine[k] + sine[j] * sine[k]; }
  double SineOf(int j, int k) const { return sine[j] * cosine[k] - cosine[j] * sine[k]; }
};

}  // namespace

LampVector InverseDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                           const LampVector& acceleration) {
  return InverseDynamics<double>(lamp, q, v, acceleration, lamp.gravity());
}

void InverseDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                     const LampVector& acceleration, double gravity,
                     InverseDynamicsJacobian* result) {
  const Trigonometry trig(q);
  const Eigen::Vector4d& s = trig.sine;
  const Eigen::Vector4d& c = trig.cosine;
  const Eigen::Vector4d rate = LinkAngles(v, 0.0), spin = LinkAngles(acceleration, 0.0);
  const double lift_x = acceleration[0], lift_y = acceleration[1] + gravity;

  LampVector force;
  Eigen::Matrix<double, 2, 4> force_psi, force_rate, force_spin;
  Eigen::Matrix4d moment_psi, moment_rate, moment_spin;
  force.head<2>() << lamp.mass() * lift_x, lamp.mass() * lift_y;
  for (int j = 0; j < kLampLinks; ++j) {
    const double b = lamp.first_moment(j), rate2 = rate[j] * rate[j];
    const double along_x = b * (c[j] * spin[j] - s[j] * rate2);
    const double along_y = -b * (s[j] * spin[j] + c[j] * rate2);
    force[0] += along_x;
    force[1] += along_y;
    force_spin.col(j) << b * c[j], -b * s[j];
    force_rate.col(j) << -2.0 * b * s[j] * rate[j], -2.0 * b * c[j] * rate[j];
    force_psi.col(j) << along_y, -along_x;  // turning the link by 90° turns its force by 90°
  }
  for (int j = 0; j < kLampLinks; ++j) {
    const double b = lamp.first_moment(j);
    double moment = b * (c[j] * lift_x - s[j] * lift_y);
    double moment_by_own = -b * (s[j] * lift_x + c[j] * lift_y);  // ∂G_j/∂ψ_j
    for (int k = 0; k < kLampLinks; ++k) {
      const double a = lamp.second_moment(j, k);
      const double cosine = a * trig.CosineOf(j, k), sine = a * trig.SineOf(j, k);
      const double rate2 = rate[k] * rate[k];
      const double by_difference = cosine * rate2 - sine * spin[k];  // ∂/∂(ψ_j − ψ_k)
      moment += cosine * spin[k] + sine * rate2;
      moment_spin(j, k) = cosine;
      moment_rate(j, k) = 2.0 * sine * rate[k];
      moment_psi(j, k) = -by_difference;
      moment_by_own += by_difference;
    }
    moment_psi(j, j) += moment_by_own;
    force[2 + j] = moment;
  }
  for (int j = kLampLinks - 2; j >= 0; --j) force[2 + j] += force[3 + j];

  result->force = force;
  result->by_position.setZero();
  result->by_velocity.setZero();
  Assemble(force_psi, moment_psi, &result->by_position);
  Assemble(force_rate, moment_rate, &result->by_velocity);
  Assemble(force_spin, moment_spin, &result->by_acceleration);
  result->by_acceleration.topLeftCorner<2, 2>() = lamp.mass() * Eigen::Matrix2d::Identity();
  result->by_acceleration.bottomLeftCorner<4, 2>() =
      result->by_acceleration.topRightCorner<2, 4>().transpose();
}

LampMatrix MassMatrix(const Lamp& lamp, const LampVector& q) {
  const Trigonometry trig(q);
  Eigen::Matrix<double, 2, 4> force;
  Eigen::Matrix4d moment;
  for (int j = 0; j < kLampLinks; ++j) {
    force.col(j) = lamp.first_moment(j) * Eigen::Vector2d(trig.cosine[j], -trig.sine[j]);
    for (int k = 0; k < kLampLinks; ++k) {
      moment(j, k) = lamp.second_moment(j, k) * trig.CosineOf(j, k);
    }
  }
  LampMatrix mass;
  Assemble(force, moment, &mass);
  mass.topLeftCorner<2, 2>() = lamp.mass() * Eigen::Matrix2d::Identity();
  mass.bottomLeftCorner<4, 2>() = mass.topRightCorner<2, 4>().transpose();
  return mass;
}

LampVector ForwardDynamics(const Lamp& lamp, const LampVector& q, const LampVector& v,
                           const LampVector& force) {
  // Eliminating p̈ leaves the motion about the centre of mass, where gravity has no lever:
  //   Σ_k (A_jk − B_j B_k/m) [cos(ψ_j − ψ_k) ψ̈_k + sin(ψ_j − ψ_k) ψ̇_k²] = G_j − B_j u'_j · F/m .
  const Trigonometry trig(q);
  const Eigen::Vector4d rate = LinkAngles(v, 0.0);
  Eigen::Matrix4d inertia;
  Eigen::Vector4d moment;
  for (int j = 0; j < kLampLinks; ++j) {
    const double outboard = j + 1 < kLampLinks ? force[3 + j] : 0.0;
    moment[j] =
        force[2 + j] - outboard -
        lamp.first_moment(j) / lamp.mass() * (trig.cosine[j] * force[0] - trig.sine[j] * force[1]);
    for (int k = 0; k < kLampLinks; ++k) {
      inertia(j, k) = lamp.central_moment(j, k) * trig.CosineOf(j, k);
      moment[j] -= lamp.central_moment(j, k) * trig.SineOf(j, k) * rate[k] * rate[k];
    }
  }
  const Eigen::Vector4d spin = inertia.llt().solve(moment);

  LampVector acceleration;
  acceleration.head<2>() = force.head<2>();
  for (int j = 0; j < kLampLinks; ++j) {
    const double rate2 = rate[j] * rate[j];
    acceleration[0] -= lamp.first_moment(j) * (trig.cosine[j] * spin[j] - trig.sine[j] * rate2);
    acceleration[1] += lamp.first_moment(j) * (trig.sine[j] * spin[j] + trig.cosine[j] * rate2);
  }
  acceleration.head<2>() /= lamp.mass();
  acceleration[1] -= lamp.gravity();
  acceleration[2] = spin[0];
  for (int j = 1; j < kLampLinks; ++j) acceleration[2 + j] = spin[j] - spin[j - 1];
  return acceleration;
}

StanceMotion StanceDynamics(const Lamp& lamp, const LampVector& q, const LampAngles& rates,
                            const LampAngles& torques) {
  const LampMatrix mass = MassMatrix(lamp, q);
  LampVector v = LampVector::Zero();
  v.tail<3>() = rates;
  const LampVector bias = InverseDynamics(lamp, q, v, LampVector::Zero());  // h(q, q̇)
  StanceMotion motion;
  motion.acceleration = mass.bottomRightCorner<3, 3>().llt().solve(torques - bias.tail<3>());
  motion.contact = mass.topRightCorner<3, 3>() * motion.acceleration + bias.head<3>();
  return motion;
}

Impact PlasticImpact(const Lamp& lamp, const LampVector& q, const LampVector& velocity_before) {
  const LampMatrix mass = MassMatrix(lamp, q);
  // Hinge rows of M Δv = (Λ; 0) with Δv = (−v_base; Δφ̇).
  const LampAngles change = mass.bottomRightCorner<3, 3>().llt().solve(
      mass.bottomLeftCorner<3, 3>() * velocity_before.head<3>());
  Impact impact;
  impact.rates = velocity_before.tail<3>() + change;
  impact.impulse =
      mass.topRightCorner<3, 3>() * change - mass.topLeftCorner<3, 3>() * velocity_before.head<3>();
  return impact;
}

}  // namespace pliant::articulated_lamp
