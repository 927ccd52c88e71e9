// Contact between bodies by penalty, on the cells in which they are inside one another
// (models/contact/body_contacts.h). Each cell c that another body is in is a spring on its depth
// d_c = V_c/A_c, so that the energy of contact is a function of positions alone:
//
//   normal       E = Σ_c ½ K d_c²,  force −f_c ∇d_c,  f_c = max(0, K d_c + C ḋ_c)
//   tangential   t = −K_t Δ_t − F u_t,  capped by Coulomb: |t| ≤ μ f_n,  f_n = f_c |∫ n dA|/A_c
//
// Every gradient has the sum 0 and no moment, and t acts at one place on both bodies: the
// forces change neither momentum nor angular momentum. Δ = x_a − x_b is that of an entry place: of a place of the
// cell and one of the other body that were together when the contact began; u is the velocity of a
// relative to b at x_a; Δ_t, u_t are the parts along the surface. After each step both places move
// to the centroid of what the cell and the other body have in common, with the same Δ_t; where its
// spring is beyond the cone, Δ_t is shortened: a sliding contact does not store without bound.
//
// The ledger. Springs store ½ K d² and ½ K_t |Δ_t|². The rest of the force does the passive work
// −C ḋ² of dampers (less where f_c is limited), that of friction, and what leaves entry places.
// Where a cell touches more than kOthers bodies at once, those beyond have no entry place: dampers
// alone brake there.
//
// A body rests on another with both bodies' cells: two flat faces that are cut into m and n pieces
// hold like (m + n) points of the penalty of an obstacle.

#ifndef PLIANT_SOLVERS_CONTACT_BODY_PENALTY_H_
#define PLIANT_SOLVERS_CONTACT_BODY_PENALTY_H_

#include <Eigen/Core>
#include <string>
#include <vector>

#include "models/contact/body_contacts.h"
#include "models/scene/forces.h"
#include "solvers/contact/penalty.h"
#include "solvers/exchange.h"
#include "solvers/translation.h"

namespace pliant {

class BodyPenalty {
 public:
  BodyPenalty(const Scene& scene, const PenaltyOptions& options);

  bool empty() const { return contacts_.empty(); }  // do no two bodies meet?

  // Adds the forces at points x, v (3×n), and the power of what is passive to `rates`. The entry
  // places stay: every stage of a step sees the same ones. Adds to `working` (3×n [N]), if given,
  // the part of the forces that no energy accounts for: its power at velocities is passive work.
  void AddForces(const PointsRef& x, const PointsRef& v, MutablePointsRef forces, Exchange* rates,
                 Eigen::Matrix3Xd* working = nullptr);
  // Adds the same forces to the pairs of bodies.
  void TallyForces(const PointsRef& x, const PointsRef& v, ContactTally* tally);
  // The energy of all springs [J].
  double Energy(const PointsRef& x);
  // After a step: sets, moves and forgets entry places. Returns the work of that, ≤ 0 [J].
  double Update(const PointsRef& x, const PointsRef& v);

  // Without forces: the contacts at points x.
  const BodyContacts& FindAt(const PointsRef& x);
  // Contacts of the last positions.
  const std::vector<CellContact>& contacts() const { return contacts_.contacts(); }
  const BodyContacts& finder() const { return contacts_; }
  const PenaltyOptions& options() const { return options_; }

  // Entry places are state.
  int StateSize() const { return static_cast<int>(entries_.size()); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const;
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  static constexpr int kOthers = 2;    // bodies in which a cell may have an entry place at once
  static constexpr int kNumbers = 10;  // of an entry: see entries_
  int EntryOf(const CellContact& contact) const;  // −1: none
  Eigen::Vector3d Slip(const CellContact& contact, int entry, const PointsRef& x) const;
  // The forces of contacts along the normal, of those that touch at x: f_, and the part work_ of it.
  void FindPushes(const PointsRef& x, const PointsRef& v);
  // Friction on the own cell at the place of `own`, its opposite on the partner at `other`.
  struct Friction {
    Eigen::Vector4d own, other;          // weights
    Eigen::Vector3d motion;              // relative [m/s]
    Eigen::Vector3d spring, tangential;  // N, the second of both spring and damper
  };
  Friction FrictionOf(const CellContact& contact, double push, const PointsRef& x,
                      const PointsRef& v) const;
  void AddFriction(const CellContact& contact, double push, const PointsRef& x, const PointsRef& v,
                   MutablePointsRef forces, Exchange* rates, Eigen::Matrix3Xd* working) const;

  PenaltyOptions options_;
  BodyContacts contacts_;
  Eigen::Matrix3Xd found_at_;         // the positions of the last Find()
  Eigen::VectorXd rates_, f_, work_;  // of each contact: ḋ, f, the part of f that works
  Eigen::Matrix3Xd forces_;           // scratch
  // Of each cell kOthers: 1 + the cell of the other body (0: none), the weights of the place in the
  // own cell and in that one, the energy of the spring after the last step [J].
  Eigen::Matrix<double, kNumbers, Eigen::Dynamic> entries_;
  std::vector<bool> used_;  // scratch of Update()
};

// Stiffness [N/m] and damping [N s/m] with which contact with other bodies holds a point of a body
// at most, about: the springs of the body's own cells and as many of others, which give way as much.
struct PointHold {
  double stiffness = 0.0, damping = 0.0;
};
PointHold HoldByBodies(const BodyPenalty& contact, int body);

// What a backend with this contact says of "contact…" in its record: pairs of bodies that take up
// space meet by penalty, others pass through each other.
std::string BodiesByPenalty(const PenaltyOptions& options);  // `how` of this contact
void SayBodiesMeet(const Scene& scene, const std::string& how, const std::string& friction,
                   Fidelity restitution, const std::string& of_restitution,
                   TranslationRecord* record);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_BODY_PENALTY_H_
