#include "solvers/simulation.h"

#include <cassert>
#include <cmath>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr int kClockSize = 3;  // anchor, count, step

}  // namespace

std::string_view ToString(WorkClass work_class) {
  switch (work_class) {
    case WorkClass::kForce:
      return "force";
    case WorkClass::kImpulse:
      return "impulse";
    case WorkClass::kContact:
      return "contact";
    case WorkClass::kConstraint:
      return "constraint";
    case WorkClass::kControl:
      return "control";
    case WorkClass::kDamping:
      return "damping";
  }
  return "";
}

double WorkByClass::Sum() const {
  double sum = 0.0;
  for (double value : values) sum += value;
  return sum;
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

StepOutcome Simulation::Advance(double step) {
  assert(step > 0.0);
  if (step != step_) {
    anchor_ = time();
    count_ = 0;
    step_ = step;
  }
  StepOutcome outcome = DoAdvance(step);
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

void Simulation::Restore(const Eigen::VectorXd& state) {
  assert(state.size() == kClockSize + DoStateSize());
  anchor_ = state[0];
  count_ = static_cast<std::int64_t>(state[1]);
  step_ = state[2];
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
