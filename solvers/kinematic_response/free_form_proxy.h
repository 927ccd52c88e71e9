// A body of the dynamic-ffd formulation that replaces the rigid proxy [Faloutsos 1995, Ch. 4;
// models/dynamic_ffd, solvers/dynamic_ffd]: it carries the frame of the surface, deforms it by
// its modes, and moves under forces at its points, including the reaction of the surface to
// obstacles.
//
//   x_n = t + R (X_n + Σ γ_k b_kn),   M(q) v̇ = Q + h(q, v) − ∂V/∂γ − D γ̇
//
// The surface displaces a point to a place y beside X_n, which the lattice carries as it carries
// the material there: with the gradient of the modes B_kn = ∂b_k/∂X at X_n,
//
//   x = t + R (y + Σ γ_k (b_kn + B_kn (y − X_n))),   Q = (Σ f, Σ (x − t) × f, Σ f·∂x/∂γ_k)
//
// so that Q does the work of f at x. Forces of inertia are those of the undeformed points. Kick,
// drift, kick as of the rigid proxy: the drift holds v, the kick q; within it v̇ depends on v, by
// the explicit midpoint rule. Order two.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_FREE_FORM_PROXY_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_FREE_FORM_PROXY_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "models/dynamic_ffd/modes.h"
#include "models/scene/scene.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/kinematic_response/affine_map.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

// Modes for the bodies of a scene, as the dynamic-ffd backend reads and picks them.
struct FreeFormModes {
  dynamic_ffd::ModeTable table;
  std::vector<std::vector<int>> of_body;  // indices into the table
};
// Throws BadInput (where = "proxy_modes" or a place in it) as ReadModeTable() and SelectModes() do.
std::shared_ptr<const FreeFormModes> ReadFreeFormModes(const Scene& scene, const MatrixTable& table,
                                                       std::vector<std::string>* warnings);

class FreeFormProxy {
 public:
  // Body number `body` as the scene starts it: a stretch becomes the nearest shape of the modes.
  FreeFormProxy(const Scene& scene, int body, const FreeFormModes& modes);

  const Eigen::Matrix3Xd& points() const { return points_; }  // X_n [m]
  Eigen::Vector3d centre() const { return part_->body.Translation(q_); }
  Eigen::Vector3d velocity() const { return part_->body.LinearVelocity(v_); }
  Eigen::Vector3d angular_velocity() const { return part_->body.AngularVelocity(v_); }
  double Fastest() const;  // no point is faster [m/s]
  bool upright() const;    // no point turned inside out; O(nD)

  AffineMap MapAt(int n) const;   // y ↦ x; O(D)
  AffineMap RateAt(int n) const;  // y ↦ ẋ; O(D)

  int modes() const { return part_->body.modes(); }
  // Adds f·∂x/∂γ_k of a force f [N], world, at the place y beside point n [J].
  void AddToModes(int n, const Eigen::Vector3d& y, const Eigen::Vector3d& f,
                  Eigen::VectorXd* of_modes) const;
  double PowerOfModes(const Eigen::VectorXd& of_modes) const {  // W
    return of_modes.dot(v_.tail(modes()));
  }

  // Impulse [N s], its moment about t [N m s], and that of the modes [J s].
  void Kick(const Eigen::Vector3d& impulse, const Eigen::Vector3d& moment,
            const Eigen::VectorXd& of_modes);
  // Potentials, damping and h act for h seconds; returns the work of damping [J].
  double KickByMaterial(double h);
  // Returns the energy that limits of the modes remove [J]; 0 if no limit is reached.
  double Drift(double h);

  double ElasticEnergy() const;                  // V [J]
  double Stiffest() const { return stiffest_; }  // 1/s, as estimated at the start

  int StateSize() const { return static_cast<int>(q_.size() + v_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const { state << q_, v_; }
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  // Σ_k of b_kn, and of B_kn.
  Eigen::Vector3d Displacement(int n, const dynamic_ffd::VectorRef& amplitudes) const;
  Eigen::Matrix3d Gradient(int n, const dynamic_ffd::VectorRef& amplitudes) const;
  double Energy() const;  // kinetic and V [J]
  // M⁻¹ (h − ∂V/∂γ − D γ̇) at q, where the inertia is placed, and `v`, into rate_.
  void FindRate(const Eigen::VectorXd& v);

  // Copies of a proxy share it: the inertia is updated before each use.
  std::shared_ptr<dynamic_ffd::FfdPart> part_;
  Eigen::Matrix3Xd points_;
  Eigen::MatrixXd gradients_;  // 9n×D: B_kn by columns, one below the other
  Eigen::VectorXd longest_;    // D: largest |b_kn| [m]
  double reach_, stiffest_;
  Eigen::VectorXd q_, v_;
  Eigen::VectorXd rate_, middle_;  // room
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_FREE_FORM_PROXY_H_
