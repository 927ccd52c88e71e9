#include "solvers/spacetime/flight_momentum.h"

#include <algorithm>
#include <cmath>

#include "models/scene/number_text.h"

namespace pliant {

double MomentumDefect(const FlightMomentum& flight) {
  const double given = flight.mass * flight.gravity * flight.duration;
  Eigen::Vector3d change = flight.end - flight.begin;
  change[1] += given;
  const double defect = std::max(change.head<2>().norm(), std::abs(change[2]) / flight.height);
  const double size = given > 0.0 ? given : flight.begin.head<2>().norm();
  return size > 0.0 ? defect / size : 0.0;
}

std::string TooFastForItsMesh(double defect) {
  return "the motion found is too fast for its mesh: " + ThreeDigits(100.0 * defect) +
         " % of the momentum of its flight comes from nowhere; take a finer plan_step";
}

}  // namespace pliant
