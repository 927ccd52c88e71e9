// The closest places of points, segments and triangles, for any of them without length or area.
//
// Places on a segment from a to b are a + s (b − a), s ∈ [0, 1]; those on a triangle are weights of
// its corners, not below 0, with the sum 1. All are found to rounding of the size of the parts:
// where segments are nearly parallel, or triangles nearly without area, many places are as close as
// the one that is returned to about 1e-8 of that size.

#ifndef PLIANT_MODELS_COLLISION_CLOSEST_H_
#define PLIANT_MODELS_COLLISION_CLOSEST_H_

#include <Eigen/Core>
#include <array>

namespace pliant {

// s of the point a + s (b − a), 0 ≤ s ≤ 1, that is closest to p; 0 where a = b.
double ClosestOnSegment(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                        const Eigen::Vector3d& p);

// Barycentric weights of the point of the triangle closest to p, by the region that p lies over
// [Ericson 2005, Sec. 5.1.5]. Weights of exactly 0 show that it is on a side or a corner.
Eigen::Vector3d ClosestOnTriangle(const std::array<Eigen::Vector3d, 3>& corners,
                                  const Eigen::Vector3d& p);

inline Eigen::Vector3d PlaceOnSegment(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                      double s) {
  return (1.0 - s) * a + s * b;
}
inline Eigen::Vector3d PlaceOnTriangle(const std::array<Eigen::Vector3d, 3>& corners,
                                       const Eigen::Vector3d& weights) {
  return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

struct SegmentPlaces {
  double s, t;     // on the first and on the second
  double squared;  // distance [m²]
};
// The closest places of the segments from a to b and from c to d: the common perpendicular where its
// feet are on both, and otherwise an end of one [Ericson 2005, Sec. 5.1.9].
SegmentPlaces ClosestOfSegments(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                                const Eigen::Vector3d& c, const Eigen::Vector3d& d);

struct SegmentAndTrianglePlaces {
  double s;                 // on the segment
  Eigen::Vector3d weights;  // on the triangle
  double squared;           // distance [m²]; 0 where the segment goes through the triangle
};
SegmentAndTrianglePlaces ClosestOfSegmentAndTriangle(const Eigen::Vector3d& a,
                                                     const Eigen::Vector3d& b,
                                                     const std::array<Eigen::Vector3d, 3>& corners);

}  // namespace pliant

#endif  // PLIANT_MODELS_COLLISION_CLOSEST_H_
