#include "solvers/spacetime/deformable_jump_program.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "solvers/spacetime/differentiated_term.h"
#include "solvers/spacetime/hermite_cubic.h"
#include "solvers/spacetime/phase_time.h"
#include "solvers/spacetime/plan_rows.h"

namespace pliant {
namespace {

using Eigen::VectorXd;

enum DeformablePhaseNumber { kStance, kFlight, kLanding };

constexpr double kAmplitudeScale = 100.0;  // per unit of γ

std::vector<int> SizesOf(const SpacetimeProgram& program, const std::vector<int>& blocks) {
  std::vector<int> sizes;
  for (const int block : blocks) sizes.push_back(program.blocks()[block].size);
  return sizes;
}

template <typename Rows>
void AddDifferentiated(double time, std::vector<int> blocks, std::vector<RowGroup> groups,
                       Rows rows, SpacetimeProgram* program) {
  std::vector<int> sizes = SizesOf(*program, blocks);
  program->AddTerm(std::make_unique<DifferentiatedTerm<Rows>>(
      time, std::move(blocks), std::move(sizes), std::move(groups), std::move(rows)));
}

// At `place` ∈ (0, 1) of an interval between two nodes.
struct DeformablePhysicsRows {
  const DeformableCharacter* character;
  DeformableNodeMap from, to;
  PhaseClock clock;
  double place, share;  // of the interval; the part of it that the rows represent
  double friction;
  bool flies;

  template <typename T>
  void operator()(const T* const* x, T* rows) const {
    using std::sqrt;
    const int n = character->coordinates();
    std::vector<T> a(2 * n), b(2 * n), q(n), v(n), acceleration(n), force(n);
    int unknown = 0;
    from.Read(from.block == DeformableNodeMap::kGiven ? nullptr : x[unknown++], a.data());
    to.Read(to.block == DeformableNodeMap::kGiven ? nullptr : x[unknown++], b.data());
    const T h = clock.block ? x[unknown][0] / static_cast<double>(clock.intervals) : T(clock.h);
    const HermiteWeights w = HermiteAt(place, 1.0);  // rates weigh h, and each derivative 1/h
    const auto sum = [&](const double* c, int k) {
      return c[0] * a[k] + c[2] * b[k] + h * (c[1] * a[n + k] + c[3] * b[n + k]);
    };
    for (int k = 0; k < n; ++k) {
      q[k] = sum(w.value, k);
      v[k] = sum(w.rate, k) / h;
      acceleration[k] = sum(w.acceleration, k) / (h * h);
    }
    character->InverseDynamics(q.data(), v.data(), acceleration.data(), true, force.data());
    const T root = sqrt(share * h);
    int row = 0;
    for (int k = 0; k < character->size(); ++k) {
      if (character->acts[k]) rows[row++] = root * force[3 + k];
    }
    for (int k = 0; k < character->size(); ++k) {
      if (!character->acts[k]) rows[row++] = force[3 + k];
    }
    if (flies) {
      for (int i = 0; i < 3; ++i) rows[row++] = force[i];
    } else {
      Cone(friction, character->half_width, force,
           [&](int i, const T& value) { rows[row + i] = value; });
    }
  }
};

// γ between its limits; in flight both ends of the base above the ground.
struct DeformableLimitRows {
  const DeformableCharacter* character;
  DeformableNodeMap node;
  bool flies;

  template <typename T>
  void operator()(const T* const* x, T* rows) const {
    using std::sin;
    const int n = character->coordinates();
    std::vector<T> numbers(2 * n);
    node.Read(x[0], numbers.data());
    int row = 0;
    for (int k = 0; k < character->size(); ++k) {
      if (std::isfinite(character->lower[k])) rows[row++] = numbers[3 + k] - character->lower[k];
      if (std::isfinite(character->upper[k])) rows[row++] = character->upper[k] - numbers[3 + k];
    }
    if (!flies) return;
    const T lift = character->half_width * sin(numbers[2]);
    rows[row++] = numbers[1] - lift;
    rows[row++] = numbers[1] + lift;
  }
};

// M(q) (v⁺ − v⁻) = (Λ; 0): inverse dynamics without weight and rates.
struct DeformableTouchdownRows {
  const DeformableCharacter* character;
  DeformableNodeMap before, after;
  double friction;

  template <typename T>
  void operator()(const T* const* x, T* rows) const {
    const int n = character->coordinates();
    std::vector<T> a(2 * n), b(2 * n), rest(n, T(0.0)), jump(n), impulse(n);
    before.Read(x[0], a.data());
    after.Read(x[0], b.data());
    for (int k = 0; k < n; ++k) jump[k] = b[n + k] - a[n + k];
    character->InverseDynamics(a.data(), rest.data(), jump.data(), false, impulse.data());
    for (int k = 0; k < character->size(); ++k) rows[k] = impulse[3 + k];
    Cone(friction, character->half_width, impulse,
         [&](int i, const T& value) { rows[character->size() + i] = value; });
  }
};

}  // namespace

DeformableMesh MeshOf(const DeformableJumpProblem& problem, double step) {
  DeformableMesh mesh;
  for (int p = 0; p < DeformableJumpProblem::kPhases; ++p)
    mesh[p] = std::max(2, static_cast<int>(std::min(problem.first_duration(p) / step + 0.5, 1e6)));
  return mesh;
}

DeformableMotion StraightLine(const DeformableJumpProblem& problem) {
  const int n = problem.character.coordinates();
  const auto node = [&](double x, const VectorXd& gamma) {
    VectorXd q = VectorXd::Zero(n);
    q[0] = x;
    q.tail(gamma.size()) = gamma;
    return q;
  };
  const VectorXd rest = VectorXd::Zero(n);
  const VectorXd first = node(0.0, problem.start), last = node(problem.distance, problem.end);
  const double flight = problem.first_duration(kFlight);
  VectorXd leaves = (last - first) / flight, lands = leaves;
  leaves[1] = 0.5 * problem.character.gravity * flight;
  lands[1] = -leaves[1];
  const double takeoff = problem.first_duration(kStance);
  return {{{0.0, takeoff, {first, first}, {rest, rest}},
           {takeoff, flight, {first, last}, {leaves, lands}},
           {takeoff + flight, problem.first_duration(kLanding), {last, last}, {rest, rest}}}};
}

DeformableJumpProgram::DeformableJumpProgram(const DeformableJumpProblem& problem,
                                             const DeformableMesh& mesh)
    : problem_(problem) {
  AddNodes(mesh);
  AddTerms();
}

DeformableNodeMap DeformableJumpProgram::At(const Eigen::Vector3d& base,
                                            const VectorXd& gamma) const {
  const int n = problem_.character.coordinates();
  DeformableNodeMap node;
  node.column.assign(2 * n, DeformableNodeMap::kGiven);
  node.given = VectorXd::Zero(2 * n);
  node.given.head<3>() = base;
  node.given.segment(3, gamma.size()) = gamma;
  return node;
}

// Numbers `first` to first + count of (q, v) are the next entries of its block.
DeformableNodeMap DeformableJumpProgram::WithUnknowns(DeformableNodeMap node, int first,
                                                      int count) {
  for (int k = first; k < first + count; ++k) node.column[k] = node.block_size++;
  return node;
}

DeformableNodeMap DeformableJumpProgram::Standing(const Eigen::Vector3d& base) {
  const int modes = problem_.character.size(), n = problem_.character.coordinates();
  DeformableNodeMap node = At(base, VectorXd::Zero(modes));
  node = WithUnknowns(std::move(node), 3, modes);
  node = WithUnknowns(std::move(node), n + 3, modes);
  node.block = program_.AddBlock(node.block_size);
  return node;
}

// The last node of a phase is the first of the next one, but for what the impact changes.
void DeformableJumpProgram::AddNodes(const DeformableMesh& mesh) {
  const int modes = problem_.character.size(), n = problem_.character.coordinates();
  const Eigen::Vector3d home = Eigen::Vector3d::Zero(), goal(problem_.distance, 0.0, 0.0);
  double start = 0.0;
  DeformableNodeMap first = At(home, problem_.start);
  for (int p = 0; p < DeformableJumpProblem::kPhases; ++p) {
    std::vector<DeformableNodeMap> nodes = {first};
    for (int i = 1; i < mesh[p]; ++i) {
      if (p != kFlight) {
        nodes.push_back(Standing(p == kStance ? home : goal));
        continue;
      }
      DeformableNodeMap node = WithUnknowns(At(home, VectorXd::Zero(modes)), 0, 2 * n);
      node.block = program_.AddBlock(node.block_size);
      nodes.push_back(node);
    }
    if (p == kStance) {
      first = Standing(home);
      nodes.push_back(first);
    } else if (p == kFlight) {
      DeformableNodeMap before = WithUnknowns(At(goal, VectorXd::Zero(modes)), 3, modes);
      first = before;
      before = WithUnknowns(std::move(before), n, n);
      first.block_size = before.block_size;
      first = WithUnknowns(std::move(first), n + 3, modes);
      before.block_size = first.block_size;
      before.block = first.block = program_.AddBlock(first.block_size);
      nodes.push_back(before);
    } else {
      nodes.push_back(At(goal, problem_.end));
    }
    const double duration = problem_.first_duration(p);
    phases_.push_back({start, duration, std::move(nodes)});
    start += duration;
  }
}

void DeformableJumpProgram::AddTerms() {
  static const char* names[] = {"stance", "flight", "landing"};
  for (int p = 0; p < DeformableJumpProblem::kPhases; ++p) {
    Phase& phase = phases_[p];
    if (problem_.is_free(p)) {
      phase.clock = program_.AddBlock(1);
      program_.AddTerm(std::make_unique<PhaseDurationTerm>(
          names[p], phase.start, *phase.clock, problem_.duration[p], problem_.longest[p]));
    }
    if (problem_.time_weight > 0.0) {
      program_.AddTerm(std::make_unique<PhaseTimeTerm>(phase.start, phase.duration, phase.clock,
                                                       problem_.time_weight));
    }
    AddPhysics(p);
    AddLimits(p);
  }
  AddTouchdown();
}

void DeformableJumpProgram::AddPhysics(int p) {
  const Phase& phase = phases_[p];
  const int intervals = static_cast<int>(phase.nodes.size()) - 1;
  const double h = phase.duration / intervals, share = 0.5, span = share * h;
  const auto acting = static_cast<int>(
      std::count(problem_.character.acts.begin(), problem_.character.acts.end(), true));
  const int idle = problem_.character.size() - acting;
  std::vector<RowGroup> groups = {{"force of modes", "N·m", RowKind::kCost, acting}};
  if (idle > 0) {
    groups.push_back(
        {"force on passive modes", "N·m", RowKind::kEquality, idle, kMomentScale, span, span});
  }
  if (p == kFlight) {
    groups.push_back({"force in flight", "N", RowKind::kEquality, 2, 1.0, span, span});
    groups.push_back({"moment in flight", "N·m", RowKind::kEquality, 1, kMomentScale, span, span});
  } else {
    groups.push_back({"friction cone", "N", RowKind::kInequality, 2, 1.0, span, span});
    groups.push_back({"tipping moment", "N·m", RowKind::kInequality, 2, kMomentScale, span, span});
  }
  for (int i = 0; i < intervals; ++i) {
    for (const double place : kGaussPoints) {
      const DeformablePhysicsRows rows = {
          &problem_.character,         phase.nodes[i], phase.nodes[i + 1],
          {h, phase.clock, intervals}, place,          share,
          problem_.friction,           p == kFlight};
      std::vector<int> blocks;
      for (const DeformableNodeMap* node : {&rows.from, &rows.to}) {
        if (node->block != DeformableNodeMap::kGiven) blocks.push_back(node->block);
      }
      if (phase.clock) blocks.push_back(*phase.clock);
      AddDifferentiated(phase.start + (i + place) * h, std::move(blocks), groups, rows, &program_);
    }
  }
}

void DeformableJumpProgram::AddLimits(int p) {
  const Phase& phase = phases_[p];
  const int intervals = static_cast<int>(phase.nodes.size()) - 1;
  const double h = phase.duration / intervals;
  const DeformableCharacter& character = problem_.character;
  int limits = 0;
  for (int k = 0; k < character.size(); ++k)
    limits +=
        (std::isfinite(character.lower[k]) ? 1 : 0) + (std::isfinite(character.upper[k]) ? 1 : 0);
  // The node between two phases belongs to the earlier one, and its base is on the ground.
  for (int i = p == kStance ? 0 : 1; i <= intervals; ++i) {
    const DeformableNodeMap& node = phase.nodes[i];
    const bool flies = p == kFlight && i < intervals;
    if (node.block == DeformableNodeMap::kGiven || (limits == 0 && !flies)) continue;
    std::vector<RowGroup> groups;
    if (limits > 0) {
      groups.push_back({"limits of modes", "1", RowKind::kInequality, limits, kAmplitudeScale,
                        kLimitWeight, h, true});
    }
    if (flies) {
      groups.push_back(
          {"clearance", "m", RowKind::kInequality, 2, ClearanceScale(i * h), kLimitWeight, h});
    }
    AddDifferentiated(phase.start + i * h, {node.block}, std::move(groups),
                      DeformableLimitRows{&character, node, flies}, &program_);
  }
}

void DeformableJumpProgram::AddTouchdown() {
  const Phase& flight = phases_[kFlight];
  const DeformableTouchdownRows rows = {&problem_.character, flight.nodes.back(),
                                        phases_[kLanding].nodes.front(), problem_.friction};
  AddDifferentiated(
      flight.start + flight.duration, {rows.before.block},
      {{"impact on modes", "N·m·s", RowKind::kEquality, problem_.character.size(), kImpactScale},
       {"impact cone", "N·s", RowKind::kInequality, 2},
       {"impact tipping", "N·m·s", RowKind::kInequality, 2, kMomentScale}},
      rows, &program_);
}

VectorXd DeformableJumpProgram::Pack(const DeformableMotion& motion) const {
  const int n = problem_.character.coordinates();
  VectorXd x = VectorXd::Zero(program_.variables());
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const DeformableMotion::Phase& from = motion.phases[p];
    const double stretch = phase.clock ? 1.0 : from.duration / phase.duration;
    if (phase.clock) x[program_.blocks()[*phase.clock].offset] = from.duration;
    for (size_t i = 0; i < phase.nodes.size(); ++i) {
      const DeformableNodeMap& node = phase.nodes[i];
      // Takeoff has been written as the end of the stance.
      if (node.block == DeformableNodeMap::kGiven || (p == kFlight && i == 0)) continue;
      const double share = static_cast<double>(i) / static_cast<double>(phase.nodes.size() - 1);
      DeformableMotion::Sample sample;
      SampleOf(problem_.character, from, from.start + share * from.duration, &sample);
      for (int k = 0; k < 2 * n; ++k) {
        if (node.column[k] == DeformableNodeMap::kGiven) continue;
        x[program_.blocks()[node.block].offset + node.column[k]] =
            k < n ? sample.q[k] : stretch * sample.v[k - n];
      }
    }
  }
  return x;
}

DeformableMotion DeformableJumpProgram::Unpack(const VectorXd& x) const {
  const int n = problem_.character.coordinates();
  DeformableMotion motion;
  double start = 0.0;
  for (const Phase& phase : phases_) {
    DeformableMotion::Phase& to = motion.phases.emplace_back();
    to.start = start;
    to.duration = DurationAt(x, phase);
    start += to.duration;
    for (const DeformableNodeMap& node : phase.nodes) {
      VectorXd numbers(2 * n);
      const bool unknown = node.block != DeformableNodeMap::kGiven;
      node.Read(unknown ? x.data() + program_.blocks()[node.block].offset : nullptr,
                numbers.data());
      to.q.push_back(numbers.head(n));
      to.v.push_back(numbers.tail(n));
    }
  }
  return motion;
}

double DeformableJumpProgram::DurationAt(const VectorXd& x, const Phase& phase) const {
  return phase.clock ? x[program_.blocks()[*phase.clock].offset] : phase.duration;
}

double DeformableJumpProgram::RowTime(const VectorXd& x, int row) const {
  const double time = program_.row_time(row);
  double start = 0.0;
  for (const Phase& phase : phases_) {
    const double duration = DurationAt(x, phase), since = time - phase.start;
    if (since <= phase.duration || &phase == &phases_.back())
      return start + since * (duration / phase.duration);
    start += duration;
  }
  return start;
}

}  // namespace pliant
