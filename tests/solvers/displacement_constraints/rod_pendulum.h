// A pendulum of rigid links in a plane, in the angles of its links: what a chain on a nail must
// come to. It shares nothing with the method under test.
//
// Link i hangs at the angle θ_i from the vertical, has length ℓ_i, mass m_i, its centre at f_i ℓ_i
// and the inertia J_i about it. With c_ia = ℓ_a for a < i, f_i ℓ_i for a = i and 0 beyond, the
// centre is G_i = Σ_a c_ia (sin θ_a, −cos θ_a). With S_ab = Σ_i m_i c_ia c_ib, Lagrange's equations
// are
//
//   Σ_b (S_ab cos(θ_a − θ_b) + J_a δ_ab) θ̈_b
//       = −Σ_b S_ab sin(θ_a − θ_b) θ̇_b² − g Σ_i m_i c_ia sin θ_a

#ifndef PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_ROD_PENDULUM_H_
#define PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_ROD_PENDULUM_H_

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace pliant::displacement_constraints {

struct Link {
  double length, mass;  // m, kg
  double centre;        // f, fraction of the length
  double inertia;       // about the centre [kg m²]
};

class RodPendulum {
 public:
  // At rest at these angles; gravity g [m/s²].
  RodPendulum(const std::vector<Link>& links, const Eigen::VectorXd& angles, double g)
      : links_(links), g_(g), angles_(angles), rates_(Eigen::VectorXd::Zero(angles.size())) {
    const auto n = static_cast<Eigen::Index>(links.size());
    reach_ = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index a = 0; a < i; ++a) reach_(i, a) = links[a].length;
      reach_(i, i) = links[i].centre * links[i].length;
    }
  }

  // Runge–Kutta of order 4.
  void Advance(double duration, int steps) {
    const double h = duration / steps;
    for (int s = 0; s < steps; ++s) {
      const Eigen::VectorXd a1 = Accelerations(angles_, rates_);
      const Eigen::VectorXd q2 = angles_ + 0.5 * h * rates_, v2 = rates_ + 0.5 * h * a1;
      const Eigen::VectorXd a2 = Accelerations(q2, v2);
      const Eigen::VectorXd q3 = angles_ + 0.5 * h * v2, v3 = rates_ + 0.5 * h * a2;
      const Eigen::VectorXd a3 = Accelerations(q3, v3);
      const Eigen::VectorXd q4 = angles_ + h * v3, v4 = rates_ + h * a3;
      const Eigen::VectorXd a4 = Accelerations(q4, v4);
      angles_ += h / 6.0 * (rates_ + 2.0 * v2 + 2.0 * v3 + v4);
      rates_ += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
  }

  // Joints and the free end, 3×(links + 1); the nail at the origin, y up.
  Eigen::Matrix3Xd Points() const {
    Eigen::Matrix3Xd points = Eigen::Matrix3Xd::Zero(3, angles_.size() + 1);
    for (Eigen::Index i = 0; i < angles_.size(); ++i) {
      points.col(i + 1) =
          points.col(i) +
          links_[i].length * Eigen::Vector3d(std::sin(angles_[i]), -std::cos(angles_[i]), 0);
    }
    return points;
  }

  double Energy() const {
    double energy = 0.0;
    for (Eigen::Index i = 0; i < angles_.size(); ++i) {
      Eigen::Vector2d centre = Eigen::Vector2d::Zero(), velocity = Eigen::Vector2d::Zero();
      for (Eigen::Index a = 0; a <= i; ++a) {
        const Eigen::Vector2d u(std::sin(angles_[a]), -std::cos(angles_[a]));
        centre += reach_(i, a) * u;
        velocity += reach_(i, a) * rates_[a] * Eigen::Vector2d(-u.y(), u.x());
      }
      energy += 0.5 * links_[i].mass * velocity.squaredNorm() +
                0.5 * links_[i].inertia * rates_[i] * rates_[i] + links_[i].mass * g_ * centre.y();
    }
    return energy;
  }

 private:
  Eigen::VectorXd Accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v) const {
    const Eigen::Index n = q.size();
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd force = Eigen::VectorXd::Zero(n);
    for (Eigen::Index a = 0; a < n; ++a) {
      mass(a, a) += links_[a].inertia;
      for (Eigen::Index i = 0; i < n; ++i) {
        force[a] -= g_ * links_[i].mass * reach_(i, a) * std::sin(q[a]);
        for (Eigen::Index b = 0; b < n; ++b) {
          const double s = links_[i].mass * reach_(i, a) * reach_(i, b);
          mass(a, b) += s * std::cos(q[a] - q[b]);
          force[a] -= s * std::sin(q[a] - q[b]) * v[b] * v[b];
        }
      }
    }
    return mass.ldlt().solve(force);
  }

  std::vector<Link> links_;
  double g_;
  Eigen::MatrixXd reach_;  // c
  Eigen::VectorXd angles_, rates_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_TESTS_SOLVERS_DISPLACEMENT_CONSTRAINTS_ROD_PENDULUM_H_
