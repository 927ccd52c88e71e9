#include "solvers/spacetime/lamp_jump_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using articulated_lamp::kLampDof;
using articulated_lamp::kLampHinges;
using articulated_lamp::LampAngles;

LampNode At(const Eigen::Vector3d& base, const LampAngles& pose) {
  LampNode node{articulated_lamp::LampVector::Zero(), articulated_lamp::LampVector::Zero()};
  node.q << base, pose;
  return node;
}

// Makes nodes with a block of unknowns each.
class NodeMaker {
 public:
  explicit NodeMaker(SpacetimeProgram* program) : program_(program) {}

  // Hinges unknown, the base at `base`. `rates`: theirs too.
  LampNodeMap Standing(const Eigen::Vector3d& base, bool rates) {
    LampNodeMap map(At(base, LampAngles::Zero()));
    Hinges(rates, &map);
    return Add(map);
  }
  // And the base somewhere along the slope below `start`.
  LampNodeMap Sliding(const Eigen::Vector3d& start, bool rates) {
    LampNodeMap map(At(start, LampAngles::Zero()));
    Along(start[2], 0, &map);
    Hinges(rates, &map);
    if (rates) Along(start[2], kLampDof, &map);
    return Add(map);
  }
  // At the end of the slope, where its speed is unknown.
  LampNodeMap LeavingSlope(const Eigen::Vector3d& edge) {
    LampNodeMap map(At(edge, LampAngles::Zero()));
    Hinges(true, &map);
    Along(edge[2], kLampDof, &map);
    return Add(map);
  }
  LampNodeMap Flying(bool rates) {
    LampNodeMap map(At(Eigen::Vector3d::Zero(), LampAngles::Zero()));
    for (int k = 0; k < (rates ? 2 : 1) * kLampDof; ++k) map.SetUnknown(k, map.block_size++);
    return Add(map);
  }
  // Both sides of a plastic touchdown, sharing a block (φ, v⁻, φ̇⁺).
  struct Touchdown {
    LampNodeMap before, after;
  };
  Touchdown Landing(const Eigen::Vector3d& base) {
    Touchdown node{LampNodeMap(At(base, LampAngles::Zero())),
                   LampNodeMap(At(base, LampAngles::Zero()))};
    const int size = 12, block = program_->AddBlock(size);
    for (LampNodeMap* map : {&node.before, &node.after}) {
      map->block = block;
      map->block_size = size;
      for (int j = 0; j < kLampHinges; ++j) map->SetUnknown(3 + j, j);
    }
    for (int k = 0; k < kLampDof; ++k) node.before.SetUnknown(kLampDof + k, 3 + k);
    for (int j = 0; j < kLampHinges; ++j) node.after.SetUnknown(kLampDof + 3 + j, 9 + j);
    return node;
  }

 private:
  static void Hinges(bool rates, LampNodeMap* map) {
    for (int j = 0; j < kLampHinges; ++j) map->SetUnknown(3 + j, map->block_size++);
    if (!rates) return;
    for (int j = 0; j < kLampHinges; ++j) map->SetUnknown(kLampDof + 3 + j, map->block_size++);
  }
  // (x, y) or their rates by one unknown down a slope.
  static void Along(double slope, int first, LampNodeMap* map) {
    map->SetAlong(first, map->block_size, std::cos(slope));
    map->SetAlong(first + 1, map->block_size++, -std::sin(slope));
  }
  LampNodeMap Add(LampNodeMap map) {
    map.block = program_->AddBlock(map.block_size);
    return map;
  }

  SpacetimeProgram* program_;
};

// The hinges of a standing node, with the base elsewhere.
LampNodeMap OnTheBlockOf(LampNodeMap node, const Eigen::Vector3d& base) {
  node.given.head<3>() = base;
  return node;
}

// Rates of the nodes within a phase by central differences.
void FillRates(LampPhase* phase) {
  const double h = phase->step();
  for (size_t i = 1; i + 1 < phase->nodes.size(); ++i) {
    phase->nodes[i].v = (phase->nodes[i + 1].q - phase->nodes[i - 1].q) / (2.0 * h);
  }
}

}  // namespace

LampMesh MeshOf(const LampJumpProblem& problem, double step, LampTranscription transcription) {
  LampMesh mesh{{}, {}, transcription};
  for (const LampJumpProblem::Phase& phase : problem.Phases()) {
    const bool over = mesh.durations.size() < problem.first_phase();
    const double duration = over ? 0.0 : phase.first_duration();
    mesh.durations.push_back(duration);
    const double intervals = std::min(std::round(duration / step), 1e6);
    mesh.intervals.push_back(over ? 0 : std::max(1, static_cast<int>(intervals)));
  }
  return mesh;
}

LampJumpProgram::LampJumpProgram(const LampJumpProblem& problem, const LampMesh& mesh)
    : problem_(problem),
      lamp_(problem.lamp, problem.gravity),
      rates_(mesh.transcription != LampTranscription::kFiniteDifferences) {
  AddNodes(mesh);
  AddClocks();
  AddTerms(mesh.transcription);
}

// Where the jump begins: at rest, or on the way.
LampNode LampJumpProgram::FirstNode(const Eigen::Vector3d& base) const {
  const auto& begin = problem_.begin;
  if (begin && LampJumpProblem::IsFlight(begin->phase)) return {begin->q, begin->v};
  LampNode first = At(base, problem_.start_pose);
  if (begin) {
    first.q.tail<kLampHinges>() = begin->q.tail<kLampHinges>();
    first.v.tail<kLampHinges>() = begin->v.tail<kLampHinges>();
  }
  return first;
}

// In order of time. The last node of a phase is the first of the next one, but for what an impact changes.
void LampJumpProgram::AddNodes(const LampMesh& mesh) {
  const std::vector<LampJumpProblem::Phase> phases = problem_.Phases();
  const bool plastic = problem_.landing == LampJumpProblem::Landing::kPlastic;
  NodeMaker make(&program_);
  std::optional<LampNodeMap> first;
  double start = 0.0;
  for (size_t p = problem_.first_phase(); p < phases.size(); ++p) {
    const bool flight = LampJumpProblem::IsFlight(p), last = p + 1 == phases.size();
    LampRules rules = {phases[p].friction, problem_.torque_limit, problem_.cost};
    LampContact contact = flight ? LampContact::kFlight : LampContact::kStance;
    Eigen::Vector3d base(phases[p].base.x(), phases[p].base.y(), 0.0);
    const bool slides = p == 0 && problem_.in_run;
    if (slides) {
      contact = LampContact::kSlide;
      rules.friction = problem_.in_run->friction;
      rules.slope = base[2] = problem_.in_run->slope;
    }
    if (!first) first = problem_.loop ? make.Standing(base, true) : LampNodeMap(FirstNode(base));
    std::vector<LampNodeMap> nodes = {*first};
    for (int i = 1; i < mesh.intervals[p]; ++i) {
      nodes.push_back(flight   ? make.Flying(rates_)
                      : slides ? make.Sliding(base, rates_)
                               : make.Standing(base, rates_));
    }
    if (last) {
      nodes.push_back(problem_.loop ? OnTheBlockOf(phases_.front().nodes.front(), base)
                                    : LampNodeMap(At(base, problem_.end_pose)));
    } else if (flight && plastic) {
      const NodeMaker::Touchdown node = make.Landing(base);
      nodes.push_back(node.before);
      first = node.after;
    } else if (slides) {
      const double length = problem_.in_run->length;
      first = make.LeavingSlope(
          base + length * Eigen::Vector3d(std::cos(rules.slope), -std::sin(rules.slope), 0.0));
      nodes.push_back(*first);
    } else {
      first = make.Standing(base, true);
      nodes.push_back(*first);
    }
    phases_.push_back({contact, start, mesh.durations[p], rules, std::move(nodes)});
    start += mesh.durations[p];
  }
}

void LampJumpProgram::AddClocks() {
  const std::vector<LampJumpProblem::Phase> phases = problem_.Phases();
  const size_t first = problem_.first_phase();
  for (size_t p = 0; p < phases_.size(); ++p) {
    const LampJumpProblem::Phase& of = phases[first + p];
    Phase& phase = phases_[p];
    if (of.is_free()) {
      phase.clock = program_.AddBlock(1);
      program_.AddTerm(std::make_unique<PhaseDurationTerm>(of.name, phase.start, *phase.clock,
                                                           of.shortest, of.longest));
    }
    if (problem_.cost.time > 0.0) {
      program_.AddTerm(std::make_unique<PhaseTimeTerm>(phase.start, phase.duration, phase.clock,
                                                       problem_.cost.time));
    }
  }
}

void LampJumpProgram::AddTerms(LampTranscription transcription) {
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const int intervals = static_cast<int>(phase.nodes.size()) - 1;
    const double h = phase.duration / intervals;
    const PhaseClock clock = {h, phase.clock, intervals};
    for (int i = 0; i <= intervals; ++i) {
      // A node between two phases belongs to the earlier one, and its base is on the ground.
      const bool between = phase.contact == LampContact::kFlight && i == intervals;
      // Where a jump begins on the way is as it is, and where a loop ends is where it has begun.
      if (i == 0 && (p > 0 || problem_.begin)) continue;
      if (problem_.loop && p + 1 == phases_.size() && i == intervals) continue;
      const double elapsed = p == 0 && problem_.begin ? problem_.begin->elapsed : 0.0;
      program_.AddTerm(std::make_unique<LampLimitTerm>(
          lamp_, problem_, between ? LampContact::kStance : phase.contact, phase.start + i * h, h,
          elapsed + i * h, phase.nodes[i]));
    }
    for (LampSampling& sampling : Samplings(transcription, intervals)) {
      const auto first = phase.nodes.begin() + sampling.first_node;
      physics_.push_back({static_cast<int>(p), program_.terms(), sampling.at, sampling.share});
      program_.AddTerm(std::make_unique<LampPhysicsTerm>(
          lamp_, phase.rules, phase.contact, phase.start + sampling.at * h, sampling.share, clock,
          std::move(sampling.samples), std::vector(first, first + sampling.nodes)));
    }
    if (transcription == LampTranscription::kTrapezoidal) {
      for (int i = 0; i < intervals; ++i) {
        program_.AddTerm(std::make_unique<LampTrapezoidTerm>(phase.start + (i + 0.5) * h, clock,
                                                             phase.nodes[i], phase.nodes[i + 1]));
      }
    }
    if (phase.contact == LampContact::kFlight &&
        problem_.landing == LampJumpProblem::Landing::kPlastic) {
      program_.AddTerm(std::make_unique<LampImpactTerm>(
          lamp_, phases_[p + 1].rules.friction, phase.start + phase.duration, phase.nodes.back(),
          phases_[p + 1].nodes.front()));
    }
  }
}

Eigen::VectorXd LampJumpProgram::Pack(const LampTrajectory& trajectory) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(program_.variables());
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const LampPhase& from = trajectory.phases[p];
    const int intervals = static_cast<int>(phase.nodes.size()) - 1;
    // A free duration is adopted, a given one stretches the motion.
    const double stretch = phase.clock ? 1.0 : from.duration / phase.duration;
    if (phase.clock) x[program_.blocks()[*phase.clock].offset] = from.duration;
    for (int i = 0; i <= intervals; ++i) {
      const LampNodeMap& node = phase.nodes[i];
      // Takeoff has been written as the end of the phase before.
      const bool takeoff = phase.contact == LampContact::kFlight && i == 0;
      if (node.block == LampNodeMap::kGiven || takeoff) continue;
      const double time = from.start + from.duration * i / intervals;
      const LampSample sample = LampTrajectory::At(lamp_, from, time);
      node.Write({sample.q, stretch * sample.v}, x.data() + program_.blocks()[node.block].offset);
    }
  }
  return x;
}

LampTrajectory LampJumpProgram::Unpack(const Eigen::VectorXd& x) const {
  LampTrajectory trajectory;
  double start = 0.0;
  for (const Phase& phase : phases_) {
    LampPhase& unpacked = trajectory.phases.emplace_back();
    unpacked.contact = phase.contact;
    unpacked.start = start;
    unpacked.duration = DurationAt(x, phase);
    start += unpacked.duration;
    for (const LampNodeMap& node : phase.nodes) {
      const bool unknown = node.block != LampNodeMap::kGiven;
      unpacked.nodes.push_back(
          node.Read(unknown ? x.data() + program_.blocks()[node.block].offset : nullptr));
    }
    if (!rates_) FillRates(&unpacked);
  }
  return trajectory;
}

double LampJumpProgram::DurationAt(const Eigen::VectorXd& x, const Phase& phase) const {
  return phase.clock ? x[program_.blocks()[*phase.clock].offset] : phase.duration;
}

std::vector<LampJumpProgram::Sample> LampJumpProgram::Samples(const Eigen::VectorXd& x) const {
  std::vector<double> starts = {0.0};
  for (const Phase& phase : phases_) starts.push_back(starts.back() + DurationAt(x, phase));
  std::vector<Sample> samples;
  for (const Physics& physics : physics_) {
    const Phase& phase = phases_[physics.phase];
    const double h = DurationAt(x, phase) / phase.intervals();
    const double* pointers[SpacetimeProgram::kMaxBlocks];
    program_.Gather(physics.term, x.data(), pointers);
    // All terms of physics_ are made by AddTerms().
    const auto& term = static_cast<const LampPhysicsTerm&>(program_.term(physics.term));
    samples.push_back({physics.phase, starts[physics.phase] + physics.at * h, physics.share * h,
                       term.SampleAt(pointers)});
  }
  return samples;
}

double LampJumpProgram::RowTime(const Eigen::VectorXd& x, int row) const {
  const double time = program_.row_time(row);
  double start = 0.0;
  for (const Phase& phase : phases_) {
    const double duration = DurationAt(x, phase), since = time - phase.start;
    if (since <= phase.duration || &phase == &phases_.back()) {
      return start + since * (duration / phase.duration);
    }
    start += duration;
  }
  return start;
}

}  // namespace pliant
