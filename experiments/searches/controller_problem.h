// The search for a controller as a motion problem: numbers → parameters of a backend → translation
// → run → measures → cost. One trial is one run of the experiment, through the loop that all runs
// use. A simulation that accepts new numbers (solvers/retunable.h) is translated once.

#ifndef PLIANT_EXPERIMENTS_SEARCHES_CONTROLLER_PROBLEM_H_
#define PLIANT_EXPERIMENTS_SEARCHES_CONTROLLER_PROBLEM_H_

#include <memory>
#include <string>
#include <vector>

#include "experiments/files/experiment.h"
#include "experiments/searches/motion_cost.h"
#include "experiments/searches/varied_numbers.h"
#include "solvers/search/motion_problem.h"

namespace pliant {

// Runs the one backend of `experiment`, translated to `simulation`, and scores its motion. A run
// that diverges is a failure.
MotionScore ScoreRun(const Experiment& experiment, int body, const MotionCostFunction& cost,
                     Simulation* simulation);

class ControllerProblem final : public MotionProblem {
 public:
  // For the backend at `index` and the body at `body`. Throws FileError as VariedNumbers does, and
  // when the backend refuses the scene.
  ControllerProblem(const Experiment& experiment, size_t index, int body,
                    const std::vector<Varied>& varied, const MotionCostFunction& cost);

  const MotionNumbers& numbers() const override { return varied_.numbers(); }
  const std::vector<std::string>& terms() const override { return terms_; }  // columns of measures
  // A run that diverges, or numbers that the backend refuses, are failures of the trial.
  MotionScore Evaluate(const Eigen::VectorXd& numbers) override;

  // The experiment of the one backend with these numbers, named `label`. Throws FileError.
  Experiment With(const Eigen::VectorXd& numbers, const std::string& label);

 private:
  // Resets simulation_ to its start with these numbers; returns the reason of a failure, else "".
  std::string Prepare(const Eigen::VectorXd& numbers);
  bool Retuned(const ParameterValues& changed);

  Experiment experiment_;  // of the one backend
  Experiment trial_;       // the same, recorded only where the cost needs it
  MotionCostFunction cost_;
  int body_;
  VariedNumbers varied_;
  std::vector<std::string> terms_;
  std::unique_ptr<Simulation> simulation_;  // of the last translation
  Eigen::VectorXd start_;                   // its state there
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_CONTROLLER_PROBLEM_H_
