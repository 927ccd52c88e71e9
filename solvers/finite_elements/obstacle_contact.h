// Contact of the surfaces of bodies with obstacles, by a barrier in the signed distance s of each
// place of a surface:
//
//   energy     U = A E b(s + d) (barrier.h), A the area that the place stands for, E Young's modulus and
//              d the thickness: it begins where the place touches, and is infinite at a depth of d
//   step       force φ n̄ + φ (Δs − n̄·Δξ)/|Δξ|² Δξ with the place ξ in the obstacle's frame, the normal n̄
//              at its mean and φ = ΔU/Δs, as of point_forces.h: times Δξ it is ΔU exactly
//   friction   μ |φ| against the way across n̄, risen smoothly below a speed; never more than Coulomb's,
//              with the push of the same step, and always against the motion
//
// None of them contains the step but through the way and the speed. Obstacles that lie between places
// are not noticed here: places become as dense as the elements. See cell_contact.h.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_OBSTACLE_CONTACT_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_OBSTACLE_CONTACT_H_

#include <Eigen/Core>
#include <vector>

#include "models/contact/barrier.h"
#include "models/scene/scene.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/finite_elements/contact_places.h"
#include "solvers/finite_elements/point_forces.h"

namespace pliant::finite_elements {

class ObstacleContact {
 public:
  // `places` must outlive it.
  ObstacleContact(const Scene& scene, const ContactPlaces& places, const ContactOptions& options);

  bool empty() const { return obstacles_.empty(); }
  double Energy(double time, const Eigen::Matrix3Xd& x) const;  // J

  // Forces on the places, 3×k [N]: at one time, or of a step with a discrete gradient. Both are 0 at
  // first.
  void AddForces(double time, const Eigen::Matrix3Xd& x, Eigen::Matrix3Xd* forces) const;
  void AddDiscreteForces(const PointMotion& motion, Eigen::Matrix3Xd* forces) const;
  // Friction of a step, with the push of AddDiscreteForces() or, not `discrete`, of AddForces() at t₁.
  void AddFriction(const PointMotion& motion, bool discrete, Eigen::Matrix3Xd* forces) const;
  // What rubs in a step, pressed as at one time.
  void AddRubs(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x,
               std::vector<Rub>* rubs) const;
  // Their impulses, by pairs.
  void Tally(const PointMotion& motion, bool discrete, const ContactDurations& durations,
             ContactTally* tally) const;
  // Work along the motion of the obstacles [J]: of the push, and of friction.
  struct Work {
    double push = 0.0, friction = 0.0;
  };
  Work WorkOfObstacles(const PointMotion& motion, bool discrete) const;
  double PushWorkAt(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x) const;

  // −∂force/∂x₁ where it is positive semidefinite, to link first_link + place of the matrix.
  void AddTangent(const PointMotion& motion, bool discrete, double factor, int first_link,
                  ReducedMatrix* matrix) const;

  // The part of the way from x to y at one time that leaves each place at least a tenth of its room.
  double LargestFraction(double time, const Eigen::Matrix3Xd& x, const Eigen::Matrix3Xd& y) const;

 private:
  struct Touch {
    int obstacle, place;
    Eigen::Vector3d normal;  // unit, outwards
    double push, slope;      // φ ≤ 0 [N], and its derivative by s₁ [N/m]
    Eigen::Vector3d moved;   // Δξ
    double correction;       // [N/m]
  };
  template <typename Visit>
  void ForEachTouch(const PointMotion& motion, const Visit& visit) const;  // of a step
  template <typename Visit>
  void ForEachTouchAt(const PointMotion& motion, double time, const Eigen::Matrix3Xd& x,
                      const Visit& visit) const;
  template <typename Visit>
  void ForEach(const PointMotion& motion, bool discrete, const Visit& visit) const;
  Eigen::Vector3d ShiftOf(int obstacle, const PointMotion& motion) const;
  Eigen::Vector3d FrictionOn(const Touch& touch, double h) const;

  std::vector<Obstacle> obstacles_;
  const ContactPlaces& places_;
  ContactOptions options_;
  Barrier barrier_;
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_OBSTACLE_CONTACT_H_
