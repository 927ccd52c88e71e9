// What carries the frame of a surface that rides: a rigid proxy, or a body of the
// linear-deformation formulation. Both map the frame to the world as x = c + A y and are driven by
// forces at points.

#ifndef PLIANT_SOLVERS_RESPONSE_CARRIER_H_
#define PLIANT_SOLVERS_RESPONSE_CARRIER_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <variant>

#include "solvers/parameters.h"
#include "solvers/response/affine_proxy.h"
#include "solvers/response/rigid_proxy.h"

namespace pliant {

enum class ProxyKind { kRigid, kAffine };

struct ProxyOptions {
  ProxyKind kind = ProxyKind::kRigid;
  LinearMaterial material;  // of an affine proxy

  void Bind(ParameterBinder& binder);
  std::string InWords() const { return kind == ProxyKind::kRigid ? "rigid proxy" : "affine proxy"; }
};

// Forces at points, as far as they move a body whose velocity is affine in place.
struct Load {
  Eigen::Vector3d force = Eigen::Vector3d::Zero();    // Σ f [N]
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();  // Σ f aᵀ, a from the centre, world [N m]

  void Add(const Eigen::Vector3d& f, const Eigen::Vector3d& arm) {
    force += f;
    moments += f * arm.transpose();
  }
  Eigen::Vector3d Moment() const {  // Σ a × f
    return {moments(2, 1) - moments(1, 2), moments(0, 2) - moments(2, 0),
            moments(1, 0) - moments(0, 1)};
  }
};

class Carrier {
 public:
  // Of body number `body`, where the scene starts it.
  Carrier(const Scene& scene, int body, const ProxyOptions& options);

  const Eigen::Matrix3Xd& points() const;  // in its frame [m], origin in the centre of mass
  Eigen::Vector3d centre() const;          // c [m]
  Eigen::Vector3d velocity() const;        // ċ [m/s]
  Eigen::Matrix3d map() const;             // A
  Eigen::Matrix3d inverse_map() const;     // A⁻¹
  Eigen::Matrix3d gradient() const;        // L = Ȧ A⁻¹ [1/s]: ẋ = ċ + L (x − c)
  double Fastest() const;                  // no point is faster [m/s]
  // Has it kept a volume? A rigid one always.
  bool upright() const { return map().determinant() > 0.0; }

  Eigen::Vector3d VelocityAt(const Eigen::Vector3d& x) const {
    return velocity() + gradient() * (x - centre());
  }
  // Positions [m] and velocities [m/s], world, of the undeformed points.
  void PlacePoints(Eigen::Ref<Eigen::Matrix3Xd> x, Eigen::Ref<Eigen::Matrix3Xd> v) const;

  double Power(const Load& load) const {  // W
    return load.force.dot(velocity()) + load.moments.cwiseProduct(gradient()).sum();
  }
  void Kick(const Load& load, double h);
  double KickByMaterial(double h);  // work of its damping [J]
  void Drift(double h);

  std::optional<double> ElasticEnergy() const;  // J; a rigid one has none
  double Stiffest() const;                      // 1/s, of its own motions; 0 of a rigid one

  int StateSize() const;
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  std::variant<RigidProxy, AffineProxy> proxy_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RESPONSE_CARRIER_H_
