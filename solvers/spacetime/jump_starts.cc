#include "solvers/spacetime/jump_starts.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <mutex>
#include <optional>
#include <random>
#include <stop_token>
#include <tuple>
#include <utility>

#include "models/problem.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/parallel/work_queue.h"

namespace pliant {
namespace {

using articulated_lamp::kLampHinges;
using articulated_lamp::Lamp;
using articulated_lamp::LampAngles;

constexpr int kIntervals = 32;  // of a phase of a perturbed guess

// A value and its derivative by s.
struct Shape {
  double value, slope;
};
Shape Smooth(double s) { return {s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s)}; }
Shape Arc(double s) { return {4.0 * s * (1.0 - s), 4.0 - 8.0 * s}; }

// Numbers of one seed. std::uniform_real_distribution may differ from one library to another.
class Uniform {
 public:
  explicit Uniform(unsigned seed) : generator_(seed) {}
  double Between(double lower, double upper) {
    return lower + (upper - lower) * (generator_() / 4294967296.0);  // of 32 random bits
  }

 private:
  std::mt19937 generator_;
};

// What a start adds to a phase of the guess.
struct Displacement {
  std::array<LampAngles, 3> postures;  // of the hinges, at its beginning, middle and end [rad]
  double duration = 0.0;               // s
  double rise = 0.0, tilt = 0.0;       // of the base in the middle of a flight [m], [rad]
};

std::vector<Displacement> Draw(const LampJumpProblem& problem, const LampTrajectory& guess,
                               unsigned start) {
  const Lamp lamp(problem.lamp, problem.gravity);
  Uniform uniform(start);
  const double share = uniform.Between(0.0, 1.0);
  const auto posture = [&](size_t p, double s) -> LampAngles {
    const LampPhase& phase = guess.phases[p];
    const LampAngles now =
        LampTrajectory::At(lamp, phase, phase.start + s * phase.duration).q.tail<3>();
    LampAngles moved;
    for (int j = 0; j < kLampHinges; ++j) {
      const articulated_lamp::AngleLimits& limits = problem.lamp.hinge_limits[j];
      moved[j] = share * (uniform.Between(limits.lower, limits.upper) - now[j]);
    }
    return moved;
  };
  const std::vector<LampJumpProblem::Phase> phases = problem.Phases();
  std::vector<Displacement> drawn(phases.size());
  // What is given at both ends stays; the ends of a loop are one posture.
  const LampAngles first = problem.loop ? posture(0, 0.0) : LampAngles(LampAngles::Zero());
  LampAngles begin = first;
  for (size_t p = 0; p < phases.size(); ++p) {
    const LampAngles middle = posture(p, 0.5);
    const bool last = p + 1 == phases.size();
    const LampAngles end = last ? first : posture(p, 1.0);
    drawn[p].postures = {begin, middle, end};
    begin = end;
  }
  for (size_t p = 0; p < phases.size(); ++p) {
    const LampJumpProblem::Phase& of = phases[p];
    const double any = uniform.Between(of.shortest, std::max(of.shortest, of.longest));
    drawn[p].duration = of.is_free() ? any : guess.phases[p].duration;
  }
  const articulated_lamp::AngleLimits& tilt = problem.lamp.tilt_limits;
  for (size_t p = 1; p < phases.size(); p += 2) {
    const double flight = drawn[p].duration;
    drawn[p].rise = uniform.Between(0.0, 2.0) * problem.gravity * flight * flight / 8.0;
    drawn[p].tilt = share * uniform.Between(tilt.lower, tilt.upper);
  }
  return drawn;
}

LampPhase Displaced(const Lamp& lamp, const LampPhase& phase, const Displacement& by,
                    double start) {
  LampPhase displaced{phase.contact, start, by.duration, {}};
  const double stretch = phase.duration / displaced.duration;
  for (int i = 0; i <= kIntervals; ++i) {
    const double s = static_cast<double>(i) / kIntervals;
    const LampSample sample = LampTrajectory::At(lamp, phase, phase.start + s * phase.duration);
    LampNode node{sample.q, stretch * sample.v};
    const size_t half = s < 0.5 ? 0 : 1;
    const Shape way = Smooth(2.0 * s - static_cast<double>(half));
    const LampAngles& from = by.postures[half];
    const LampAngles change = by.postures[half + 1] - from;
    node.q.tail<3>() += from + way.value * change;
    node.v.tail<3>() += 2.0 * way.slope / displaced.duration * change;
    if (phase.contact == LampContact::kFlight) {
      const Shape arc = Arc(s);
      node.q.segment<2>(1) += arc.value * Eigen::Vector2d(by.rise, by.tilt);
      node.v.segment<2>(1) += arc.slope / displaced.duration * Eigen::Vector2d(by.rise, by.tilt);
    }
    displaced.nodes.push_back(node);
  }
  return displaced;
}

JumpStartResult ResultOf(const LampJumpMotion& motion) {
  const SpacetimeSummary& summary = motion.summary();
  return {motion.best().step, summary.termination, summary.method,          summary.feasible,
          summary.final_cost, summary.violation,   motion.momentum_defect()};
}

// Is `a` better than `b`, of an earlier start? Of meshes those count that were asked for.
bool IsBetter(const LampJumpMotion& a, const LampJumpMotion& b, const PlanMeshes& meshes) {
  const auto rank = [&meshes](const LampJumpMotion& motion) {
    const SpacetimeSummary& summary = motion.summary();
    const auto level = std::min(motion.level, static_cast<size_t>(meshes.refinements));
    return std::tuple(motion.found(), summary.converged(), summary.feasible,
                      motion.violates_nothing() ? level : 0, !summary.certificate);
  };
  if (rank(a) != rank(b)) return rank(a) > rank(b);
  if (!a.violates_nothing()) return false;
  return a.summary().final_cost < b.summary().final_cost;
}

// Of the starts whose plan is as good as the best one, the first.
size_t ChooseFrom(const std::vector<LampJumpMotion>& motions, const PlanMeshes& meshes) {
  size_t best = 0;
  for (size_t i = 1; i < motions.size(); ++i) {
    if (IsBetter(motions[i], motions[best], meshes)) best = i;
  }
  if (!motions[best].summary().converged()) return best;
  const double most = (1.0 + BestOfStarts::kSameCost) * motions[best].summary().final_cost;
  for (size_t i = 0; i < best; ++i) {
    const LampJumpMotion& motion = motions[i];
    const bool same = motion.summary().converged() && motion.found() == motions[best].found() &&
                      motion.level == motions[best].level;
    if (same && motion.summary().final_cost <= most) return i;
  }
  return best;
}

// Calls `solve` for each start. The caller's thread alone knows whether somebody cancels and who listens: while others solve, it looks out for both.
void ForEachStart(size_t count, int threads, const std::function<void(size_t)>& solve) {
  constexpr char kWhat[] = "start of the plan";
  if (WorkersFor(count, threads) == 1) {
    for (size_t number = 0; number < count; ++number) {
      if (count > 1) AtPreparation(kWhat, number, count);
      solve(number);
    }
    return;
  }
  std::stop_source stop;
  std::atomic<size_t> begun = 0;
  std::future<void> all = std::async(std::launch::async, [&] {
    RunWorkQueue(count, threads, stop.get_token(), [&](const WorkItem& item) {
      const CancelScope scope(item.stop);
      ++begun;
      try {
        solve(item.number);
      } catch (
          const Cancelled&) {  // by the caller; or for an error of another start, which is thrown instead
      }
    });
  });
  while (all.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
    if (IsCancelled()) {
      stop.request_stop();
    } else {
      CancelScope::Tell(kWhat, begun, count);
    }
  }
  all.get();
  ThrowIfCancelled();
}

}  // namespace

LampTrajectory PerturbedGuess(const LampJumpProblem& problem, const LampTrajectory& guess,
                              unsigned start) {
  const std::vector<Displacement> by = Draw(problem, guess, start);
  const Lamp lamp(problem.lamp, problem.gravity);
  LampTrajectory displaced;
  double begin = 0.0;
  for (size_t p = 0; p < by.size(); ++p) {
    displaced.phases.push_back(Displaced(lamp, guess.phases[p], by[p], begin));
    begin += by[p].duration;
  }
  return displaced;
}

void JumpStartsOptions::Validate() const {
  if (starts < 1) throw BadInput({"starts", "starts must be at least 1", ""});
  if (threads < 1) throw BadInput({"threads", "threads must be at least 1", ""});
}

int BestOfStarts::converged() const {
  return static_cast<int>(std::count_if(starts.begin(), starts.end(), [](const auto& start) {
    return start.termination == SpacetimeTermination::kConvergence;
  }));
}

BestOfStarts SolveFromStarts(const LampJumpProblem& problem, const LampJumpOptions& options,
                             const JumpStartsOptions& starts, const LampTrajectory* guess) {
  problem.Validate();
  options.Validate();
  starts.Validate();
  const size_t count = static_cast<size_t>(starts.starts);
  const bool has_time = std::ranges::all_of(
      problem.Phases(), [](const auto& phase) { return phase.first_duration() > 0.0; });
  const LampTrajectory first =
      guess != nullptr || !has_time ? LampTrajectory() : StraightLine(problem);
  const LampTrajectory& about = guess != nullptr ? *guess : first;
  std::mutex watching;
  bool stopped = false;  // by the watch

  std::vector<std::optional<LampJumpMotion>> ends(count);
  const auto solve = [&](size_t number) {
    LampJumpOptions one = options;
    one.watch = {};
    if (starts.watch) {
      one.watch = [&, number](double step, const SpacetimeIteration& iteration,
                              const LampTrajectory& motion) {
        const std::lock_guard lock(watching);
        stopped = stopped || !starts.watch(number, step, iteration, motion);
        return !stopped;
      };
    }
    if (number == 0 || !has_time) {
      ends[number] = SolveLampJump(problem, one, guess);
    } else {
      const LampTrajectory perturbed =
          PerturbedGuess(problem, about, static_cast<unsigned>(number));
      ends[number] = SolveLampJump(problem, one, &perturbed);
    }
  };
  ForEachStart(count, starts.threads, solve);

  std::vector<LampJumpMotion> motions;
  for (std::optional<LampJumpMotion>& end : ends) motions.push_back(std::move(*end));
  BestOfStarts best;
  for (const LampJumpMotion& motion : motions) best.starts.push_back(ResultOf(motion));
  best.from = ChooseFrom(motions, options.meshes);
  best.motion = std::move(motions[best.from]);
  return best;
}

}  // namespace pliant
