// What formulations share when they show their arrays and the layout of their saved state.

#ifndef PLIANT_SOLVERS_ARRAY_BLOCKS_H_
#define PLIANT_SOLVERS_ARRAY_BLOCKS_H_

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "solvers/arrays.h"
#include "solvers/exchange.h"

namespace pliant {

// Matrices with more numbers than this are not shown: a dense transfer operator or constraint matrix
// of a large scene would fill the memory.
inline constexpr double kMostNumbers = 1e6;
inline bool IsShown(double rows, double columns) { return rows * columns <= kMostNumbers; }

// The layout of a saved state, block by block in the order of DoSave().
class StateBlocks {
 public:
  // A block without numbers is left out.
  void Add(const std::string& name, Eigen::Index numbers, const std::string& unit) {
    if (numbers > 0) blocks_.push_back({name, static_cast<int>(numbers), unit});
    size_ += static_cast<int>(numbers);
  }
  void AddExchange() {  // Exchange::Numbers()
    Add("work by class", kWorkClasses, "J");
    Add("impulse and angular impulse from outside", Exchange::kNumbers - kWorkClasses,
        "N s, N m s");
  }
  int size() const { return size_; }
  std::vector<StateBlock> Take() { return std::move(blocks_); }

 private:
  std::vector<StateBlock> blocks_;
  int size_ = 0;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_ARRAY_BLOCKS_H_
