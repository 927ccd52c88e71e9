// The vectors and matrices that a formulation computes with, in one state, for inspection: `record`
// in [run] stores groups of them, `pliant inspect` prints them.

#ifndef PLIANT_SOLVERS_ARRAYS_H_
#define PLIANT_SOLVERS_ARRAYS_H_

#include <Eigen/Core>
#include <string>
#include <vector>

namespace pliant {

struct NamedArray {
  std::string group;  // "modes", "multipliers", "levels", "equations"
  std::string name;   // unique in its group: "amplitudes.table"
  std::string unit, meaning;
  std::vector<std::string> rows, columns;  // labels; empty where numbers say enough
  Eigen::MatrixXd values;
};

// A group that a backend has.
struct ArrayGroup {
  std::string name;
  std::string meaning;  // what its arrays are
};

// A part of the state that Simulation::Save() gives, in its order.
struct StateBlock {
  std::string name;  // "amplitudes of body 'table'"
  int size;
  std::string unit;  // "m", "m, m/s", …
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_ARRAYS_H_
