// Numbered items of work that have nothing to do with each other, each done once by whichever of
// several threads is free next: searches from several seeds, the runs of a sweep. An item writes
// what came of it to a place of its own, so that the results are the same for any number of
// threads.

#ifndef PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_
#define PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_

#include <cstddef>
#include <functional>
#include <stop_token>

namespace pliant {

// How many threads it takes for so many items: `threads`, but no more than items, and at least 1.
size_t WorkersFor(size_t items, int threads);

struct WorkItem {
  size_t number;         // in the order in which items are begun, from 0
  size_t worker;         // which of the WorkersFor() is at it; the first is the caller's thread
  std::stop_token stop;  // asked to stop by the caller, or because another item has failed
};

// Calls `work` for each item, and returns when all threads have ended. After a stop the items not
// begun are called all the same: it is for them to say that they were stopped. When `work` throws,
// the others are asked to stop, no further item is begun, and of the errors that of the first item
// in order is thrown.
void RunWorkQueue(size_t items, int threads, const std::stop_token& stop,
                  const std::function<void(const WorkItem& item)>& work);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_WORK_QUEUE_H_
