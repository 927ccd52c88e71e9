// The jump of a deformable character by the program of the lamp's [Witkin & Kass 1988]: of all motions that obey the laws of motion,
// the one that takes the least effort,
//
//   minimise    J = ∫ Σ Q_k² dt + w T         over the modes that act
//   subject to  inverse dynamics (deformable_character.h)
//               Q_k = 0                       of the modes that do not act: what they do, the others make them do
//               contact in the friction cone  while the base stands
//               contact = 0                   in flight
//               M (v⁺ − v⁻) = (Λ; 0), v_base⁺ = 0, Λ in the cone   at touchdown
//               limits of the amplitudes; no end of the base below the ground
//               at rest at both ends
//
// Cubics between the nodes, with physics at two Gauss points of each interval (order 4).

#ifndef PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_H_
#define PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_H_

#include <Eigen/Core>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "solvers/spacetime/constraint_record.h"
#include "solvers/spacetime/deformable_character.h"
#include "solvers/spacetime/methods.h"
#include "solvers/spacetime/plan_levels.h"
#include "solvers/spacetime/solve.h"

namespace pliant {

struct DeformableJumpProblem {
  static constexpr int kPhases = 3;  // stance, flight, landing

  DeformableCharacter character;
  double distance = 0.3;                                    // m, along x, on level ground
  double friction = 0.8;                                    // μ of the ground, > 0
  Eigen::VectorXd start, end;                               // γ at both ends, where it is at rest
  std::array<double, kPhases> duration = {0.6, 0.28, 0.5};  // s, > 0
  // s; where one is more than the duration, the time between the two that costs least.
  std::array<double, kPhases> longest = {0.0, 0.0, 0.0};
  double time_weight = 0.0;  // w [N² m²], ≥ 0

  bool is_free(int phase) const { return longest[phase] > duration[phase]; }
  double first_duration(int phase) const {
    return is_free(phase) ? 0.5 * (duration[phase] + longest[phase]) : duration[phase];
  }
  // Throws BadInput naming an invalid value.
  void Validate() const;
};

// A motion: nodes (q, v) at equal times, and between them cubics.
struct DeformableMotion {
  struct Sample {
    Eigen::VectorXd q, v, a;
    Eigen::VectorXd force;  // (F_x, F_y, M, Q), by inverse dynamics
  };
  struct Phase {
    double start, duration;  // s
    std::vector<Eigen::VectorXd> q, v;

    int intervals() const { return static_cast<int>(q.size()) - 1; }
  };
  std::vector<Phase> phases;

  double duration() const { return phases.back().start + phases.back().duration; }
  // The coordinates at `time`, clamped to the ends.
  Eigen::VectorXd PoseAt(double time) const;
  // At a border of phases in the later one; before the start and after the end at rest there. Without allocation where `sample` has
  // been used before. O(D²).
  void At(const DeformableCharacter& character, double time, Sample* sample) const;
  Sample At(const DeformableCharacter& character, double time) const {
    Sample sample;
    At(character, time, &sample);
    return sample;
  }
};

// Of one phase, up to its ends.
void SampleOf(const DeformableCharacter& character, const DeformableMotion::Phase& phase,
              double time, DeformableMotion::Sample* sample);

// As SpacetimeOptions::watch, with the motion and the mesh [s] it is on.
using DeformableJumpWatch = std::function<bool(double step, const SpacetimeIteration& iteration,
                                               const DeformableMotion& motion)>;

struct DeformableJumpOptions {
  double step = 0.02;  // s, of the coarsest mesh, > 0
  PlanMeshes meshes = {.refinements = 1};
  SpacetimeStrategy strategy = SpacetimeStrategy::kEither;
  SpacetimeOptions solver;
  DeformableJumpWatch watch = {};
};

struct DeformableJumpPlan : PlanLevels {
  DeformableMotion motion;  // the plan; where there is none, that of the first level
  std::vector<ConstraintRecord> constraints;  // with its multipliers, in the order of the program
};

// Where the laws of motion are imposed: two Gauss points of each interval.
struct PlacedDeformableSample {
  int phase;
  double time, span;  // s; the time for which it stands in the cost
  DeformableMotion::Sample motion;
};
std::vector<PlacedDeformableSample> SamplesOf(const DeformableCharacter& character,
                                              const DeformableMotion& motion);

// Momentum (x, y) [N s], and about the centre of mass [N m s].
Eigen::Vector3d MomentumOf(const DeformableCharacter& character, const Eigen::VectorXd& q,
                           const Eigen::VectorXd& v);

// Throws BadInput for invalid input and Cancelled in a CancelScope; a goal that is not reached is a result.
DeformableJumpPlan SolveDeformableJump(const DeformableJumpProblem& problem,
                                       const DeformableJumpOptions& options);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_H_
