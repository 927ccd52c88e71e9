// Numbers of a backend's parameters that a search varies, addressed where they stand in the table
// of the backend: "control.pose.*.duration".

#ifndef PLIANT_EXPERIMENTS_SEARCHES_VARIED_NUMBERS_H_
#define PLIANT_EXPERIMENTS_SEARCHES_VARIED_NUMBERS_H_

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"
#include "experiments/files/mistakes.h"
#include "solvers/search/motion_problem.h"

namespace pliant {

// Numbers that share their bounds.
struct Varied {
  std::string numbers;  // dotted key below the backend's table; * stands for every element
  double lower = 0.0, upper = 0.0;
  FilePlace place;  // of the key, for messages
};

class VariedNumbers {
 public:
  // `table`: the backend's, in the experiment's document. A key of a list or a table means all
  // numbers in it. Throws FileError, at the place of the key, when it matches nothing, no number,
  // or a number of an earlier key, and when a number starts outside its bounds.
  VariedNumbers(const FileValue& table, const BackendChoice& choice,
                const std::vector<Varied>& varied);
  VariedNumbers(const VariedNumbers&) = delete;
  VariedNumbers& operator=(const VariedNumbers&) = delete;

  const MotionNumbers& numbers() const { return numbers_; }

  // All parameters of the backend, with these numbers in place. Throws FileError when they make a
  // table that the backend's reader refuses.
  ParameterValues Apply(const Eigen::VectorXd& numbers);
  // The parameters among them that hold these numbers.
  ParameterValues Changed(const Eigen::VectorXd& numbers);

 private:
  // Returns whether anything has the key from parts[depth] on; else `missing` is the first thing that has not.
  bool Add(FileValue* value, const std::vector<std::string>& parts, size_t depth,
           const std::string& name, const Varied& varied, std::optional<Mistake>* missing);
  void AddNumbers(FileValue* value, const std::string& name, const Varied& varied);

  std::string title_;                 // of the backend's table, for messages
  ParameterValues fixed_;             // all as given
  FileValue table_;                   // the parameters with varied numbers, and no others
  std::vector<ParameterInfo> infos_;  // of these parameters
  std::vector<FileValue*> values_;    // in table_
  MotionNumbers numbers_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SEARCHES_VARIED_NUMBERS_H_
