// Contact of the links of a lamp with the obstacles of its scene, by penalty at their points (solvers/contact/penalty.h). The
// underside of the base is no part of it: its two ends stand by impulses (base_contact.h), which carry a weight without
// sinking in. Obstacles rest.
//
// What the forces do at velocities is split as in any penalty: springs store energy, and w, the rest, works.

#ifndef PLIANT_SOLVERS_ARTICULATED_LAMP_LINK_CONTACT_H_
#define PLIANT_SOLVERS_ARTICULATED_LAMP_LINK_CONTACT_H_

#include <Eigen/Core>
#include <vector>

#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/articulated_lamp/lamp_stepper.h"
#include "solvers/contact/penalty.h"

namespace pliant::articulated_lamp {

class LinkContact {
 public:
  // `scene` holds the lamp alone.
  LinkContact(const Scene& scene, const LampBody& body, const PenaltyOptions& options);

  struct Forces {
    std::vector<LampPush> pushes;   // f [N]
    std::vector<LampPush> working;  // w at the same points
  };
  // Of a lamp at (q, v); none where no link touches, which costs a few operations for each point and piece of ground.
  void Find(const LampStepper& stepper, const LampPlacement& placement, const LampVector& q,
            const LampVector& v, Forces* forces);
  bool rubs() const { return rubs_; }  // may there be an entry point?
  // After a step: entry points follow. Returns the work of that, ≤ 0 [J].
  double Update(const LampStepper& stepper, const LampVector& q, const LampVector& v);
  double Energy(const LampStepper& stepper, const LampVector& q);  // of the springs [J]

  // Is every point of the links above each piece of ground, as though its top were endless, or beside one that is level? Then
  // none touches.
  bool IsClear(const LampStepper& stepper, const LampPlacement& placement,
               const LampVector& q) const;

  int StateSize() const { return contact_.StateSize(); }
  void Save(Eigen::Ref<Eigen::VectorXd> state) const { contact_.Save(state); }
  void Restore(const Eigen::Ref<const Eigen::VectorXd>& state);

 private:
  void Place(const Lamp& lamp, const LampVector& q, const LampVector& v);  // x_, x_dot_

  LampBody body_;  // its points without the underside of the base
  PenaltyContact contact_;
  bool rubs_ = false;
  Eigen::Matrix3Xd x_, x_dot_, forces_, working_;  // scratch
};

}  // namespace pliant::articulated_lamp

#endif  // PLIANT_SOLVERS_ARTICULATED_LAMP_LINK_CONTACT_H_
