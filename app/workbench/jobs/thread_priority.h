// The priority of worker threads.

#ifndef PLIANT_APP_WORKBENCH_JOBS_THREAD_PRIORITY_H_
#define PLIANT_APP_WORKBENCH_JOBS_THREAD_PRIORITY_H_

namespace pliant {

// Lowers the priority of the calling thread, and of those it starts, below that of the thread of
// the window, which does little work but must respond at once. Only Linux has priorities for the
// threads of one process; no effect elsewhere.
void LowerThreadPriority();

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_THREAD_PRIORITY_H_
