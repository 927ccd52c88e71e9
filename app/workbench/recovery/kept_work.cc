#include "app/workbench/recovery/kept_work.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <utility>

#include "app/workbench/edits/experiment_edit.h"
#include "experiments/bundles/json_numbers.h"
#include "experiments/bundles/sha256.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/document.h"
#include "experiments/files/experiment_document.h"
#include "solvers/backends.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr int kFormat = 1;
constexpr char kFolderBeginning[] = "work-";
constexpr char kStateEnding[] = ".toml";

// Takes the lock of a folder; −1 when another process has it or there is no folder.
int LockFolder(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  struct stat held, found;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && fstat(descriptor, &held) == 0 &&
      stat(path.c_str(), &found) == 0 && held.st_ino == found.st_ino) {
    return descriptor;
  }
  close(descriptor);
  return -1;
}

// The number of "7.toml"; 0 for another name.
int NumberOf(const fs::path& file) {
  const std::string stem = file.stem().string();
  const bool digits =
      !stem.empty() && stem.size() < 9 &&
      std::all_of(stem.begin(), stem.end(), [](unsigned char c) { return c >= '0' && c <= '9'; });
  return file.extension() == kStateEnding && digits ? std::atoi(stem.c_str()) : 0;
}

// The part of the work that is kept.
ExperimentWork LastStates(ExperimentWork work) {
  if (work.states.size() <= kMostKeptStates) return work;
  const size_t most = kMostKeptStates;
  const size_t from =
      std::min(work.present - std::min(work.present, most / 2), work.states.size() - most);
  const auto cut = [&](auto* list, size_t count) {
    list->erase(list->begin() + static_cast<std::ptrdiff_t>(from + count), list->end());
    list->erase(list->begin(), list->begin() + static_cast<std::ptrdiff_t>(from));
  };
  cut(&work.states, most);
  cut(&work.edits, most - 1);
  work.present -= from;
  if (work.saved) {
    const bool kept = *work.saved >= from && *work.saved < from + most;
    work.saved = kept ? std::optional(*work.saved - from) : std::nullopt;
  }
  return work;
}

std::shared_ptr<const Experiment> ReadState(const fs::path& folder, const Json& state) {
  const fs::path file = state.at("file").get<std::string>();
  if (NumberOf(file) == 0 || file.has_parent_path()) {
    throw FileError((folder / kWorkFile).string() + ": damaged: '" + file.string() +
                    "' is not the file of a saved state");
  }
  const std::string text = ReadTextFile(folder / file);
  if (Sha256OfText(text) != state.at("sha256").get<std::string>()) {
    throw FileError((folder / file).string() + ": damaged: it differs from what was written");
  }
  const auto source =
      std::make_shared<FileSource>(FileSource{(folder / file).string(), folder, false});
  return std::make_shared<const Experiment>(ReadExperimentTree(
      ParseToml(text, source), state.at("name").get<std::string>(), {}, {}, Backends()));
}

KeptWork FromJson(const fs::path& folder, const Json& json) {
  const auto damaged = [&](const std::string& why) {
    return FileError((folder / kWorkFile).string() + ": damaged: " + why);
  };
  if (WholeFromJson<int>(json.at("format")) != kFormat) {
    throw FileError((folder / kWorkFile).string() + ": written by another version of Pliant");
  }
  KeptWork work;
  work.restores = WholeFromJson<int>(json.at("restores"));
  work.pages = json.at("pages").get<std::map<std::string, PageWork>>();
  const Json& open = json.at("open");
  if (open.is_null()) return work;
  std::map<std::string, std::shared_ptr<const Experiment>> read;  // by file
  const auto state_of = [&](const Json& state) {
    auto& known = read[state.at("file").get<std::string>()];
    if (known == nullptr) known = ReadState(folder, state);
    return known;
  };
  work.open.file = open.at("file").get<std::string>();
  work.open.is_own_file = open.at("is_own_file").get<bool>();
  work.open.script = open.at("script").get<std::string>();
  for (const Json& state : open.at("states")) work.open.states.push_back(state_of(state));
  work.open.edits = open.at("edits").get<std::vector<std::string>>();
  work.open.present = WholeFromJson<size_t>(open.at("present"));
  if (!open.at("saved").is_null()) work.open.saved = WholeFromJson<size_t>(open.at("saved"));
  work.open.of_file = state_of(open.at("of_file"));
  const size_t states = work.open.states.size();
  if (states == 0 || work.open.edits.size() + 1 != states || work.open.present >= states ||
      (work.open.saved && *work.open.saved >= states)) {
    throw damaged("its states and edits do not belong together");
  }
  return work;
}

}  // namespace

WorkFolder::WorkFolder(fs::path path, int lock) : path_(std::move(path)), lock_(lock) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    last_ = std::max(last_, NumberOf(entry.path().filename()));
  }
}

std::unique_ptr<WorkFolder> WorkFolder::Claim(const fs::path& all) {
  CreateFolder(all);
  // Between mkdtemp and flock another workbench may remove the folder as empty: then try again.
  while (true) {
    std::string name = (all / (std::string(kFolderBeginning) + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) throw StorageError(all, "cannot write here", errno);
    const int lock = LockFolder(name);
    if (lock >= 0) return std::unique_ptr<WorkFolder>(new WorkFolder(name, lock));
    if (fs::exists(name)) throw StorageError(name + ": cannot lock the folder");
  }
}

std::unique_ptr<WorkFolder> WorkFolder::TakeOver(const fs::path& folder) {
  const int lock = LockFolder(folder);
  return lock < 0 ? nullptr : std::unique_ptr<WorkFolder>(new WorkFolder(folder, lock));
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!fs::exists(path_ / kWorkFile, ignored)) fs::remove_all(path_, ignored);
  close(lock_);
}

const WorkFolder::StateFile& WorkFolder::FileOf(const std::shared_ptr<const Experiment>& state) {
  StateFile& file = files_[state];
  if (file.name.empty()) {
    const std::string name = std::to_string(last_ + 1) + kStateEnding;
    const std::string toml = ToToml(*state);
    ReplaceFile(path_ / name, toml);
    ++last_;
    file = {name, Sha256OfText(toml)};
  }
  return file;
}

void WorkFolder::Write(const KeptWork& work) {
  if (work.empty()) {
    std::error_code error;
    fs::remove(path_ / kWorkFile, error);
    if (error) throw StorageError(path_ / kWorkFile, "cannot remove the file", error.value());
  }
  std::set<std::string> named;
  std::set<std::shared_ptr<const Experiment>> states;
  Json open;
  if (!work.open.states.empty()) {
    const ExperimentWork last = LastStates(work.open);
    const auto state_of = [&](const std::shared_ptr<const Experiment>& state) {
      states.insert(state);
      const StateFile& file = FileOf(state);
      named.insert(file.name);
      return Json{{"file", file.name}, {"name", state->name}, {"sha256", file.sha256}};
    };
    open = {{"file", last.file.string()}, {"is_own_file", last.is_own_file},
            {"script", last.script},      {"states", Json::array()},
            {"edits", last.edits},        {"present", last.present},
            {"saved", nullptr},           {"of_file", state_of(last.of_file)}};
    for (const auto& state : last.states) open["states"].push_back(state_of(state));
    if (last.saved) open["saved"] = *last.saved;
  }
  if (!work.empty()) {
    const Json json = {{"format", kFormat},
                       {"restores", work.restores},
                       {"pages", work.pages},
                       {"open", std::move(open)}};
    ReplaceFile(path_ / kWorkFile, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  }
  std::erase_if(files_, [&](const auto& known) { return !states.contains(known.first); });
  std::error_code ignored;  // a state that nothing names does no harm
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) {
    const std::string file = entry.path().filename().string();
    if (NumberOf(file) > 0 && !named.contains(file)) fs::remove(entry.path(), ignored);
  }
}

void WorkFolder::Remove() {
  files_.clear();
  std::error_code ignored;
  fs::remove(path_ / kWorkFile, ignored);
  fs::remove_all(path_, ignored);
}

KeptWork ReadKeptWork(const fs::path& folder) {
  const std::string text = ReadFile(folder / kWorkFile);
  try {
    return FromJson(folder, Json::parse(text));
  } catch (const Json::exception& wrong) {
    std::string why = wrong.what();
    std::replace(why.begin(), why.end(), '\n', ' ');
    throw FileError((folder / kWorkFile).string() + ": damaged: " + why);
  }
}

std::vector<fs::path> LeftWork(const fs::path& all) {
  std::vector<std::pair<fs::file_time_type, fs::path>> left;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(all, error)) {
    if (!entry.path().filename().string().starts_with(kFolderBeginning)) continue;
    const std::unique_ptr<WorkFolder> taken = WorkFolder::TakeOver(entry.path());
    if (taken == nullptr) continue;  // its workbench lives
    const fs::file_time_type time = fs::last_write_time(entry.path() / kWorkFile, error);
    if (!error) left.emplace_back(time, entry.path());
  }  // a folder without work goes with `taken`
  std::sort(left.rbegin(), left.rend());
  std::vector<fs::path> paths;
  for (auto& [time, path] : left) paths.push_back(std::move(path));
  return paths;
}

fs::path SetAside(const fs::path& folder) {
  const fs::path aside = folder.parent_path() / ("damaged-" + folder.filename().string());
  std::error_code error;
  fs::rename(folder, aside, error);
  return error ? folder : aside;
}

}  // namespace pliant
