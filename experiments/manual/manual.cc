#include "experiments/manual/manual.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>

#include "experiments/bundles/headline.h"
#include "experiments/bundles/storage.h"
#include "experiments/runs/series.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// Lower-case words of letters, digits and underscores; bytes above 127 belong to a word, so that Greek letters do.
std::set<std::string> WordsOf(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '_' || byte > 127) {
      word += static_cast<char>(std::tolower(byte));
    } else if (!word.empty()) {
      words.insert(std::move(word));
      word.clear();
    }
  }
  return words;
}

// The cells of a row of a Markdown table. A bar behind a backslash belongs to its cell.
std::vector<std::string> Cells(const std::string& row) {
  std::vector<std::string> cells(1);
  for (size_t i = 1; i < row.size(); ++i) {
    if (row[i] == '|' && row[i - 1] != '\\') {
      cells.back() = Trimmed(cells.back());
      cells.emplace_back();
    } else {
      cells.back() += row[i];
    }
  }
  cells.pop_back();  // what follows the last bar
  return cells;
}

// "chain" of "[chain](#chain)"; any other text as it is.
std::string LinkText(const std::string& text) {
  const size_t end = text.find("](");
  if (!text.starts_with('[') || end == std::string::npos || !text.ends_with(')')) return text;
  return text.substr(1, end - 1);
}

// Rules between rows, what is left of an empty cell, and commands of the repository are no words.
bool IsWord(const std::string& text) {
  return text.find_first_not_of("-: >") != std::string::npos && !text.starts_with("./") &&
         !text.starts_with(".ci/");
}

// Lower-case words with one blank between them and at both ends: what stands in what is a search of texts.
std::string Spaced(const std::string& text) {
  std::string spaced = " ";
  for (const char c : text + " ") {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = std::isalnum(byte) != 0 || c == '_' || byte > 127;
    if (is_letter) {
      spaced += static_cast<char>(std::tolower(byte));
    } else if (spaced.back() != ' ') {
      spaced += ' ';
    }
  }
  return spaced;
}

// The words that a first cell names: those in backticks, or else the parts between commas.
std::vector<std::string> NamedBy(const std::string& cell) {
  std::vector<std::string> named;
  std::istringstream parts(cell);
  const bool code = cell.find('`') != std::string::npos;
  std::string part;
  for (bool inside = false; std::getline(parts, part, code ? '`' : ','); inside = !inside) {
    const std::string word = LinkText(Trimmed(part));
    if ((inside || !code) && IsWord(word)) named.push_back(word);
  }
  return named;
}

// "page, chapter, section" of the headings above a line.
std::string Place(const std::string& page, const std::vector<std::string>& headings) {
  std::string place = page;
  for (size_t level = 2; level < headings.size(); ++level) {
    if (!headings[level].empty()) place += ", " + headings[level];
  }
  return place;
}

}  // namespace

Manual::Manual(const std::filesystem::path& docs) {
  std::vector<std::filesystem::path> pages;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(docs, failed)) {
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  }
  if (failed) throw StorageError(docs.string() + ": " + failed.message());
  std::sort(pages.begin(), pages.end());
  AddRecordedQuantities();  // what a quantity is stands before what tables say of it
  for (const std::filesystem::path& page : pages) ReadPage(page);
}

void Manual::ReadPage(const std::filesystem::path& file) {
  const std::string page = file.filename().string();
  std::vector<std::string> headings, columns;  // headings[level], from 1
  std::istringstream lines(ReadFile(file));
  bool in_code = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) in_code = !in_code;
    const size_t level = in_code ? 0 : line.find_first_not_of('#');
    if (level != std::string::npos && level > 0 && line[level] == ' ') {
      headings.resize(level);
      headings.push_back(line.substr(level + 1));
      sections_.push_back({{Place(page, headings), ""}, {}, WordsOf(headings.back())});
    } else if (!sections_.empty()) {
      sections_.back().section.text += line + "\n";
    }
    if (!line.starts_with('|') || in_code) {
      columns.clear();
      continue;
    }
    const std::vector<std::string> cells = Cells(line);
    if (columns.empty()) {
      columns = cells;
    } else if (!cells.empty() && !line.starts_with("|--")) {
      std::string text;
      for (size_t i = 1; i < std::min(cells.size(), columns.size()); ++i) {
        if (cells[i].empty()) continue;
        text += (columns[i].empty() ? "" : columns[i] + ": ") + cells[i] + "\n";
      }
      for (const std::string& word : NamedBy(cells[0])) {
        definitions_.push_back({word, Place(page, headings), text});
      }
    }
  }
  for (Indexed& indexed : sections_) {
    if (indexed.words.empty()) indexed.words = WordsOf(indexed.section.text);
  }
}

void Manual::AddRecordedQuantities() {
  for (const Backend* backend : Backends()) {
    const BackendInfo& info = backend->info();
    const std::vector<SeriesColumn> columns = SeriesColumns(info);
    const size_t common = SeriesColumns(BackendInfo()).size();
    const std::string condition =
        info.condition_of.empty() ? "" : "of " + info.name + ": " + info.condition_of + "\n";
    for (size_t i = 0; i < columns.size(); ++i) {
      definitions_.push_back({columns[i].name,
                              "columns of series.csv" + (i < common ? "" : ", " + info.name),
                              "unit: " + columns[i].unit + "\nmeaning: " + columns[i].meaning +
                                  "\n" + (columns[i].name == "condition_number" ? condition : "")});
    }
    for (const HeadlineFigure& figure : HeadlineFigures(Scene(), {}, columns, {})) {
      definitions_.push_back({figure.name, "headline figures of a run",
                              "unit: " + figure.unit + "\nmeaning: " + figure.meaning + "\n"});
    }
  }
}

namespace {

// Is `word` what is defined, or one of many: contact_force.{pair}_N of contact_force.bridge.ball_N; or what
// all of these begin with: contact_force?
bool Defines(const std::string& defined, const std::string& word) {
  const size_t open = defined.find('{'), close = defined.find('}', open);
  if (open == std::string::npos || open == 0 || close == std::string::npos) return defined == word;
  const std::string before = defined.substr(0, open), after = defined.substr(close + 1);
  if (before.find_last_not_of("._") + 1 == word.size() && before.starts_with(word)) return true;
  return defined == word || (word.size() > before.size() + after.size() &&
                             word.starts_with(before) && word.ends_with(after));
}

}  // namespace

std::vector<Definition> Manual::DefinitionsOf(const std::string& word) const {
  std::vector<Definition> found;
  for (const Definition& definition : definitions_) {
    if (!Defines(definition.word, word)) continue;
    const auto same = std::find_if(found.begin(), found.end(), [&](const Definition& other) {
      return other.text == definition.text;
    });
    if (same == found.end()) {
      found.push_back(definition);
    } else if (same->place.find(definition.place) == std::string::npos) {
      same->place += "; " + definition.place;
    }
  }
  return found;
}

std::vector<Definition> Manual::DefinitionsWithin(const std::string& message) const {
  std::vector<Definition> found;
  const std::string spaced = Spaced(message);
  for (const Definition& definition : definitions_) {
    if (!definition.place.starts_with("messages.md") &&
        !definition.place.ends_with("How a run ends"))
      continue;
    if (spaced.find(Spaced(definition.word)) != std::string::npos) found.push_back(definition);
  }
  return found;
}

std::vector<ManualSection> Manual::SectionsAbout(const std::string& query, size_t most) const {
  std::map<std::string, double> weights;
  double whole = 0.0;
  for (const std::string& word : WordsOf(query)) {
    const auto count = std::count_if(sections_.begin(), sections_.end(), [&](const Indexed& s) {
      return s.words.contains(word) || s.heading_words.contains(word);
    });
    if (count == 0) continue;
    whole += weights[word] = std::log(1.0 + static_cast<double>(sections_.size()) / count);
  }
  std::vector<std::pair<double, const ManualSection*>> ranked;
  for (const Indexed& indexed : sections_) {
    double score = 0.0;
    for (const auto& [word, weight] : weights) {
      if (indexed.words.contains(word)) score += weight;
      if (indexed.heading_words.contains(word)) score += 2.0 * weight;
    }
    if (score > 0.0 && score >= 0.5 * whole) ranked.push_back({score, &indexed.section});
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<ManualSection> best;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i) best.push_back(*ranked[i].second);
  return best;
}

std::vector<Definition> Manual::KeysWithValue(const std::string& value) const {
  std::vector<Definition> found;
  for (const Definition& definition : definitions_) {
    if (!definition.place.starts_with("experiment-file.md")) continue;
    if (definition.text.find('"' + value + '"') == std::string::npos) continue;
    const std::string word = value + ", a value of " + definition.word;
    const auto same = std::ranges::find(found, definition.text, &Definition::text);
    if (same == found.end()) {
      found.push_back({word, definition.place, definition.text});
    } else {
      same->place += "; " + definition.place;
    }
  }
  return found;
}

namespace {

// The sentences of a section; a row of a table is one.
std::vector<std::string> SentencesOf(const std::string& text) {
  std::vector<std::string> sentences(1);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('|') || line.starts_with("```")) sentences.emplace_back();
    for (size_t begin = 0; begin < line.size();) {
      const size_t stop = line.find(". ", begin);
      const size_t end = stop == std::string::npos ? line.size() : stop + 1;
      sentences.back() +=
          (sentences.back().empty() ? "" : " ") + Trimmed(line.substr(begin, end - begin));
      if (stop != std::string::npos || line[end - 1] == '.') sentences.emplace_back();
      begin = end;
    }
  }
  return sentences;
}

bool HasWord(const std::set<std::string>& words, const std::string& wanted) {
  constexpr size_t kLongestEnding = 3, kShortestStem = 4;
  if (words.contains(wanted)) return true;
  if (wanted.size() < kShortestStem) return false;
  for (auto word = words.lower_bound(wanted); word != words.end() && word->starts_with(wanted);
       ++word) {
    if (word->size() <= wanted.size() + kLongestEnding) return true;
  }
  return false;
}

bool HasWords(const std::set<std::string>& words, const std::set<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& word) { return HasWord(words, word); });
}

}  // namespace

std::vector<ManualSection> Manual::MentionsOf(const std::string& term, size_t most) const {
  constexpr size_t kHeading = 1000;  // more than any section has sentences
  const std::set<std::string> wanted = WordsOf(term);
  if (wanted.empty()) return {};
  std::vector<std::pair<size_t, ManualSection>> ranked;
  for (const Indexed& indexed : sections_) {
    const bool in_heading = HasWords(indexed.heading_words, wanted);
    if (!in_heading && !HasWords(indexed.words, wanted)) continue;
    size_t count = in_heading ? kHeading : 0;
    std::string first;
    for (const std::string& sentence : SentencesOf(indexed.section.text)) {
      if (!HasWords(WordsOf(sentence), wanted)) continue;
      if (first.empty()) first = sentence;
      ++count;
    }
    if (count > 0) ranked.push_back({count, {indexed.section.place, first}});
  }
  std::ranges::stable_sort(ranked, std::greater(), [](const auto& one) { return one.first; });
  std::vector<ManualSection> best;
  for (size_t i = 0; i < std::min(most, ranked.size()); ++i) best.push_back(ranked[i].second);
  return best;
}

std::vector<std::string> Manual::WordsOfText() const {
  std::set<std::string> words;
  for (const Indexed& indexed : sections_) words.insert(indexed.words.begin(), indexed.words.end());
  return {words.begin(), words.end()};
}

std::vector<std::string> Manual::Words() const {
  std::set<std::string> words;
  for (const Definition& definition : definitions_) words.insert(definition.word);
  return {words.begin(), words.end()};
}

}  // namespace pliant
