#include "solvers/displacement/corrector.h"

#include <cmath>

#include "models/displacement_constraints/rotation.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

}  // namespace

Corrector::Corrector(const SegmentNet& net, const SegmentGeometry& geometry,
                     const Correction& correction, Eigen::Matrix3Xd* centres,
                     Eigen::Matrix3Xd* axes)
    : net_(net),
      correction_(correction),
      arms_(geometry.arms.data()),
      inverse_masses_(net.inverse_masses().data()),
      inverse_inertias_(geometry.inverse_inertias.data()),
      centres_(*centres),
      axes_(*axes) {}

Vector3d Corrector::Endpoint(int endpoint) const {
  const int s = endpoint / 2;
  return centres_.col(s) + arms_[endpoint] * axes_.col(s);
}

Vector3d Corrector::Point(int point) const {
  const auto incident = net_.Incident(point);
  Vector3d sum = Endpoint(incident[0]);
  for (size_t i = 1; i < incident.size(); ++i) sum += Endpoint(incident[i]);
  return sum / static_cast<double>(incident.size());
}

Vector3d Corrector::Point(const WeightedPoint& point) const {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < point.count; ++i) sum += point.weight[i] * Point(point.point[i]);
  return sum;
}

// −[r]ₓ J⁻¹ [r]ₓ = arm² J⁻¹ (1 − u uᵀ).
double Corrector::Turning(int endpoint) const {
  return arms_[endpoint] * arms_[endpoint] * inverse_inertias_[endpoint / 2];
}

// ΔU is at right angles to the axis, so that u turns by |ΔU| towards ΔU × u.
void Corrector::Displace(int endpoint, const Vector3d& translation_impulse,
                         const Vector3d& rotation_impulse) {
  const int s = endpoint / 2;
  centres_.col(s) += inverse_masses_[s] * translation_impulse;
  const Vector3d u = axes_.col(s);
  const Vector3d towards =
      (inverse_inertias_[s] * arms_[endpoint]) * (rotation_impulse - rotation_impulse.dot(u) * u);
  const TurnFactors turn = FactorsOfTurn(towards.squaredNorm());
  axes_.col(s) = turn.cosine * u + turn.sinc * towards;
}

void Corrector::ClosePair(int first, int second) {
  const Vector3d d = Endpoint(second) - Endpoint(first);
  if (d.isZero(0.0)) return;
  const double translating = inverse_masses_[first / 2] + inverse_masses_[second / 2];
  if (correction_.rule == CorrectionRule::kSource) {
    const Vector3d translation = (correction_.translation_factor / translating) * d;
    const Vector3d rotation = (correction_.rotation_factor / translating) * d;
    Displace(first, translation, rotation);
    Displace(second, -translation, -rotation);
    return;
  }
  // W₁ + W₂ = a − c₁ u₁u₁ᵀ − c₂ u₂u₂ᵀ: the parts y_i = u_i·p of its solution come from
  //   (a − c₁) y₁ − c₂ g y₂ = u₁·d,   −c₁ g y₁ + (a − c₂) y₂ = u₂·d,   g = u₁·u₂.
  const Vector3d u1 = axes_.col(first / 2), u2 = axes_.col(second / 2);
  const double c1 = Turning(first), c2 = Turning(second);
  const double a = translating + c1 + c2, g = u1.dot(u2);
  const double d1 = u1.dot(d), d2 = u2.dot(d);
  const double determinant = (a - c1) * (a - c2) - c1 * c2 * g * g;
  const double y1 = ((a - c2) * d1 + c2 * g * d2) / determinant;
  const double y2 = ((a - c1) * d2 + c1 * g * d1) / determinant;
  const Vector3d p = (d + (c1 * y1) * u1 + (c2 * y2) * u2) / a;
  Displace(first, p, p);
  Displace(second, -p, -p);
}

void Corrector::SweepJoints() {
  for (int p = 0; p < net_.points(); ++p) {
    const auto incident = net_.Incident(p);
    for (size_t i = 1; i < incident.size(); ++i) ClosePair(incident[i - 1], incident[i]);
  }
}

Matrix3d Corrector::Mobility(int point) const {
  const auto incident = net_.Incident(point);
  Matrix3d sum = Matrix3d::Zero();
  for (const int e : incident) {
    if (correction_.rule == CorrectionRule::kCorrected) {
      const Vector3d u = axes_.col(e / 2);
      sum -= (Turning(e) * u) * u.transpose();
    }
  }
  sum /= static_cast<double>(incident.size() * incident.size());
  sum.diagonal().array() += LargestMobility(point);
  return sum;
}

double Corrector::LargestMobility(int point) const {
  const auto incident = net_.Incident(point);
  double sum = 0.0;
  for (const int e : incident) {
    sum += inverse_masses_[e / 2];
    if (correction_.rule == CorrectionRule::kCorrected) sum += Turning(e);
  }
  return sum / static_cast<double>(incident.size() * incident.size());
}

Matrix3d Corrector::Mobility(const WeightedPoint& point) const {
  if (point.count == 1) return point.weight[0] * point.weight[0] * Mobility(point.point[0]);
  return LargestMobility(point) * Matrix3d::Identity();
}

double Corrector::LargestMobility(const WeightedPoint& point) const {
  // |Σ w_i w_j d·W_ij d| ≤ (Σ w_i √(d·W_ii d))², the mobility of all points being positive
  // definite.
  double sum = 0.0;
  for (int i = 0; i < point.count; ++i) {
    sum += point.weight[i] * std::sqrt(LargestMobility(point.point[i]));
  }
  return sum * sum;
}

void Corrector::Push(int point, const Vector3d& impulse) {
  const auto incident = net_.Incident(point);
  Vector3d translation = impulse / static_cast<double>(incident.size());
  Vector3d rotation = translation;
  if (correction_.rule == CorrectionRule::kSource) {
    translation *= correction_.translation_factor;
    rotation *= correction_.rotation_factor;
  }
  for (const int e : incident) Displace(e, translation, rotation);
}

void Corrector::Push(const WeightedPoint& point, const Vector3d& impulse) {
  for (int i = 0; i < point.count; ++i) Push(point.point[i], point.weight[i] * impulse);
}

void Corrector::NormaliseAxes() {
  for (Eigen::Index s = 0; s < axes_.cols(); ++s) axes_.col(s).normalize();
}

}  // namespace pliant
