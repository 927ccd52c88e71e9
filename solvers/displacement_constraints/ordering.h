// The order in which a sweep visits the points of a net [Palazzi 1993, Sec. 3.7].
//
// A correction at a point moves the segments that meet there, and with them their other ends.
// Points that share no segment are independent: they may be visited in any order, or at the same
// time by any number of threads, with the same result to the last bit. Points of one colour are
// such points. On a grid two colours do: red and black, every other point.

#ifndef PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_ORDERING_H_
#define PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_ORDERING_H_

#include <vector>

#include "models/displacement_constraints/segment_net.h"
#include "solvers/projection/sweep_order.h"

namespace pliant::displacement_constraints {

// The colour of each point, 0, 1, …: the first that no neighbour before it has. O(segments).
std::vector<int> ColoursOf(const SegmentNet& net);

// All points in the order of a sweep that goes forwards.
std::vector<int> PointsInOrder(const SegmentNet& net, SweepOrder order);

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_SOLVERS_DISPLACEMENT_CONSTRAINTS_ORDERING_H_
