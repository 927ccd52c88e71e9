// One scene under a symmetry or relabelling: moved, turned, mirrored, with its points, bodies and
// elements in another order.
// The laws of nature do not know the difference, so a formulation must give the same motion.
//
// A view carries world points by x' = L x + t, L orthogonal. A body at x = p + Q T r (orientation Q, stretch T,
// rest points r) that a reflection or half turn S of its own frame maps onto itself, r_π(i) = S r_i, with
// det S = det L, becomes a body of the same rest shape with
//
//   p' = L p + t,   Q' = L Q S,   T' = S T S,   and its point i is the point π(i) of the new one.
//
// In a mirror S is the reflection along x of each frame; a body that it does not map onto itself gets the rest points
// S r_i in its own order. Edges, faces and cells join the images of the points that they joined.

#ifndef PLIANT_EXPERIMENTS_CLAIMS_VIEWS_H_
#define PLIANT_EXPERIMENTS_CLAIMS_VIEWS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

struct View {
  std::string name;  // "mirrored in x"
  Scene scene;
  Eigen::Matrix3d linear = Eigen::Matrix3d::Identity();   // L
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();  // t [m]
  std::vector<int> columns;             // of point i of the original scene: its column in this one
  std::vector<Eigen::Matrix3d> frames;  // S of each body, numbered as in the original scene

  // World points of this scene in the order and the place of the original, 3×n [m].
  Eigen::Matrix3Xd Back(const Eigen::Matrix3Xd& points) const;
};

// What cannot be seen in a way, and why.
struct MissingView {
  std::string name, why;
};

struct Views {
  std::vector<View> views;
  std::vector<MissingView> missing;
};

// Translated; rotated with its gravity; mirrored in each axis of the world; with the points of its bodies
// renumbered by half turns that leave their shapes as they are; with its bodies, and with its other elements, in
// the reverse order. O(points²) for each body.
Views ViewsOf(const Scene& scene);

// The scene carried by a motion, everything numbered as it was; `linear` may be a reflection.
// Throws BadInput for what cannot be carried: behaviours; subdivided meshes in a mirror, unless they are their own.
View Carried(const std::string& name, const Scene& scene, const Eigen::Matrix3d& linear,
             const Eigen::Vector3d& translation);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_CLAIMS_VIEWS_H_
