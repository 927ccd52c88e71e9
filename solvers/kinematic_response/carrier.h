// The carrier of the frame of a riding surface: a rigid proxy, or a body of the
// linear-deformation or the dynamic-ffd formulation. Forces at points move all of them. The first
// two map the frame to the world as x = c + A y; the third has a separate map near each of its
// points.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_CARRIER_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_CARRIER_H_

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solvers/arrays.h"
#include "solvers/kinematic_response/affine_map.h"
#include "solvers/kinematic_response/affine_proxy.h"
#include "solvers/kinematic_response/free_form_proxy.h"
#include "solvers/kinematic_response/rigid_proxy.h"
#include "solvers/parameters.h"

namespace pliant::kinematic_response {

enum class ProxyKind { kRigid, kAffine, kFreeForm };

struct ProxyOptions {
  ProxyKind kind = ProxyKind::kRigid;
  linear_deformation::LinearMaterial material;          // of an affine proxy
  MatrixTable modes;                                    // of a free-form one
  std::shared_ptr<const FreeFormModes> free_form = {};  // those, once read

  void Bind(ParameterBinder& binder);
  std::string InWords() const;
  bool has_modes() const {
    return !modes.entries.empty() || !modes.groups.empty() || !modes.scalars.empty();
  }
};

// Sums of forces at points that move a body whose velocity is affine in position, except for its
// modes.
struct Load {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    // Σ f [N]
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();  // Σ f aᵀ, a from the centre, world [N m]
  Eigen::VectorXd modes = {};  // Σ f·∂x/∂γ_k [J]; none unless free-form

  void Clear() {
    force.setZero();
    moments.setZero();
    modes.setZero();
  }
  void Add(const Eigen::Vector3d& f, const Eigen::Vector3d& arm) {
    force += f;
    moments += f * arm.transpose();
  }
  void AddCouple(const Eigen::Vector3d& f, const Eigen::Vector3d& arm) {
    moments += 0.5 * (f * arm.transpose() - arm * f.transpose());
  }
  Eigen::Vector3d Moment() const {  // Σ a × f
    return {moments(2, 1) - moments(1, 2), moments(0, 2) - moments(2, 0),
            moments(1, 0) - moments(0, 1)};
  }
};

class Carrier {
 public:
  // Of body number `body`, in its initial state.
  Carrier(const Scene& scene, int body, const ProxyOptions& options);

  const Eigen::Matrix3Xd& points() const;  // in its frame [m], origin in the centre of mass
  Eigen::Vector3d centre() const;          // c [m]
  Eigen::Vector3d velocity() const;        // ċ [m/s]
  double Fastest() const;                  // no point is faster [m/s]
  // Does it still have a positive volume? A rigid one always has.
  bool upright() const;

  // True if each point has a map of its own.
  bool bends() const { return std::holds_alternative<FreeFormProxy>(proxy_); }
  // Positions and velocities of places of the frame near a point.
  AffineMap MapAt(int point) const;
  AffineMap RateAt(int point) const;
  // MapAt() of every point; they differ for a free-form carrier only.
  void FindMaps(std::vector<AffineMap>* maps) const;
  // Velocity [m/s] of the tip of a rod that stands on the place y, turns with the whole carrier and
  // has the vector `beyond` [m], world.
  Eigen::Vector3d TipVelocity(int point, const Eigen::Vector3d& y,
                              const Eigen::Vector3d& beyond) const;
  // Positions [m] and velocities [m/s], world, of the undeformed points.
  void PlacePoints(Eigen::Ref<Eigen::Matrix3Xd> x, Eigen::Ref<Eigen::Matrix3Xd> v) const;

  Load NoLoad() const;
  // Adds a force [N], world, at the tip of such a rod.
  void Add(int point, const Eigen::Vector3d& y, const Eigen::Vector3d& beyond,
           const Eigen::Vector3d& force, Load* load) const;
  double Power(const Load& load) const;  // W
  void Kick(const Load& load, double h);
  double KickByMaterial(double h);  // work of its damping [J]
  double Drift(double h);           // work of limits of its modes [J]

  std::optional<double> ElasticEnergy() const;  // J; a rigid one has none
  double Stiffest() const;                      // 1/s, of its own motions; 0 of a rigid one

  int StateSize() const;
  StateBlock Layout() const;  // of Save()
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  Eigen::Matrix3d map() const;       // A of a rigid or affine one
  Eigen::Matrix3d gradient() const;  // L = Ȧ A⁻¹ [1/s]: ẋ = ċ + L (x − c), but for modes

  std::variant<RigidProxy, AffineProxy, FreeFormProxy> proxy_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_CARRIER_H_
