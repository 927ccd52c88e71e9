// The table of searches; those of pagmo are in it where it is not installed, too, and say so when they are started. To add one, derive it from Search and add its line in search_methods.cc.

#ifndef PLIANT_SOLVERS_SEARCH_SEARCH_METHODS_H_
#define PLIANT_SOLVERS_SEARCH_SEARCH_METHODS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solvers/parameters.h"
#include "solvers/search/search.h"

namespace pliant {

class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual const std::string& name() const = 0;
  virtual const std::string& summary() const = 0;  // one line
  virtual std::vector<ParameterInfo> Parameters() const = 0;

  // Throws BadInput for invalid parameters or numbers.
  virtual std::unique_ptr<Search> Start(const MotionNumbers& numbers, std::int64_t budget,
                                        std::uint64_t seed,
                                        const ParameterValues& parameters) const = 0;
};

const std::vector<const SearchMethod*>& SearchMethods();

// Null when there is no search of that name.
const SearchMethod* FindSearchMethod(std::string_view name);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SEARCH_SEARCH_METHODS_H_
