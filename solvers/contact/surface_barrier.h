// A barrier between surfaces: a potential of the distance between points and faces and between edges (in the plane,
// between points and edges). It grows without bound as the distance approaches 0; steps are divided so that no
// distance reaches 0.
//
//   g        distance of the two parts of a pair
//   V        Σ φ(g) e,   φ(g) = K (d − g)³/(3 g) for g < d, else 0   [J]
//   damping  −C (1 − g/d)² e ġ ∇g
//   friction −K_t Δ_t − F u_t, capped by Coulomb: |t| ≤ μ f_n, f_n = −φ′(g) e
//
// Δ joins two material places that faced each other when contact began; u is their relative velocity; t marks the part
// along the surface. After each step both places move to the closest points. Δ_t is kept, or shortened to what the
// cone allows. During the step the ledger books all work of friction; after it, the change of the energy in the
// springs is added back. Each point or edge has at most one spring to each of at most kOthers bodies, at the pair that
// was nearest; its other pairs have only the damper. Friction and damping act across the gap: angular momentum is kept
// up to their forces times g and Δ_t.
//
// K is `contact_stiffness`, d `contact_thickness`; C, K_t and F are those of contact too. φ begins with φ″ = 0
// at d, so that a scheme keeps its order up to the second where a contact begins; a pair that carries the load
// f rests at about d − √(f d/K) where f is small against K d. Two parts that approach with energy E ≫ K d² stop at
// g ≈ K d³/(3 E). (−ln g [Li et al. 2020] would stop them at d exp(−E/K d²), which floating point cannot tell from 0.)
//
// e is 1, except for nearly parallel edges, whose closest points jump along them. There it is their mollifier
// [Li et al. 2020, Eq. 24]: with c = |a × b|², c₀ = 10⁻³ |a|² |b|² at the start, e = (c/c₀)(2 − c/c₀) for c < c₀.
// Both g and c are functions of the products of the edge vectors (models/contact/pair_gap.h): the forces of a pair sum
// to zero and have no moment; only damping and friction change the energy.
//
// A piece of a step is accepted where for each pair the distances at its ends, cut off at d, differ by at most a
// fifth, the pair does not come within half of the smaller one on the straight way between (continuous collision
// detection), and no force was evaluated at a much smaller distance. What moves points after the step is not judged:
// key frames, and modes that are put back to their limits. Pairs of one body that are nearer than 2 d at the start
// are neighbours, and do not push.

#ifndef PLIANT_SOLVERS_CONTACT_SURFACE_BARRIER_H_
#define PLIANT_SOLVERS_CONTACT_SURFACE_BARRIER_H_

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/meeting_surfaces.h"
#include "solvers/contact/penalty.h"
#include "solvers/exchange.h"
#include "solvers/translation.h"

namespace pliant {

// Do two bodies with faces or edges meet, or does one meet itself? And with friction?
bool SurfacesMeet(const Scene& scene);
bool SurfacesMeetWithFriction(const Scene& scene);

class SurfaceBarrier {
 public:
  // `start` 3×n, at time 0. Throws BadInput where two bodies that meet touch, or are nearer than a
  // twentieth of a given thickness, or where a part is narrower than that.
  SurfaceBarrier(const Scene& scene, const PenaltyOptions& options, const PointsRef& start);

  bool act() const { return surfaces_.any(); }  // may any two surfaces meet?
  double thickness() const { return options_.thickness; }

  // Adds the forces at `t` [s] and points x, v (3×n), and the power of what is passive to `rates`. Adds
  // to `working` (3×n [N]), if given, the part of the forces that no energy accounts for.
  void AddForces(double t, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
                 Exchange* rates, Eigen::Matrix3Xd* working = nullptr);
  void TallyForces(double t, const PointsRef& x, const PointsRef& v, ContactTally* tally);
  bool pushes() const { return pushes_; }       // did the last AddForces() add anything?
  double Energy(double t, const PointsRef& x);  // J
  // After a step: sets, moves and forgets the springs of friction. Returns what they store more than
  // after the last one [J], which the work of friction of the step has as lost.
  double Update(double t, const PointsRef& x);

  // A piece of a step begins.
  void BeginPiece() { least_evaluated_ = std::numeric_limits<double>::infinity(); }
  // May a piece of a step lead from `before` to `after`, ending at `end` [s]? Not where the scheme has evaluated forces
  // at a much smaller distance on the way: stages inside a piece may lie in the wall or behind it.
  bool Accepts(const PointsRef& before, const PointsRef& after, double end);
  // The pair for which the last Accepts() was false: "point 3 of cloth and the face at point 0 of cloth".
  std::string NameOfLast(const Scene& scene) const;

  // The springs of friction are state.
  int StateSize() const { return static_cast<int>(entries_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  static constexpr int kOthers = 2;    // bodies to which a part may have a spring at once
  static constexpr int kNumbers = 10;  // of a spring: see entries_
  // A pair at some positions of its corners.
  struct Gap {
    Eigen::Matrix<double, 3, 4> corners;
    Eigen::Matrix<double, 4, 3> vectors;
    Eigen::Matrix3d edges;  // r
    Eigen::Vector4d weights;
    Eigen::Vector3d normal;  // unit, along Σ w x
    double g;
  };
  Gap GapAt(const SurfacePair& pair, const PointsRef& x) const;
  // A pair nearer than d.
  struct Touch {
    SurfacePair pair;
    Gap gap;
    double push;     // f_n [N]
    int first_slot;  // of the springs of its first part; −1 without friction
    int other;       // body of the second part
    int spring;      // column of entries_, −1 for none
  };
  void FindTouches(double t, const PointsRef& x);
  int SpringOf(const Touch& touch) const;
  // The touch of the pair where a spring was set; where that touches no more, the nearest one.
  bool HasTheSpring(const Touch& touch) const {
    return touch.spring >= 0 && &touches_[chosen_[touch.spring]] == &touch;
  }
  bool IsWhereItWasSet(const Touch& touch) const;
  Eigen::Vector3d SlipOf(int spring, const Eigen::Vector3d& normal, const PointsRef& x) const;
  Eigen::Vector3d Slip(const Touch& touch, const PointsRef& x) const {
    return SlipOf(touch.spring, touch.gap.normal, x);
  }
  double UpdateSpring(const Touch& touch, const PointsRef& x);
  Eigen::Vector4d WeightsWith(const Touch& touch, const Eigen::Vector3d& slip) const;
  // e, and ∂e/∂c [1/m⁴].
  struct Mollifier {
    double value = 1.0, slope = 0.0;
  };
  Mollifier MollifierOf(const SurfacePair& pair, const Gap& gap) const;
  bool AreNeighbours(const SurfacePair& pair) const;
  double Value(double g) const;
  double Slope(double g) const;
  void ChooseThickness(const Scene& scene, const PointsRef& start);  // barrier_thickness.cc
  // With the distances g0 before and g1 after.
  bool AcceptsPair(const SurfacePair& pair, const PointsRef& before, const PointsRef& after,
                   double g0, double g1) const;
  void Push(const Touch& touch, const PointsRef& v, MutablePointsRef forces, Exchange* rates,
            Eigen::Matrix3Xd* working) const;
  void Rub(const Touch& touch, const PointsRef& x, const PointsRef& v, MutablePointsRef forces,
           Exchange* rates, Eigen::Matrix3Xd* working) const;

  PenaltyOptions options_;
  MeetingSurfaces surfaces_;
  Eigen::Matrix3Xd rest_;
  std::vector<int> body_of_point_;
  bool pushes_ = false;
  // Of each point, then of each edge, kOthers springs: 1 + the other body (0: none), four points and their weights,
  // Δ = Σ w x, and the energy after the last step [J]. Empty without friction.
  Eigen::Matrix<double, kNumbers, Eigen::Dynamic> entries_;
  double least_evaluated_ = std::numeric_limits<double>::infinity();  // g since BeginPiece() [m]
  // Scratch.
  std::vector<Touch> touches_;
  std::vector<int> begin_;             // touches without a spring
  std::vector<char> touched_;          // of each spring
  std::vector<int> chosen_, nearest_;  // touches of each spring that has one
  SurfacePair last_{};
};

// What a backend with a barrier says of "contact…" in its record.
void SaySurfacesMeet(const Scene& scene, const PenaltyOptions& options, TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_SURFACE_BARRIER_H_
