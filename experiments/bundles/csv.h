// Tables of numbers as CSV. A cell is empty where a number is not defined; numbers are the shortest
// that read back to the same double, so that equal numbers are equal bytes.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_CSV_H_
#define PLIANT_EXPERIMENTS_BUNDLES_CSV_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/bundles/storage.h"

namespace pliant {

// The number that all of `text` spells; nothing when it does not.
std::optional<double> ParseNumber(std::string_view text);

// The numbers separated by commas; an absent number is an empty cell.
std::string CsvNumbers(const std::vector<std::optional<double>>& row);

// The reverse; nothing when there are not `size` cells or one is no number.
std::optional<std::vector<std::optional<double>>> ParseCsvNumbers(std::string_view line,
                                                                  size_t size);

// A cell of text, quoted where CSV requires it (RFC 4180).
std::string CsvCell(const std::string& text);

class CsvWriter {
 public:
  // Writes the header. Throws StorageError, as does everything below.
  CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& names);

  void Row(const std::vector<std::optional<double>>& row);
  void Close() { file_.Close(); }

 private:
  OutputFile file_;
  std::string line_;
};

struct CsvTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::optional<double>>> rows;  // absent = not defined
};

// Reads what CsvWriter wrote. Throws FileError for a row of the wrong length or a cell that is not
// a number.
CsvTable ReadCsv(const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_CSV_H_
