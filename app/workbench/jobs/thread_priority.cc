#include "app/workbench/jobs/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace pliant {

void LowerThreadPriority() {
#ifdef __linux__
  // A tenth of the time of a thread at 0 where both want a processor, all of it where none does.
  constexpr int kNiceness = 10;
  const auto thread = static_cast<id_t>(gettid());
  if (getpriority(PRIO_PROCESS, thread) < kNiceness) setpriority(PRIO_PROCESS, thread, kNiceness);
#endif
}

}  // namespace pliant
