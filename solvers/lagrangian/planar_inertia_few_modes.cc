#include "solvers/lagrangian/planar_inertia_steps.h"

namespace pliant {

template class PlanarInertia<0>;
template class PlanarInertia<1>;
template class PlanarInertia<2>;
template class PlanarInertia<3>;
template class PlanarInertia<4>;

}  // namespace pliant
