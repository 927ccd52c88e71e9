#include "experiments/searches/history_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <string_view>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"
#include "experiments/searches/trial_rows.h"

namespace pliant {
namespace {

constexpr char kTrialsFile[] = "trials.csv";

std::string HeaderOf(const SearchRecord& record) {
  std::string header;
  for (const std::string& name : TrialColumns(record)) header += name + ",";
  return header + "why\n";
}

// The last cell is a text of JSON, in which no end of line stands.
std::string LineOf(size_t search, std::int64_t evaluation, const Trial& trial) {
  return CsvNumbers(RowOf(search, evaluation, trial)) + "," +
         nlohmann::json(trial.score.failure)
             .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
         "\n";
}

}  // namespace

HistoryLog::HistoryLog(const std::filesystem::path& folder, const std::string& resolved,
                       const SearchRecord& record)
    : evaluations_(record.searches.size(), 0), path_(folder / kTrialsFile) {
  StagedFolder staged(folder, kResolvedFile);
  WriteFile(staged.path() / kResolvedFile, resolved);
  std::string text = HeaderOf(record);
  for (size_t s = 0; s < record.histories.size(); ++s) {
    for (const Trial& trial : record.histories[s].trials) {
      text += LineOf(s, ++evaluations_[s], trial);
    }
  }
  WriteFile(staged.path() / kTrialsFile, text);
  staged.Commit();
  descriptor_ = open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor_ < 0) throw StorageError(path_, "cannot open the file", errno);
}

HistoryLog::~HistoryLog() {
  if (descriptor_ >= 0) close(descriptor_);
}

void HistoryLog::Add(size_t search, const Trial& trial) {
  const std::string line = LineOf(search, ++evaluations_[search], trial);
  for (size_t done = 0; done < line.size();) {
    const ssize_t written = write(descriptor_, line.data() + done, line.size() - done);
    if (written < 0 && errno != EINTR) throw StorageError(path_, "cannot write", errno);
    if (written > 0) done += static_cast<size_t>(written);
  }
}

void ReadHistoryLog(const std::filesystem::path& folder, SearchRecord* record) {
  const std::filesystem::path path = folder / kTrialsFile;
  const std::string content = ReadFile(path);
  const std::string header = HeaderOf(*record);
  std::string_view text = content;
  if (!text.starts_with(header)) {
    throw FileError(path.string() + ":1: the columns differ from those of this search");
  }
  text.remove_prefix(header.size());
  const size_t columns = TrialColumns(*record).size();
  for (int number = 2; true; ++number) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return;  // the rest was not written completely
    const std::string_view line = text.substr(0, end);
    const std::string where = path.string() + ":" + std::to_string(number);
    const size_t quote = std::min(line.find(",\""), line.size());
    const auto row = ParseCsvNumbers(line.substr(0, quote), columns);
    const auto why = nlohmann::json::parse(line.substr(std::min(quote + 1, line.size())), nullptr,
                                           /*allow_exceptions=*/false);
    if (!row || !why.is_string()) throw FileError(where + ": damaged: not a trial");
    Trial& trial = AddTrialOf(*row, where, record);
    if (!trial.score.failure.empty()) trial.score.failure = why.get<std::string>();
    text.remove_prefix(end + 1);
  }
}

void RemoveHistoryLog(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (error) throw StorageError(folder, "cannot remove the folder", error.value());
}

}  // namespace pliant
