// Contact of edges and faces with obstacles by penalty, beside that of points (penalty.h): where an
// edge or a face is deeper than its points say, at the place of its excess φ (models/contact/excess.h).
//
//   normal       E = K Σ_c s_c φ_c, force on corner j of cell c: s_c K w_j (d n − d_j n_j)
//                damper at the place, −C ρ n·u, that never pulls: f_n ≥ 0
//   tangential   f_t = −K_t Δ_t − F ρ u_t,  capped by Coulomb: |f_t| ≤ μ f_n
//
// with the force f_n = K (d − Σ w_j d_j) that the cell adds to those of its points, before the damper,
// and its share ρ = f_n/(K d): both pass from the place to a point as the place comes to it, so that
// nothing counts twice. K, C, K_t, F are those of a point.
//
// s_c counts each place once: 1 for a face or an edge of no face; for a side of faces 1 less one for
// each of them, plus one for each whose own place is on it. Where two faces are deepest on a common
// side, s is 1; where one is deepest inside and the other on the side, 0. By inclusion and exclusion
// E is then continuous with its gradient as places move from cell to cell. s may be −1, where two
// faces are both deepest inside: there φ is small of second order, and the cell has the normal spring
// alone. Energies and forces depend on x alone, for convex obstacles without corners continuously.
//
// Friction. The spring along the surface holds to the obstacle the place of the material that it had
// after the last step: within a step its weights are constant, and ½ K_t |Δ_t|² is its energy. After
// the step it goes over to the present place with the same Δ_t, which turns with the normal.
// Where a cell meets more than kAtOnce obstacles with friction, those beyond have dampers alone.

#ifndef PLIANT_SOLVERS_CONTACT_SURFACE_PENALTY_H_
#define PLIANT_SOLVERS_CONTACT_SURFACE_PENALTY_H_

#include <Eigen/Core>
#include <vector>

#include "models/contact/excess.h"
#include "models/contact/surface_cells.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/penalty.h"
#include "solvers/exchange.h"

namespace pliant {

class SurfacePenalty {
 public:
  SurfacePenalty(const Scene& scene, const PenaltyOptions& options);

  // As those of BodyPenalty (body_penalty.h), at the time t of the points [s].
  void AddForces(double t, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates, Eigen::Matrix3Xd* working = nullptr);
  void TallyForces(double t, const PointsRef& x, const PointsRef& v, ContactTally* tally);
  double Energy(double t, const PointsRef& x);                      // J
  double Update(double t, const PointsRef& x, const PointsRef& v);  // work ≤ 0 [J]
  bool pushes() const { return !places_.empty(); }                  // at the last positions

  // Springs of friction are state.
  int StateSize() const { return static_cast<int>(entries_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  static constexpr int kAtOnce = 2;    // obstacles to which a cell may have springs of friction
  static constexpr int kNumbers = 11;  // of an entry: see entries_
  struct Place {
    int obstacle, cell;
    double count;             // s
    Excess of;                // the place
    Eigen::Vector3d depths;   // d_j [m]
    Eigen::Matrix3d normals;  // n_j, columns
    Eigen::Vector3d normal;   // n, unit
    double added;             // d − Σ w_j d_j ≥ 0, times |n| [m]
    double share;             // ρ
  };
  void FindAt(double t, const PointsRef& x);
  void FindAt(int obstacle, const PointsRef& x);
  void Take(int obstacle, int cell, double count, const Excess& excess, const PointsRef& x);
  // d_j of the corners of a cell; the normals there too, if asked for.
  Eigen::Vector3d DepthsOf(int obstacle, const PartCorners& corners,
                           Eigen::Matrix3d* normals = nullptr) const;
  template <typename Visit>
  void ForEachCorner(const Place& place, const Eigen::Vector3d& weights, const Visit& visit) const;
  Eigen::Vector3d Mean(const Place& place, const Eigen::Vector3d& weights,
                       const PointsRef& columns) const;
  double Damper(const Place& place, const Eigen::Vector3d& u) const;  // along the normal [N]
  int EntryOf(const Place& place) const;                              // −1: none
  Eigen::Vector3d Slip(const Place& place, int entry, const PointsRef& x) const;  // Δ_t [m]
  void AddNormal(const Place& place, const PointsRef& x, MutablePointsRef forces,
                 Exchange* rates) const;
  void AddWorking(const Place& place, const PointsRef& x, const PointsRef& v,
                  MutablePointsRef forces, Exchange* rates, Eigen::Matrix3Xd* working) const;

  std::vector<Obstacle> obstacles_;
  PenaltyOptions options_;
  SurfaceCells cells_;
  std::vector<Place> places_;  // at found_at_, found_time_
  Eigen::Matrix3Xd found_at_;
  double found_time_ = 0.0;
  std::vector<PathPoint> origins_;  // of the obstacles then
  std::vector<int> faces_on_;       // of each edge: faces whose place is on it; 0 between calls
  // Of each cell kAtOnce: 1 + the obstacle (0: none), the weights of the place, Δ's end in the
  // obstacle's frame [m], the normal, the energy of the spring after the last step [J].
  Eigen::Matrix<double, kNumbers, Eigen::Dynamic> entries_;
  std::vector<bool> used_;  // scratch of Update()
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SURFACE_PENALTY_H_
