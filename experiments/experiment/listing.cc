#include "experiments/experiment/listing.h"

#include <algorithm>

#include "experiments/experiment/document.h"
#include "experiments/experiment/experiment.h"

namespace pliant {
namespace {

std::string FirstSentence(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const size_t stop = line.find(". ");
  return stop == std::string::npos ? line : line.substr(0, stop + 1);
}

// A file that cannot be read is listed all the same: what is wrong with it is told when it is used.
bool HasSweep(const std::filesystem::path& file) {
  try {
    return ReadToml(file).Find("sweep") != nullptr;
  } catch (const FileError&) {
    return false;
  }
}

}  // namespace

std::vector<ListedFile> ListScenes(const std::filesystem::path& folder) {
  std::vector<ListedFile> listed;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".toml") continue;
    listed.push_back(
        {entry.path().stem().string(), entry.path(), FirstSentence(LeadingComment(entry.path()))});
  }
  std::sort(listed.begin(), listed.end(),
            [](const ListedFile& a, const ListedFile& b) { return a.name < b.name; });
  return listed;
}

// Both kinds of file begin with the comment that says what they show.
std::vector<ListedFile> ListExperiments(const std::filesystem::path& folder) {
  std::vector<ListedFile> listed = ListScenes(folder);
  for (ListedFile& file : listed) file.has_sweep = HasSweep(file.file);
  return listed;
}

}  // namespace pliant
