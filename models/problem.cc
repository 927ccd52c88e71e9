#include "models/problem.h"
#include "models/near_word.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace pliant {
namespace {

// Number of insertions, deletions, substitutions and swaps of neighbours that turn a into b
// (the "optimal string alignment" form: no substring is edited twice).
int EditDistance(std::string_view a, std::string_view b) {
  const size_t rows = a.size() + 1, columns = b.size() + 1;
  std::vector<int> d(rows * columns);
  auto at = [&](size_t i, size_t j) -> int& { return d[i * columns + j]; };
  for (size_t i = 0; i < rows; ++i) at(i, 0) = static_cast<int>(i);
  for (size_t j = 0; j < columns; ++j) at(0, j) = static_cast<int>(j);
  for (size_t i = 1; i < rows; ++i) {
    for (size_t j = 1; j < columns; ++j) {
      const int substitution = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(rows - 1, columns - 1);
}

bool IsSameButForCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

std::optional<std::string> NearestWord(std::string_view word,
                                       const std::vector<std::string>& candidates) {
  // Of a short word more than one letter is another word.
  const int length = static_cast<int>(word.size());
  const int tolerated = length > 3 ? std::max(2, length / 3) : length / 2;
  int best = tolerated + 1;
  const std::string* nearest = nullptr;
  for (const std::string& candidate : candidates) {
    if (IsSameButForCase(word, candidate)) return candidate;
    // The distance is no less than the difference of the lengths: of a word of 60 000 letters none is computed.
    if (std::abs(length - static_cast<int>(candidate.size())) >= best) continue;
    const int distance = EditDistance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = &candidate;
    }
  }
  if (nearest == nullptr) return std::nullopt;
  return *nearest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  if (const auto nearest = NearestWord(word, candidates)) return "did you mean '" + *nearest + "'?";
  std::string all;
  for (const std::string& candidate : candidates) {
    all += (all.empty() ? "one of: " : ", ") + candidate;
  }
  return all;
}

}  // namespace pliant
