// Whether to release the interpreter lock around a piece of work. To hand the lock over costs microseconds: two threads
// that release it around shorter steps than that are slower together than one after the other.

#ifndef PLIANT_APP_PYTHON_LOCK_CHOICE_H_
#define PLIANT_APP_PYTHON_LOCK_CHOICE_H_

#include <pybind11/pybind11.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

namespace pliant {

class LockChoice {
 public:
  // Calls work(), which consists of `pieces` equal parts. Releases the lock unless the parts of the last call were so
  // short that this call is expected to end within kShort. With the lock held.
  template <typename Work>
  void Run(std::int64_t pieces, const Work& work) {
    using Clock = std::chrono::steady_clock;
    std::optional<pybind11::gil_scoped_release> release;
    if (Releases(pieces)) {
      ++releases_;
      release.emplace();
    }
    const Clock::time_point began = Clock::now();
    work();
    const std::chrono::duration<double> took = Clock::now() - began;
    per_piece_ = took.count() / static_cast<double>(pieces);
  }

  std::int64_t releases() const { return releases_; }  // calls so far that released the lock

 private:
  bool Releases(std::int64_t pieces) const {
    return pieces > kMany || per_piece_ * static_cast<double>(pieces) >= kShort;
  }

  static constexpr std::int64_t kMany = 64;  // parts: a call that ended early says little of them
  static constexpr double kShort = 10e-6;    // s
  double per_piece_ = std::numeric_limits<double>::infinity();  // s, of the last call
  std::int64_t releases_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_APP_PYTHON_LOCK_CHOICE_H_
