// A surface that rides on a proxy (carrier.h): its frame moves with a body, it responds to
// obstacles in that frame, and its reaction moves the proxy. Reading Respond() is reading the
// coupling.
//
// A sheet or a planar chain is its own surface. An outline has none; it is embedded in a planar
// lattice, whose vertices are the surface.
//
// Points leave an obstacle by the shortest way. A ray against the surface's normal, as for a held
// surface, would run almost along the floor at the side of a foot; and friction, which turns that
// ray, is here a force on the proxy.
//
// A point reacts to its displacement, at most to the depth of the obstacle: a pressed vertex keeps
// its whole offset while the obstacle retreats, and would otherwise return more energy than it
// received. The force acts at the point without its elastic offset, with the moment of the stretch
// along the normal, at whose end the obstacle is: the work on a deforming carrier is then that of
// the reaction spring, F(depth) along the normal, and contact without relaxation returns the energy
// it received. Only pressed points react.
// A surface that relaxes more slowly than the obstacle leaves is not pressed on the way out and
// returns nothing: relaxation removes the bounce.
//
// The ledger of the contact. Each point has a spring that stores ∫ F over its stretch, which is the
// elastic displacement that reacts, and one along the surface (solvers/contact/penalty.h). The work
// of the reaction on the proxy and the change of what is stored together are work of contact, but
// for the work of obstacles that move: 0 where nothing is lost, ≤ 0 where the surface dissipates
// (it is damped, slides, relaxes, yields, or is not pressed any more), and > 0 where it makes energy
// (it follows late, or a coarse level stretches what no motion has stretched).

//
// A body that the scene says is rigid is its points alone, whatever its shape: nothing of it is
// displaced, and each point in an obstacle reacts to its depth.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDING_BODY_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDING_BODY_H_

#include <vector>

#include "models/kinematic_response/carried_points.h"
#include "solvers/array_blocks.h"
#include "solvers/kinematic_response/carrier.h"
#include "solvers/kinematic_response/controls.h"
#include "solvers/kinematic_response/kinematic_response.h"
#include "solvers/kinematic_response/surface_maps.h"

namespace pliant::kinematic_response {

class RidingBody {
 public:
  // Body number `body` is a sheet of 2^k + 1 points a side, a planar chain of as many, or a planar
  // outline; or rigid. Throws BadInput for `maps` that do not fit.
  RidingBody(const Scene& scene, int body, const KinematicResponseOptions& options,
             const std::vector<BehaviourMap>& maps);

  // Number of levels of the surface of such a body.
  static int Levels(const Body& body, const KinematicResponseOptions& options);

  Carrier& carrier() { return carrier_; }
  const Carrier& carrier() const { return carrier_; }
  int body() const { return body_; }          // its number in the scene
  int first_point() const { return first_; }  // its column among all points of the scene
  int size() const { return carried_.size(); }
  bool rigid() const { return rigid_; }
  int vertices() const { return rigid_ ? size() : response_.model().finest().size(); }
  const KinematicResponse& response() const { return response_; }  // in the frame of the carrier
  const SurfaceMaps& maps() const { return maps_; }
  // Of each point, its contact stiffness divided by that of the options, as given by a map.
  const Eigen::VectorXd& stiffness() const { return stiffness_; }
  const Load& reaction() const { return reaction_; }
  double contact_energy() const { return stored_; }  // J, of the springs of pressed points
  // Work that lifted the points off the material of the proxy: Σ m g·(x of the material − x) [J].
  // Displacements of the surface have no other energy.
  double Lift(const Eigen::VectorXd& masses, const Eigen::Vector3d& gravity) const;
  const DeformationSummary& summary() const { return summary_; }
  SurfaceOffsets& offsets() { return offsets_; }
  const SurfaceOffsets& offsets() const { return offsets_; }

  // A pass of `step` [s] that ends at `time`: the surface responds at the present position of the
  // proxy, and reaction() is set. Returns the change of contact_energy() [J].
  // O((vertices + points) · obstacles).
  double Respond(double time, double step, const KinematicResponseOptions& options,
                 const std::vector<Obstacle>& obstacles, PenaltyContact* contact);

  // Forces [N] at the undeformed points of the scene (3×n over all bodies, world), of which its own
  // count, act for h on the proxy; `exchange` receives their momentum, and nothing of their work.
  void KickByPoints(const Eigen::Matrix3Xd& forces, double h, Exchange* exchange);
  // Upper bound of the speed of the points of the proxy after such impulses [N s] [m/s].
  double FastestAfter(const Eigen::Matrix3Xd& impulses) const;
  // The same together with the reaction, whose work `exchange` receives.
  void KickByForces(const Eigen::Matrix3Xd& forces, double h, Exchange* exchange);

  // Positions of the points, 3×n, world [m].
  void PlacePoints(Eigen::Ref<Eigen::Matrix3Xd> x) const;

  // Besides the offsets: the proxy, the reaction, the summary.
  int StateSize() const {
    return carrier_.StateSize() + 17 + static_cast<int>(reaction_.modes.size() + stretches_.size());
  }
  void AddTo(StateBlocks* layout, const std::string& of_body) const;  // of Save()
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  // The offsets have been restored before.
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  struct Press {
    int obstacle = -1;  // none
    Eigen::Vector3d normal;
  };

  Load LoadOf(const Eigen::Matrix3Xd& forces) const;
  void Cast(double time, const std::vector<Obstacle>& obstacles);
  double React(double time, const KinematicResponseOptions& options,
               const std::vector<Obstacle>& obstacles, PenaltyContact* contact);
  void FindPlastic();
  void Kick(const Load& load, double h, Exchange* exchange);

  bool rigid_;
  int body_, first_;
  Carrier carrier_;
  CarriedPoints carried_;
  KinematicResponse response_;
  SurfaceOffsets offsets_;
  SurfaceMaps maps_;
  Eigen::VectorXd stiffness_;
  std::vector<LevelControls> controls_;
  DeformationSummary summary_;
  Load reaction_;
  double active_ = 0.0;        // power of the obstacles in the reaction [W]
  double stored_ = 0.0;        // J
  Eigen::VectorXd stretches_;  // of each point's spring [m]

  // Room to work in, body frame.
  std::vector<Press> presses_;            // per point, of the last cast
  Eigen::Matrix3Xd displacements_;        // of points [m]
  Eigen::Matrix3Xd relaxed_, displaced_;  // points [m]
  Eigen::Matrix3Xd plastic_;              // points without elastic offsets [m]
  std::vector<AffineMap> maps_to_world_;  // of each point, during Respond()
  LevelVectors without_elastic_;
  std::vector<VertexValues> nothing_;  // retained fractions 0
  FramedRows rows_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_RIDING_BODY_H_
