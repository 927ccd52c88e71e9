// CPU time of the calling thread [s]: unlike wall time it does not count what else the machine
// does. Threads that help in a step count for themselves.

#ifndef PLIANT_SOLVERS_CPU_CLOCK_H_
#define PLIANT_SOLVERS_CPU_CLOCK_H_

#include <ctime>

namespace pliant {

inline double CpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CPU_CLOCK_H_
