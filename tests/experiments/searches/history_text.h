// The history of a search as a text that the same search gives again: all of it but the column of
// seconds.

#ifndef PLIANT_TESTS_EXPERIMENTS_SEARCHES_HISTORY_TEXT_H_
#define PLIANT_TESTS_EXPERIMENTS_SEARCHES_HISTORY_TEXT_H_

#include <filesystem>
#include <sstream>
#include <string>

#include "experiments/bundles/storage.h"

namespace pliant {

// Of `folder`/history.csv; its cells hold no commas.
inline std::string HistoryWithoutSeconds(const std::filesystem::path& folder) {
  std::istringstream lines(ReadFile(folder / "history.csv"));
  std::string text, line;
  int seconds = -1;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string cell;
    for (int column = 0; std::getline(cells, cell, ','); ++column) {
      if (cell == "seconds") seconds = column;
      if (column != seconds) text += cell + ',';
    }
    text += '\n';
  }
  return text;
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SEARCHES_HISTORY_TEXT_H_
