// The lamp jump as a spacetime program: the unknowns are (q, q̇) at mesh nodes and the durations of
// phases that are free; physics is imposed by inverse dynamics at the samples of the transcription
// (lamp_samples.h). There are no torque unknowns: torques follow from inverse dynamics.
//
// Unknowns per node: φ, φ̇ in stance; s, φ, ṡ, φ̇ in an in-run, s along the slope; q, q̇ in flight; at
// touchdown φ, v⁻ and φ̇⁺ for a plastic landing, φ, φ̇ for a soft one. By finite differences the
// nodes within a phase have no rates. Takeoff is a node of the phase before: the base leaves with
// zero velocity, or with that of the slide. The ends of a loop are one block.

#ifndef PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_PROGRAM_H_
#define PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_PROGRAM_H_

#include <optional>
#include <vector>

#include "solvers/spacetime/lamp_terms.h"
#include "solvers/spacetime/lamp_trajectory.h"
#include "solvers/spacetime/program.h"

namespace pliant {

// Durations [s], all > 0, and intervals of the phases of a problem, 0 of those that are over. A free duration
// is the one for which the mesh is made.
struct LampMesh {
  std::vector<double> durations;
  std::vector<int> intervals;
  LampTranscription transcription = LampTranscription::kHermite;
};
// Intervals as near to `step` seconds as the durations allow.
LampMesh MeshOf(const LampJumpProblem& problem, double step,
                LampTranscription transcription = LampTranscription::kHermite);

// Immutable once made. Terms point into it, so it does not move.
class LampJumpProgram {
 public:
  LampJumpProgram(const LampJumpProblem& problem, const LampMesh& mesh);
  LampJumpProgram(const LampJumpProgram&) = delete;
  LampJumpProgram& operator=(const LampJumpProgram&) = delete;

  const articulated_lamp::Lamp& lamp() const { return lamp_; }
  const SpacetimeProgram& program() const { return program_; }

  // The unknowns of `trajectory`, sampled at the nodes; it has the phases of the problem, of any
  // duration: a phase that is given another is stretched in time.
  Eigen::VectorXd Pack(const LampTrajectory& trajectory) const;
  LampTrajectory Unpack(const Eigen::VectorXd& x) const;

  // Where the program imposes physics, in the order of time.
  struct Sample {
    int phase;
    double time;  // s
    double span;  // s, the time for which it stands in the cost
    LampSample motion;
  };
  std::vector<Sample> Samples(const Eigen::VectorXd& x) const;
  // When a row holds [s]: its time on the mesh, stretched as the phases are at x.
  double RowTime(const Eigen::VectorXd& x, int row) const;

 private:
  struct Phase {
    LampContact contact;
    double start, duration;  // s, of the mesh
    LampRules rules;
    std::vector<LampNodeMap> nodes;
    std::optional<int> clock = {};  // block of the duration where it is free

    int intervals() const { return static_cast<int>(nodes.size()) - 1; }
  };
  struct Physics {
    int phase, term;   // of the program
    double at, share;  // in intervals, from the start of the phase
  };
  double DurationAt(const Eigen::VectorXd& x, const Phase& phase) const;
  LampNode FirstNode(const Eigen::Vector3d& base) const;
  void AddNodes(const LampMesh& mesh);
  void AddClocks();
  void AddTerms(LampTranscription transcription);

  LampJumpProblem problem_;
  articulated_lamp::Lamp lamp_;
  bool rates_;  // are those of the nodes within a phase unknowns?
  SpacetimeProgram program_;
  std::vector<Phase> phases_;
  std::vector<Physics> physics_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_LAMP_JUMP_PROGRAM_H_
