// The order in which a sweep visits the constraints of a body: Gauss–Seidel relaxation passes a
// correction on from each constraint to those after it.

#ifndef PLIANT_SOLVERS_PROJECTION_SWEEP_ORDER_H_
#define PLIANT_SOLVERS_PROJECTION_SWEEP_ORDER_H_

namespace pliant {

enum class SweepOrder {
  kSequential,  // as they are numbered: on a grid row by row
  kSymmetric,   // forwards and backwards in turn
  kColoured,    // colour by colour: neighbours have different colours
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_SWEEP_ORDER_H_
