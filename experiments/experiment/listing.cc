#include "experiments/experiment/listing.h"

#include <algorithm>

#include "experiments/experiment/document.h"

namespace pliant {
namespace {

std::string FirstSentence(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  const size_t stop = line.find(". ");
  return stop == std::string::npos ? line : line.substr(0, stop + 1);
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
  return ListScenes(folder);
}

}  // namespace pliant
