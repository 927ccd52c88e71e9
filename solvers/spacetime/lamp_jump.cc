#include "solvers/spacetime/lamp_jump.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "models/articulated_lamp/kinematics.h"
#include "models/problem.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/spacetime/interior_point.h"
#include "solvers/spacetime/optimality.h"
#include "solvers/spacetime/row_kinds.h"

namespace pliant {

using articulated_lamp::kLampDof;

LampTrajectory PerturbedLine(const LampJumpProblem& problem, double step, unsigned seed,
                             const Perturbation& perturbation) {
  const LampJumpProgram program(problem, MeshOf(problem, step));
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
  if (meshes.refinements < 0 || meshes.further < 0)
    throw BadInput({"meshes", "refinements must not be negative", ""});
  if (NeedsInteriorPoint(strategy)) RequireInteriorPoint("strategy");
  solver.Validate();
}

double MomentumDefect(const articulated_lamp::Lamp& lamp, const LampTrajectory& motion) {
  const auto momentum = [&](const LampNode& node) -> Eigen::Vector3d {
    const articulated_lamp::LampMomentum at = articulated_lamp::Momentum(lamp, node.q, node.v);
    return {at.linear[0], at.linear[1], at.angular};
  };
  double height = 0.0;  // half of the arms
  for (int j = 1; j < articulated_lamp::kLampLinks; ++j) height += 0.5 * lamp.link(j).length;
  double largest = 0.0;
  for (const LampPhase& phase : motion.phases) {
    if (phase.contact != LampContact::kFlight) continue;
    const FlightMomentum flight = {lamp.mass(),
                                   lamp.gravity(),
                                   phase.duration,
                                   height,
                                   momentum(phase.nodes.front()),
                                   momentum(phase.nodes.back())};
    largest = std::max(largest, MomentumDefect(flight));
  }
  return largest;
}

namespace {

// A phase of duration zero: there is neither a motion nor a mesh.
std::optional<SpacetimeSummary> WithoutTime(const LampJumpProblem& problem) {
  const std::vector<LampJumpProblem::Phase> phases = problem.Phases();
  double start = 0.0;
  for (size_t p = problem.first_phase(); p < phases.size(); start += phases[p++].shortest) {
    const double duration = phases[p].shortest;
    if (duration > 0.0) continue;
    SpacetimeSummary summary;
    summary.termination = SpacetimeTermination::kInfeasible;
    summary.worst = {"duration of the " + phases[p].name, "s", -duration, duration, start};
    summary.violation = summary.worst.scaled;
    summary.kinds.push_back(summary.worst);
    summary.message = MessageOf(summary);
    return summary;
  }
  return std::nullopt;
}

// Order and limit of the cost from the last three levels, whose steps halve.
void Extrapolate(LampJumpMotion* motion) {
  const size_t n = motion->levels.size();
  if (n < 3 || motion->level != n - 1) return;
  for (size_t i = n - 3; i < n; ++i) {
    if (!motion->levels[i].summary.converged()) return;
  }
  const double coarse = motion->levels[n - 3].summary.final_cost;
  const double middle = motion->levels[n - 2].summary.final_cost;
  const double fine = motion->levels[n - 1].summary.final_cost;
  const double ratio = (middle - coarse) / (fine - middle);
  if (!(ratio > 1.0)) return;
  motion->observed_order = std::log2(ratio);
  motion->extrapolated_cost = fine + (fine - middle) / (ratio - 1.0);
}

// The multipliers of the rest; none where there is no motion on the way, or one in other units.
Eigen::VectorXd MultipliersOfRest(const SpacetimeProgram& program, const PlanUnits& units,
                                  const LampJumpOnTheWay* on_the_way) {
  if (on_the_way == nullptr || on_the_way->motion.program == nullptr) return {};
  const LampJumpMotion& motion = on_the_way->motion;
  if (motion.units != units) return {};
  const SpacetimeProgram& whole = motion.program->program();
  return program.TransferMultipliers(whole, LagrangianMultipliers(whole, motion.row_multipliers),
                                     on_the_way->time / units.time);
}

LampJumpMotion SolveAsItIs(const LampJumpProblem& problem, const LampJumpOptions& options,
                           const PlanUnits& units, const LampTrajectory* guess,
                           const LampJumpOnTheWay* on_the_way) {
  LampJumpMotion motion;
  if (auto infeasible = WithoutTime(problem)) {
    motion.Add({options.step, *infeasible});
    return motion;
  }
  motion.trajectory = guess != nullptr ? *guess : StraightLine(problem);
  LampMesh mesh = MeshOf(problem, options.step, options.transcription);
  const auto count = [&] { return std::reduce(mesh.intervals.begin(), mesh.intervals.end()); };
  RequireMeshOf(count(), options.meshes.refinements);
  const articulated_lamp::Lamp lamp(problem.lamp, problem.gravity);
  Eigen::VectorXd multipliers;
  for (double step = options.step; motion.GoesOn(options.meshes, count()); step *= 0.5) {
    ThrowIfCancelled();
    auto transcribed = std::make_shared<const LampJumpProgram>(problem, mesh);
    const SpacetimeProgram& program = transcribed->program();
    Eigen::VectorXd x = transcribed->Pack(motion.trajectory);
    multipliers = motion.program != nullptr
                      ? program.TransferMultipliers(motion.program->program(), multipliers)
                      : MultipliersOfRest(program, units, on_the_way);
    SpacetimeOptions solver = options.solver;
    solver.acceptable_violation = AcceptableViolation(solver, count());
    if (options.watch) {
      solver.watch = [&](const SpacetimeIteration& iteration, const Eigen::VectorXd& at) {
        return options.watch(step, iteration, transcribed->Unpack(at));
      };
    }
    SpacetimeSummary summary =
        SolveBy(options.strategy, program, solver, &x, &multipliers, options.minimizer);
    LampTrajectory found = transcribed->Unpack(x);
    const double defect = MomentumDefect(lamp, found);
    if (!motion.Add({step, std::move(summary), defect})) break;
    motion.trajectory = std::move(found);
    motion.row_multipliers = RowMultipliers(program, multipliers);
    motion.unknowns = std::move(x);
    motion.program = std::move(transcribed);
    for (size_t p = 0; p < motion.trajectory.phases.size(); ++p) {
      mesh.durations[problem.first_phase() + p] = motion.trajectory.phases[p].duration;
      mesh.intervals[problem.first_phase() + p] *= 2;
    }
  }
  Extrapolate(&motion);
  return motion;
}

}  // namespace

LampJumpMotion SolveLampJump(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const LampTrajectory* guess, const LampJumpOnTheWay* on_the_way) {
  problem.Validate();
  options.Validate();
  const PlanUnits units = UnitsOf(problem);  // 1 for the lamp of the source: then nothing changes
  LampJumpOptions scaled = options;
  scaled.step /= units.time;
  if (options.watch) {
    scaled.watch = [&](double step, const SpacetimeIteration& iteration,
                       const LampTrajectory& motion) {
      return options.watch(step * units.time, FromUnits(iteration, units),
                           FromUnits(motion, units));
    };
  }
  LampTrajectory first;
  if (guess != nullptr) first = InUnits(*guess, units);
  LampJumpMotion motion = SolveAsItIs(InUnits(problem, units), scaled, units,
                                      guess != nullptr ? &first : nullptr, on_the_way);
  motion.units = units;
  motion.trajectory = FromUnits(motion.trajectory, units);
  for (PlanLevel& level : motion.levels) {
    level = {level.step * units.time, FromUnits(level.summary, units), level.momentum_defect};
  }
  if (motion.extrapolated_cost) *motion.extrapolated_cost *= units.cost();
  return motion;
}

}  // namespace pliant
