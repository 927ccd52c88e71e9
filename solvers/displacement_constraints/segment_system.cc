#include "solvers/displacement_constraints/segment_system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "models/geometry/rotation.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Vector3d WithoutPartAlong(const Vector3d& v, const Vector3d& axis) {
  return v - v.dot(axis) * axis;
}

// Maximum over all pairs of endpoints that share a point in [begin, end); of(e) is the quantity
// compared.
template <typename Of>
Gap LargestDifference(const SegmentNet& net, int begin, int end_point, const Of& of) {
  double largest = 0.0;
  int where = 0;
  for (int p = begin; p < end_point; ++p) {
    const auto incident = net.Incident(p);
    for (size_t i = 1; i < incident.size(); ++i) {
      const Vector3d end = of(incident[i]);
      for (size_t j = 0; j < i; ++j) {
        const double squared = (of(incident[j]) - end).squaredNorm();
        if (!(squared <= largest)) {  // also when it is not a number
          largest = squared;
          where = p;
        }
      }
    }
  }
  return {std::sqrt(largest), where};
}

}  // namespace

SegmentSystem::SegmentSystem(SegmentNet net, VelocityUpdate update)
    : centres(Matrix3Xd::Zero(3, net.segments())),
      axes(Matrix3Xd::Zero(3, net.segments())),
      velocities(Matrix3Xd::Zero(3, net.segments())),
      spins(Matrix3Xd::Zero(3, net.segments())),
      turned_arms(Matrix3Xd::Zero(3, net.segments())),
      net_(std::move(net)),
      update_(update),
      forces_(Matrix3Xd::Zero(3, net_.segments())),
      torques_(Matrix3Xd::Zero(3, net_.segments())),
      pulls_(Eigen::VectorXd::Zero(net_.segments())),
      free_centres_(3, net_.segments()),
      free_axes_(Matrix3Xd::Zero(3, net_.segments())),
      mean_velocities_(3, net_.segments()),
      mean_spins_(3, net_.segments()) {
  axes.row(0).setOnes();
}

void SegmentSystem::SetLengths(const Eigen::Ref<const Eigen::VectorXd>& lengths) {
  net_.SetLengths(lengths, &geometry_);
}

void SegmentSystem::Place(const PointsRef& points) {
  for (int s = 0; s < net_.segments(); ++s) Place(points, s);
}

void SegmentSystem::Place(const PointsRef& points, int s) {
  const auto [a, b] = net_.edges()[s];
  const Vector3d d = points.col(b) - points.col(a);
  const double length = geometry_.lengths[s], distance = d.norm();
  const double fraction = length > 0.0 ? -geometry_.arms[2 * s] / length : 0.5;
  centres.col(s) = points.col(a) + fraction * d;
  if (distance > 0.0) axes.col(s) = d / distance;
}

void SegmentSystem::PlaceAndMeasure(const PointsRef& points) {
  geometry_.lengths.resize(net_.segments());
  for (int s = 0; s < net_.segments(); ++s) {
    const auto [a, b] = net_.edges()[s];
    geometry_.lengths[s] = (points.col(b) - points.col(a)).norm();
  }
  net_.SetLengths(geometry_.lengths, &geometry_);
  Place(points);
}

void SegmentSystem::Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses) {
  Matrix3Xd points = Matrix3Xd::Zero(3, net_.points()), rates = points;
  Points(points);
  PointVelocities(rates);
  std::vector<std::vector<int>> met(net_.points());
  for (int p = 0; p < net_.points(); ++p) {
    met[p].assign(net_.Incident(p).begin(), net_.Incident(p).end());
  }
  const SegmentGeometry before = geometry_;
  net_.Tear(broken, point_masses);
  net_.SetLengths(before.lengths, &geometry_);

  // The other endpoints of a point that lost a segment have its observed position and velocity.
  const auto is_torn = [&](int p) {
    return !std::equal(met[p].begin(), met[p].end(), net_.Incident(p).begin(),
                       net_.Incident(p).end());
  };
  Matrix3Xd seen = Matrix3Xd::Zero(3, net_.points()), ends = seen;
  for (int s = 0; s < net_.segments(); ++s) {
    const auto [a, b] = net_.edges()[s];
    if (!net_.IsThere(s)) {
      velocities.col(s).setZero();
      spins.col(s).setZero();
    } else if (a == b) {
      if (is_torn(a)) velocities.col(s) = rates.col(a);
    } else {  // the masses changed: move the centre of mass along the segment
      const double by = before.arms[2 * s] - geometry_.arms[2 * s];
      const Vector3d axis = axes.col(s), spin = spins.col(s);
      centres.col(s) += by * axis;
      velocities.col(s) += by * spin.cross(axis);
    }
    if (!net_.IsThere(s) || !(is_torn(a) || is_torn(b))) continue;
    // Between the point that is torn and its own other end.
    for (const int end : {2 * s, 2 * s + 1}) {
      const int p = net_.PointOf(end);
      ends.col(p) = is_torn(p) ? Vector3d(points.col(p)) : Endpoint(end);
    }
    Place(ends, s);
  }
  PointVelocities(seen);
  for (int p = 0; p < net_.points(); ++p) {
    rates.col(p) = is_torn(p) ? Vector3d(rates.col(p) - seen.col(p)) : Vector3d(Vector3d::Zero());
  }
  Hasten(rates);
}

void SegmentSystem::Hasten(const PointsRef& rates) {
  for (int s = 0; s < net_.segments(); ++s) {
    if (!net_.IsThere(s)) continue;
    const double length = geometry_.lengths[s];
    const auto [a, b] = net_.edges()[s];
    const Vector3d more = rates.col(a), apart = rates.col(b) - more, axis = axes.col(s);
    if (more.isZero(0.0) && apart.isZero(0.0)) continue;
    velocities.col(s) += more;
    if (!(length > 0.0)) continue;
    velocities.col(s) -= (geometry_.arms[2 * s] / length) * apart;
    spins.col(s) += axis.cross(apart) / length;
  }
}

Eigen::VectorXd SegmentSystem::Tensions(double step, const Eigen::VectorXd& pulled) const {
  Eigen::VectorXd tensions = Eigen::VectorXd::Zero(net_.segments());
  for (int s = 0; s < net_.segments(); ++s) {
    const double length = geometry_.lengths[s];
    if (!net_.IsThere(s) || !(length > 0.0)) continue;
    const Vector3d spin = WithoutPartAlong(spins.col(s), axes.col(s));
    tensions[s] = (pulled[s] / (step * step) + pulls_[s] +
                   spin.squaredNorm() / geometry_.inverse_inertias[s]) /
                  length;
  }
  return tensions;
}

void SegmentSystem::Follow(const PointsRef& ways) {
  for (int s = 0; s < net_.segments(); ++s) {
    const double length = geometry_.lengths[s];
    if (!(length > 0.0)) continue;
    const auto [a, b] = net_.edges()[s];
    const Vector3d apart = ways.col(b) - ways.col(a);
    centres.col(s) += ways.col(a) - (geometry_.arms[2 * s] / length) * apart;
    axes.col(s) = (length * axes.col(s) + apart).normalized();
  }
}

Eigen::VectorXd SegmentSystem::PointMasses() const {
  Eigen::VectorXd masses = Eigen::VectorXd::Zero(net_.points());
  for (int s = 0; s < net_.segments(); ++s) {
    const double length = geometry_.lengths[s];
    const double at_a = length > 0.0 ? geometry_.arms[2 * s + 1] / length : 0.5;
    masses[net_.edges()[s][0]] += at_a * net_.masses()[s];
    masses[net_.edges()[s][1]] += (1.0 - at_a) * net_.masses()[s];
  }
  return masses;
}

void SegmentSystem::Points(MutablePointsRef points) const {
  for (int p = 0; p < net_.points(); ++p) {
    const auto incident = net_.Incident(p);
    if (incident.empty()) continue;
    Vector3d sum = Vector3d::Zero();
    for (const int e : incident) sum += Endpoint(e);
    points.col(p) = sum / static_cast<double>(incident.size());
  }
}

Vector3d SegmentSystem::Endpoint(int endpoint) const {
  return centres.col(endpoint / 2) + geometry_.arms[endpoint] * axes.col(endpoint / 2);
}

double SegmentSystem::GapAt(int point) const {
  double largest = 0.0;
  for (const int e : net_.Incident(point)) {
    for (const int f : net_.Incident(point)) {
      const double gap = (Endpoint(f) - Endpoint(e)).norm();
      if (!(gap <= largest)) largest = gap;
    }
  }
  return largest;
}

Gap SegmentSystem::LargestGap(ThreadTeam* team) const {
  const auto endpoint = [this](int e) { return Endpoint(e); };
  const int points = net_.points(), pieces = team == nullptr ? 1 : team->threads();
  if (pieces == 1) return LargestDifference(net_, 0, points, endpoint);
  std::array<Gap, kMostThreads> gaps;
  const auto bound = [&](int piece) {
    return static_cast<int>(static_cast<std::int64_t>(points) * piece / pieces);
  };
  team->Run(pieces, [&](int piece, int) {
    gaps[piece] = LargestDifference(net_, bound(piece), bound(piece + 1), endpoint);
  });
  Gap largest = gaps[0];
  for (int piece = 1; piece < pieces; ++piece) {
    if (!(gaps[piece].size <= largest.size)) largest = gaps[piece];
  }
  return largest;
}

Gap SegmentSystem::LargestGapRate() const {
  return LargestDifference(net_, 0, net_.points(), [this](int e) { return EndpointVelocity(e); });
}

Vector3d SegmentSystem::EndpointVelocity(int endpoint) const {
  const int s = endpoint / 2;
  const Vector3d axis = axes.col(s), spin = spins.col(s);
  return velocities.col(s) + geometry_.arms[endpoint] * spin.cross(axis);
}

void SegmentSystem::PointVelocities(MutablePointsRef rates) const {
  for (int p = 0; p < net_.points(); ++p) {
    const auto incident = net_.Incident(p);
    if (incident.empty()) continue;
    Vector3d sum = Vector3d::Zero();
    for (const int e : incident) sum += EndpointVelocity(e);
    rates.col(p) = sum / static_cast<double>(incident.size());
  }
}

bool SegmentSystem::IsAtRest() const { return velocities.isZero(0.0) && spins.isZero(0.0); }

double SegmentSystem::KineticEnergy() const {
  double twice = 0.0;
  for (int s = 0; s < net_.segments(); ++s) {
    if (!net_.IsThere(s)) continue;
    twice += net_.masses()[s] * velocities.col(s).squaredNorm();
    if (geometry_.inverse_inertias[s] > 0.0) {
      twice += spins.col(s).squaredNorm() / geometry_.inverse_inertias[s];
    }
  }
  return 0.5 * twice;
}

Vector3d SegmentSystem::MeanMotion(int endpoint) const {
  const int s = endpoint / 2;
  const Vector3d arm = geometry_.arms[endpoint] * free_axes_.col(s);
  return mean_velocities_.col(s) + Vector3d(mean_spins_.col(s)).cross(arm);
}

Vector3d SegmentSystem::MeanMotionOfPoint(int point) const {
  const auto incident = net_.Incident(point);
  Vector3d sum = Vector3d::Zero();
  for (const int e : incident) sum += MeanMotion(e);
  return sum / static_cast<double>(incident.size());
}

void SegmentSystem::ClearForces() {
  forces_.setZero();
  torques_.setZero();
  pulls_.setZero();
}

void SegmentSystem::AddPointForces(double factor, const PointsRef& forces) {
  for (int p = 0; p < net_.points(); ++p) {
    const auto incident = net_.Incident(p);
    if (incident.empty()) continue;
    const Vector3d share = (factor / static_cast<double>(incident.size())) * forces.col(p);
    if (share.isZero(0.0)) continue;
    for (const int e : incident) {
      const Vector3d arm = geometry_.arms[e] * axes.col(e / 2);
      forces_.col(e / 2) += share;
      torques_.col(e / 2) += arm.cross(share);
      pulls_[e / 2] += arm.dot(share);
    }
  }
}

void SegmentSystem::AddGravity(const Vector3d& gravity) {
  forces_.noalias() += gravity * net_.masses().transpose();
}

bool SegmentSystem::HasForces() const { return !forces_.isZero(0.0) || !torques_.isZero(0.0); }

void SegmentSystem::PointAccelerations(MutablePointsRef accelerations) const {
  for (int p = 0; p < net_.points(); ++p) {
    const auto incident = net_.Incident(p);
    if (incident.empty()) continue;
    Vector3d sum = Vector3d::Zero();
    for (const int e : incident) {
      const int s = e / 2;
      const Vector3d arm = geometry_.arms[e] * axes.col(s), torque = torques_.col(s);
      sum += net_.inverse_masses()[s] * forces_.col(s) +
             geometry_.inverse_inertias[s] * torque.cross(arm);
    }
    accelerations.col(p) = sum / static_cast<double>(incident.size());
  }
}

void SegmentSystem::Dynamics(double step) {
  const bool thin = net_.inertia() != SegmentInertia::kIdentity;
  // Which velocity carries the segment: the mean of old and new, or the new one.
  const double lag = update_ == VelocityUpdate::kEulerCromer ? 0.0 : 0.5;
  for (int s = 0; s < net_.segments(); ++s) {
    const Vector3d axis = axes.col(s);
    const Vector3d gained = (step * net_.inverse_masses()[s]) * forces_.col(s);        // (A.1)
    const Vector3d turned = (step * geometry_.inverse_inertias[s]) * torques_.col(s);  // (A.4)
    Vector3d spin = spins.col(s);
    // The axis has turned since ω was set on a coarser level; what then lies along it is no motion.
    if (thin) spin = WithoutPartAlong(spin, axis);

    velocities.col(s) += gained;                                        // (A.2)
    centres.col(s) += step * (velocities.col(s) - lag * gained);        // (A.3)
    axes.col(s) = Rotated(axis, step * (spin + (1.0 - lag) * turned));  // (A.6)–(A.8)
    spin += turned;                                                     // (A.5)
    if (thin) spin = WithoutPartAlong(spin, axes.col(s));
    spins.col(s) = spin;
  }
  free_centres_ = centres;
  free_axes_ = axes;
  turned_arms.setZero();
}

void SegmentSystem::UpdateVelocities(double step) {
  const bool thin = net_.inertia() != SegmentInertia::kIdentity;
  for (int s = 0; s < net_.segments(); ++s) {
    const Vector3d axis = axes.col(s), turned = MinimalRotation(free_axes_.col(s), axis) / step,
                   moved = (centres.col(s) - free_centres_.col(s)) / step;
    mean_velocities_.col(s) =
        velocities.col(s) - (step * net_.inverse_masses()[s]) * forces_.col(s) + 0.5 * moved;
    mean_spins_.col(s) =
        spins.col(s) - (step * geometry_.inverse_inertias[s]) * torques_.col(s) + 0.5 * turned;
    velocities.col(s) += moved;
    Vector3d spin = spins.col(s) + turned;
    if (thin) spin = WithoutPartAlong(spin, axis);
    spins.col(s) = spin;
  }
}

void SegmentSystem::HalveAccelerations(double step) {
  for (int s = 0; s < net_.segments(); ++s) {
    velocities.col(s) -= (0.5 * step * net_.inverse_masses()[s]) * forces_.col(s);
    spins.col(s) -= (0.5 * step * geometry_.inverse_inertias[s]) * torques_.col(s);
  }
}

}  // namespace pliant::displacement_constraints
