#include "app/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace pliant {
namespace {

constexpr int kBarWidth = 30;
constexpr double kMoment = 1.0;        // s, of a preparation that is not worth a line
constexpr double kDrawEvery = 0.1;     // s, on a terminal
constexpr double kReportEvery = 10.0;  // s, a plain line elsewhere

double Seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace

std::string ClockText(double seconds) {
  const long total = std::lround(std::max(0.0, seconds));
  const long hours = total / 3600, minutes = total / 60 % 60, rest = total % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

void PrintToStderr(const std::string& text) {
  std::fflush(stdout);  // where both go to one file, what was said before stands before it
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

Progress::Progress(int parts) : terminal_(isatty(STDERR_FILENO) != 0), parts_(parts) {}

Progress::~Progress() { ClearLine(); }

void Progress::Prepare(const std::string& label, std::string_view what, size_t done, size_t of) {
  const Clock::time_point now = Clock::now();
  if (label != preparing_) {
    preparing_ = label;
    prepares_since_ = drawn_ = now;
  }
  const double elapsed = Seconds(now - prepares_since_);
  const bool due = Seconds(now - drawn_) >= (terminal_ ? kDrawEvery : kReportEvery);
  if (!due || elapsed < kMoment) return;
  drawn_ = now;
  const std::string count =
      of > 0 ? fmt::format("{} of {}", done + 1, of) : fmt::format("{}", done + 1);
  PrintToStderr(fmt::format("{}preparing {}: {} {}, {}{}", terminal_ ? "\r\033[K" : "", label, what,
                            count, ClockText(elapsed), terminal_ ? "" : "\n"));
}

void Progress::EndPreparation() {
  if (!preparing_.empty()) ClearLine();
  preparing_.clear();
}

void Progress::Begin(const std::string& label) {
  EndPreparation();
  ++part_;
  label_ = label;
  skipped_ = 0.0;
  began_ = drawn_ = Clock::now();
  if (terminal_) {
    Draw(0.0);
  } else {
    PrintToStderr(fmt::format("[{}/{}] {}\n", part_, parts_, label_));
  }
}

void Progress::Skip(double fraction) {
  skipped_ = fraction;
  if (terminal_) Draw(fraction);
}

void Progress::Update(double fraction) {
  const Clock::time_point now = Clock::now();
  if (Seconds(now - drawn_) < (terminal_ ? kDrawEvery : kReportEvery)) return;
  drawn_ = now;
  Draw(fraction);
}

void Progress::Draw(double fraction) {
  const double elapsed = Seconds(Clock::now() - began_);
  const std::string left =
      fraction - skipped_ > 0.01
          ? ClockText(elapsed * (1.0 - fraction) / (fraction - skipped_)) + " left"
          : "";
  const int percent = static_cast<int>(std::lround(100.0 * fraction));
  if (!terminal_) {
    PrintToStderr(fmt::format("[{}/{}] {} {} % {}\n", part_, parts_, label_, percent, left));
    return;
  }
  const int filled = static_cast<int>(kBarWidth * std::clamp(fraction, 0.0, 1.0));
  PrintToStderr(fmt::format("\r\033[K[{}/{}] {:<26} [{}{}] {:3} % {}", part_, parts_, label_,
                            std::string(filled, '#'), std::string(kBarWidth - filled, '.'), percent,
                            left));
}

void Progress::Say(const std::string& line) {
  ClearLine();
  PrintToStderr(fmt::format("      {}\n", line));
}

void Progress::End(const std::string& outcome) {
  ClearLine();
  PrintToStderr(fmt::format("[{}/{}] {}: {} ({:.1f} s)\n", part_, parts_, label_, outcome,
                            Seconds(Clock::now() - began_)));
}

void Progress::ClearLine() {
  if (!terminal_) return;
  PrintToStderr("\r\033[K");
}

}  // namespace pliant
