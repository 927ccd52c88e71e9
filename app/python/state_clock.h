// The clock that a state begins with, as Simulation::Save() writes it.

#ifndef PLIANT_APP_PYTHON_STATE_CLOCK_H_
#define PLIANT_APP_PYTHON_STATE_CLOCK_H_

#include <Eigen/Core>
#include <cmath>

namespace pliant {

inline constexpr int kClockSize = 3;  // numbers: a time [s], a count of steps, a step [s]

// Whether the state begins with numbers that can be one.
inline bool HasClock(const Eigen::Ref<const Eigen::VectorXd>& state) {
  return state.head<kClockSize>().allFinite() && state[1] >= 0.0 &&
         state[1] == std::floor(state[1]) && state[2] >= 0.0;
}

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_STATE_CLOCK_H_
