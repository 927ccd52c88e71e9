// A description of wrong input from which a user can correct it.
//
// Every room reports bad input as a `BadInput`. It names the place by a document path such as
// "scene.body[0].mass"; the room that read the file turns the path into file:line:column.

#ifndef PLIANT_MODELS_PROBLEM_H_
#define PLIANT_MODELS_PROBLEM_H_

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Problem {
  std::string where;  // document path of the offending value; may be empty
  std::string what;   // what is wrong and why, one line without a final stop
  std::string mend;   // how to correct it; may be empty
};

// Bad input is an error of the file or of the command line, never of the program.
class BadInput : public std::runtime_error {
 public:
  explicit BadInput(Problem problem)
      : std::runtime_error(problem.mend.empty() ? problem.what
                                                : problem.what + "; " + problem.mend),
        problem_(std::move(problem)) {}
  const Problem& problem() const { return problem_; }

 private:
  Problem problem_;
};

// "did you mean 'stiffness'?" for the candidate nearest to `word` in Damerau–Levenshtein distance,
// or "one of: a, b, c" when none is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace pliant

#endif  // PLIANT_MODELS_PROBLEM_H_
