// A body of the scene as a part of the Lagrangian system, in its initial state.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_STARTED_BODY_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_STARTED_BODY_H_

#include <Eigen/Core>
#include <vector>

#include "solvers/dynamic_ffd/ffd_options.h"
#include "solvers/dynamic_ffd/ffd_part.h"
#include "solvers/dynamic_ffd/mode_table.h"
#include "solvers/translation.h"

namespace pliant::dynamic_ffd {

struct StartedBody {
  FfdPart part;
  Eigen::VectorXd q;  // the body's own coordinates
  Eigen::VectorXd v;  // and velocities
};

// Body b of the scene in the given modes of the table. A stretch of the scene becomes the nearest
// shape of the modes; the record says how near. Throws BadInput when a limit excludes the start.
StartedBody StartBody(const Scene& scene, size_t b, const ModeTable& table,
                      const std::vector<int>& modes, const DynamicFfdOptions& options,
                      TranslationRecord* record);

// Throws BadInput when selected modes have exponents or limits: these refer to single amplitudes,
// which the combinations of `orthogonal_modes` do not have.
void RequireMixable(const ModeTable& table);

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_STARTED_BODY_H_
