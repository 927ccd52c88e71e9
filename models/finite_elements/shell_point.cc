#include "models/finite_elements/shell_point.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The mixed components count twice: b₁₂ and b₂₁.
const double kTimes[3] = {1.0, 1.0, 2.0};

// The local base of a surface.
struct Base {
  Vector3d normal;                   // a₃
  Eigen::Matrix<double, 3, 2> dual;  // a¹, a²
  double area;                       // |a₁ × a₂|

  explicit Base(const SurfaceDerivatives& z) {
    const Vector3d cross = z.col(0).cross(z.col(1));
    area = cross.norm();
    normal = cross / area;
    dual.col(0) = z.col(1).cross(normal) / area;
    dual.col(1) = normal.cross(z.col(0)) / area;
  }
};

Vector3d Metric(const SurfaceDerivatives& z) {
  return {z.col(0).squaredNorm(), z.col(1).squaredNorm(), z.col(0).dot(z.col(1))};
}

double Determinant(const Vector3d& metric) { return metric(0) * metric(1) - metric(2) * metric(2); }

// M = Σ m^αβ x,αβ.
Vector3d MomentVector(const SurfaceDerivatives& z, const Vector3d& m) {
  return m(0) * z.col(2) + m(1) * z.col(3) + 2.0 * m(2) * z.col(4);
}

// x → axis × x.
Matrix3d Cross(const Vector3d& axis) {
  Matrix3d cross;
  cross << 0.0, -axis.z(), axis.y(), axis.z(), 0.0, -axis.x(), -axis.y(), axis.x(), 0.0;
  return cross;
}

// A discrete gradient of φ = M · (a × b)/|a × b| between two states with columns M, a, b, which
// keeps no momentum: products of differences and means, term by term.
Matrix3d NormalComponentDiscreteGradient(const Matrix3d& y0, const Matrix3d& y1) {
  const Matrix3d mean = 0.5 * (y0 + y1), step = y1 - y0;
  const auto m = mean.col(0), a = mean.col(1), b = mean.col(2);
  const auto dm = step.col(0), da = step.col(1), db = step.col(2);

  // T = M · (a × b), trilinear: ΔT = DT(mean) Δ + ¼ T(ΔM, Δa, Δb).
  Matrix3d of_product;
  of_product.col(0) = a.cross(b) + da.cross(db) / 12.0;
  of_product.col(1) = b.cross(m) + db.cross(dm) / 12.0;
  of_product.col(2) = m.cross(a) + dm.cross(da) / 12.0;

  // J = |a × b|, J² = (a·a)(b·b) − (a·b)².
  const Vector3d cross0 = y0.col(1).cross(y0.col(2)), cross1 = y1.col(1).cross(y1.col(2));
  const double j0 = cross0.norm(), j1 = cross1.norm();
  const double aa = 0.5 * (y0.col(1).squaredNorm() + y1.col(1).squaredNorm());
  const double bb = 0.5 * (y0.col(2).squaredNorm() + y1.col(2).squaredNorm());
  const double ab = 0.5 * (y0.col(1).dot(y0.col(2)) + y1.col(1).dot(y1.col(2)));
  const double product = 0.5 * (y0.col(0).dot(cross0) + y1.col(0).dot(cross1));
  const double inverse = 0.5 * (1.0 / j0 + 1.0 / j1);
  // Δ(1/J) = −Δ(J²)/(J₀ J₁ (J₀ + J₁)).
  const double of_square = -product / (j0 * j1 * (j0 + j1));

  Matrix3d g = inverse * of_product;
  g.col(1) += of_square * 2.0 * (bb * a - ab * b);
  g.col(2) += of_square * 2.0 * (aa * b - ab * a);
  return g;
}

// The discrete gradient of φ = M · a₃ that keeps angular momentum; columns M, a₁, a₂.
Matrix3d NormalComponentObjectiveGradient(const Matrix3d& y0, const Matrix3d& y1) {
  const Matrix3d mean = 0.5 * (y0 + y1), step = y1 - y0;
  Matrix3d inertia = Matrix3d::Zero();
  Vector3d turned = Vector3d::Zero();
  double share[3] = {0.0, 0.0, 0.0};
  for (int c = 1; c < 3; ++c) {
    const Vector3d a = mean.col(c);
    share[c] = 1.0 / a.squaredNorm();
    inertia += Matrix3d::Identity() - share[c] * a * a.transpose();
    turned += share[c] * a.cross(step.col(c));
  }
  const Matrix3d inverse_inertia = inertia.inverse();
  const Vector3d w = inverse_inertia * turned;
  const Vector3d u = 0.5 * w;
  const Matrix3d back =  // (1 + ŵ/2)⁻¹
      (Matrix3d::Identity() + u * u.transpose() - Cross(u)) / (1.0 + u.squaredNorm());
  const Matrix3d zeta = step - Cross(w) * mean;
  Matrix3d g = back.transpose() * NormalComponentDiscreteGradient(y0, y0 + back * zeta);
  const Vector3d moment =
      mean.col(0).cross(g.col(0)) + mean.col(1).cross(g.col(1)) + mean.col(2).cross(g.col(2));
  const Vector3d lambda = inverse_inertia * moment;
  for (int c = 1; c < 3; ++c) {
    const Vector3d a = mean.col(c);
    g.col(c) -= share[c] * lambda.cross(a);
  }
  return g;
}

}  // namespace

ShellPoint::ShellPoint(const SurfaceDerivatives& rest, double weight, double youngs_modulus,
                       double poisson_ratio, double thickness)
    : metric(Metric(rest)), bending(thickness * thickness / 12.0) {
  const Base base(rest);
  for (int i = 0; i < 3; ++i) curvature(i) = base.normal.dot(rest.col(2 + i));
  const Eigen::Matrix2d inverse = base.dual.transpose() * base.dual;  // A^αβ
  const int alpha[3] = {0, 1, 0}, beta[3] = {0, 1, 1};
  const double nu = poisson_ratio;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int a = alpha[i], b = beta[i], c = alpha[j], d = beta[j];
      stiffness(i, j) =
          nu * inverse(a, b) * inverse(c, d) +
          0.5 * (1.0 - nu) * (inverse(a, c) * inverse(b, d) + inverse(a, d) * inverse(b, c));
    }
  }
  stiffness *= youngs_modulus / (1.0 - nu * nu) * thickness * weight * base.area;
}

ShellStress StressOf(const ShellPoint& point, const SurfaceDerivatives& z) {
  const Base base(z);
  ShellStress stress;
  const Vector3d difference = Metric(z) - point.metric;
  stress.membrane_strain << 0.5 * difference(0), 0.5 * difference(1), difference(2);
  for (int i = 0; i < 3; ++i) {
    stress.curvature_change(i) = kTimes[i] * (point.curvature(i) - base.normal.dot(z.col(2 + i)));
  }
  stress.n = point.stiffness * stress.membrane_strain;
  stress.m = point.bending * point.stiffness * stress.curvature_change;
  return stress;
}

ShellStress Mean(const ShellStress& a, const ShellStress& b) {
  return {0.5 * (a.membrane_strain + b.membrane_strain),
          0.5 * (a.curvature_change + b.curvature_change), 0.5 * (a.n + b.n), 0.5 * (a.m + b.m)};
}

double ShellEnergy(const ShellPoint& point, const SurfaceDerivatives& z) {
  const ShellStress stress = StressOf(point, z);
  return 0.5 * (stress.n.dot(stress.membrane_strain) + stress.m.dot(stress.curvature_change));
}

SurfaceDerivatives ShellGradient(const SurfaceDerivatives& z, const ShellStress& stress) {
  const Base base(z);
  const Vector3d moment = MomentVector(z, stress.m);
  SurfaceDerivatives g;
  g.col(0) =
      stress.n(0) * z.col(0) + stress.n(2) * z.col(1) + moment.dot(base.dual.col(0)) * base.normal;
  g.col(1) =
      stress.n(1) * z.col(1) + stress.n(2) * z.col(0) + moment.dot(base.dual.col(1)) * base.normal;
  for (int i = 0; i < 3; ++i) g.col(2 + i) = -kTimes[i] * stress.m(i) * base.normal;
  return g;
}

SurfaceTangent ShellTangent(const ShellPoint& point, const SurfaceDerivatives& z,
                            const ShellStress& stress) {
  const Base base(z);
  const Vector3d& normal = base.normal;
  const Vector3d moment = MomentVector(z, stress.m);
  SurfaceTangent h;

  // Material part of the bending: (a₃ a₃ᵀ) times the coefficients of δκ, which is along a₃.
  Eigen::Matrix<double, 3, 5> of_kappa = Eigen::Matrix<double, 3, 5>::Zero();
  for (int i = 0; i < 3; ++i) {
    of_kappa.row(i).head<2>() = kTimes[i] * z.col(2 + i).transpose() * base.dual;
    of_kappa(i, 2 + i) = -kTimes[i];
  }
  Eigen::Matrix<double, 5, 5> along_normal =
      of_kappa.transpose() * (point.bending * point.stiffness) * of_kappa;
  // Its geometric part along a₃ a₃ᵀ.
  const Eigen::Matrix2d inverse = base.dual.transpose() * base.dual;
  along_normal.topLeftCorner<2, 2>() += moment.dot(normal) * inverse;
  const Matrix3d normals = normal * normal.transpose();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) h.block<3, 3>(3 * i, 3 * j) = along_normal(i, j) * normals;
  }

  // The rest of the geometric part of the bending.
  const Eigen::Vector2d mu = base.dual.transpose() * moment;
  for (int a = 0; a < 2; ++a) {
    const Matrix3d dual_normal = base.dual.col(a) * normal.transpose();  // a^α a₃ᵀ
    for (int b = 0; b < 2; ++b) {
      h.block<3, 3>(3 * a, 3 * b) -= mu(b) * dual_normal.transpose();
      h.block<3, 3>(3 * b, 3 * a) -= mu(b) * dual_normal;
    }
    for (int i = 0; i < 3; ++i) {
      const double factor = kTimes[i] * stress.m(i);
      h.block<3, 3>(6 + 3 * i, 3 * a) += factor * dual_normal;
      h.block<3, 3>(3 * a, 6 + 3 * i) += factor * dual_normal.transpose();
    }
  }

  // Membrane.
  Eigen::Matrix<double, 3, 6> of_epsilon = Eigen::Matrix<double, 3, 6>::Zero();
  of_epsilon.block<1, 3>(0, 0) = z.col(0).transpose();
  of_epsilon.block<1, 3>(1, 3) = z.col(1).transpose();
  of_epsilon.block<1, 3>(2, 0) = z.col(1).transpose();
  of_epsilon.block<1, 3>(2, 3) = z.col(0).transpose();
  h.topLeftCorner<6, 6>() += of_epsilon.transpose() * point.stiffness * of_epsilon;
  for (int axis = 0; axis < 3; ++axis) {
    h(axis, axis) += stress.n(0);
    h(3 + axis, 3 + axis) += stress.n(1);
    h(axis, 3 + axis) += stress.n(2);
    h(3 + axis, axis) += stress.n(2);
  }
  return h;
}

namespace {

// n : Δε + m : Δκ = (what is returned) · (z₁ − z₀), without moment.
SurfaceDerivatives DiscreteForce(const Vector3d& n, const Vector3d& m, const SurfaceDerivatives& z0,
                                 const SurfaceDerivatives& z1) {
  const SurfaceDerivatives mean = 0.5 * (z0 + z1);
  Matrix3d y0, y1;
  y0 << MomentVector(z0, m), z0.leftCols<2>();
  y1 << MomentVector(z1, m), z1.leftCols<2>();
  const Matrix3d of_phi = NormalComponentObjectiveGradient(y0, y1);  // κ = B − b: with −1
  SurfaceDerivatives g;
  g.col(0) = n(0) * mean.col(0) + n(2) * mean.col(1) - of_phi.col(1);
  g.col(1) = n(1) * mean.col(1) + n(2) * mean.col(0) - of_phi.col(2);
  for (int i = 0; i < 3; ++i) g.col(2 + i) = -kTimes[i] * m(i) * of_phi.col(0);
  return g;
}

}  // namespace

SurfaceDerivatives ShellDiscreteGradient(const ShellPoint& point, const SurfaceDerivatives& z0,
                                         const SurfaceDerivatives& z1) {
  const ShellStress mean = Mean(StressOf(point, z0), StressOf(point, z1));
  return DiscreteForce(mean.n, mean.m, z0, z1);
}

SurfaceDerivatives ShellViscousForce(const ShellPoint& point, const SurfaceDerivatives& z0,
                                     const SurfaceDerivatives& z1, double factor) {
  const ShellStress s0 = StressOf(point, z0), s1 = StressOf(point, z1);
  return DiscreteForce(factor * (s1.n - s0.n), factor * (s1.m - s0.m), z0, z1);
}

double AreaRatio(const ShellPoint& point, const SurfaceDerivatives& z) {
  return std::sqrt(Determinant(Metric(z)) / Determinant(point.metric));
}

}  // namespace pliant::finite_elements
