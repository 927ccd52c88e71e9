// Tests whether an edge crosses a face, or in the plane another edge.
//
// Touching is not crossing: an edge with an end in the plane of a face, or nearer to it than
// rounding, does not cross that face. An edge that goes through the common side of two faces
// crosses one of them: on which side of that side it passes is decided in the same way for both.

#ifndef PLIANT_MODELS_COLLISION_CROSSING_H_
#define PLIANT_MODELS_COLLISION_CROSSING_H_

#include <Eigen/Core>
#include <array>

namespace pliant {

using PointColumns = Eigen::Ref<const Eigen::Matrix3Xd>;  // 3×n [m]

// Six times the volume of the tetrahedron, > 0 where d is on the side of the triangle a, b, c from
// which its corners go round anticlockwise; 0 where it is not above rounding of its terms [m³].
double SignedVolume(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                    const Eigen::Vector3d& d);
// Twice the area of the triangle in the plane z = 0, > 0 where its corners go round anticlockwise; 0
// where it is not above rounding of its terms [m²].
double SignedArea(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

// The numbers are of columns of x. False where edge and face have a point in common.
bool EdgeCrossesFace(const PointColumns& x, const std::array<int, 2>& edge,
                     const std::array<int, 3>& face);
// In the plane z = 0. False where the edges have a point in common.
bool EdgesCross(const PointColumns& x, const std::array<int, 2>& a, const std::array<int, 2>& b);

}  // namespace pliant

#endif  // PLIANT_MODELS_COLLISION_CROSSING_H_
