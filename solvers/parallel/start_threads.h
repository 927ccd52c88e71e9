// Threads that share work whose result does not depend on their number.

#ifndef PLIANT_SOLVERS_PARALLEL_START_THREADS_H_
#define PLIANT_SOLVERS_PARALLEL_START_THREADS_H_

#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace pliant {

// Threads that run work(number) or work(stop_token, number), with numbers from 0. They are fewer than
// `count` where the system refuses one, for want of memory or of processes: the caller goes on with
// those there are.
template <typename Work>
std::vector<std::jthread> StartThreads(size_t count, const Work& work) {
  std::vector<std::jthread> threads;
  threads.reserve(count);
  try {
    while (threads.size() < count) threads.emplace_back(work, threads.size());
  } catch (const std::system_error& refused) {
    if (refused.code() != std::errc::resource_unavailable_try_again) throw;
  }
  return threads;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_START_THREADS_H_
