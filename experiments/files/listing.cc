#include "experiments/files/listing.h"

#include <algorithm>
#include <fstream>
#include <tuple>

#include "experiments/files/document.h"
#include "experiments/files/experiment.h"
#include "experiments/files/mesh_listing.h"

namespace pliant {
namespace {

// The stops of "[Faloutsos 1995, Fig. 5.6]" end no sentence.
std::string FirstSentence(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  int depth = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '[') ++depth;
    if (line[i] == ']') --depth;
    if (depth == 0 && line[i] == '.' && line[i + 1] == ' ') return line.substr(0, i + 1);
  }
  return line;
}

// A file that cannot be read is listed too: its mistakes are reported when it is used.
bool HasSweep(const std::filesystem::path& file) {
  try {
    return ReadToml(file).Find("sweep") != nullptr;
  } catch (const FileError&) {
    return false;
  }
}

// Of the legacy format of VTK the second line, which is its title; of others the comment at the top.
std::string DescriptionOf(const std::filesystem::path& file) {
  if (file.extension() != ".vtk") return FirstSentence(LeadingComment(file));
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::getline(in, line);
  return FirstSentence(line);
}

std::vector<ListedFile> ListFilesOf(const std::filesystem::path& folder,
                                    const std::vector<std::string>& endings) {
  std::vector<ListedFile> listed;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    const std::filesystem::path& file = entry.path();
    if (std::ranges::find(endings, file.extension().string()) == endings.end()) continue;
    listed.push_back({file.stem().string(), file.parent_path().lexically_relative(folder).string(),
                      file, DescriptionOf(file)});
    if (listed.back().group == ".") listed.back().group.clear();
  }
  std::sort(listed.begin(), listed.end(), [](const ListedFile& a, const ListedFile& b) {
    return std::tie(a.group, a.name) < std::tie(b.group, b.name);
  });
  return listed;
}

}  // namespace

std::vector<ListedFile> ListScenes(const std::filesystem::path& folder) {
  return ListFilesOf(folder, {".toml"});
}

std::vector<ListedFile> ListMeshes(const std::filesystem::path& folder) {
  return ListFilesOf(folder, {".obj", ".msh", ".vtk"});
}

// Both kinds of file begin with a comment that describes them.
std::vector<ListedFile> ListExperiments(const std::filesystem::path& folder) {
  std::vector<ListedFile> listed = ListScenes(folder);
  for (ListedFile& file : listed) file.has_sweep = HasSweep(file.file);
  return listed;
}

std::filesystem::path FindExperiment(const std::filesystem::path& asked,
                                     const std::filesystem::path& folder) {
  std::error_code error;
  if (std::filesystem::exists(asked, error)) return asked;
  const bool is_name = !asked.has_parent_path();
  std::vector<std::string> names;
  std::string mend;
  for (const ListedFile& listed : ListScenes(folder)) {
    names.push_back(listed.name);
    if (asked != listed.name && asked.filename() != listed.file.filename()) continue;
    if (is_name) return listed.file;
    mend = "did you mean '" + std::filesystem::proximate(listed.file, error).string() + "'?";
  }
  if (mend.empty()) mend = DidYouMean(asked.stem().string(), names);
  if (!mend.starts_with("did you mean")) mend = "`pliant list experiments` lists those that ship";
  FailAt({}, "there is no file '" + asked.string() + "'", mend);
}

}  // namespace pliant
