#include "solvers/lagrangian/planar_inertia_steps.h"

namespace pliant {

template class PlanarInertia<5>;
template class PlanarInertia<6>;
template class PlanarInertia<7>;
template class PlanarInertia<8>;

}  // namespace pliant
