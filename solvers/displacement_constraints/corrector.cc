#include "solvers/displacement_constraints/corrector.h"

#include <cmath>

#include "models/geometry/rotation.h"

namespace pliant::displacement_constraints {
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
void Corrector::Move(int segment, const Vector3d& by, const Vector3d& towards) {
  centres_.col(segment) += by;
  const TurnFactors turn = FactorsOfTurn(towards.squaredNorm());
  axes_.col(segment) = turn.cosine * axes_.col(segment) + turn.sinc * towards;
}

void Corrector::Displace(int endpoint, const Vector3d& translation_impulse,
                         const Vector3d& rotation_impulse) {
  const int s = endpoint / 2;
  const Vector3d u = axes_.col(s);
  if (correction_.pulled != nullptr) {
    (*correction_.pulled)[s] += arms_[endpoint] * u.dot(translation_impulse);
  }
  if (correction_.turned_arms != nullptr) {
    const Vector3d turned = arms_[endpoint] * (u - correction_.free_axes->col(s));
    correction_.turned_arms->col(s) += turned.cross(rotation_impulse);
  }
  Move(s, inverse_masses_[s] * translation_impulse,
       (inverse_inertias_[s] * arms_[endpoint]) * (rotation_impulse - rotation_impulse.dot(u) * u));
}

Vector3d Corrector::ClosePair(int first, int second) {
  const Vector3d d = Endpoint(second) - Endpoint(first);
  if (d.isZero(0.0)) return d;
  const Vector3d p = correction_.relaxation * ImpulseFor(first, second, d);
  Pull(first, second, p);
  return p;
}

Vector3d Corrector::ImpulseFor(int first, int second, const Vector3d& d) const {
  if (correction_.rule == CorrectionRule::kUnweighted) return 0.5 * d;
  const double translating = inverse_masses_[first / 2] + inverse_masses_[second / 2];
  if (correction_.rule == CorrectionRule::kSource) return d / translating;
  // W₁ + W₂ = a − c₁ u₁u₁ᵀ − c₂ u₂u₂ᵀ: the parts y_i = u_i·p of its solution come from
  //   (a − c₁) y₁ − c₂ g y₂ = u₁·d,   −c₁ g y₁ + (a − c₂) y₂ = u₂·d,   g = u₁·u₂.
  const Vector3d u1 = axes_.col(first / 2), u2 = axes_.col(second / 2);
  const double c1 = Turning(first), c2 = Turning(second);
  const double a = translating + c1 + c2, g = u1.dot(u2);
  const double d1 = u1.dot(d), d2 = u2.dot(d);
  const double determinant = (a - c1) * (a - c2) - c1 * c2 * g * g;
  const double y1 = ((a - c2) * d1 + c2 * g * d2) / determinant;
  const double y2 = ((a - c1) * d2 + c1 * g * d1) / determinant;
  return (d + (c1 * y1) * u1 + (c2 * y2) * u2) / a;
}

void Corrector::Pull(int first, int second, const Vector3d& p) {
  const double t = correction_.translation_factor, r = correction_.rotation_factor;
  switch (correction_.rule) {
    case CorrectionRule::kCorrected:
      Displace(first, p, p);
      Displace(second, -p, -p);
      break;
    case CorrectionRule::kSource:
      Displace(first, t * p, r * p);
      Displace(second, -t * p, -r * p);
      break;
    case CorrectionRule::kUnweighted:
      for (const auto& [endpoint, way] : {std::pair{first, p}, std::pair{second, Vector3d(-p)}}) {
        const Vector3d u = axes_.col(endpoint / 2);
        Move(endpoint / 2, t * way, (r / arms_[endpoint]) * (way - way.dot(u) * u));
      }
      break;
  }
}

void Corrector::SweepJoint(int point, bool backwards) {
  const auto incident = net_.Incident(point);
  const int pairs = static_cast<int>(incident.size()) - 1;
  for (int j = 0; j < pairs; ++j) {
    const int i = backwards ? pairs - 1 - j : j;
    const Vector3d p = ClosePair(incident[i], incident[i + 1]);
    if (correction_.impulses != nullptr) {
      correction_.impulses->col(net_.FirstPair(point) + i) += p;
    }
  }
}

void Corrector::SweepJoints(std::span<const int> points, bool backwards) {
  const size_t n = points.size();
  for (size_t k = 0; k < n; ++k) SweepJoint(points[backwards ? n - 1 - k : k], backwards);
}

void Corrector::PullJoints(const Eigen::Matrix3Xd& impulses) {
  for (int point = 0; point < net_.points(); ++point) {
    const auto incident = net_.Incident(point);
    for (int i = 0; i + 1 < static_cast<int>(incident.size()); ++i) {
      Pull(incident[i], incident[i + 1], impulses.col(net_.FirstPair(point) + i));
    }
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
    sum += std::abs(point.weight[i]) * std::sqrt(LargestMobility(point.point[i]));
  }
  return sum * sum;
}

// As Push() displaces, with the factors of the source's rules.
Matrix3d Corrector::Coupling(int p, int q) const {
  const bool whole = correction_.rule == CorrectionRule::kCorrected;
  const double t = whole ? 1.0 : correction_.translation_factor;
  const double r = whole ? 1.0 : correction_.rotation_factor;
  const auto at_p = net_.Incident(p), at_q = net_.Incident(q);
  Matrix3d sum = Matrix3d::Zero();
  for (const int e : at_p) {
    for (const int f : at_q) {
      const int s = e / 2;
      if (f / 2 != s) continue;
      const Vector3d u = axes_.col(s);
      const double turning = r * arms_[e] * arms_[f] * inverse_inertias_[s];
      sum.diagonal().array() += t * inverse_masses_[s] + turning;
      sum -= (turning * u) * u.transpose();
    }
  }
  return sum / static_cast<double>(at_p.size() * at_q.size());
}

void Corrector::Push(int point, const Vector3d& impulse) {
  const auto incident = net_.Incident(point);
  Vector3d translation = impulse / static_cast<double>(incident.size());
  Vector3d rotation = translation;
  if (correction_.rule != CorrectionRule::kCorrected) {
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

}  // namespace pliant::displacement_constraints
