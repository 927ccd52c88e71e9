#include "solvers/spacetime/lamp_jump_program.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

using articulated_lamp::kLampDof;
using articulated_lamp::kLampHinges;
using articulated_lamp::LampAngles;

constexpr const char* kPhaseNames[] = {"stance", "flight", "landing"};

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

// Rates of the nodes within a phase by central differences.
void FillRates(LampPhase* phase) {
  const double h = phase->step();
  for (size_t i = 1; i + 1 < phase->nodes.size(); ++i) {
    phase->nodes[i].v = (phase->nodes[i + 1].q - phase->nodes[i - 1].q) / (2.0 * h);
  }
}

}  // namespace

LampMesh MeshOf(const LampJumpProblem& problem, double step, LampTranscription transcription) {
  LampMesh mesh{FirstDurations(problem), {}, transcription};
  for (int p = 0; p < 3; ++p) {
    mesh.intervals[p] = std::max(1, static_cast<int>(std::lround(mesh.durations[p] / step)));
  }
  if (problem.begins_flying()) {
    mesh.durations[0] = 0.0;
    mesh.intervals[0] = 0;
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

// In order of time.
void LampJumpProgram::AddNodes(const LampMesh& mesh) {
  const LampRules ground = {problem_.friction, problem_.torque_limit, problem_.cost};
  LampRules first = ground, landed = ground;
  LampContact contact = LampContact::kStance;
  Eigen::Vector3d start = Eigen::Vector3d::Zero(), leaving = start;
  if (const auto& run = problem_.in_run) {
    contact = LampContact::kSlide;
    first.friction = run->friction;
    first.slope = start[2] = run->slope;
    leaving = start + run->length * Eigen::Vector3d(std::cos(run->slope), -std::sin(run->slope), 0);
  }
  landed.friction = problem_.landing_friction.value_or(problem_.friction);
  const double takeoff = mesh.durations[0], touchdown = takeoff + mesh.durations[1];
  const bool flying = problem_.begins_flying();
  NodeMaker make(&program_);
  std::vector<LampNodeMap> stance, flight, landing;
  if (flying) {
    flight.emplace_back(LampNode{problem_.begin->q, problem_.begin->v});
  } else {
    LampNode first_node = At(start, problem_.start_pose);
    if (problem_.begin) {
      first_node.q.tail<kLampHinges>() = problem_.begin->q.tail<kLampHinges>();
      first_node.v.tail<kLampHinges>() = problem_.begin->v.tail<kLampHinges>();
    }
    stance.emplace_back(first_node);
    for (int i = 1; i < mesh.intervals[0]; ++i) {
      stance.push_back(problem_.in_run ? make.Sliding(start, rates_)
                                       : make.Standing(start, rates_));
    }
    stance.push_back(problem_.in_run ? make.LeavingSlope(leaving) : make.Standing(start, true));
    flight.push_back(stance.back());
  }
  for (int i = 1; i < mesh.intervals[1]; ++i) flight.push_back(make.Flying(rates_));
  const Eigen::Vector3d goal(problem_.distance, problem_.end_height, 0.0);
  if (problem_.landing == LampJumpProblem::Landing::kPlastic) {
    const NodeMaker::Touchdown node = make.Landing(goal);
    flight.push_back(node.before);
    landing.push_back(node.after);
  } else {
    flight.push_back(make.Standing(goal, true));
    landing.push_back(flight.back());
  }
  for (int i = 1; i < mesh.intervals[2]; ++i) landing.push_back(make.Standing(goal, rates_));
  landing.emplace_back(At(goal, problem_.end_pose));

  if (!flying) phases_.push_back({contact, 0.0, mesh.durations[0], first, std::move(stance)});
  phases_.push_back({LampContact::kFlight, takeoff, mesh.durations[1], ground, std::move(flight)});
  phases_.push_back(
      {LampContact::kStance, touchdown, mesh.durations[2], landed, std::move(landing)});
}

void LampJumpProgram::AddClocks() {
  const double shortest[] = {problem_.stance_duration, problem_.flight_duration,
                             problem_.landing_duration};
  const double longest[] = {problem_.longest_stance, problem_.longest_flight,
                            problem_.longest_landing};
  for (size_t p = 3 - phases_.size(); p < 3; ++p) {
    if (!(longest[p] > shortest[p])) continue;
    Phase& phase = phases_[p - (3 - phases_.size())];
    phase.clock = program_.AddBlock(1);
    program_.AddTerm(std::make_unique<LampDurationTerm>(kPhaseNames[p], phase.start, *phase.clock,
                                                        shortest[p], longest[p]));
  }
}

void LampJumpProgram::AddTerms(LampTranscription transcription) {
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const int intervals = static_cast<int>(phase.nodes.size()) - 1;
    const double h = phase.duration / intervals;
    const LampClock clock = {h, phase.clock, intervals};
    for (int i = 0; i <= intervals; ++i) {
      // A node between two phases belongs to the earlier one, and its base is on the ground.
      const bool between = phase.contact == LampContact::kFlight && i == intervals;
      // Where a jump begins on the way is as it is.
      if (i == 0 && (p > 0 || problem_.begin)) continue;
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
