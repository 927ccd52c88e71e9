#include "experiments/files/differences.h"

#include <algorithm>

#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr size_t kLongestValue = 40;  // characters; longer ones are not printed

bool IsSame(const FileValue& a, const FileValue& b) { return WriteInline(a) == WriteInline(b); }

std::string Below(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::string Changed(const std::string& path, const FileValue& here, const FileValue& there) {
  const std::string is = WriteInline(here), was = WriteInline(there);
  if (std::max(is.size(), was.size()) > kLongestValue) return path + " is another";
  return path + " is " + is + " (there " + was + ")";
}

void Compare(const std::string& path, const FileValue& here, const FileValue& there,
             std::vector<std::string>* differences) {
  if (IsSame(here, there)) return;
  if (here.table() != nullptr && there.table() != nullptr) {
    for (const auto& [key, place, value] : *here.table()) {
      const FileValue* other = there.Find(key);
      if (other != nullptr) {
        Compare(Below(path, key), value, *other, differences);
      } else {
        differences->push_back(Below(path, key) + " is given (there it is not)");
      }
    }
    for (const auto& [key, place, value] : *there.table()) {
      if (here.Find(key) == nullptr)
        differences->push_back(Below(path, key) + " is not given (there it is)");
    }
    return;
  }
  const FileValue::Array *a = here.array(), *b = there.array();
  const bool tables =
      a != nullptr && b != nullptr && a->size() == b->size() &&
      std::ranges::all_of(*a, [](const FileValue& v) { return v.table() != nullptr; });
  if (!tables) {
    differences->push_back(Changed(path, here, there));
    return;
  }
  for (size_t i = 0; i < a->size(); ++i) {
    Compare(Below(path, ElementName((*a)[i], i)), (*a)[i], (*b)[i], differences);
  }
}

}  // namespace

std::vector<std::string> DifferencesOf(const FileValue& here, const FileValue& there) {
  std::vector<std::string> differences;
  Compare("", here, there, &differences);
  return differences;
}

}  // namespace pliant
