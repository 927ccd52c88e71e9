// A body that moves rigidly with a lattice and deforms within it by D modes
// [Faloutsos 1995, Sec. 4.3, Eq. 4.2]:
//
//   x_n(q) = t + R y_n(γ),      y_n(γ) = X_n + Σ_k γ_k b_kn
//   b_kn = Σ_ij d^k_ij B_i(s_n) B_j(t_n)
//
// X_n is the rest position, which by linear precision equals Σ L_ij B_i B_j. L_ij are *local*
// coordinates: (4.1) of the source writes world ones, which in (4.2) would count t twice.
//
// Generalized coordinates and velocities:
//   plane   q = [t_x t_y θ γ_1 … γ_D]              v = q̇
//   space   q = [t, quaternion (s, w), γ_1 … γ_D]  v = [ṫ, ω, γ̇],  ω in world axes,  q̇ = ½ [0, ω] q
//
// The last `driven` amplitudes are not degrees of freedom: they are functions of time, such as that
// of a morph, whose shape (any displacement of the points) is added to those of the lattice.
//
// t is the image of the body's origin. The source puts it at the lower left corner of the lattice;
// here it may also be the centre of mass of the deformed body, which describes the same motion in
// other coordinates, with p = (Σm) ṫ: linear momentum is then constant and the flight a parabola
// under every time integration scheme, and the condition of M depends on the body, not on the
// position of the corner.

#ifndef PLIANT_MODELS_DYNAMIC_FFD_FFD_BODY_H_
#define PLIANT_MODELS_DYNAMIC_FFD_FFD_BODY_H_

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <vector>

#include "models/dynamic_ffd/modes.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"

namespace pliant::dynamic_ffd {

using VectorRef = Eigen::Ref<const Eigen::VectorXd>;
using MutableVectorRef = Eigen::Ref<Eigen::VectorXd>;

enum class FfdOrigin {
  kCentreOfMass,   // of the deformed body: shapes are recentred to Σ m X = Σ m b_k = 0
  kLatticeCorner,  // as in the source
};

// Immutable. n points, D modes.
class FfdBody {
 public:
  // `body` of a scene of `dimension` 2 or 3; `corner` is that of its lattice. `displacements` are
  // those of its points by each mode, b_kn, and `driven` those by driven amplitudes, 3×n each [m],
  // body frame. In the plane displacements along z are dropped.
  FfdBody(int dimension, const Body& body, const Eigen::Vector3d& corner,
          const std::vector<Eigen::Matrix3Xd>& displacements, FfdOrigin origin,
          const std::vector<Eigen::Matrix3Xd>& driven = {});

  // The body with other modes that span the same shapes, or fewer: Σ_k b_k T_kl replaces b_l for the
  // free modes. Driven modes do not change.
  FfdBody Recombined(const Eigen::MatrixXd& combinations) const;

  // Shape a as points, 3×n: 0 is the body at rest, k the displacement by mode k [m].
  Eigen::Matrix3Xd ShapeAsPoints(int a) const;
  // Mean of each shape over the masses, 3×(D+1) [m]: 0 where the origin is the centre of mass.
  Eigen::Matrix3Xd ShapeMeans() const;
  // Subtracts a constant from each shape, which moves the origin and no point.
  void ShiftShapes(const Eigen::Matrix3Xd& by);

  int dimension() const { return dimension_; }
  int points() const { return static_cast<int>(masses_.size()); }
  int modes() const { return static_cast<int>(shapes_.cols()) - 1; }
  int driven() const { return driven_; }  // number of driven modes, which are the last ones
  int free_modes() const { return modes() - driven_; }
  int pose_size() const { return dimension_ == 2 ? 3 : 7; }   // entries of q before γ
  int twist_size() const { return dimension_ == 2 ? 3 : 6; }  // entries of v before γ̇
  int coordinates() const { return pose_size() + modes(); }
  int velocities() const { return twist_size() + modes(); }

  const Eigen::VectorXd& masses() const { return masses_; }  // n [kg]
  // 3n×(D+1): column 0 is X, column k is b_k; points one below the other [m].
  const Eigen::MatrixXd& shapes() const { return shapes_; }

  // Parts of q and v, in three dimensions also for the plane (z = 0).
  Eigen::Vector3d Translation(const VectorRef& q) const;
  Eigen::Matrix3d Rotation(const VectorRef& q) const;  // of the normalized quaternion
  Eigen::Vector3d LinearVelocity(const VectorRef& v) const;
  Eigen::Vector3d AngularVelocity(const VectorRef& v) const;

  // Coordinates of the body with its centre of mass at `centre` [m].
  Eigen::VectorXd Coordinates(const Eigen::Vector3d& centre, const Eigen::Quaterniond& orientation,
                              const VectorRef& gamma) const;
  // Velocities of the body whose centre of mass moves at `linear` [m/s], whose frame turns at
  // `angular` [rad/s] and whose amplitudes change at `gamma_dot` [1/s].
  Eigen::VectorXd Velocities(const VectorRef& q, const Eigen::Vector3d& linear,
                             const Eigen::Vector3d& angular, const VectorRef& gamma_dot) const;

  // World positions x_n [m] into 3×n contiguous columns. O(nD).
  void Points(const VectorRef& q, MutablePointsRef x) const;
  // World velocities ẋ_n = J_n v [m/s], given the positions of the same q. O(nD).
  void PointVelocities(const VectorRef& q, const VectorRef& v, const PointsRef& x,
                       MutablePointsRef x_dot) const;

  // J_n = ∂ẋ_n/∂v, 3×velocities() (row z is zero in the plane)  [Eq. 4.6–4.8]. The source prints
  // this array as Jᵀ. In the plane J_n = [e_x, e_y, R′y_n, R b_1n, …], in space
  // J_n = [I, −[R y_n]×, R b_1n, …].
  Eigen::MatrixXd Jacobian(const VectorRef& q, int point) const;

  // Q += Σ_n J_nᵀ f_n  [Eq. 4.20], forces f 3×n [N] at positions x of the same q. `local` is
  // scratch of 3×n. O(nD).
  void AddGeneralizedForces(const VectorRef& q, const PointsRef& x, const PointsRef& f,
                            Eigen::Matrix3Xd* local, MutableVectorRef Q) const;

  // q̇ = N(q) v, and q back to a unit quaternion.
  void ConfigurationRate(const VectorRef& q, const VectorRef& v, MutableVectorRef q_dot) const;
  void Normalize(MutableVectorRef q) const;

  // Amplitudes whose displacement of the points comes nearest to `displacements` (3×n, body frame)
  // up to a translation, in the mass metric: min_γ Σ m |u_n − ū − Σ γ_k (b_kn − b̄_k)|². `residual`
  // is what remains, rms over the mass [m].
  struct Fit {
    Eigen::VectorXd gamma;
    double residual;
  };
  Fit FitAmplitudes(const Eigen::Matrix3Xd& displacements) const;

 private:
  int dimension_;
  int driven_;
  Eigen::VectorXd masses_;
  Eigen::MatrixXd shapes_;
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_MODELS_DYNAMIC_FFD_FFD_BODY_H_
