// The contents of a folder of experiments or scenes: listed, and found by name.

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

// The experiment that `asked` means: a file, or one in `folder` or below it by its name alone,
// "press" or "press.toml". Throws FileError where there is none; the message says where the
// experiment of this name is, or which name is near.
std::filesystem::path FindExperiment(const std::filesystem::path& asked,
                                     const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_LISTING_H_
