#include "solvers/simulation.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "models/scene/number_text.h"
#include "models/scene/switch_times.h"

namespace pliant {
namespace {

constexpr int kClockSize = 3;  // anchor, count, step

}  // namespace

double StoredEnergy(const Observation& o) {
  return o.elastic_energy.value_or(0.0) + o.spring_energy.value_or(0.0) +
         o.contact_energy.value_or(0.0) + o.constraint_energy.value_or(0.0);
}

void MethodPieces::Add(const Eigen::Matrix3Xd& more_ends) {
  const Eigen::Index before = ends.cols();
  ends.conservativeResize(3, before + more_ends.cols());
  ends.rightCols(more_ends.cols()) = more_ends;
}

void MethodPieces::Add(const Eigen::Matrix3Xd& points,
                       const std::vector<std::array<int, 2>>& lines) {
  Eigen::Index end = ends.cols();
  ends.conservativeResize(3, end + 2 * static_cast<Eigen::Index>(lines.size()));
  for (const auto& [a, b] : lines) {
    ends.col(end++) = points.col(a);
    ends.col(end++) = points.col(b);
  }
}

Simulation::Simulation(std::shared_ptr<const Scene> scene)
    : Simulation(scene, SwitchTimes(*scene)) {}

Simulation::Simulation(std::shared_ptr<const Scene> scene, std::vector<double> switch_times)
    : scene_(std::move(scene)), switch_times_(std::move(switch_times)) {
  bounds_.reserve(switch_times_.size() + 2);
}

StepOutcome Simulation::Advance(double step) {
  assert(step > 0.0);
  if (step != step_) {
    anchor_ = time();
    count_ = 0;
    step_ = step;
  }
  const double begin = time(), end = StepEnd(), same = kSameSwitchTime * step;
  auto next = std::lower_bound(switch_times_.begin(), switch_times_.end(), begin - same);
  if (next == switch_times_.end() || *next > end + same) {  // almost always
    const StepOutcome outcome = DoAdvance(step);
    ++count_;
    return outcome;
  }
  // A switch time within rounding of a bound is that bound, so that all who ask decide alike.
  bounds_.assign(1, begin);
  for (; next != switch_times_.end() && *next <= end + same; ++next) {
    if (*next - bounds_.back() <= same) {
      bounds_.back() = *next;
    } else {
      bounds_.push_back(*next);
    }
  }
  if (end - bounds_.back() > same) bounds_.push_back(end);
  const size_t pieces = bounds_.size() - 1;
  StepOutcome outcome;
  for (size_t p = 0; p < pieces && outcome.kind != StepOutcome::Kind::kDiverged; ++p) {
    piece_ = Piece{bounds_[p], bounds_[p + 1]};
    const StepOutcome piece = DoAdvance(pieces == 1 ? step : piece_->end - piece_->begin);
    if (piece.kind != StepOutcome::Kind::kAdvanced) outcome = piece;
  }
  piece_.reset();
  ++count_;
  return outcome;
}

void Simulation::Observe(Observation* observation) const {
  observation->time = time();
  observation->extras.clear();
  DoObserve(observation);
}

Eigen::VectorXd Simulation::Save() const {
  Eigen::VectorXd state;
  Save(&state);
  return state;
}

void Simulation::Save(Eigen::VectorXd* state) const {
  state->resize(kClockSize + DoStateSize());
  (*state)[0] = anchor_;
  (*state)[1] = static_cast<double>(count_);
  (*state)[2] = step_;
  DoSave(state->tail(DoStateSize()));
}

std::vector<StateBlock> Simulation::StateLayout() const {
  std::vector<StateBlock> blocks = {
      {"time of the last change of the step", 1, "s"}, {"steps since", 1, "1"}, {"step", 1, "s"}};
  for (StateBlock& block : DoStateLayout()) blocks.push_back(std::move(block));
  return blocks;
}

void Simulation::Restore(const Eigen::VectorXd& state) {
  assert(state.size() == kClockSize + DoStateSize());
  anchor_ = state[0];
  count_ = static_cast<std::int64_t>(state[1]);
  step_ = state[2];
  piece_.reset();  // of a step that was cancelled
  DoRestore(state.tail(DoStateSize()));
  std::erase_if(events_, [this](const SimulationEvent& event) { return event.time > time(); });
}

FindingTable TableOfUnmet(const std::string& title, const std::vector<UnmetConstraint>& unmet,
                          std::int64_t count) {
  constexpr size_t kMostRows = 20;
  FindingTable table{title, {"constraint", "misses by"}, {}, ""};
  for (const UnmetConstraint& one : unmet) {
    if (table.rows.size() == kMostRows) break;
    table.rows.push_back({one.name, ThreeDigits(one.size) + " " + one.unit});
  }
  const std::int64_t more = count - static_cast<std::int64_t>(table.rows.size());
  if (more > 0) table.remark = "and " + std::to_string(more) + " more, none by more";
  return table;
}

StepOutcome CheckBounded(const Eigen::Ref<const Eigen::VectorXd>& values, double bound,
                         const std::string& quantity) {
  for (double value : values) {
    if (!(std::abs(value) <= bound)) return {StepOutcome::Kind::kDiverged, quantity};
  }
  return {};
}

}  // namespace pliant
