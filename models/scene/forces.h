// Forces of a scene on its material points, and their potentials: the same for every formulation
// that has forces. Points, velocities and forces are 3×n over all bodies.
//
// Each function adds to `forces` [N]. Cost O(elements) (gravity: O(n)).

#ifndef PLIANT_MODELS_SCENE_FORCES_H_
#define PLIANT_MODELS_SCENE_FORCES_H_

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "models/scene/scene.h"

namespace pliant {

using PointsRef = Eigen::Ref<const Eigen::Matrix3Xd>;
using MutablePointsRef = Eigen::Ref<Eigen::Matrix3Xd>;

// The points that springs, timed forces and impulses act on, ascending.
std::vector<int> PointsActedOn(const Scene& scene);

// Gravity: whether it acts, its acceleration, its energy and its work. It acts on every point of
// every body, but not on a body that has yet to notice that nothing holds it up (Notice,
// solvers/control).
class Gravity {
 public:
  explicit Gravity(const Scene& scene) : acceleration_(scene.gravity) {}

  bool acts() const { return !acceleration_.isZero(0.0); }
  const Eigen::Vector3d& acceleration() const { return acceleration_; }     // g [m/s²]
  double Weight(double mass) const { return mass * acceleration_.norm(); }  // N
  // Its strength [m/s²] where it acts along −y or not at all; for formulations that know no other.
  std::optional<double> Downwards() const;

  void AddForces(const Eigen::VectorXd& masses, MutablePointsRef forces) const;  // m g
  double Energy(const Eigen::VectorXd& masses, const PointsRef& x) const;        // −Σ m g·x [J]
  double Work(const Eigen::VectorXd& masses, const PointsRef& displacements) const;  // Σ m g·Δx [J]

 private:
  Eigen::Vector3d acceleration_;
};

// A scene's masses and springs with global point indices, resolved once so that a step only reads.
class SceneForces {
 public:
  explicit SceneForces(const Scene& scene);
  // Over these points alone, ascending, which must include all of PointsActedOn(): every matrix and
  // the masses have one column per point.
  SceneForces(const Scene& scene, const std::vector<int>& points);

  void AddGravity(MutablePointsRef forces) const { gravity_.AddForces(masses_, forces); }
  double GravitationalEnergy(const PointsRef& x) const { return gravity_.Energy(masses_, x); }  // J
  void AddSprings(const PointsRef& x, MutablePointsRef forces) const;  // elastic part
  void AddSpringDamping(const PointsRef& x, const PointsRef& v, MutablePointsRef forces) const;
  double SpringEnergy(const PointsRef& x) const;  // ½ Σ k (ℓ − ℓ₀)² [J]
  void AddTimedForces(double time, MutablePointsRef forces) const;
  // Impulses [N s] with begin ≤ time < end, as 3×n; returns whether there is any.
  bool AddImpulses(double begin, double end, MutablePointsRef impulses) const;

  const Eigen::VectorXd& masses() const { return masses_; }
  const Gravity& gravity() const { return gravity_; }
  bool has_springs() const { return !springs_.empty(); }
  bool has_timed_forces() const { return !timed_.empty(); }

 private:
  struct IndexedSpring {
    int a, b;  // columns; b = −1: anchored
    Eigen::Vector3d anchor;
    double stiffness, damping, rest_length;
  };
  struct IndexedForce {
    int point;
    Eigen::Vector3d value;  // N, or N s
    double from, until;
  };
  // column(p) is the column of point p of the scene in the matrices.
  template <typename Column>
  void Resolve(const Scene& scene, const Column& column);

  Gravity gravity_;
  Eigen::VectorXd masses_;
  std::vector<IndexedSpring> springs_;
  std::vector<IndexedForce> timed_;
  std::vector<IndexedForce> impulses_;  // from = time
};

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_FORCES_H_
