// Which word was meant by a misspelled one (see DidYouMean() in problem.h).

#ifndef PLIANT_MODELS_NEAR_WORD_H_
#define PLIANT_MODELS_NEAR_WORD_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

// The candidate that differs in the case of letters alone, else the one nearest to `word` in Damerau–Levenshtein distance; absent
// when none is near.
std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string>& candidates);

}  // namespace pliant

#endif  // PLIANT_MODELS_NEAR_WORD_H_
