#include "experiments/files/first_names.h"

#include <algorithm>

namespace pliant {

std::string FirstNames(const std::vector<std::string>& names, std::size_t most) {
  std::string words;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    words += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > most) words += " and " + std::to_string(names.size() - most) + " more";
  return words;
}

}  // namespace pliant
