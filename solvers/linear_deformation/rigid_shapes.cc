#include "solvers/linear_deformation/rigid_shapes.h"

#include <algorithm>
#include <cmath>

namespace pliant::linear_deformation {

using Eigen::Matrix3d;
using Eigen::VectorXd;

namespace {

// Directions in which held points leave a shape less freedom than this fraction are left to them.
constexpr double kDetermined = 1e-10;

}  // namespace

RigidShapes::RigidShapes(const Scene& scene, const std::vector<LinearBody>& bodies,
                         const std::vector<int>& first)
    : dimension_(scene.dimension) {
  for (size_t b = 0; b < bodies.size(); ++b) {
    const int axes = bodies[b].material_dimension();
    if (!scene.bodies[b].rigid || axes == 0) continue;
    shapes_.push_back({first[b], bodies[b].columns(), bodies[b].frame().extent.cwiseInverse(),
                       bodies[b].inverse_mass()});
    rows_ += shapes_.back().rows();
  }
  const VectorXd zero = VectorXd::Zero(rows_);
  wanted_ = rates_ = unit_ = scale_ = zero;
  matrix_.setZero(rows_, rows_);
  column_.setZero(first.back());
  held_ = column_;
}

Matrix3d RigidShapes::GradientOf(const Shape& shape, const VectorXd& z) const {
  Matrix3d m = Matrix3d::Zero();
  for (int s = 0; s < shape.axes(); ++s) {
    for (int r = 0; r < dimension_; ++r) {
      m(r, s) = shape.scale[s] * z[shape.first + r * shape.columns + 1 + s];
    }
  }
  return m;
}

void RigidShapes::Rates(const Shape& shape, const Matrix3d& m, const Matrix3d& m_dot,
                        double* rates) const {
  for (int s = 0; s < shape.axes(); ++s) {
    for (int u = s; u < shape.axes(); ++u) {
      *rates++ = 0.5 * (m_dot.col(s).dot(m.col(u)) + m.col(s).dot(m_dot.col(u)));
    }
  }
}

void RigidShapes::AddForce(const Shape& shape, const Matrix3d& m, const double* multipliers,
                           VectorXd* z) const {
  Matrix3d stress = Matrix3d::Zero();
  for (int s = 0; s < shape.axes(); ++s) {
    for (int u = s; u < shape.axes(); ++u) {
      stress(s, u) += 0.5 * *multipliers;
      stress(u, s) += 0.5 * *multipliers++;
    }
  }
  const Matrix3d force = m * stress;  // on the columns of m
  for (int s = 0; s < shape.columns; ++s) {
    for (int u = 0; u < shape.axes(); ++u) {
      const double response = shape.inverse_mass(s, 1 + u) * shape.scale[u];
      for (int r = 0; r < dimension_; ++r) {
        (*z)[shape.first + r * shape.columns + s] += response * force(r, u);
      }
    }
  }
}

void RigidShapes::AddForces(const VectorXd& q, const VectorXd& multipliers, VectorXd* z) {
  const double* of_shape = multipliers.data();
  for (const Shape& shape : shapes_) {
    AddForce(shape, GradientOf(shape, q), of_shape, z);
    of_shape += shape.rows();
  }
}

void RigidShapes::AllRates(const VectorXd& q, const VectorXd& z, VectorXd* rates) const {
  double* of_shape = rates->data();
  for (const Shape& shape : shapes_) {
    Rates(shape, GradientOf(shape, q), GradientOf(shape, z), of_shape);
    of_shape += shape.rows();
  }
}

void RigidShapes::Factor(const VectorXd& q, const PointConstraints& points,
                         PointConstraints::Workspace* workspace) {
  if (factored_at_.size() > 0 && factored_at_ == q) return;
  factored_at_ = q;
  for (int row = 0; row < rows_; ++row) {
    unit_.setZero();
    unit_[row] = 1.0;
    column_.setZero();
    AddForces(q, unit_, &column_);
    AllRates(q, column_, &rates_);
    scale_[row] = 1.0 / std::sqrt(rates_[row]);  // as if no point were held
    if (!points.empty()) {
      points.TakeAwayRates(&column_, workspace);
      AllRates(q, column_, &rates_);
    }
    matrix_.col(row) = rates_;
  }
  for (int row = 0; row < rows_; ++row) matrix_.col(row) *= scale_[row];
  for (int row = 0; row < rows_; ++row) matrix_.row(row) *= scale_[row];
  spectrum_.compute(matrix_);
}

void RigidShapes::Solve(const VectorXd& q, const PointConstraints& points,
                        PointConstraints::Workspace* workspace, VectorXd* wanted) {
  Factor(q, points, workspace);
  *wanted = wanted->cwiseProduct(scale_);
  unit_.noalias() = spectrum_.eigenvectors().transpose() * *wanted;
  for (int i = 0; i < rows_; ++i) {
    const double value = spectrum_.eigenvalues()[i];
    unit_[i] = value < kDetermined ? 0.0 : unit_[i] / value;
  }
  wanted->noalias() = spectrum_.eigenvectors() * unit_;
  *wanted = wanted->cwiseProduct(scale_);
}

void RigidShapes::Constrain(double t, const VectorXd& q, const VectorXd& v,
                            const FeedbackOptions& feedback, const PointConstraints& points,
                            PointConstraints::Workspace* workspace, VectorXd* a) {
  held_ = *a;
  if (!points.empty()) {
    Exchange unused;
    points.Constrain(t, q, v, feedback, &held_, workspace, &unused);
  }
  const double omega = feedback.frequency, zeta = feedback.damping_ratio;
  AllRates(q, held_, &wanted_);
  AllRates(q, v, &rates_);
  wanted_ += 2.0 * zeta * omega * rates_;
  double* wanted = wanted_.data();
  for (const Shape& shape : shapes_) {
    const Matrix3d m = GradientOf(shape, q), m_dot = GradientOf(shape, v);
    for (int s = 0; s < shape.axes(); ++s) {
      for (int u = s; u < shape.axes(); ++u) {
        const double c = 0.5 * (m.col(s).dot(m.col(u)) - (s == u ? 1.0 : 0.0));
        *wanted++ += m_dot.col(s).dot(m_dot.col(u)) + omega * omega * c;
      }
    }
  }
  wanted_ = -wanted_;
  Solve(q, points, workspace, &wanted_);
  AddForces(q, wanted_, a);
}

void RigidShapes::ConstrainChange(const VectorXd& q, const PointConstraints& points,
                                  PointConstraints::Workspace* workspace, VectorXd* change) {
  held_ = *change;
  if (!points.empty()) points.TakeAwayRates(&held_, workspace);
  AllRates(q, held_, &wanted_);
  wanted_ = -wanted_;
  Solve(q, points, workspace, &wanted_);
  AddForces(q, wanted_, change);
}

void RigidShapes::MatchVelocities(const VectorXd& q, const PointConstraints& points,
                                  PointConstraints::Workspace* workspace, VectorXd* v) {
  AllRates(q, *v, &wanted_);
  wanted_ = -wanted_;
  Solve(q, points, workspace, &wanted_);
  column_.setZero();
  AddForces(q, wanted_, &column_);
  if (!points.empty()) points.TakeAwayRates(&column_, workspace);
  *v += column_;
}

}  // namespace pliant::linear_deformation
