// The two small documents of a bundle about the beginning and the end of a run: translation.json
// and summary.json.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_DOCUMENTS_H_
#define PLIANT_EXPERIMENTS_BUNDLES_DOCUMENTS_H_

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bundles/headline.h"
#include "experiments/runs/run.h"
#include "solvers/translation.h"

namespace pliant {

inline constexpr char kTranslationFile[] = "translation.json";
inline constexpr char kSummaryFile[] = "summary.json";

struct TranslationDocument {
  std::vector<TranslatedElement> elements;
  std::vector<std::string> warnings;
  std::vector<FindingTable> findings;
};

// Numbers that JSON lacks are spelled "inf", "-inf" and "nan"; null = not defined.
struct SummaryDocument {
  RunOutcome outcome;
  std::map<std::string, std::optional<double>> figures;
};

// Writing throws StorageError.
void WriteTranslation(const std::filesystem::path& path, const TranslationDocument& document);
void WriteSummary(const std::filesystem::path& path, const RunOutcome& outcome,
                  const std::vector<HeadlineFigure>& figures);

// Reading throws FileError for anything not of the form above.
TranslationDocument ReadTranslation(const std::filesystem::path& path);
SummaryDocument ReadSummary(const std::filesystem::path& path);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_DOCUMENTS_H_
