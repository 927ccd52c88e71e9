// What the material of a scene exchanges with everything else: work by class, and momentum.

#ifndef PLIANT_SOLVERS_EXCHANGE_H_
#define PLIANT_SOLVERS_EXCHANGE_H_

#include <Eigen/Core>
#include <array>
#include <string_view>

namespace pliant {

// Work done on the material, by class. Gravity, springs, elasticity and the springs of contacts and
// constraints are in energies; everything else that adds or removes energy is here. Active
// elements may do work of any sign: it is their force times their own motion. Passive ones do
// none or take energy away; where the work of a passive class rises, the discretisation made
// that energy.
enum class WorkClass {
  kForce,          // active: timed forces
  kImpulse,        // active: impulses of the scene
  kMovedObstacle,  // active: obstacles that move, the force of contact times their velocity
  kMovedNail,      // active: nails and combinations that move, their force times their velocity
  kControl,        // active: servos, key frames and behaviours that lead points
  kContact,        // passive, ≤ 0: friction, restitution and damping of contacts
  kConstraint,     // passive, 0 but for drift corrections, and ≤ 0 when a hold begins on a moving
                   // body
  kDamping,        // passive, ≤ 0: of the material and of springs
};
inline constexpr int kWorkClasses = 8;
inline constexpr std::array kPassiveClasses = {WorkClass::kContact, WorkClass::kConstraint,
                                               WorkClass::kDamping};
std::string_view ToString(WorkClass work_class);

// Work [J] by class and the impulse of everything outside the material, gravity included; or
// their rates: power [W], force [N] and torque [N m].
struct Exchange {
  std::array<double, kWorkClasses> work{};                    // indexed by WorkClass
  Eigen::Vector3d impulse = Eigen::Vector3d::Zero();          // N s
  Eigen::Vector3d angular_impulse = Eigen::Vector3d::Zero();  // N m s, about the origin

  double& operator[](WorkClass c) { return work[static_cast<int>(c)]; }
  double operator[](WorkClass c) const { return work[static_cast<int>(c)]; }
  double TotalWork() const;
  // Adds the exchange of `duration` seconds at these rates.
  void Add(double duration, const Exchange& rates);
  // Adds a force, or an impulse, that acts on the material at the point x [m].
  void AddForceAt(const Eigen::Vector3d& x, const Eigen::Vector3d& force) {
    impulse += force;
    angular_impulse += x.cross(force);
  }
  // Adds the force, or impulse, of an obstacle at x [m]: `active` is its work along the motion of the
  // obstacle, `passive` that along the motion of the material relative to the obstacle.
  void AddContact(const Eigen::Vector3d& x, const Eigen::Vector3d& force, double active,
                  double passive) {
    (*this)[WorkClass::kMovedObstacle] += active;
    (*this)[WorkClass::kContact] += passive;
    AddForceAt(x, force);
  }

  // The exchange as numbers of a state.
  static constexpr int kNumbers = kWorkClasses + 6;
  Eigen::Vector<double, kNumbers> Numbers() const;
  static Exchange FromNumbers(const Eigen::Vector<double, kNumbers>& numbers);
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_EXCHANGE_H_
