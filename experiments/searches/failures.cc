#include "experiments/searches/failures.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace pliant {
namespace {

constexpr size_t kMostReasons = 5;

struct Reason {
  std::string kind;  // without its numbers
  std::string text;  // of the first trial
  bool varies = false;
  int trials = 0;
};

std::string WithoutNumbers(const std::string& text) {
  std::string kind;
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) {
      kind += c;
    } else if (kind.empty() || kind.back() != '#') {
      kind += '#';
    }
  }
  return kind;
}

std::vector<Reason> ReasonsOf(const SearchRecord& record) {
  std::vector<Reason> reasons;
  for (const SearchHistory& history : record.histories) {
    for (const Trial& trial : history.trials) {
      const std::string& text = trial.score.failure;
      if (text.empty()) continue;
      const std::string kind = WithoutNumbers(text);
      auto known = std::ranges::find(reasons, kind, &Reason::kind);
      if (known == reasons.end()) known = reasons.insert(known, {kind, text, false, 0});
      known->varies = known->varies || known->text != text;
      ++known->trials;
    }
  }
  std::ranges::stable_sort(reasons, std::ranges::greater(), &Reason::trials);
  return reasons;
}

}  // namespace

FindingTable TableOfFailures(const SearchRecord& record) {
  const std::vector<Reason> reasons = ReasonsOf(record);
  FindingTable table;
  table.title = "Why trials failed";
  table.columns = {"trials", "reason"};
  bool any_varies = false;
  for (size_t i = 0; i < std::min(reasons.size(), kMostReasons); ++i) {
    table.rows.push_back({std::to_string(reasons[i].trials), reasons[i].text});
    any_varies = any_varies || reasons[i].varies;
  }
  if (any_varies) table.remark = "Reasons that differ in their numbers are one, with the first's.";
  if (reasons.size() > kMostReasons) {
    if (any_varies) table.remark += ' ';
    table.remark += std::to_string(reasons.size() - kMostReasons);
    table.remark += " more reasons are in optimization.json.";
  }
  return table;
}

}  // namespace pliant
