#include "app/workbench/view/leading_hand.h"

#include <cmath>
#include <exception>
#include <utility>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/view_state.h"

namespace pliant {
namespace {

// A planar scene lives in z = 0, and its files have no z.
Eigen::Vector3d PlaceOfHand(const Pull& pull, const Scene& scene) {
  return {pull.to.x(), pull.to.y(), scene.dimension == 2 ? 0.0 : pull.to.z()};
}

}  // namespace

LeadingHand::LeadingHand(ViewState* view, OpenExperiment* open, QObject* parent)
    : QObject(parent), view_(view), open_(open) {
  connect(view, &ViewState::Led, this, &LeadingHand::Lead);
  connect(view, &ViewState::LeadEnded, this, &LeadingHand::Finish);
}

void LeadingHand::Lead(const Pull& pull) {
  Session& session = view_->session();
  if (session.experiment() == nullptr) {
    if (!std::exchange(refused_, true)) {
      emit Said("A bundle has been run: there is nothing to take hold of.");
    }
    return;
  }
  if (lead_ && session.leading()) {
    session.LeadTo(PlaceOfHand(pull, *session.experiment()->scene));
  } else if (!lead_ && !refused_) {
    Begin(pull);
    refused_ = !lead_;
  }
}

void LeadingHand::Begin(const Pull& pull) {
  Session& session = view_->session();
  const Experiment& experiment = *open_->experiment();
  const RunPlan& plan = experiment.plan;
  HandLead lead{view_->tool(), view_->strength(), pull.point, nullptr};
  double begin = session.LeadBegin();
  if (lead.tool == HandTool::kNail) {  // till then it fetches the point
    begin += plan.record_every * std::ceil(lead.strength / plan.record_every);
  }
  if (begin >= plan.duration) {
    emit Said(
        "The run is at its end: go back in time, or make it longer, to take hold of a point.");
    return;
  }
  const Eigen::Vector3d place = PlaceOfHand(pull, *experiment.scene);
  const bool nail = lead.tool == HandTool::kNail;
  lead.trail = std::make_shared<Trail>(begin);
  lead.trail->Append(begin + session.LeadPiece(), nail ? place : Eigen::Vector3d(0, 0, 0));
  try {
    session.BeginLead(WithLead(experiment, lead), lead, static_cast<size_t>(pull.pane));
    session.LeadTo(place);
  } catch (const std::exception& refusal) {
    emit Said(QString::fromUtf8(refusal.what()));
    return;
  }
  lead_ = std::move(lead);
  played_ = session.playing();
  session.Play();
}

void LeadingHand::Finish() {
  refused_ = false;
  const std::optional<HandLead> lead = std::exchange(lead_, std::nullopt);
  Session& session = view_->session();
  if (!lead || !session.leading()) return;  // something else has been opened meanwhile
  session.EndLead();
  if (!played_) session.Pause();
  finishing_ = true;
  const bool kept = open_->Add(*lead);
  finishing_ = false;
  if (!kept) {
    session.Change(open_->experiment());
    return;
  }
  emit Said(
      QString("%1 is part of the experiment now").arg(QString::fromStdString(Describe(*lead))));
}

}  // namespace pliant
