// Threads that work while someone looks on.

#ifndef PLIANT_APP_WORKBENCH_JOBS_GIVE_WAY_H_
#define PLIANT_APP_WORKBENCH_JOBS_GIVE_WAY_H_

namespace pliant {

// From now on the calling thread, and those it starts, get a processor after the window's own
// thread, which has little to do but must do it at once. On Linux, which knows such an order of the
// threads of one process; nothing elsewhere.
void GiveWayToTheWindow();

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_JOBS_GIVE_WAY_H_
