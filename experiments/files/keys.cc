#include "experiments/files/keys.h"

#include <algorithm>

namespace pliant {

void RequireKnownKeys(const FileValue& table, const std::string& title,
                      const std::vector<std::string>& known) {
  for (const FileValue::Entry& entry : *table.table()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    FailAt(entry.place, "unknown key '" + entry.key + "' in " + title,
           DidYouMean(entry.key, known));
  }
}

}  // namespace pliant
