// A motion problem as a search sees it: numbers in, a score out.

#ifndef PLIANT_SOLVERS_SEARCH_MOTION_PROBLEM_H_
#define PLIANT_SOLVERS_SEARCH_MOTION_PROBLEM_H_

#include <Eigen/Core>
#include <string>
#include <vector>

namespace pliant {

// The score of a motion.
struct MotionScore {
  double cost = 0.0;          // J, to be minimised
  double violation = 0.0;     // scaled as in the problem; 0 when feasible
  std::string worst;          // the most violated constraint; empty when feasible
  double time = 0.0;          // s, when
  std::vector<double> terms;  // the parts of the cost, as MotionProblem::terms() names them; NaN
                              // where not defined
  std::string failure;        // why there is no motion to score; empty when there is one
};

// The numbers that may be varied.
struct MotionNumbers {
  std::vector<std::string> names;
  Eigen::VectorXd lower, upper;  // bounds, lower < upper, finite
  Eigen::VectorXd start;         // within the bounds

  // Throws BadInput naming the number.
  void Validate() const;
};

// A motion problem as a search sees it: numbers in, score out. Evaluate() is deterministic: the
// same numbers give the same score, whatever was evaluated before. One thread at a time.
class MotionProblem {
 public:
  virtual ~MotionProblem() = default;
  virtual const MotionNumbers& numbers() const = 0;
  virtual const std::vector<std::string>& terms() const = 0;
  virtual MotionScore Evaluate(const Eigen::VectorXd& numbers) = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_MOTION_PROBLEM_H_
