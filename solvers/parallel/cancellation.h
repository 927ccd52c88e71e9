// Giving up a long preparation, and showing that it goes on. A translation can take minutes (the plan of
// a jump) before there is a simulation to step. Whoever may lose interest puts a CancelScope on its
// thread; loops of preparations call AtPreparation() or ThrowIfCancelled() in each iteration. Without a
// scope nothing is cancelled.

#ifndef PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_
#define PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

namespace pliant {

class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled before it began"; }
};

// What a preparation is at: "body", the 12th of 400. `of` is 0 where it is not known.
using PreparationListener = std::function<void(std::string_view what, size_t done, size_t of)>;

// While it lives, a stop of `stop` cancels the preparations of this thread, and so does the end of the time it has, and so
// do the scopes around it. The innermost listener hears of each iteration.
class CancelScope {
 public:
  using Clock = std::chrono::steady_clock;
  explicit CancelScope(std::stop_token stop, PreparationListener listener = {},
                       std::optional<Clock::time_point> end = {})
      : stop_(std::move(stop)), listener_(std::move(listener)), end_(end), around_(innermost) {
    innermost = this;
  }
  ~CancelScope() { innermost = around_; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  static bool IsCancelled() {
    for (const CancelScope* scope = innermost; scope != nullptr; scope = scope->around_) {
      if (scope->stop_.stop_requested()) return true;
      if (scope->end_ && Clock::now() > *scope->end_) return true;
    }
    return false;
  }
  static void Tell(std::string_view what, size_t done, size_t of) {
    for (const CancelScope* scope = innermost; scope != nullptr; scope = scope->around_) {
      if (!scope->listener_) continue;
      scope->listener_(what, done, of);
      return;
    }
  }

 private:
  inline static thread_local const CancelScope* innermost = nullptr;  // of this thread

  const std::stop_token stop_;
  const PreparationListener listener_;
  const std::optional<Clock::time_point> end_;
  const CancelScope* const around_;
};

inline bool IsCancelled() { return CancelScope::IsCancelled(); }
inline void ThrowIfCancelled() {
  if (IsCancelled()) throw Cancelled();
}
// In each iteration of a loop of a preparation; cheap.
inline void AtPreparation(std::string_view what, size_t done, size_t of = 0) {
  ThrowIfCancelled();
  CancelScope::Tell(what, done, of);
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PARALLEL_CANCELLATION_H_
