// Which side of a held block or outline is a patch, and how the object follows it (patch.h).

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_OPTIONS_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_OPTIONS_H_

#include "solvers/parameters.h"

namespace pliant::kinematic_response {

// Sides of the box, in the body's frame.
enum class BoxSide { kPlusX, kMinusX, kPlusY, kMinusY, kPlusZ, kMinusZ };

struct PatchOptions {
  BoxSide side = BoxSide::kPlusY;
  int degree = 1;  // m

  void Bind(ParameterBinder& binder);
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_PATCH_OPTIONS_H_
