// Contact of material points with obstacles of any shape, at rest or moving: signed distance f,
// outward normal n, velocity u relative to the obstacle, entry point xₑ (where the point came in,
// carried with the obstacle) with the normal nₑ of the surface there, Δ = x − xₑ, and Δ_t its part at
// right angles to nₑ.
//
// Penalty, after the ground model of [Faloutsos 1995, Sec. 4.9, Eqs. 4.24–4.25], where f < 0:
//   normal       f_n = max(0, −K f − C n·u)
//   tangential   f_t = −K_t Δ_t − F u_t,  capped by Coulomb: |f_t| ≤ μ f_n
//
// Barrier, the potential of [Faloutsos 1995, Sec. 2.4, Eq. 2.11], at any distance:
//   normal       V = c exp(−f/ε),  f_n = (c/ε) exp(−f/ε);  |∇f| = 1 for a distance
//   tangential   as above; a point comes in where f_n begins to count, at f = 37 ε, beyond which
//                V is below the rounding of c
// The source prints the force with a minus, which would pull inwards. C has no part in it.
//
// The ledger. Springs store energy: ½ K f² or V along the normal, ½ K_t |Δ_t|² along the surface.
// The rest of the force, w, is that of dampers and limits, and does the passive work w·u ≤ 0; what
// an entry point that is dragged, or forgotten, takes out of its spring is lost to friction. An
// obstacle that moves does the active work f·(its velocity).
//
// Departures from the thesis: f_n is clamped, since (4.25) as printed may pull; the limit is the
// scene's μ; the tangential spring has its own constant (the source uses K for both). An entry
// point whose spring is limited moves along, so that a sliding point does not store energy without
// bound. The plane of the spring is that of nₑ through a whole step, so that ½ K_t |Δ_t|² is its
// energy to rounding also where the surface is curved, or the point passes from one face of a box to
// the next. After the step nₑ becomes n, and Δ_t turns with it and keeps its length.

#ifndef PLIANT_SOLVERS_CONTACT_PENALTY_H_
#define PLIANT_SOLVERS_CONTACT_PENALTY_H_

#include <Eigen/Core>
#include <utility>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "models/scene/touch.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/contact/near_obstacles.h"
#include "solvers/contact/obstacles_meet.h"
#include "solvers/exchange.h"
#include "solvers/parameters.h"

namespace pliant {

// The conditions under which contact and its tangential part count.
bool HasObstacles(const Scene& scene);
bool HasFriction(const Scene& scene);

enum class ContactLaw { kPenalty, kBarrier };

// How bodies meet each other: by springs on what cells of both have in common (body_penalty.h), or by a
// barrier between their surfaces (surface_barrier.h).
enum class BodiesMeetBy { kPenalty, kBarrier };

struct PenaltyOptions {
  double stiffness = 4500.0;           // K, N/m per point
  double damping = 20.0;               // C, N s/m per point
  double tangential_stiffness = 4500;  // K_t, N/m per point
  double tangential_damping = 20.0;    // F, N s/m per point
  void Bind(ParameterBinder& binder);  // contact_stiffness, contact_damping, …

  BodiesMeetBy between = BodiesMeetBy::kPenalty;
  double thickness = 0.0;  // m, of the barrier between bodies; 0: chosen by the scene
  // contact_between, contact_thickness; to be bound before the others.
  void BindBetween(ParameterBinder& binder);
  bool BodiesMeet(const Scene& scene) const;  // do any, by this contact?

  ObstaclesMeet obstacles = ObstaclesMeet::kPoints;  // bound apart
  // Throws BadInput (where = the parameter) for parameters that contradict each other.
  void RequireConsistent() const;

  ContactLaw law = ContactLaw::kPenalty;
  double barrier_energy = 0.5;                // c, J per point: V at the surface
  double barrier_length = 0.01;               // ε, m
  void BindBarrier(ParameterBinder& binder);  // contact, barrier_energy, barrier_length

  // Stiffness of a contact point along the normal at the surface [N/m], and its damping [N s/m].
  double normal_stiffness() const;
  double normal_damping() const { return law == ContactLaw::kPenalty ? damping : 0.0; }
};

class PenaltyContact {
 public:
  PenaltyContact(const Scene& scene, const PenaltyOptions& options);

  const std::vector<Obstacle>& obstacles() const { return obstacles_; }
  bool is_barrier() const { return options_.law == ContactLaw::kBarrier; }

  // Points touch where their signed distance is below this [m]: 0 for the penalty.
  double reach() const { return reach_; }

  // The contact law, for callers that find the touches; v is the velocity of the point [m/s].
  struct Answer {
    Eigen::Vector3d force;    // on the material [N]
    Eigen::Vector3d working;  // w, the part that no energy accounts for [N]
    double active;            // power of the obstacle's motion [W]
    double passive;           // w·u [W]
  };
  Answer Force(const Touch& touch, const Eigen::Vector3d& v) const;
  // Energy of the springs of a touch [J].
  double Energy(const Touch& touch) const;
  // After a step: sets the entry point of a point that came in, drags that of one that slides.
  // Returns the work of the drag, ≤ 0 [J].
  double UpdateEntry(const Touch& touch, const Eigen::Vector3d& v);
  // The point has left. Returns the work, ≤ 0 [J], that takes away what was in its spring after the
  // last step.
  double Leave(int obstacle, int point);
  // The same for callers that keep no ledger of it.
  void Forget(int obstacle, int point);
  void ForgetAllBut(int obstacle, int point);  // with obstacle = −1: those of all obstacles
  // Calls visit(obstacle, point) for each, by obstacles and then points. O(n log n).
  template <typename Visit>
  void ForEachEntry(const Visit& visit) const {
    for (const Eigen::Index index : Indices()) {
      visit(rubbing_obstacles_[index / points_], static_cast<int>(index % points_));
    }
  }
  bool HasEntry(int obstacle, int point) const {
    return Rubs(obstacle) && FindEntry(Index(obstacle, point)) != nullptr;
  }

  // The same for all points at once.
  //
  // Adds contact forces at `time` for points x, v (3×n), and their power and momentum to `rates`.
  // Uses the entry points as they are; const, so that every stage of a step sees the same ones. A
  // point that is inside without an entry point gets no tangential spring yet. O(n · obstacles).
  // Adds w of each point to `working` (3×n [N]) if given: its power at velocities of points is
  // passive work.
  void AddForces(double time, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates, Eigen::Matrix3Xd* working = nullptr) const;

  // Adds the same forces to the pairs of bodies and obstacles.
  void TallyForces(double time, const PointsRef& x, const PointsRef& v, ContactTally* tally) const;

  // After a step: sets entry points of points that came in, forgets those that left, drags those
  // that slide. Returns the work of that, ≤ 0 [J]. O(touches) beside finding them, however many leave.
  double Update(double time, const PointsRef& x, const PointsRef& v);

  // The energy of all springs of contact, for points x [J]. O(n · obstacles).
  double Energy(double time, const PointsRef& x) const;

  // Entry points are state: 7 numbers for each point and each obstacle with friction, which alone has
  // springs to them; 0 where there is no entry point. With more than kDenseObstacles of these it has
  // room for kAtOnce entry points of each point, each with 1 + the number of its obstacle among those
  // with friction before it; a point in still more obstacles has no spring to those beyond.
  int StateSize() const {
    return static_cast<int>(is_dense() ? kNumbers * rubbing_ * points_
                                       : (1 + kNumbers) * kAtOnce * points_);
  }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  bool Rubs(int obstacle) const { return with_friction_[obstacle] >= 0; }
  Eigen::Index Index(int obstacle, int point) const {
    return static_cast<Eigen::Index>(with_friction_[obstacle]) * points_ + point;
  }
  // f_n, and the part of it that the spring exerts [N].
  struct NormalForces {
    double all, spring;
  };
  NormalForces NormalForce(const Touch& touch, const Eigen::Vector3d& relative) const;
  // Δ_t [m]. Only where there is an entry point is there a spring.
  Eigen::Vector3d Slip(const Touch& touch) const;
  bool HasSpring(const Touch& touch) const { return HasEntry(touch.obstacle, touch.point); }

  static constexpr int kDenseObstacles = 8, kAtOnce = 4, kNumbers = 7;
  bool is_dense() const { return rubbing_ <= kDenseObstacles; }
  // Entry point in the obstacle's frame [m], then 1 plus the energy of its spring after the last step
  // [J], then nₑ.
  using Numbers = Eigen::Matrix<double, kNumbers, 1>;
  // In the list of its point, by ascending index, or in that of free places: a point has few entries, and each
  // comes and goes in constant time.
  struct Entry {
    Eigen::Index index;  // of obstacle and point; −1: free
    Numbers numbers;
    int next;           // of the list; −1: its end
    bool seen = false;  // by the present Update()
  };
  int Place(Eigen::Index index) const;                 // in entries_; −1: none
  const Numbers* FindEntry(Eigen::Index index) const;  // null: there is none
  int Insert(Eigen::Index index, const Numbers& numbers);
  void Erase(Eigen::Index index);
  int CountOf(int point) const;
  // Forgets entries of a point before `index` that the present Update() has not seen: they have left.
  void LetGoBefore(Eigen::Index index);
  double Drag(const Touch& touch, const Eigen::Vector3d& v, Numbers* entry) const;
  std::vector<Eigen::Index> Indices() const;  // ascending
  template <typename Visit>
  void ForEachTouchAt(double time, const PointsRef& x, const Visit& visit) const;

  const std::vector<Obstacle> obstacles_;
  PenaltyOptions options_;
  double reach_;
  int points_;
  std::vector<int> rubbing_obstacles_;  // those with friction
  std::vector<int> with_friction_;  // of each obstacle: its place among those with friction, or −1
  Eigen::Index rubbing_ = 0;        // obstacles with friction
  std::vector<Entry> entries_;
  std::vector<int> first_of_;  // of each point: the first of its list in entries_; −1: none
  int free_ = -1;              // the first free place
  // Of the present Update(), by index: what its drag, or its spring when it left, gave [J].
  std::vector<std::pair<Eigen::Index, double>> dragged_, left_;
  mutable NearObstacles near_;  // scratch but for its boxes
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_PENALTY_H_
