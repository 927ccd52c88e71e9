#include "models/displacement_constraints/segment_net.h"

#include <algorithm>
#include <cassert>

namespace pliant {

SegmentNet::SegmentNet(std::vector<Edge> edges, const Eigen::VectorXd& point_masses,
                       SegmentInertia inertia)
    : edges_(std::move(edges)),
      incident_(2 * edges_.size()),
      first_incident_(point_masses.size() + 1, 0),
      first_pair_(point_masses.size() + 1, 0),
      endpoint_masses_(2 * static_cast<Eigen::Index>(edges_.size())),
      masses_(static_cast<Eigen::Index>(edges_.size())),
      inertia_(inertia) {
  for (const Edge& edge : edges_) {
    assert(edge[0] != edge[1]);
    ++first_incident_[edge[0] + 1];
    ++first_incident_[edge[1] + 1];
  }
  for (int p = 0; p < points(); ++p) {
    first_pair_[p + 1] = first_pair_[p] + std::max(0, first_incident_[p + 1] - 1);
    first_incident_[p + 1] += first_incident_[p];
  }
  std::vector<int> next(first_incident_.begin(), first_incident_.end() - 1);
  for (int e = 0; e < static_cast<int>(incident_.size()); ++e) {
    const int point = PointOf(e);
    incident_[next[point]++] = e;
    endpoint_masses_[e] =
        point_masses[point] / (first_incident_[point + 1] - first_incident_[point]);
  }
  for (int s = 0; s < segments(); ++s) {
    masses_[s] = endpoint_masses_[2 * s] + endpoint_masses_[2 * s + 1];
  }
  inverse_masses_ = masses_.cwiseInverse();
}

void SegmentNet::SetLengths(const Eigen::Ref<const Eigen::VectorXd>& lengths,
                            SegmentGeometry* geometry) const {
  geometry->lengths = lengths;
  geometry->arms.resize(2 * segments());
  geometry->inverse_inertias.resize(segments());
  for (int s = 0; s < segments(); ++s) {
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

Eigen::VectorXd EdgeLengths(const std::vector<SegmentNet::Edge>& edges,
                            const Eigen::Ref<const Eigen::Matrix3Xd>& points) {
  Eigen::VectorXd lengths(static_cast<Eigen::Index>(edges.size()));
  for (size_t s = 0; s < edges.size(); ++s) {
    lengths[static_cast<Eigen::Index>(s)] =
        (points.col(edges[s][1]) - points.col(edges[s][0])).norm();
  }
  return lengths;
}

}  // namespace pliant
