// The options of position-based dynamics, with their defaults.

#ifndef PLIANT_SOLVERS_POSITION_BASED_OPTIONS_H_
#define PLIANT_SOLVERS_POSITION_BASED_OPTIONS_H_

#include "solvers/projection/options.h"
#include "solvers/projection/rigid_pieces.h"

namespace pliant::position_based {

struct PositionBasedOptions : ProjectionOptions {
  double compliance = 0.0;  // α of every edge [m/N]

  void Bind(ParameterBinder& binder);
  void RequireConsistent(const Scene& scene) const;
  RigidPieceOptions pieces() const;
};

}  // namespace pliant::position_based

#endif  // PLIANT_SOLVERS_POSITION_BASED_OPTIONS_H_
