// An optimiser that calls its cost function, turned into one that is asked for points and told their costs:
//
//   InvertedLoop loop([](const InvertedLoop::Cost& cost) { … cost(x) … });
//   while (const auto* x = loop.Asked()) loop.Answer(f(*x));
//
// The optimiser runs on a thread of its own, and waits in the cost function for the answer. Either it runs or the caller does,
// never both, so that what it asks depends only on the answers.

#ifndef PLIANT_SOLVERS_SEARCH_INVERTED_LOOP_H_
#define PLIANT_SOLVERS_SEARCH_INVERTED_LOOP_H_

#include <exception>
#include <functional>
#include <semaphore>
#include <thread>
#include <vector>

namespace pliant {

class InvertedLoop {
 public:
  using Cost = std::function<double(const std::vector<double>&)>;

  // Runs `optimiser` until it asks or ends. Here and in Answer(): throws what it throws.
  explicit InvertedLoop(std::function<void(const Cost&)> optimiser);
  // Ends it by an exception from the cost function.
  ~InvertedLoop();
  InvertedLoop(const InvertedLoop&) = delete;
  InvertedLoop& operator=(const InvertedLoop&) = delete;

  // The point whose cost the optimiser waits for; null when it has ended.
  const std::vector<double>* Asked() const { return ended_ ? nullptr : &asked_; }
  // Runs it on until it asks again or ends.
  void Answer(double cost);
  // CPU time of its thread, without what the caller did [s].
  double seconds() const { return seconds_; }

 private:
  struct Left {};  // thrown through the optimiser

  double WaitForAnswer(const std::vector<double>& x);
  void Run(const std::function<void(const Cost&)>& optimiser);
  void Resume();

  std::binary_semaphore optimiser_turn_{0}, caller_turn_{0};
  std::vector<double> asked_;
  double answer_ = 0.0, seconds_ = 0.0;
  bool ended_ = false, leaving_ = false;
  std::exception_ptr error_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_INVERTED_LOOP_H_
