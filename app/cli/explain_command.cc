// explain: what the manual says of a key, a quantity, a word or a message.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "experiments/comparison/errors.h"
#include "experiments/manual/manual.h"
#include "experiments/runs/probe_figures.h"
#include "models/near_word.h"
#include "models/problem.h"

namespace pliant {
namespace {

constexpr size_t kMostNearest = 5;

// The names that a message quotes: 'stiffness', `run.step`, [[nail]] without its brackets; of a dotted key its last
// part too.
std::vector<std::string> QuotedIn(const std::string& message) {
  static const std::regex kQuoted(R"(['`]([^'`]{1,200})['`]|\[{1,2}([\w.-]{1,200})\]{1,2})");
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
  static const std::regex kPlace(R"(^(pliant: )?(\S{1,400}:\d{1,9}:\d{1,9}: )?)");
  return std::regex_replace(text, kPlace, "", std::regex_constants::format_first_only);
}

// A name or a few words, no sentence of a message.
bool IsTerm(const std::string& query) { return std::ranges::count(query, ' ') < 3; }

// Of the words of the manual those that a reader may have meant: neither files nor phrases of tables.
bool IsRealWord(const std::string& word) {
  if (word.size() < 3 || word.size() > 40 || word.find('/') != std::string::npos) return false;
  const auto first = static_cast<unsigned char>(word.front());
  return std::isalnum(first) || first > 127;
}

// Is `part` a whole part of the name: "ball" of "ball_radius"?
bool HasPart(const std::string& word, const std::string& part) {
  const auto is_end = [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); };
  for (size_t at = word.find(part); at != std::string::npos; at = word.find(part, at + 1)) {
    const size_t end = at + part.size();
    if ((at == 0 || is_end(word[at - 1])) && (end == word.size() || is_end(word[end]))) return true;
  }
  return false;
}

// Are all parts of `query` whole parts of the name: those of "energy_lost" of "lost energy"?
bool HasParts(const std::string& word, const std::string& query) {
  std::string part;
  bool any = false;
  for (const char c : query + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      part += c;
    } else if (!part.empty()) {
      if (!HasPart(word, part)) return false;
      any = true;
      part.clear();
    }
  }
  return any;
}

// "did you mean …?" of at most five: the words that have the parts of `query`, then the one nearest in spelling; empty where there is none.
std::string Nearest(const std::string& query, const Manual& manual) {
  std::vector<std::string> words = manual.Words();
  std::erase_if(words, [](const std::string& word) { return !IsRealWord(word); });
  std::vector<std::string> nearest;
  for (const std::string& word : words) {
    if (HasParts(word, query)) nearest.push_back(word);
  }
  // The shortest say most of the query.
  std::ranges::stable_sort(nearest, {}, &std::string::size);
  if (nearest.size() > kMostNearest) nearest.resize(kMostNearest);
  // Of a short word a spelling is near that has nothing to do with it.
  if (const auto word = NearestWord(query, words);
      word && query.size() > 4 && std::ranges::find(nearest, *word) == nearest.end()) {
    if (nearest.size() == kMostNearest) nearest.pop_back();
    nearest.push_back(*word);
  }
  if (nearest.empty()) return "";
  std::string text = "did you mean ";
  for (size_t i = 0; i < nearest.size(); ++i) {
    if (i > 0) text += i + 1 == nearest.size() ? " or " : ", ";
    text += "'" + nearest[i] + "'";
  }
  return text + "?";
}

// "gap_crossing_s": the figure of a [[probe]] called gap, of whatever kind.
std::vector<Definition> AsFigureOfProbe(const std::string& query) {
  Probe probe;
  probe.name = "NAME";
  probe.crosses = 0.0;
  probe.cycles = probe.oscillates = true;
  probe.component = 0;  // of a reaction, which has an impulse then
  for (size_t kind = 0; kind < ProbeKinds().size(); ++kind) {
    probe.kind = static_cast<ProbeKind>(kind);
    for (const ProbeFigure& figure : ProbeFigures(probe, {})) {
      const std::string ending = figure.is.name.substr(probe.name.size());
      if (figure.is.name == ProbeColumn(probe).name) continue;  // NAME_m, the column
      if (query.size() <= ending.size() || !query.ends_with(ending)) continue;
      const std::string meaning = figure.is.meaning.substr(0, figure.is.meaning.find(": "));
      return {{query, "experiment-file.md, [[probe]]",
               "unit: " + figure.is.unit + "\nmeaning: a figure of the probe '" +
                   query.substr(0, query.size() - ending.size()) + "': " + meaning + "\n"}};
    }
  }
  return {};
}

// The word nearest in spelling that the manual uses without explaining it.
std::string NearestUsed(const std::string& query, const Manual& manual) {
  std::vector<std::string> used = manual.WordsOfText();
  std::erase_if(used, [](const std::string& word) { return !IsRealWord(word); });
  const auto word = NearestWord(query, used);
  return word ? "did you mean '" + *word + "'?" : "";
}

// "load_N": the column of a probe, as far as its unit tells.
std::vector<Definition> AsColumnOfProbe(const std::string& query) {
  for (const ProbeKindInfo& kind : ProbeKinds()) {
    const std::string ending = UnitSuffix(kind.unit);
    if (ending.empty() || query.size() <= ending.size() || !query.ends_with(ending)) continue;
    const std::string name = query.substr(0, query.size() - ending.size());
    return {{query, "experiment-file.md, [[probe]]",
             "unit: " + std::string(kind.unit) + "\nmeaning: the column that a [[probe]] named '" +
                 name + "' of your file adds; `pliant check FILE` says what it measures\n"}};
  }
  return {};
}

// Where the manual uses a word that it does not explain; whether it does.
bool PrintMentions(const std::string& query, const Manual& manual) {
  constexpr size_t kMostPlaces = 5, kLongestSentence = 240;
  const std::vector<ManualSection> mentions = manual.MentionsOf(query, kMostPlaces);
  if (mentions.empty()) return false;
  fmt::print("the manual has no entry '{}'; it stands in:\n", query);
  for (const ManualSection& mention : mentions) {
    std::string sentence = mention.text;
    if (sentence.size() > kLongestSentence)
      sentence = sentence.substr(0, sentence.rfind(' ', kLongestSentence)) + " …";
    fmt::print("\n{}\n", mention.place);
    if (!sentence.empty()) fmt::print("  {}\n", sentence);
  }
  const std::string nearest = Nearest(query, manual);
  if (!nearest.empty()) fmt::print("\n{}\n", nearest);
  return true;
}

// "error_of_swing_max_rad": an error against a reference, of one of the columns that all runs have or of the column
// swing_rad of a table.
std::vector<Definition> AsErrorFigure(const std::string& query) {
  const std::string place = "yardstick.md, As a reference";
  for (const SeriesColumn& error : ErrorColumns("the reference")) {
    if (error.name != query) continue;
    return {{query, place, "unit: " + error.unit + "\nmeaning: " + error.meaning + "\n"}};
  }
  static const std::regex kError("error_of_(.+)_(max|early|over_time|final)(_.+)?");
  std::smatch parts;
  if (!std::regex_match(query, parts, kError)) return {};
  const std::string stem = parts[1], over = parts[2], column = stem + parts[3].str();
  const auto has_unit = [&stem](const char* unit) { return stem.ends_with(UnitSuffix(unit)); };
  constexpr std::array kUnits = {"m", "rad", "s", "J", "N", "W", "Pa", "kg"};
  if (!parts[3].matched && std::ranges::any_of(kUnits, has_unit))
    return {};  // units are at the end
  for (const SeriesColumn& error : HeadlineColumns(
           stem, "1", "difference of the column " + column + " from that of a reference table")) {
    if (!error.name.ends_with(stem + "_" + over)) continue;
    return {{query, "yardstick.md, Other references", "meaning: " + error.meaning + "\n"}};
  }
  return {};
}

}  // namespace

int ExplainCommand(const std::string& text) {
  const Manual manual(Home() / "docs");
  const std::string query = WithoutPlace(text);
  std::vector<Definition> definitions = manual.DefinitionsOf(query);
  if (definitions.empty()) definitions = manual.KeysWithValue(query);
  if (definitions.empty()) definitions = AsErrorFigure(query);
  if (definitions.empty() && !IsAgainstReference(query)) definitions = AsFigureOfProbe(query);
  const bool is_word = !definitions.empty();
  bool is_message = false;
  if (!is_word) {
    definitions = manual.DefinitionsWithin(query);
    is_message = !definitions.empty();
    for (const std::string& name : QuotedIn(query)) {
      for (Definition& found : manual.DefinitionsOf(name)) definitions.push_back(std::move(found));
    }
  }
  // Sections that share words with a message whose meaning is known are about something else.
  const std::vector<ManualSection> sections =
      is_message ? std::vector<ManualSection>() : manual.SectionsAbout(query, 4);
  if (definitions.empty() && (sections.empty() || IsTerm(query))) {
    if (IsTerm(query) && PrintMentions(query, manual)) return kDone;
    std::string nearest = Nearest(query, manual);
    if (nearest.empty()) nearest = NearestUsed(query, manual);
    definitions = nearest.empty() ? AsColumnOfProbe(query) : definitions;
    if (definitions.empty()) {
      throw BadInput({"", fmt::format("the manual has no entry '{}'", query),
                      nearest.empty() ? "search docs/ for it" : nearest});
    }
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
