// The pages of docs/, and the quantities that runs record, searched for what a word or a message means.

#ifndef PLIANT_EXPERIMENTS_MANUAL_MANUAL_H_
#define PLIANT_EXPERIMENTS_MANUAL_MANUAL_H_

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace pliant {

// What the manual says of one word or phrase: a row of a table, or a recorded quantity. Commands are no words.
struct Definition {
  std::string word;
  std::string place;  // "experiment-file.md, Scene file, [[nail]]"
  std::string text;   // the cells of the row, "unit: m"; one a line
};

// A heading with the text up to the next heading.
struct ManualSection {
  std::string place;  // "tuning.md, It sinks"
  std::string text;
};

class Manual {
 public:
  // Reads every page (*.md) of `docs`. Throws StorageError when a page cannot be read.
  explicit Manual(const std::filesystem::path& docs);

  // All definitions of this very word, in the order of the pages; rows of several tables that say the same are one.
  std::vector<Definition> DefinitionsOf(const std::string& word) const;

  // Those of docs/messages.md, and of the ways a run ends, whose words stand in `message` one after the other.
  std::vector<Definition> DefinitionsWithin(const std::string& message) const;

  // The sections that share the most words with `query`, best first; a word counts the more, the fewer sections have
  // it, and twice in a heading. Sections that have less than half of the query by this measure are left out.
  std::vector<ManualSection> SectionsAbout(const std::string& query, size_t most) const;

  // The keys and parameters of which `value` is one of the words that they may be: contact-force, of measure.
  std::vector<Definition> KeysWithValue(const std::string& value) const;

  // The sections in which every word of `term` stands, or one that goes on after it by a few letters (settled), in one sentence,
  // which is their text: those that have it in their heading first, then those that have it most often.
  std::vector<ManualSection> MentionsOf(const std::string& term, size_t most) const;

  // Every defined word.
  std::vector<std::string> Words() const;
  // Every word of the text, in small letters.
  std::vector<std::string> WordsOfText() const;

 private:
  struct Indexed {
    ManualSection section;
    std::set<std::string> words, heading_words;
  };

  void ReadPage(const std::filesystem::path& file);
  void AddRecordedQuantities();

  std::vector<Definition> definitions_;
  std::vector<Indexed> sections_;
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_MANUAL_MANUAL_H_
