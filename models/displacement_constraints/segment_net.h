// A net of rigid line segments: the model of displacement constraints [Palazzi 1993, Ch. 3].
// Segments meet at points of the body; the constraints hold their endpoints together there.
//
// Symbols: segment s joins points a and b, has mass m, length ℓ, centre G and unit axis u from a to
// b. Its endpoints are numbered 2s (at a) and 2s + 1 (at b) and stand at G + arm · u.
//
// The orientation of a segment is its axis and not a full frame: both endpoints lie on the axis, so
// that every torque r × F is at right angles to it, and the angle about the axis neither changes
// nor is seen. The source keeps a quaternion, whose third angle has no effect.
//
// Inertia J is that about any axis through G at right angles to u. About u itself there is none:
// J⁻¹ of the source is the pseudo-inverse, the spin has no part along u, and the gyroscopic term
// ω × Jω, which the source leaves out of (A.4), vanishes.

#ifndef PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_SEGMENT_NET_H_
#define PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_SEGMENT_NET_H_

#include <Eigen/Core>
#include <array>
#include <span>
#include <vector>

namespace pliant::displacement_constraints {

// A point's mass is split evenly over its incident endpoints, mₐ and m_b for a segment, m = mₐ +
// m_b: the total is exact whatever the net.
enum class SegmentInertia {
  kLumped,  // the two masses stay at the ends: G divides ℓ as m_b : mₐ, J = mₐ m_b ℓ² / m. The
            // net is then the scene's own material points joined by massless rigid edges: its
            // momentum is theirs, and so is its energy while endpoints move together
  kRod,       // mass spread evenly: G in the middle, J = m ℓ² / 12
  kIdentity,  // the source's: G in the middle, J = 1 kg m² whatever the mass
};

// Data that depend on the lengths of the segments.
struct SegmentGeometry {
  Eigen::VectorXd lengths;           // S [m]
  Eigen::VectorXd arms;              // 2S [m], of each endpoint along the axis: < 0 at a, > 0 at b
  Eigen::VectorXd inverse_inertias;  // S [1/(kg m²)]; 0 for a segment without length
};

// A point without an edge belongs to no segment: no segment moves it, and it is skipped.
//
// A net that may tear also has, behind the segments of its edges, a "particle" for each point that
// has edges: a segment without length, which has the mass of its point once none of the edges is
// left, and none before. Edges, segments and pairs keep their numbers in a torn net.
class SegmentNet {
 public:
  using Edge = std::array<int, 2>;

  // Every edge has two different points (asserted); masses [kg] > 0.
  SegmentNet(std::vector<Edge> edges, const Eigen::VectorXd& point_masses, SegmentInertia inertia,
             bool may_tear = false);

  // Marks broken edges. They have no mass: the mass of a point, which may have changed, is split
  // over the remaining segments. Geometry must be recomputed.
  void Tear(const std::vector<char>& broken, const Eigen::VectorXd& point_masses);
  // True if the segment has a mass.
  bool IsThere(int segment) const { return masses_[segment] > 0.0; }

  int points() const { return static_cast<int>(first_incident_.size()) - 1; }
  int segments() const { return static_cast<int>(edges_.size()); }
  SegmentInertia inertia() const { return inertia_; }

  // The two points of each segment; of a particle twice the same.
  const std::vector<Edge>& edges() const { return edges_; }
  int PointOf(int endpoint) const { return edges_[endpoint / 2][endpoint % 2]; }
  // Consecutive endpoints that meet at a point are a pair; pairs are numbered point by point.
  int pairs() const { return first_pair_.back(); }
  int FirstPair(int point) const { return first_pair_[point]; }
  // Endpoints that meet at a point, in the order of the edges: on a sheet whose rows come before
  // its columns that is left, right, upper, lower.
  std::span<const int> Incident(int point) const {
    return {incident_.data() + first_incident_[point],
            incident_.data() + first_incident_[point + 1]};
  }

  const Eigen::VectorXd& masses() const { return masses_; }                       // S [kg]
  const Eigen::VectorXd& inverse_masses() const { return inverse_masses_; }       // S [1/kg]
  double EndpointMass(int endpoint) const { return endpoint_masses_[endpoint]; }  // kg

  // Geometry for these lengths. No allocation when `geometry` has the right size.
  void SetLengths(const Eigen::Ref<const Eigen::VectorXd>& lengths,
                  SegmentGeometry* geometry) const;

 private:
  // Collects the endpoints at each point and sums their masses. `broken` has one flag per edge, or
  // is empty.
  void Join(const std::vector<char>& broken, const Eigen::VectorXd& point_masses);

  int edge_count_;  // segments that are no particles
  std::vector<Edge> edges_;
  std::vector<int> incident_;        // endpoints, grouped by point
  std::vector<int> first_incident_;  // points + 1
  std::vector<int> first_pair_;      // points + 1
  Eigen::VectorXd endpoint_masses_;  // 2S
  Eigen::VectorXd masses_, inverse_masses_;
  SegmentInertia inertia_;
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_MODELS_DISPLACEMENT_CONSTRAINTS_SEGMENT_NET_H_
