#include "solvers/spacetime/deformable_jump.h"

#include <cmath>
#include <complex>
#include <numeric>
#include <string>
#include <utility>

#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/spacetime/deformable_jump_program.h"
#include "solvers/spacetime/flight_momentum.h"
#include "solvers/spacetime/hermite_cubic.h"
#include "solvers/spacetime/optimality.h"
#include "solvers/spacetime/plan_units.h"

namespace pliant {
namespace {

using Eigen::VectorXd;

// The size of character that scales, weights and tolerances of the program are made for: that of the lamp.
constexpr double kKnownMass = 2.0, kKnownHeight = 0.5, kKnownGravity = 9.81;  // kg, m, m/s²
constexpr double kKnownStance = 0.6;                                          // s

PlanUnits UnitsOf(const DeformableJumpProblem& problem) {
  const DeformableCharacter& character = problem.character;
  PlanUnits units;
  units.mass = character.mass / kKnownMass;
  // Of a box the centre is at half its height.
  units.length = 2.0 * std::abs(character.first[0]) / character.mass / kKnownHeight;
  units.time = character.gravity > 0.0 ? std::sqrt(units.length * kKnownGravity / character.gravity)
                                       : problem.first_duration(0) / kKnownStance;
  return units;
}

DeformableJumpProblem InUnits(DeformableJumpProblem problem, const PlanUnits& units) {
  DeformableCharacter& character = problem.character;
  const double energy = units.force() * units.length;
  character.gravity *= units.time * units.time / units.length;
  character.half_width /= units.length;
  character.mass /= units.mass;
  character.first /= units.mass * units.length;
  character.second /= units.mass * units.length * units.length;
  character.stiffness /= energy;
  character.damping /= energy * units.time;
  problem.distance /= units.length;
  for (double& time : problem.duration) time /= units.time;
  for (double& time : problem.longest) time /= units.time;
  problem.time_weight /= units.cost() / units.time;
  return problem;
}

DeformableMotion FromUnits(DeformableMotion motion, const PlanUnits& units) {
  for (DeformableMotion::Phase& phase : motion.phases) {
    phase.start *= units.time;
    phase.duration *= units.time;
    for (VectorXd& q : phase.q) q.head<2>() *= units.length;
    for (VectorXd& v : phase.v) {
      v.head<2>() *= units.length;
      v /= units.time;
    }
  }
  return motion;
}

}  // namespace

void DeformableJumpProblem::Validate() const {
  const auto require = [](bool holds, const char* name, const char* what) {
    if (!holds) throw BadInput({name, std::string(name) + " " + what, ""});
  };
  require(std::isfinite(distance), "distance", "must be finite");
  require(std::isfinite(friction) && friction > 0.0, "friction", "must be finite and positive");
  require(std::isfinite(time_weight) && time_weight >= 0.0, "time_weight",
          "must be finite and not negative");
  for (const double time : duration)
    require(std::isfinite(time) && time > 0.0, "duration", "must be finite and positive");
  require(start.size() == character.size() && end.size() == character.size(), "start",
          "and end need an amplitude for each mode");
}

namespace {

// The interval that a time lies in, and the weights of its nodes.
std::pair<int, HermiteWeights> NodesAt(const DeformableMotion::Phase& phase, double time) {
  const double h = phase.duration / phase.intervals();
  const MeshPlace place = PlaceInMesh((time - phase.start) / h, phase.intervals());
  return {place.interval, HermiteAt(place.s, h)};
}
void Combine(const DeformableMotion::Phase& phase, int i, const double* c, VectorXd* sum) {
  *sum = c[0] * phase.q[i] + c[1] * phase.v[i] + c[2] * phase.q[i + 1] + c[3] * phase.v[i + 1];
}

const DeformableMotion::Phase& PhaseAt(const DeformableMotion& motion, double time) {
  size_t p = 0;
  while (p + 1 < motion.phases.size() && time >= motion.phases[p + 1].start) ++p;
  return motion.phases[p];
}

}  // namespace

void SampleOf(const DeformableCharacter& character, const DeformableMotion::Phase& phase,
              double time, DeformableMotion::Sample* sample) {
  const auto [i, w] = NodesAt(phase, time);
  Combine(phase, i, w.value, &sample->q);
  Combine(phase, i, w.rate, &sample->v);
  Combine(phase, i, w.acceleration, &sample->a);
  sample->force.resize(character.coordinates());
  character.InverseDynamics(sample->q.data(), sample->v.data(), sample->a.data(), true,
                            sample->force.data());
}

VectorXd DeformableMotion::PoseAt(double time) const {
  const Phase& phase = PhaseAt(*this, time);
  const auto [i, w] = NodesAt(phase, time);
  VectorXd q;
  Combine(phase, i, w.value, &q);
  return q;
}

void DeformableMotion::At(const DeformableCharacter& character, double time, Sample* sample) const {
  const bool over = time >= duration();
  if (time >= 0.0 && !over) return SampleOf(character, PhaseAt(*this, time), time, sample);
  sample->q = over ? phases.back().q.back() : phases.front().q.front();
  sample->v.setZero(sample->q.size());
  sample->a.setZero(sample->q.size());
  sample->force.resize(sample->q.size());
  character.InverseDynamics(sample->q.data(), sample->v.data(), sample->a.data(), true,
                            sample->force.data());
}

std::vector<PlacedDeformableSample> SamplesOf(const DeformableCharacter& character,
                                              const DeformableMotion& motion) {
  std::vector<PlacedDeformableSample> samples;
  for (size_t p = 0; p < motion.phases.size(); ++p) {
    const DeformableMotion::Phase& phase = motion.phases[p];
    const double h = phase.duration / phase.intervals();
    for (int i = 0; i < phase.intervals(); ++i) {
      for (const double place : kGaussPoints) {
        PlacedDeformableSample sample{
            static_cast<int>(p), phase.start + (i + place) * h, 0.5 * h, {}};
        SampleOf(character, phase, sample.time, &sample.motion);
        samples.push_back(std::move(sample));
      }
    }
  }
  return samples;
}

Eigen::Vector3d MomentumOf(const DeformableCharacter& character, const VectorXd& q,
                           const VectorXd& v) {
  // M(q) v is inverse dynamics without rates and weight.
  const VectorXd rest = VectorXd::Zero(q.size());
  VectorXd momentum(q.size());
  character.InverseDynamics(q.data(), rest.data(), v.data(), false, momentum.data());
  Eigen::VectorXcd g = Eigen::VectorXcd::Ones(character.size() + 1);
  g.tail(character.size()) = q.tail(character.size()).cast<std::complex<double>>();
  const std::complex<double> centre =
      std::polar(1.0 / character.mass, q[2]) * (character.first.transpose() * g).value();
  return {momentum[0], momentum[1],
          momentum[2] - (centre.real() * momentum[1] - centre.imag() * momentum[0])};
}

namespace {

double DefectOf(const DeformableCharacter& character, const DeformableMotion& motion) {
  const DeformableMotion::Phase& flight = motion.phases[1];
  return MomentumDefect({character.mass, character.gravity, flight.duration,
                         std::abs(character.first[0]) / character.mass,
                         MomentumOf(character, flight.q.front(), flight.v.front()),
                         MomentumOf(character, flight.q.back(), flight.v.back())});
}

}  // namespace

DeformableJumpPlan SolveDeformableJump(const DeformableJumpProblem& asked,
                                       const DeformableJumpOptions& options) {
  asked.Validate();
  options.solver.Validate();
  const PlanUnits units = UnitsOf(asked);
  const DeformableJumpProblem problem = InUnits(asked, units);
  DeformableJumpPlan plan;
  DeformableMesh mesh = MeshOf(problem, options.step / units.time);
  const auto count = [&] { return std::accumulate(mesh.begin(), mesh.end(), 0); };
  RequireMeshOf(count(), options.meshes.refinements);
  std::optional<DeformableJumpProgram> programs[2];  // of this mesh and of the one before
  VectorXd multipliers;
  for (double step = options.step; plan.GoesOn(options.meshes, count()); step *= 0.5) {
    ThrowIfCancelled();
    const size_t level = plan.levels.size();
    const DeformableJumpProgram& transcribed = programs[level % 2].emplace(problem, mesh);
    const SpacetimeProgram& program = transcribed.program();
    if (level > 0)
      multipliers = program.TransferMultipliers(programs[1 - level % 2]->program(), multipliers);
    VectorXd x = transcribed.Pack(level > 0 ? plan.motion : StraightLine(problem));
    SpacetimeOptions solver = options.solver;
    solver.acceptable_violation = AcceptableViolation(solver, count());
    if (options.watch) {
      solver.watch = [&](const SpacetimeIteration& iteration, const VectorXd& at) {
        return options.watch(step, FromUnits(iteration, units),
                             FromUnits(transcribed.Unpack(at), units));
      };
    }
    const SpacetimeSummary summary = SolveBy(options.strategy, program, solver, &x, &multipliers);
    DeformableMotion found = transcribed.Unpack(x);
    const double defect = DefectOf(problem.character, found);
    if (!plan.Add({step, FromUnits(summary, units), defect})) break;
    plan.motion = std::move(found);
    plan.constraints = RecordConstraints(program, x, RowMultipliers(program, multipliers), units,
                                         [&](int row) { return transcribed.RowTime(x, row); });
    for (int& intervals : mesh) intervals *= 2;
  }
  plan.motion = FromUnits(std::move(plan.motion), units);
  return plan;
}

}  // namespace pliant
