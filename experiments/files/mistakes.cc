#include "experiments/files/mistakes.h"

#include <algorithm>
#include <tuple>

namespace pliant {
namespace {

constexpr size_t kMostLines = 20;

std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

}  // namespace

std::string ToString(const Mistake& mistake) {
  const std::string where = ToString(mistake.place);
  return OneLine((where.empty() ? "" : where + ": ") + mistake.what +
                 (mistake.mend.empty() ? "" : "; " + mistake.mend));
}

FileError::FileError(std::vector<Mistake> mistakes)
    : std::runtime_error(mistakes.empty() ? "" : ToString(mistakes.front())),
      mistakes_(std::move(mistakes)) {}

void Mistakes::Add(const FileError& error) {
  any_ = true;
  for (const Mistake& mistake : error.mistakes()) {
    if (lines_.insert(ToString(mistake)).second) list_.push_back(mistake);
  }
}

void Mistakes::ThrowIfAny() const {
  if (any_) throw FileError(list_);
}

std::vector<Mistake> InOrder(std::vector<Mistake> mistakes, const std::string& file) {
  const auto rank = [&](const Mistake& mistake) {
    const FileSource* source = mistake.place.source.get();
    const std::string name = source == nullptr ? "" : source->name;
    const int group = source != nullptr && source->is_override ? 2 : name == file ? 0 : 1;
    return std::tuple(group, name, mistake.place.line, mistake.place.column);
  };
  std::stable_sort(mistakes.begin(), mistakes.end(),
                   [&](const Mistake& a, const Mistake& b) { return rank(a) < rank(b); });
  return mistakes;
}

std::string TextOf(const std::vector<Mistake>& mistakes) {
  std::string text;
  for (size_t i = 0; i < std::min(mistakes.size(), kMostLines); ++i) {
    text += (i == 0 ? "" : "\n") + ToString(mistakes[i]);
  }
  if (mistakes.size() > kMostLines) {
    text += "\nand " + std::to_string(mistakes.size() - kMostLines) + " more mistakes";
  }
  return text;
}

}  // namespace pliant
