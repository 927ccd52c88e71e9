// Compiled where Ipopt is not installed.

#include <stdexcept>

#include "solvers/spacetime/interior_point.h"

namespace pliant {

bool HasInteriorPoint() { return false; }

SpacetimeSummary SolveByInteriorPoint(const SpacetimeProgram&, const SpacetimeOptions&,
                                      Eigen::VectorXd*, Eigen::VectorXd*) {
  throw std::logic_error(kNoInteriorPoint);
}

}  // namespace pliant
