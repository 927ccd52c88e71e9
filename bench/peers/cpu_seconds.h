// CPU time of this process, all of its threads [s].

#ifndef PLIANT_BENCH_PEERS_CPU_SECONDS_H_
#define PLIANT_BENCH_PEERS_CPU_SECONDS_H_

#include <ctime>

namespace pliant {

inline double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace pliant

#endif  // PLIANT_BENCH_PEERS_CPU_SECONDS_H_
