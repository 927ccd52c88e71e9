// The jump of a deformable character as a spacetime program. Unknowns of a node: (γ, γ̇) where the base stands, (q, v) in flight,
// (γ, v⁻, γ̇⁺) at touchdown; and the durations that are free.

#ifndef PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_PROGRAM_H_
#define PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_PROGRAM_H_

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "solvers/spacetime/deformable_jump.h"
#include "solvers/spacetime/program.h"

namespace pliant {

// Where the program finds (q, v) of a node.
struct DeformableNodeMap {
  static constexpr int kGiven = -1;

  int block = kGiven;  // of the program; kGiven when nothing is unknown
  int block_size = 0;
  std::vector<int> column;  // of each of (q, v) in the block, or kGiven
  Eigen::VectorXd given;    // (q, v) where they are not unknown

  // Writes (q, v), taking unknowns from `values`, which may be null where there are none.
  template <typename T>
  void Read(const T* values, T* numbers) const {
    for (size_t k = 0; k < column.size(); ++k)
      numbers[k] = column[k] == kGiven ? T(given[static_cast<Eigen::Index>(k)]) : values[column[k]];
  }
};

// Intervals of the phases.
using DeformableMesh = std::array<int, DeformableJumpProblem::kPhases>;
DeformableMesh MeshOf(const DeformableJumpProblem& problem, double step);

// The first guess: it stands, its base flies along a parabola, it stands.
DeformableMotion StraightLine(const DeformableJumpProblem& problem);

class DeformableJumpProgram {
 public:
  // `problem` outlives the program.
  DeformableJumpProgram(const DeformableJumpProblem& problem, const DeformableMesh& mesh);
  DeformableJumpProgram(const DeformableJumpProgram&) = delete;
  DeformableJumpProgram& operator=(const DeformableJumpProgram&) = delete;

  const SpacetimeProgram& program() const { return program_; }
  // The unknowns of a motion, sampled at the nodes.
  Eigen::VectorXd Pack(const DeformableMotion& motion) const;
  DeformableMotion Unpack(const Eigen::VectorXd& x) const;
  // When a row holds: its time on the mesh, stretched as the phases are at x.
  double RowTime(const Eigen::VectorXd& x, int row) const;

 private:
  struct Phase {
    double start, duration;  // s, of the mesh
    std::vector<DeformableNodeMap> nodes;
    std::optional<int> clock = {};  // block of the duration where it is free
  };
  double DurationAt(const Eigen::VectorXd& x, const Phase& phase) const;
  DeformableNodeMap At(const Eigen::Vector3d& base, const Eigen::VectorXd& gamma) const;
  DeformableNodeMap WithUnknowns(DeformableNodeMap node, int first, int count);
  DeformableNodeMap Standing(const Eigen::Vector3d& base);
  void AddNodes(const DeformableMesh& mesh);
  void AddTerms();
  void AddPhysics(int phase);
  void AddLimits(int phase);
  void AddTouchdown();

  const DeformableJumpProblem& problem_;
  SpacetimeProgram program_;
  std::vector<Phase> phases_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_DEFORMABLE_JUMP_PROGRAM_H_
