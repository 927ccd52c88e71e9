// A number as a formula of others: u, v, level, sin(), …, `a ? b : c`. Parsed by muParser, which is
// packaged, small and takes a variable by its address, so that evaluating allocates nothing.

#ifndef PLIANT_SOLVERS_KINEMATIC_RESPONSE_FORMULA_H_
#define PLIANT_SOLVERS_KINEMATIC_RESPONSE_FORMULA_H_

#include <memory>
#include <string>
#include <vector>

namespace mu {
class Parser;
}

namespace pliant::kinematic_response {

class Formula {
 public:
  // `names` are the variables. Throws BadInput (with empty `where`) that names the column for
  // syntax errors, unknown names, and assignments.
  Formula(const std::string& text, const std::vector<std::string>& names);
  ~Formula();
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;

  // True if the formula uses the variable of this number.
  bool Uses(size_t variable) const { return used_[variable]; }
  void Set(size_t variable, double value) { (*values_)[variable] = value; }
  // The value for the variables as last set. May be infinite or not a number.
  double Value() const;

 private:
  std::unique_ptr<std::vector<double>> values_;  // where the parser reads them
  std::unique_ptr<mu::Parser> parser_;
  std::vector<bool> used_;
};

}  // namespace pliant::kinematic_response

#endif  // PLIANT_SOLVERS_KINEMATIC_RESPONSE_FORMULA_H_
