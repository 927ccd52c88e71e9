#include "solvers/holds/nails.h"

#include <algorithm>

#include "solvers/holds/hold.h"
#include "solvers/holds/schedule.h"

namespace pliant {

using Eigen::Vector3d;

Nails::Nails(const Scene& scene) : nails_(scene.nails), attachments_(scene.attachments) {
  for (const Nail& nail : nails_) {
    const int index = static_cast<int>(points_.size());
    points_.push_back(scene.Index(nail.point));
    switch_ = switch_ || !nail.hold.always();
    if (nail.preroll > 0.0) leads_.push_back({index, false, {}});
  }
}

void Nails::Begin(double begin, double end, const PointsRef& x, const PointsRef& v) {
  for (Lead& lead : leads_) {
    const Nail& nail = nails_[lead.nail];
    const int point = points_[lead.nail];
    bool held = false;
    for (size_t i = 0; i < nails_.size(); ++i) {
      held = held || (points_[i] == point && HoldsThrough(nails_[i].hold, end));
    }
    const bool on = !held && LeadsThrough(nail, end);
    if (on && !lead.on) lead.way = WayOfPreroll(nail, begin, x.col(point), v.col(point));
    lead.on = on;
  }
}

const Nails::Lead* Nails::LeadOf(int nail) const {
  const auto found = std::find_if(leads_.begin(), leads_.end(),
                                  [nail](const Lead& lead) { return lead.nail == nail; });
  return found != leads_.end() && found->on ? &*found : nullptr;
}

bool Nails::Acts(int nail, double end) const {
  return HoldsThrough(nails_[nail].hold, end) || LeadOf(nail) != nullptr;
}

bool Nails::Acts(const Hold& hold, double end) const {
  return hold.nail() ? Acts(hold.index, end) : HoldsThrough(attachments_[hold.index].hold, end);
}

Vector3d Nails::Place(int nail, double end) const {
  const Lead* lead = LeadOf(nail);
  return lead != nullptr ? lead->way.At(end).position : nails_[nail].path.At(end).position;
}

Vector3d Nails::MeanVelocity(int nail, double begin, double end) const {
  return (Place(nail, end) - Place(nail, begin)) / (end - begin);
}

const std::vector<int>& Nails::Points(double end) {
  acting_.clear();
  for (size_t i = 0; i < nails_.size(); ++i) {
    if (Acts(static_cast<int>(i), end)) acting_.push_back(points_[i]);
  }
  std::sort(acting_.begin(), acting_.end());
  acting_.erase(std::unique(acting_.begin(), acting_.end()), acting_.end());
  return acting_;
}

void Nails::Save(StateWriter* write) const {
  for (const Lead& lead : leads_) {
    // An inactive path counts as none.
    (*write)(lead.on ? lead.way.begin : -1.0);
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) (*write)(lead.on ? lead.way.terms(k, i) : 0.0);
    }
  }
}

void Nails::Restore(StateReader* read) {
  for (Lead& lead : leads_) {
    lead.way.begin = (*read)();
    lead.on = lead.way.begin >= 0.0;
    for (int i = 0; i < 4; ++i) {
      for (int k = 0; k < 3; ++k) lead.way.terms(k, i) = (*read)();
    }
  }
}

}  // namespace pliant
