// explain: what the manual says of a key, a quantity, a word or a message.

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "experiments/manual/manual.h"
#include "models/problem.h"

namespace pliant {
namespace {

// The names that a message quotes: 'stiffness', `run.step`, [[nail]] without its brackets; of a dotted key its last
// part too.
std::vector<std::string> QuotedIn(const std::string& message) {
  static const std::regex kQuoted(R"(['`]([^'`]+)['`]|\[{1,2}([\w.-]+)\]{1,2})");
  std::vector<std::string> quoted;
  for (std::sregex_iterator i(message.begin(), message.end(), kQuoted), end; i != end; ++i) {
    const std::string name = (*i)[1].matched ? (*i)[1] : (*i)[2];
    quoted.push_back(name);
    if (const size_t dot = name.rfind('.'); dot != std::string::npos) {
      quoted.push_back(name.substr(dot + 1));
    }
  }
  return quoted;
}

void Print(const Definition& definition) {
  fmt::print("{}  ({})\n", definition.word, definition.place);
  size_t begin = 0;
  while (begin < definition.text.size()) {
    const size_t end = definition.text.find('\n', begin);
    fmt::print("  {}\n", definition.text.substr(begin, end - begin));
    begin = end + 1;
  }
  fmt::print("\n");
}

// `text` without "pliant: " or "file:line:column: ".
std::string WithoutPlace(const std::string& text) {
  static const std::regex kPlace(R"(^(pliant: )?(\S+:\d+:\d+: )?)");
  return std::regex_replace(text, kPlace, "", std::regex_constants::format_first_only);
}

}  // namespace

int ExplainCommand(const std::string& text) {
  const Manual manual(Home() / "docs");
  const std::string query = WithoutPlace(text);
  std::vector<Definition> definitions = manual.DefinitionsOf(query);
  const bool is_word = !definitions.empty();
  if (!is_word) {
    for (const std::string& name : QuotedIn(query)) {
      for (Definition& found : manual.DefinitionsOf(name)) definitions.push_back(std::move(found));
    }
  }
  const std::vector<ManualSection> sections = manual.SectionsAbout(query, 4);
  if (definitions.empty() && sections.empty()) {
    throw BadInput({"", fmt::format("the manual does not mention '{}'", query),
                    DidYouMean(query, manual.Words())});
  }
  for (const Definition& definition : definitions) Print(definition);
  size_t printed = 0;
  if (!is_word && !sections.empty()) {
    fmt::print("{}\n{}\n", sections[0].place, sections[0].text);
    printed = 1;
  }
  if (sections.size() > printed) fmt::print("See also, in docs/:\n");
  for (size_t i = printed; i < sections.size(); ++i) fmt::print("  {}\n", sections[i].place);
  return kDone;
}

}  // namespace pliant
