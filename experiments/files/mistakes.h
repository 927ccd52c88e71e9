// Mistakes in files: each with its place, gathered so that a reader reports all of them at once.
//
// A reader that finds a mistake throws FileError. What reads several things that do not depend on each other
// reads each inside Mistakes::Try() and throws what came together at the end: one FileError with several
// mistakes. What is wrong only because something else is wrong must not be reported: a reader then throws
// Consequence(), a FileError without any mistake.

#ifndef PLIANT_EXPERIMENTS_FILES_MISTAKES_H_
#define PLIANT_EXPERIMENTS_FILES_MISTAKES_H_

#include <filesystem>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "experiments/files/document.h"

namespace pliant {

struct Mistake {
  FilePlace place;   // may be without a source
  std::string what;  // what is wrong, and why
  std::string mend;  // how to correct it; may be empty
};

// "file:line:column: what; mend", one line.
std::string ToString(const Mistake& mistake);

// Mistakes in files: what() is the one line of the mistake that was found first.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string& line) : FileError(std::vector<Mistake>{{{}, line, ""}}) {}
  explicit FileError(std::vector<Mistake> mistakes);

  const std::vector<Mistake>& mistakes() const { return mistakes_; }  // in the order of reading

 private:
  std::vector<Mistake> mistakes_;
};

// Follows from a mistake that is reported elsewhere.
inline FileError Consequence() { return FileError(std::vector<Mistake>()); }

class Mistakes {
 public:
  // Calls `read`; keeps the mistakes of a FileError. Returns whether there was none.
  template <typename Read>
  bool Try(Read&& read) {
    try {
      std::forward<Read>(read)();
      return true;
    } catch (const FileError& error) {
      Add(error);
      return false;
    }
  }
  void Add(const FileError& error);  // a mistake that is known already is not repeated

  bool any() const { return any_; }
  const std::vector<Mistake>& list() const { return list_; }
  void ThrowIfAny() const;

 private:
  std::vector<Mistake> list_;
  std::unordered_set<std::string> lines_;  // of the list, as they are printed
  bool any_ = false;                       // also after a Consequence()
};

// Sorted by place: those in `file` first, then those in other files by name, then those on the command line.
std::vector<Mistake> InOrder(std::vector<Mistake> mistakes, const std::string& file = "");

// A line for each of at most twenty, and how many more there are.
std::string TextOf(const std::vector<Mistake>& mistakes);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_MISTAKES_H_
