// Giving up a long preparation. A translation can take minutes (the plan of a jump) before there is a
// simulation to step. Whoever may lose interest puts a CancelScope on its thread; loops of
// preparations call ThrowIfCancelled() in each iteration. Without a scope nothing is cancelled.

#ifndef PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_
#define PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_

#include <exception>
#include <stop_token>
#include <utility>

namespace pliant {

class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled before it began"; }
};

// While it lives, a stop of `stop` cancels the preparations of this thread, and so do those of the
// scopes around it.
class CancelScope {
 public:
  explicit CancelScope(std::stop_token stop) : stop_(std::move(stop)), around_(innermost) {
    innermost = this;
  }
  ~CancelScope() { innermost = around_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static bool IsCancelled() {
    for (const CancelScope* scope = innermost; scope != nullptr; scope = scope->around_) {
      if (scope->stop_.stop_requested()) return true;
    }
    return false;
  }

 private:
  inline static thread_local const CancelScope* innermost = nullptr;  // of this thread

  const std::stop_token stop_;
  const CancelScope* const around_;
};

inline bool IsCancelled() { return CancelScope::IsCancelled(); }
inline void ThrowIfCancelled() {
  if (IsCancelled()) throw Cancelled();
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_
