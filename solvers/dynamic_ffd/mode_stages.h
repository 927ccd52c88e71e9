// All bodies of a scene in their modes, at the start of a run and after each change of modes.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_MODE_STAGES_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_MODE_STAGES_H_

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/dynamic_ffd/ffd_simulation.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/simulation.h"

namespace pliant::dynamic_ffd {

struct StartedScene {
  std::unique_ptr<DynamicFfdSystem> system;
  Eigen::VectorXd q, v;
};

// All bodies in their initial state with the selected modes of the table, their control and key
// frames. Adds the bodies to `record`, and findings and warnings to `translation`.
StartedScene StartScene(const std::shared_ptr<const Scene>& scene, const ModeTable& table,
                        const DynamicFfdOptions& options, TranslationRecord* record,
                        Translation* translation);

// The largest stable step of the scheme at q, in flight and in contact; none where it has no limit.
std::vector<StepLimit> EstimateStepLimits(const Scene& scene, const DynamicFfdSystem& system,
                                          const Eigen::VectorXd& q,
                                          const DynamicFfdOptions& options);

// The modes that apply from each of options.change_modes_at on; the record mentions them. Key
// frames that have ended by then need not name modes. Throws BadInput (where = "change_modes_at" or
// "change_modes_to") for times that do not increase, a number of sets that is not the number of
// times, a set that is empty or not in the table, and control or key frames that name modes no
// longer in use.
std::vector<FfdStage> LaterStages(const std::shared_ptr<const Scene>& scene, const ModeTable& table,
                                  const DynamicFfdOptions& options, Translation* translation);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_MODE_STAGES_H_
