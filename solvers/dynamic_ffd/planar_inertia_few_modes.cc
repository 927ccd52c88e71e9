#include "solvers/dynamic_ffd/planar_inertia_steps.h"

namespace pliant::dynamic_ffd {

template class PlanarInertia<0>;
template class PlanarInertia<1>;
template class PlanarInertia<2>;
template class PlanarInertia<3>;
template class PlanarInertia<4>;

}  // namespace pliant::dynamic_ffd
