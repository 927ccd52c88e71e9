// What `pliant list` shows of a folder of experiments or scenes.

#ifndef PLIANT_EXPERIMENTS_FILES_LISTING_H_
#define PLIANT_EXPERIMENTS_FILES_LISTING_H_

#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

struct ListedFile {
  std::string name;   // of the file, without ending
  std::string group;  // the folder below the listed one that holds it; empty for none
  std::filesystem::path file;
  std::string summary;  // the first sentence of the comment at its top; may be empty
  bool has_sweep = false;
};

// The TOML files of a folder and those below it, ordered by group and name; none when there is no
// such folder. The files are not checked.
std::vector<ListedFile> ListExperiments(const std::filesystem::path& folder);
std::vector<ListedFile> ListScenes(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_LISTING_H_
