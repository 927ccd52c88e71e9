#include "solvers/spacetime/lamp_jump.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

#include "models/scene/problem.h"

namespace pliant {
namespace {

LampNode Standing(double x, const LampAngles& pose) {
  LampNode node{LampVector::Zero(), LampVector::Zero()};
  node.q[0] = x;
  node.q.tail<3>() = pose;
  return node;
}

// Hinges and their rates unknown, the base given.
LampNodeMap StanceNode(double x, SpacetimeProgram* program) {
  LampNodeMap map(Standing(x, LampAngles::Zero()));
  map.block_size = 6;
  map.block = program->AddBlock(map.block_size);
  for (int j = 0; j < kLampHinges; ++j) {
    map.SetUnknown(3 + j, j);
    map.SetUnknown(kLampDof + 3 + j, 3 + j);
  }
  return map;
}

LampNodeMap FlightNode(SpacetimeProgram* program) {
  LampNodeMap map(Standing(0.0, LampAngles::Zero()));
  map.block_size = LampNodeMap::kNumbers;
  map.block = program->AddBlock(map.block_size);
  for (int k = 0; k < LampNodeMap::kNumbers; ++k) map.SetUnknown(k, k);
  return map;
}

// Both sides of a plastic touchdown, sharing a block (φ, v⁻, φ̇⁺).
struct Touchdown {
  LampNodeMap before, after;
};
Touchdown PlasticTouchdown(double x, SpacetimeProgram* program) {
  Touchdown node{LampNodeMap(Standing(x, LampAngles::Zero())),
                 LampNodeMap(Standing(x, LampAngles::Zero()))};
  const int size = 12, block = program->AddBlock(size);
  for (LampNodeMap* map : {&node.before, &node.after}) {
    map->block = block;
    map->block_size = size;
    for (int j = 0; j < kLampHinges; ++j) map->SetUnknown(3 + j, j);
  }
  for (int k = 0; k < kLampDof; ++k) node.before.SetUnknown(kLampDof + k, 3 + k);
  for (int j = 0; j < kLampHinges; ++j) node.after.SetUnknown(kLampDof + 3 + j, 9 + j);
  return node;
}

int Intervals(double duration, double step) {
  return std::max(1, static_cast<int>(std::lround(duration / step)));
}

}  // namespace

LampJumpProgram::LampJumpProgram(const LampJumpProblem& problem, double step)
    : lamp_(problem.lamp, problem.gravity) {
  const double d = problem.distance;
  const bool plastic = problem.landing == LampJumpProblem::Landing::kPlastic;
  const double takeoff = problem.stance_duration, touchdown = takeoff + problem.flight_duration;
  phases_ = {{LampContact::kStance, 0.0, problem.stance_duration, {}},
             {LampContact::kFlight, takeoff, problem.flight_duration, {}},
             {LampContact::kStance, touchdown, problem.landing_duration, {}}};

  // Nodes in order of time.
  std::vector<LampNodeMap>& stance = phases_[0].nodes;
  stance.emplace_back(Standing(0.0, problem.start_pose));
  const int stance_intervals = Intervals(problem.stance_duration, step);
  for (int i = 1; i <= stance_intervals; ++i) stance.push_back(StanceNode(0.0, &program_));

  std::vector<LampNodeMap>& flight = phases_[1].nodes;
  std::vector<LampNodeMap>& landing = phases_[2].nodes;
  flight.push_back(stance.back());
  const int flight_intervals = Intervals(problem.flight_duration, step);
  for (int i = 1; i < flight_intervals; ++i) flight.push_back(FlightNode(&program_));
  if (plastic) {
    const Touchdown node = PlasticTouchdown(d, &program_);
    flight.push_back(node.before);
    landing.push_back(node.after);
  } else {
    flight.push_back(StanceNode(d, &program_));
    landing.push_back(flight.back());
  }
  const int landing_intervals = Intervals(problem.landing_duration, step);
  for (int i = 1; i < landing_intervals; ++i) landing.push_back(StanceNode(d, &program_));
  landing.emplace_back(Standing(d, problem.end_pose));

  AddTerms(problem);
}

void LampJumpProgram::AddTerms(const LampJumpProblem& problem) {
  const LampRules rules = {problem.friction, problem.torque_limit, problem.cost};
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const int intervals = static_cast<int>(phase.nodes.size()) - 1;
    const double h = phase.duration / intervals;
    for (int i = 0; i <= intervals; ++i) {
      const double time = phase.start + i * h;
      // A node between two phases belongs to the earlier one, and its base is on the floor.
      const bool between = phase.contact == LampContact::kFlight && i == intervals;
      if (i > 0 || p == 0) {
        program_.AddTerm(std::make_unique<LampLimitTerm>(
            lamp_, between ? LampContact::kStance : phase.contact, time, h, i * h, phase.nodes[i]));
      }
      if (i == intervals) continue;
      for (int point = 0; point < 2; ++point) {
        program_.AddTerm(std::make_unique<LampGaussTerm>(
            lamp_, rules, phase.contact, time, h, point, phase.nodes[i], phase.nodes[i + 1]));
      }
    }
    if (phase.contact == LampContact::kFlight &&
        problem.landing == LampJumpProblem::Landing::kPlastic) {
      program_.AddTerm(
          std::make_unique<LampImpactTerm>(lamp_, problem.friction, phase.start + phase.duration,
                                           phase.nodes.back(), phases_[p + 1].nodes.front()));
    }
  }
}

Eigen::VectorXd LampJumpProgram::Pack(const LampTrajectory& trajectory) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(program_.variables());
  for (size_t p = 0; p < phases_.size(); ++p) {
    const Phase& phase = phases_[p];
    const int intervals = static_cast<int>(phase.nodes.size()) - 1;
    for (int i = 0; i <= intervals; ++i) {
      const LampNodeMap& node = phase.nodes[i];
      // Takeoff has been written as the end of the stance, at rest with the floor.
      const bool takeoff = phase.contact == LampContact::kFlight && i == 0;
      if (node.block == LampNodeMap::kGiven || takeoff) continue;
      const double time = phase.start + phase.duration * i / intervals;
      const LampSample sample = LampTrajectory::At(lamp_, trajectory.phases[p], time);
      node.Write({sample.q, sample.v}, x.data() + program_.blocks()[node.block].offset);
    }
  }
  return x;
}

LampTrajectory LampJumpProgram::Unpack(const Eigen::VectorXd& x) const {
  LampTrajectory trajectory;
  for (const Phase& phase : phases_) {
    LampPhase& unpacked = trajectory.phases.emplace_back();
    unpacked.contact = phase.contact;
    unpacked.start = phase.start;
    unpacked.duration = phase.duration;
    for (const LampNodeMap& node : phase.nodes) {
      const bool unknown = node.block != LampNodeMap::kGiven;
      unpacked.nodes.push_back(
          node.Read(unknown ? x.data() + program_.blocks()[node.block].offset : nullptr));
    }
  }
  return trajectory;
}

LampTrajectory PerturbedLine(const LampJumpProblem& problem, double step, unsigned seed,
                             const Perturbation& perturbation) {
  const LampJumpProgram program(problem, step);
  LampTrajectory line = program.Unpack(program.Pack(StraightLine(problem)));
  std::mt19937 generator(seed);
  const auto up_to = [&](double size) {
    return size * (2.0 * (generator() / 4294967296.0) - 1.0);  // 32 random bits to (−size, size)
  };
  for (LampPhase& phase : line.phases) {
    for (LampNode& node : phase.nodes) {
      for (int k = 0; k < kLampDof; ++k) {
        node.q[k] += up_to(k < 2 ? perturbation.distance : perturbation.angle);
        node.v[k] += up_to(perturbation.rate);
      }
    }
  }
  return line;
}

void LampJumpOptions::Validate() const {
  if (!(step > 0.0) || !std::isfinite(step)) {
    throw BadInput({"step", "step must be finite and positive", ""});
  }
  if (refinements < 0) throw BadInput({"refinements", "refinements must not be negative", ""});
  solver.Validate();
}

namespace {

// A phase without time: no motion exists, and no mesh either.
std::optional<SpacetimeSummary> WithoutTime(const LampJumpProblem& problem) {
  struct Duration {
    const char* name;
    double value, start;
  };
  const double takeoff = problem.stance_duration;
  for (const Duration& phase :
       {Duration{"duration of the stance", problem.stance_duration, 0.0},
        Duration{"duration of the flight", problem.flight_duration, takeoff},
        Duration{"duration of the landing", problem.landing_duration,
                 takeoff + problem.flight_duration}}) {
    if (phase.value > 0.0) continue;
    SpacetimeSummary summary;
    summary.termination = SpacetimeTermination::kInfeasible;
    summary.worst = {phase.name, "s", -phase.value, phase.value, phase.start};
    summary.violation = summary.worst.scaled;
    summary.kinds.push_back(summary.worst);
    char text[160];
    std::snprintf(text, sizeof text, "%s: worst is '%s', %.3g s at t = %.3f s",
                  std::string(ToString(summary.termination)).c_str(), phase.name, phase.value,
                  phase.start);
    summary.message = text;
    return summary;
  }
  return std::nullopt;
}

// Order and limit of the cost from the last three levels, whose steps halve.
void Extrapolate(LampJumpMotion* motion) {
  const size_t n = motion->levels.size();
  if (n < 3 || !motion->summary().converged()) return;
  const double coarse = motion->levels[n - 3].summary.final_cost;
  const double middle = motion->levels[n - 2].summary.final_cost;
  const double fine = motion->levels[n - 1].summary.final_cost;
  const double ratio = (middle - coarse) / (fine - middle);
  if (!(ratio > 1.0)) return;
  motion->observed_order = std::log2(ratio);
  motion->extrapolated_cost = fine + (fine - middle) / (ratio - 1.0);
}

}  // namespace

LampJumpMotion SolveLampJump(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const LampTrajectory* guess) {
  problem.Validate();
  options.Validate();
  LampJumpMotion motion;
  if (auto infeasible = WithoutTime(problem)) {
    motion.levels.push_back({options.step, *infeasible});
    return motion;
  }
  motion.trajectory = guess != nullptr ? *guess : StraightLine(problem);
  double step = options.step;
  std::unique_ptr<const LampJumpProgram> coarse;
  Eigen::VectorXd multipliers;
  for (int level = 0; level <= options.refinements; ++level, step *= 0.5) {
    auto mesh = std::make_unique<const LampJumpProgram>(problem, step);
    const SpacetimeProgram& program = mesh->program();
    Eigen::VectorXd x = mesh->Pack(motion.trajectory);
    multipliers = coarse != nullptr ? program.TransferMultipliers(coarse->program(), multipliers)
                                    : Eigen::VectorXd();
    SpacetimeSummary summary = Solve(program, options.solver, &x, &multipliers, options.minimizer);
    motion.trajectory = mesh->Unpack(x);
    coarse = std::move(mesh);
    motion.levels.push_back({step, std::move(summary)});
    if (!motion.summary().converged()) break;
  }
  Extrapolate(&motion);
  return motion;
}

}  // namespace pliant
