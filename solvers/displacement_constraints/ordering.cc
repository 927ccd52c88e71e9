#include "solvers/displacement_constraints/ordering.h"

#include <algorithm>
#include <numeric>

namespace pliant::displacement_constraints {

std::vector<int> ColoursOf(const SegmentNet& net) {
  std::vector<int> colours(net.points(), -1);
  std::vector<int> last_seen;  // of each colour: the last point with a neighbour of it
  for (int p = 0; p < net.points(); ++p) {
    for (const int e : net.Incident(p)) {
      const int neighbour = net.PointOf(e % 2 == 0 ? e + 1 : e - 1);
      if (colours[neighbour] >= 0) last_seen[colours[neighbour]] = p;
    }
    int colour = 0;
    while (colour < static_cast<int>(last_seen.size()) && last_seen[colour] == p) ++colour;
    if (colour == static_cast<int>(last_seen.size())) last_seen.push_back(-1);
    colours[p] = colour;
  }
  return colours;
}

std::vector<int> PointsInOrder(const SegmentNet& net, SweepOrder order) {
  std::vector<int> points(net.points());
  std::iota(points.begin(), points.end(), 0);
  if (order == SweepOrder::kColoured) {
    const std::vector<int> colours = ColoursOf(net);
    std::stable_sort(points.begin(), points.end(),
                     [&colours](int a, int b) { return colours[a] < colours[b]; });
  }
  return points;
}

}  // namespace pliant::displacement_constraints
