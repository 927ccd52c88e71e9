#include "solvers/exchange.h"

#include <numeric>

namespace pliant {

std::string_view ToString(WorkClass work_class) {
  switch (work_class) {
    case WorkClass::kForce:
      return "force";
    case WorkClass::kImpulse:
      return "impulse";
    case WorkClass::kMovedObstacle:
      return "moved obstacles";
    case WorkClass::kMovedNail:
      return "moved nails";
    case WorkClass::kControl:
      return "control";
    case WorkClass::kContact:
      return "contact";
    case WorkClass::kConstraint:
      return "constraint";
    case WorkClass::kDamping:
      return "damping";
  }
  return "";
}

double Exchange::TotalWork() const { return std::accumulate(work.begin(), work.end(), 0.0); }

void Exchange::Add(double duration, const Exchange& rates) {
  for (int c = 0; c < kWorkClasses; ++c) work[c] += duration * rates.work[c];
  impulse += duration * rates.impulse;
  angular_impulse += duration * rates.angular_impulse;
}

Eigen::Vector<double, Exchange::kNumbers> Exchange::Numbers() const {
  Eigen::Vector<double, kNumbers> numbers;
  numbers << Eigen::Map<const Eigen::Vector<double, kWorkClasses>>(work.data()), impulse,
      angular_impulse;
  return numbers;
}

Exchange Exchange::FromNumbers(const Eigen::Vector<double, kNumbers>& numbers) {
  Exchange exchange;
  Eigen::Map<Eigen::Vector<double, kWorkClasses>>(exchange.work.data()) =
      numbers.head<kWorkClasses>();
  exchange.impulse = numbers.segment<3>(kWorkClasses);
  exchange.angular_impulse = numbers.tail<3>();
  return exchange;
}

}  // namespace pliant
