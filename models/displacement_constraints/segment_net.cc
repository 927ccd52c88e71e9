#include "models/displacement_constraints/segment_net.h"

#include <algorithm>
#include <cassert>

namespace pliant::displacement_constraints {

SegmentNet::SegmentNet(std::vector<Edge> edges, const Eigen::VectorXd& point_masses,
                       SegmentInertia inertia, bool may_tear)
    : edge_count_(static_cast<int>(edges.size())),
      edges_(std::move(edges)),
      first_incident_(point_masses.size() + 1, 0),
      first_pair_(point_masses.size() + 1, 0),
      inertia_(inertia) {
  assert(std::all_of(edges_.begin(), edges_.end(), [](const Edge& e) { return e[0] != e[1]; }));
  Join({}, point_masses);
  for (int p = 0; p < points(); ++p) {
    const int met = static_cast<int>(Incident(p).size());
    first_pair_[p + 1] = first_pair_[p] + std::max(0, met - 1);
    if (may_tear && met > 0) edges_.push_back({p, p});
  }
  if (may_tear) Join({}, point_masses);
}

void SegmentNet::Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses) {
  Join(broken, point_masses);
}

void SegmentNet::Join(const std::vector<char>& broken, const Eigen::VectorXd& point_masses) {
  std::fill(first_incident_.begin(), first_incident_.end(), 0);
  std::vector<int> ends;  // that meet something, or are all there is at a point
  const auto meet = [&](int end) {
    ends.push_back(end);
    ++first_incident_[PointOf(end) + 1];
  };
  for (int s = 0; s < edge_count_; ++s) {
    if (!broken.empty() && broken[s] != 0) continue;
    meet(2 * s);
    meet(2 * s + 1);
  }
  for (int s = edge_count_; s < segments(); ++s) {
    if (first_incident_[edges_[s][0] + 1] == 0) meet(2 * s);
  }
  for (int p = 0; p < points(); ++p) first_incident_[p + 1] += first_incident_[p];
  incident_.resize(ends.size());
  endpoint_masses_.setZero(2 * static_cast<Eigen::Index>(edges_.size()));
  std::vector<int> next(first_incident_.begin(), first_incident_.end() - 1);
  for (const int e : ends) {
    const int point = PointOf(e);
    incident_[next[point]++] = e;
    endpoint_masses_[e] =
        point_masses[point] / (first_incident_[point + 1] - first_incident_[point]);
  }
  masses_.resize(segments());
  inverse_masses_.setZero(segments());
  for (int s = 0; s < segments(); ++s) {
    masses_[s] = endpoint_masses_[2 * s] + endpoint_masses_[2 * s + 1];
    if (IsThere(s)) inverse_masses_[s] = 1.0 / masses_[s];
  }
}

void SegmentNet::SetLengths(const Eigen::Ref<const Eigen::VectorXd>& lengths,
                            SegmentGeometry* geometry) const {
  geometry->lengths = lengths;
  geometry->arms.setZero(2 * segments());
  geometry->inverse_inertias.setZero(segments());
  for (int s = 0; s < segments(); ++s) {
    if (!IsThere(s)) continue;
    const double ma = endpoint_masses_[2 * s], mb = endpoint_masses_[2 * s + 1];
    const double m = masses_[s], length = lengths[s];
    double arm = 0.5 * length, inertia = 1.0;
    switch (inertia_) {
      case SegmentInertia::kLumped:
        arm = length * (mb / m);
        inertia = ma * mb / m * length * length;
        break;
      case SegmentInertia::kRod:
        inertia = m * length * length / 12.0;
        break;
      case SegmentInertia::kIdentity:
        break;
    }
    geometry->arms[2 * s] = -arm;
    geometry->arms[2 * s + 1] = length - arm;
    geometry->inverse_inertias[s] = length > 0.0 ? 1.0 / inertia : 0.0;
  }
}

}  // namespace pliant::displacement_constraints
