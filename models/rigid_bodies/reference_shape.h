// An elastic reference shape, the source's future work [Palazzi 1993, Sec. 5.1]: each point of a
// body is drawn to its place in the rest shape, which follows the body as a rigid copy,
//
//   F_i = κ m_i (g_i − x_i),   g_i = c + R p_i,   V = ½ κ Σ m_i |g_i − x_i|²,
//
// with p_i the rest position from the centre of mass, c the centre of mass now, and R the rotation
// that makes V least. Then Σ F = 0 and Σ x × F = 0: the shape applies no net force or moment, and F
// is the gradient of V, since V does not change with R to first order. κ [1/s²] is the square of
// the angular frequency with which a body without other forces returns to its shape.

#ifndef PLIANT_MODELS_RIGID_BODIES_REFERENCE_SHAPE_H_
#define PLIANT_MODELS_RIGID_BODIES_REFERENCE_SHAPE_H_

#include <Eigen/Core>
#include <memory>

#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant {

class ReferenceShape {
 public:
  ReferenceShape(std::shared_ptr<const Scene> scene, double stiffness)
      : scene_(std::move(scene)), stiffness_(stiffness) {}

  bool acts() const { return stiffness_ > 0.0; }
  // 3×n positions [m] and forces [N] of all bodies. O(n).
  void AddForces(const PointsRef& x, MutablePointsRef forces) const;
  double Energy(const PointsRef& x) const;  // V [J]

 private:
  // Calls visit(body, first point, displacements g − x), 3×n.
  template <typename Visit>
  void ForEachBody(const PointsRef& x, const Visit& visit) const;

  std::shared_ptr<const Scene> scene_;
  double stiffness_;  // κ [1/s²]
};

}  // namespace pliant

#endif  // PLIANT_MODELS_RIGID_BODIES_REFERENCE_SHAPE_H_
