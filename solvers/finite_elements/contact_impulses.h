// What each pair exchanges by contact in steps of a scheme (time_step.h): the part of M (v₁ − v₀) that contact has,
//
//   energy-momentum   J = h f̄, with the push f̄ of the step, a discrete gradient, and its friction
//   implicit-euler    J = h f₁, with the push at the end of the step and its friction
//   generalised-α     J = h ((1 − γ) A₀ + γ A₁), where A is the part of M a that contact has:
//                       (1 − α_m) A₁ + α_m A₀ = (1 − α_f) f₁ + α_f f₀ + friction
//                     A₀ is state, and the push alone where accelerations begin anew. After a touch A fades by
//                     −α_m/(1 − α_m) a step, as the acceleration of the bodies does
//   static            no impulse: the push of the present state, and its friction
//
// so that the impulses of a body, its weight and all else that acts on it sum to the change of its momentum, up to the
// tolerance of Newton's iteration. The force of the present state does not: stiff contact alternates from step to step.
// The work of friction is that of its force on the way of the step, in each scheme.

#ifndef PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_IMPULSES_H_
#define PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_IMPULSES_H_

#include <Eigen/Core>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/array_blocks.h"
#include "solvers/contact/contact_tally.h"
#include "solvers/finite_elements/contact.h"
#include "solvers/finite_elements/generalised_alpha.h"
#include "solvers/finite_elements/time_step.h"
#include "solvers/state_stream.h"

namespace pliant::finite_elements {

class ContactImpulses {
 public:
  ContactImpulses(const Scene& scene, const TimeOptions& options);

  void Begin() { tally_.Begin(); }  // a step, of one piece or of several
  // Where accelerations begin anew: still nodes.
  void BeginAccelerations(const Contact& contact, const NodeMotion& still);
  void AddPiece(const Contact& contact, const NodeMotion& motion);
  void End(double step) { tally_.End(step); }  // s

  // `load_step`: of statics, the way that friction resists.
  void Show(const Contact& contact, const NodeMotion& load_step, ContactFigures* figures) const;

  int numbers() const;  // saved
  void Save(StateWriter* write) const;
  void Restore(StateReader* read);
  void AddTo(StateBlocks* layout) const;  // of Save()

 private:
  bool alpha() const { return scheme_ == TimeScheme::kGeneralisedAlpha; }
  bool statics() const { return scheme_ == TimeScheme::kStatic; }
  void AddAlphaPiece(const Contact& contact, const NodeMotion& motion);

  TimeScheme scheme_;
  GeneralisedAlpha alpha_;
  mutable ContactTally tally_;            // of statics scratch of Show()
  std::vector<Eigen::Vector3d> carried_;  // A of each pair [N], of generalised-α
  std::vector<Eigen::Vector3d> before_;   // of earlier pieces [N s], scratch
};

}  // namespace pliant::finite_elements

#endif  // PLIANT_SOLVERS_FINITE_ELEMENTS_CONTACT_IMPULSES_H_
