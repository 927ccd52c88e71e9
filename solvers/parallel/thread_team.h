// Persistent threads for frequent work that is too short to start threads for, such as the rows of
// one stage of a step. Between two calls they wait for a few microseconds without sleeping, so that
// stages that follow each other find them awake.

#ifndef PLIANT_SOLVERS_PARALLEL_THREAD_TEAM_H_
#define PLIANT_SOLVERS_PARALLEL_THREAD_TEAM_H_

#include <memory>
#include <type_traits>

namespace pliant {

class ThreadTeam {
 public:
  // The caller and `threads` − 1 others, which start when there is work for them.
  explicit ThreadTeam(int threads);
  ThreadTeam(ThreadTeam&& other) noexcept;
  ThreadTeam& operator=(ThreadTeam&& other) noexcept;
  ~ThreadTeam();

  int threads() const { return threads_; }

  // Calls work(piece, worker) once for each piece in [0, pieces), by the next free thread of the
  // team, and returns when all are done. `worker` is below threads() and at one piece at a time; 0
  // is the caller. `work` does not throw and does not call Run(). Allocates nothing after the first
  // call. Does not wait for a thread that has not entered when all pieces are taken.
  template <typename Work>
  void Run(int pieces, Work&& work) {
    if (threads_ == 1 || pieces <= 1) {
      for (int piece = 0; piece < pieces; ++piece) work(piece, 0);
      return;
    }
    using Function = std::remove_reference_t<Work>;
    Share(
        pieces,
        [](void* function, int piece, int worker) {
          (*static_cast<Function*>(function))(piece, worker);
        },
        &work);
  }

 private:
  using Call = void (*)(void* function, int piece, int worker);
  class Others;

  void Share(int pieces, Call call, void* function);

  int threads_;
  std::unique_ptr<Others> others_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_THREAD_TEAM_H_
