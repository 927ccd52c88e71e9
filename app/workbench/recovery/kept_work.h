// What a window works on, on disk, so that a crash or a kill loses nothing. No Qt.
//
//   <folder of all>/work-XXXXXX/   one for each running workbench, locked (flock) while it lives
//     work.json                    what is open, its edits, what the pages work on, SHA-256 of each
//                                  state
//     1.toml, 2.toml, …            the experiment as it was opened and after each edit; each is an
//                                  experiment file of its own
//
// A state is written once, and work.json is replaced in one step after the states that it names: at
// every moment the folder describes the work as it was or as it is.

#ifndef PLIANT_APP_WORKBENCH_RECOVERY_KEPT_WORK_H_
#define PLIANT_APP_WORKBENCH_RECOVERY_KEPT_WORK_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/edits/experiment_work.h"

namespace pliant {

inline constexpr char kWorkFile[] = "work.json";

// What one page works on: words by name. Empty: nothing.
using PageWork = std::map<std::string, std::string>;

struct KeptWork {
  ExperimentWork open;
  std::map<std::string, PageWork> pages;  // by title
  // How often it was restored without a sign that this went well: an experiment that ends the
  // program must not end it at every start.
  int restores = 0;

  bool empty() const { return open.states.empty() && pages.empty(); }
  bool operator==(const KeptWork&) const = default;
};

// The folder of one workbench. For use by one thread at a time.
class WorkFolder {
 public:
  // A new folder in `all`. Throws StorageError.
  static std::unique_ptr<WorkFolder> Claim(const std::filesystem::path& all);
  // One that another workbench has left; null while that lives.
  static std::unique_ptr<WorkFolder> TakeOver(const std::filesystem::path& folder);
  ~WorkFolder();  // gives up the lock; the work stays, a folder without work goes
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Empty work removes what is kept. Throws StorageError.
  void Write(const KeptWork& work);
  void Remove();  // all of it, at the end of the work

 private:
  WorkFolder(std::filesystem::path path, int lock);
  struct StateFile {
    std::string name, sha256;
  };
  const StateFile& FileOf(const std::shared_ptr<const Experiment>& state);

  std::filesystem::path path_;
  int lock_;      // descriptor of the folder
  int last_ = 0;  // number of the last state that has a file
  // The states that have files. They are kept so that no other state gets the address of one.
  std::map<std::shared_ptr<const Experiment>, StateFile> files_;
};

// At most so many states are kept, the present one and those around it.
inline constexpr size_t kMostKeptStates = 40;

// Reads the work in the folder. Throws FileError or StorageError, one line with the file.
KeptWork ReadKeptWork(const std::filesystem::path& folder);

// Folders in `all` with work of a workbench that no longer lives, the newest first. Removes such
// folders without work.
std::vector<std::filesystem::path> LeftWork(const std::filesystem::path& all);

// Renames the folder so that LeftWork() passes it over, and returns its new path.
std::filesystem::path SetAside(const std::filesystem::path& folder);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_RECOVERY_KEPT_WORK_H_
