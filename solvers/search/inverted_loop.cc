#include "solvers/search/inverted_loop.h"

#include <cassert>
#include <utility>

#include "solvers/cpu_clock.h"

namespace pliant {

InvertedLoop::InvertedLoop(std::function<void(const Cost&)> optimiser) {
  thread_ = std::thread([this, optimiser = std::move(optimiser)] { Run(optimiser); });
  try {
    Resume();
  } catch (...) {
    thread_.join();
    throw;
  }
}

InvertedLoop::~InvertedLoop() {
  if (!ended_) {
    leaving_ = true;
    optimiser_turn_.release();
  }
  thread_.join();
}

void InvertedLoop::Answer(double cost) {
  assert(!ended_);
  answer_ = cost;
  Resume();
}

void InvertedLoop::Resume() {
  optimiser_turn_.release();
  caller_turn_.acquire();
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

double InvertedLoop::WaitForAnswer(const std::vector<double>& x) {
  asked_ = x;
  seconds_ = CpuSeconds();
  caller_turn_.release();
  optimiser_turn_.acquire();
  if (leaving_) throw Left();
  return answer_;
}

void InvertedLoop::Run(const std::function<void(const Cost&)>& optimiser) {
  optimiser_turn_.acquire();
  try {
    optimiser([this](const std::vector<double>& x) { return WaitForAnswer(x); });
  } catch (const Left&) {
    return;  // the caller waits for the end of the thread
  } catch (...) {
    error_ = std::current_exception();
  }
  ended_ = true;
  seconds_ = CpuSeconds();
  caller_turn_.release();
}

}  // namespace pliant
