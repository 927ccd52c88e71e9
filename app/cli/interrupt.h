// Ctrl-C and SIGTERM as a stop token: the run ends after its step, its bundle marked cancelled. The
// first signal is answered at once by a line on stderr.

#ifndef PLIANT_APP_CLI_INTERRUPT_H_
#define PLIANT_APP_CLI_INTERRUPT_H_

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

namespace pliant {

// While it lives, the first signal requests a stop; the second ends the program at once. A signal that
// the parent process ignored (nohup) stays ignored. At most one at a time.
class InterruptWatch {
 public:
  // `answer` follows "interrupted: ".
  explicit InterruptWatch(std::string answer = "ends after the present step");
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  // While this is set, as during preparations, which have written nothing yet, the first signal ends
  // the program at once, with a line and status 128 + signal, whatever it is at.
  void EndAtOnce(bool at_once) { at_once_ = at_once; }

 private:
  std::stop_source stop_;
  std::atomic<bool> at_once_ = false;
  std::jthread watcher_;
};

}  // namespace pliant

#endif  // PLIANT_APP_CLI_INTERRUPT_H_
