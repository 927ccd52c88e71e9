// Numbered independent items of work, each done once by the next free thread:
// searches from several seeds, the runs of a sweep. Each item writes its
// result to its own place, so that the results do not depend on the number of
// threads.

#ifndef PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_
#define PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_

#include <cstddef>
#include <functional>
#include <stop_token>

namespace pliant {

// The number of threads for this number of items: `threads`, at most the number of items, at least
// 1.
size_t WorkersFor(size_t items, int threads);

struct WorkItem {
  size_t number;         // in the order in which items are begun, from 0
  size_t worker;         // index of the worker, below WorkersFor(); 0 is the caller's thread
  std::stop_token stop;  // the caller has requested a stop, or another item has failed
};

// Calls `work` for each item, and returns when all threads have ended. After a stop, `work` is
// still called for the remaining items, which report that they were stopped. When `work` throws,
// the other items are asked to stop, no further item begins, and the error of the first item in
// order is rethrown.
void RunWorkQueue(size_t items, int threads, const std::stop_token& stop,
                  const std::function<void(const WorkItem& item)>& work);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_
