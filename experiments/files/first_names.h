// The first of many names, for messages.

#ifndef PLIANT_EXPERIMENTS_FILES_FIRST_NAMES_H_
#define PLIANT_EXPERIMENTS_FILES_FIRST_NAMES_H_

#include <cstddef>
#include <string>
#include <vector>

namespace pliant {

// "a, b, c and 4 more".
std::string FirstNames(const std::vector<std::string>& names, std::size_t most = 3);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_FIRST_NAMES_H_
