#include "solvers/dynamic_ffd/planar_inertia_steps.h"

namespace pliant::dynamic_ffd {

template class PlanarInertia<5>;
template class PlanarInertia<6>;
template class PlanarInertia<7>;
template class PlanarInertia<8>;

}  // namespace pliant::dynamic_ffd
