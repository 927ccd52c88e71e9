#include "solvers/finite_elements/contact_impulses.h"

#include <optional>

namespace pliant::finite_elements {

using Eigen::Vector3d;

ContactImpulses::ContactImpulses(const Scene& scene, const TimeOptions& options)
    : scheme_(options.scheme), alpha_(options.spectral_radius), tally_(scene) {
  if (!alpha()) return;
  carried_.assign(tally_.pairs(), Vector3d::Zero());
  before_ = carried_;
}

void ContactImpulses::BeginAccelerations(const Contact& contact, const NodeMotion& still) {
  if (tally_.empty()) return;
  for (int p = 0; p < tally_.pairs(); ++p) {
    before_[p] = tally_.of_step(p);
    tally_.of_step(p).setZero();
  }
  contact.Tally(still, false, {1.0, 0.0}, &tally_);
  for (int p = 0; p < tally_.pairs(); ++p) {
    carried_[p] = tally_.of_step(p);
    tally_.of_step(p) = before_[p];
  }
}

void ContactImpulses::AddPiece(const Contact& contact, const NodeMotion& motion) {
  if (tally_.empty()) return;
  if (alpha()) {
    AddAlphaPiece(contact, motion);
    return;
  }
  const double h = motion.t1 - motion.t0;
  contact.Tally(motion, scheme_ == TimeScheme::kEnergyMomentum, {h, h}, &tally_);
}

void ContactImpulses::AddAlphaPiece(const Contact& contact, const NodeMotion& motion) {
  const double h = motion.t1 - motion.t0, alpha_m = alpha_.alpha_m, alpha_f = alpha_.alpha_f;
  for (int p = 0; p < tally_.pairs(); ++p) {
    before_[p] = tally_.of_step(p);
    tally_.of_step(p).setZero();
  }
  contact.Tally(motion, false, {(1.0 - alpha_f) * h, h}, &tally_);
  contact.Tally({motion.q0, motion.q0, motion.t0, motion.t0}, false, {alpha_f * h, 0.0}, &tally_);
  for (int p = 0; p < tally_.pairs(); ++p) {
    const Vector3d A0 = carried_[p], f = tally_.of_step(p) / h;
    carried_[p] = (f - alpha_m * A0) / (1.0 - alpha_m);
    tally_.of_step(p) = before_[p] + h * ((1.0 - alpha_.gamma) * A0 + alpha_.gamma * carried_[p]);
  }
}

void ContactImpulses::Show(const Contact& contact, const NodeMotion& load_step,
                           ContactFigures* figures) const {
  if (!statics()) {
    tally_.Show(figures);
    return;
  }
  tally_.Begin();
  contact.Tally(load_step, false, {1.0, 1.0}, &tally_);
  figures->force = tally_.Forces();
  for (auto* unknown :
       {&figures->impulse_x, &figures->impulse_y, &figures->impulse_z, &figures->friction_work}) {
    unknown->assign(tally_.pairs(), std::nullopt);
  }
}

int ContactImpulses::numbers() const {
  if (statics()) return 0;
  return tally_.numbers() + 3 * static_cast<int>(carried_.size());
}

void ContactImpulses::Save(StateWriter* write) const {
  if (statics()) return;
  tally_.Save(write);
  for (const Vector3d& carried : carried_) {
    for (const double part : carried) (*write)(part);
  }
}

void ContactImpulses::Restore(StateReader* read) {
  if (statics()) return;
  tally_.Restore(read);
  for (Vector3d& carried : carried_) {
    for (double& part : carried) part = (*read)();
  }
}

void ContactImpulses::AddTo(StateBlocks* layout) const {
  if (statics()) return;
  tally_.AddTo(layout);
  layout->Add("contact forces of pairs in the accelerations", 3 * carried_.size(), "N");
}

}  // namespace pliant::finite_elements
