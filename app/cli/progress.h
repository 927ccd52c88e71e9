// How far a long piece of work has come: a bar with the time left on a terminal, plain lines
// otherwise. Writes to stderr, so that stdout stays a result.

#ifndef PLIANT_APP_CLI_PROGRESS_H_
#define PLIANT_APP_CLI_PROGRESS_H_

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace pliant {

class Progress {
 public:
  // The work consists of `parts` pieces, one after the other.
  explicit Progress(int parts);
  ~Progress();

  // Before a part begins: what its preparation is at, where that takes longer than a moment. Cheap.
  void Prepare(const std::string& label, std::string_view what, size_t done, size_t of);
  void EndPreparation();  // removes that line
  void Begin(const std::string& label);
  // That this much of the present part was done before it began: no time is estimated from it.
  void Skip(double fraction);
  void Update(double fraction);  // of the present part; cheap, draws at most ten times a second
  void Say(const std::string& line);  // above the bar
  void End(const std::string& outcome);

 private:
  using Clock = std::chrono::steady_clock;
  void Draw(double fraction);
  void ClearLine();

  const bool terminal_;
  const int parts_;
  int part_ = 0;
  double skipped_ = 0.0;  // of the present part
  std::string label_, preparing_;
  Clock::time_point began_, drawn_, prepares_since_;
};

// A notice: when stderr is full or closed it is lost, and the work goes on.
void PrintToStderr(const std::string& text);

// "0:07", "12:03", "1:02:03".
std::string ClockText(double seconds);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_PROGRESS_H_
