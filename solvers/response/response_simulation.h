// A scene of surfaces and obstacles as a simulation: reading DoAdvance() is reading the method.

#ifndef PLIANT_SOLVERS_RESPONSE_RESPONSE_SIMULATION_H_
#define PLIANT_SOLVERS_RESPONSE_RESPONSE_SIMULATION_H_

#include <memory>
#include <vector>

#include "solvers/response/casting.h"
#include "solvers/response/collision_response.h"
#include "solvers/response/controls.h"
#include "solvers/simulation.h"

namespace pliant {

// What is shown beyond the common observations, in the order of Observation::extras.
std::vector<ExtraSeries> ResponseExtras();

// State: the elastic and plastic offsets of every level, which way each obstacle last moved, what
// the last pass did, and the passes so far.
//
// A step in which an obstacle moves farther than half its smallest extent is divided into passes in
// which none does, so that nothing goes through a surface unseen; Observation::iterations counts
// passes. A step that would need more than kMostPasses does not converge.
class ResponseSimulation final : public Simulation {
 public:
  static constexpr int kMostPasses = 1000;

  // Every body is a grid of 2^k + 1 points a side (square) or a chain of as many; `options` fits
  // their levels.
  ResponseSimulation(std::shared_ptr<const Scene> scene, const ResponseOptions& options);

 private:
  struct Surface {
    CollisionResponse response;
    SurfaceOffsets offsets;
    std::vector<LevelControls> controls;
    DeformationSummary last;
  };

  StepOutcome DoAdvance(double step) override;
  void DoObserve(Observation* observation) const override;
  int DoStateSize() const override;
  void DoSave(Eigen::Ref<Eigen::VectorXd> state) const override;
  void DoRestore(const Eigen::Ref<const Eigen::VectorXd>& state) override;
  int extras_count() const override { return static_cast<int>(ResponseExtras().size()); }

  int PassesNeeded(double step) const;
  void MoveObstacles(double time);
  void Pass(double step);

  // Calls visit(array) for each array of the state, in a fixed order.
  template <typename Self, typename Visit>
  static void VisitOffsets(Self& self, Visit&& visit) {
    for (auto& surface : self.surfaces_) {
      for (auto& level : surface.offsets.elastic) visit(level);
      for (auto& level : surface.offsets.plastic) visit(level);
    }
  }

  ResponseOptions options_;
  std::vector<Surface> surfaces_;        // one per body
  std::vector<CastObstacle> obstacles_;  // at the end of the last pass
  double bound_;                         // beyond this coordinate a surface has diverged [m]
  std::int64_t passes_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_RESPONSE_RESPONSE_SIMULATION_H_
