#include "solvers/linear_deformation/constraint_switches.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "solvers/holds/schedule.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector3d;

constexpr int kSegmentSize = 13;  // begin and 3×4 terms

bool IsPoint(const Combination::Term& term, const PointRef& point) { return term.point == point; }

}  // namespace

ConstraintSwitches::ConstraintSwitches(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      rows_(SceneRows(*scene_)),
      always_(std::all_of(rows_.begin(), rows_.end(),
                          [](const ConstraintRow& row) { return row.hold.always(); })),
      behaviours_(*scene_) {
  for (const ConstraintRow& row : rows_) on_.push_back(row.hold.from <= 0.0 ? 1 : 0);
  for (size_t i = 0; i < scene_->nails.size(); ++i) {  // the first rows are those of the nails
    const Nail& nail = scene_->nails[i];
    if (nail.preroll > 0.0) {
      AddLead(nail.point, "nail." + nail.name + ".preroll", static_cast<int>(i));
    }
  }
  for (const Action* action : AllActions(*scene_)) {
    if (action->kind == Action::Kind::kChase) {
      const bool known = std::any_of(lead_.begin(), lead_.end(), [&](const LeadRow& lead) {
        return lead.nail < 0 && lead.point == action->point;
      });
      if (!known) AddLead(action->point, "chase." + NameOf(*scene_, action->point), -1);
    } else if (action->kind == Action::Kind::kConnect) {
      const PointRef& point = action->point;
      const bool known =
          std::any_of(connections_.begin(), connections_.end(), [&](const Connection& other) {
            return other.point == point && other.goal == *action->goal;
          });
      if (known) continue;
      ConstraintRow row;
      row.name = "connection." + NameOf(*scene_, point) + "." + NameOf(*scene_, *action->goal);
      row.terms = {{point, 1.0}};
      if (const auto* goal = std::get_if<PointRef>(&*action->goal)) {
        row.terms.push_back({*goal, -1.0});
      } else {
        row.target = Path::Still(std::get<Vector3d>(*action->goal));
      }
      connections_.push_back({point, *action->goal, static_cast<int>(rows_.size())});
      rows_.push_back(row);
      on_.push_back(0);
    }
  }
}

void ConstraintSwitches::AddLead(const PointRef& point, const std::string& name, int nail) {
  lead_.push_back({point, static_cast<int>(rows_.size()), nail});
  rows_.push_back({name, {{point, 1.0}}, CubicSegment(), {}, {}, {}});
  on_.push_back(0);
}

bool ConstraintSwitches::Decide(double begin, double end, const PointsRef& x, const PointsRef& v) {
  x_ = x;
  v_ = v;
  changed_ = false;
  const size_t of_scene = rows_.size() - lead_.size() - connections_.size();
  for (size_t i = 0; i < of_scene && !always_; ++i) {
    const HoldTime& hold = rows_[i].hold;
    if (BeginsIn(hold, begin, end)) Switch(static_cast<int>(i), true);
    if (LetsGoIn(hold, begin, end)) Switch(static_cast<int>(i), false);
  }
  for (const LeadRow& lead : lead_) {
    if (lead.nail < 0) continue;
    if (BeginsIn(scene_->nails[lead.nail].hold, begin, end)) Switch(lead.row, false);
  }
  behaviours_.Decide(begin, end, this);
  return changed_;
}

bool ConstraintSwitches::Lead(double begin, double end, const PointsRef& x, const PointsRef& v) {
  x_ = x;
  v_ = v;
  changed_ = false;
  for (const LeadRow& lead : lead_) {
    if (lead.nail < 0) continue;
    const Nail& nail = scene_->nails[lead.nail];
    if (!LeadsThrough(nail, end)) continue;
    const double left = nail.hold.from - begin;
    if (on_[lead.row] != 0 && left < Behaviours::kLastRebuilds * (end - begin)) continue;
    const State now = StateOf(nail.point);
    rows_[lead.row].target = WayOfPreroll(nail, begin, now.position, now.velocity);
    Switch(lead.row, true);
  }
  behaviours_.Lead(begin, end, this);
  return changed_;
}

std::vector<const ConstraintRow*> ConstraintSwitches::Holding() const {
  std::vector<const ConstraintRow*> holding;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (on_[i] != 0) holding.push_back(&rows_[i]);
  }
  return holding;
}

std::vector<std::string> ConstraintSwitches::TakeNews() { return std::exchange(news_, {}); }

void ConstraintSwitches::Switch(int row, bool on) {
  if ((on_[row] != 0) == on) return;
  on_[row] = on ? 1 : 0;
  changed_ = true;
}

PointControl::State ConstraintSwitches::StateOf(const PointRef& point) const {
  const int index = scene_->Index(point);
  return {x_.col(index), v_.col(index)};
}

void ConstraintSwitches::Lead(const PointRef& point, const CubicSegment& segment) {
  for (const LeadRow& lead : lead_) {
    if (lead.nail >= 0 || !(lead.point == point)) continue;
    rows_[lead.row].target = segment;
    Switch(lead.row, true);
  }
}

void ConstraintSwitches::Release(const PointRef& point) {
  for (const LeadRow& lead : lead_) {
    if (lead.nail < 0 && lead.point == point) Switch(lead.row, false);
  }
}

void ConstraintSwitches::Connect(const PointRef& point, const Goal& goal) {
  for (const Connection& connection : connections_) {
    if (connection.point == point && connection.goal == goal) Switch(connection.row, true);
  }
}

bool ConstraintSwitches::Ties(const ConstraintRow& row, const PointRef& point,
                              const Goal* goal) const {
  const auto& terms = row.terms;
  auto has = [&](const PointRef& wanted) {
    return std::any_of(terms.begin(), terms.end(),
                       [&](const auto& t) { return IsPoint(t, wanted); });
  };
  if (!has(point)) return false;
  if (goal == nullptr) return true;
  if (const auto* other = std::get_if<PointRef>(goal)) return has(*other);
  const auto* path = std::get_if<Path>(&row.target);
  return terms.size() == 1 && path != nullptr && !path->moves() &&
         path->At(0.0).position == std::get<Vector3d>(*goal);
}

void ConstraintSwitches::Disconnect(const PointRef& point, const Goal* goal) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    const bool leads = std::any_of(lead_.begin(), lead_.end(), [&](const LeadRow& lead) {
      return lead.row == static_cast<int>(i);
    });
    if (!leads && Ties(rows_[i], point, goal)) Switch(static_cast<int>(i), false);
  }
}

int ConstraintSwitches::StateSize() const {
  return static_cast<int>(rows_.size() + lead_.size() * kSegmentSize) + behaviours_.StateSize();
}

void ConstraintSwitches::AddTo(StateBlocks* layout) const {
  layout->Add("1 for each constraint that holds", static_cast<Eigen::Index>(rows_.size()), "1");
  layout->Add("paths of guided points: start time, then cubic coefficients",
              static_cast<Eigen::Index>(lead_.size() * kSegmentSize), "s; m, m/s, m/s², m/s³");
  layout->Add("behaviours: their actions, and when these began", behaviours_.StateSize(), "1, s");
}

void ConstraintSwitches::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  Eigen::Index at = 0;
  for (char on : on_) state[at++] = on;
  for (const LeadRow& lead : lead_) {
    const auto& segment = std::get<CubicSegment>(rows_[lead.row].target);
    state[at] = segment.begin;
    state.segment<12>(at + 1) =
        Eigen::Map<const Eigen::Matrix<double, 12, 1>>(segment.terms.data());
    at += kSegmentSize;
  }
  behaviours_.Save(state.tail(behaviours_.StateSize()));
}

void ConstraintSwitches::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  Eigen::Index at = 0;
  for (char& on : on_) on = state[at++] != 0.0 ? 1 : 0;
  for (const LeadRow& lead : lead_) {
    CubicSegment segment;
    segment.begin = state[at];
    Eigen::Map<Eigen::Matrix<double, 12, 1>>(segment.terms.data()) = state.segment<12>(at + 1);
    rows_[lead.row].target = segment;
    at += kSegmentSize;
  }
  behaviours_.Restore(state.tail(behaviours_.StateSize()));
}

}  // namespace pliant::linear_deformation
