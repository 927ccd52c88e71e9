#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "experiments/bundles/storage.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr char kPartial[] = ".partial-";  // a folder under construction
constexpr char kOld[] = ".old-";          // one that is being replaced

// ".name": the common beginning of the names of all folders that belong to `target`.
std::string HiddenName(const fs::path& target) {
  std::string name = ".";
  name += target.filename().string();
  return name;
}

fs::path Beside(const fs::path& target, const std::string& kind) {
  std::string name = HiddenName(target);
  name += kind + std::to_string(getpid());
  return target.parent_path() / name;
}

// Opens a folder and takes its lock; −1 when another process holds it or it is not available.
int LockFolder(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return -1;
}

bool IsStillAt(int descriptor, const fs::path& path) {
  struct stat held, found;
  return fstat(descriptor, &held) == 0 && stat(path.c_str(), &found) == 0 &&
         held.st_ino == found.st_ino && held.st_dev == found.st_dev;
}

}  // namespace

StagedFolder::StagedFolder(const fs::path& target, const std::string& marker)
    : target_(fs::absolute(target)), partial_(Beside(target_, kPartial)) {
  CreateFolder(target_.parent_path());
  RequireReplaceable(marker);
  RemoveLeftovers();
  Create();
}

StagedFolder::~StagedFolder() {
  if (lock_ < 0) return;
  std::error_code ignored;  // the next writer removes the rest as a leftover
  fs::remove_all(partial_, ignored);
  close(lock_);
}

void StagedFolder::RequireReplaceable(const std::string& marker) const {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) {
    if (fs::exists(target_ / marker, error)) return;
    if (fs::is_empty(target_, error)) return;
  }
  throw StorageError(target_.string() + ": exists but is not a run bundle (it has no " + marker +
                     "); move it or write elsewhere");
}

void StagedFolder::RemoveLeftovers() const {
  const std::string beginning = HiddenName(target_);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(target_.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    const bool partial = name.starts_with(beginning + kPartial);
    const bool old = name.starts_with(beginning + kOld);
    if (!partial && !old) continue;
    const int lock = LockFolder(entry.path());
    if (lock < 0) continue;  // its writer lives
    if (old && !fs::exists(target_, error)) {
      // Its writer was killed between removing the old folder and putting the new one in place.
      fs::rename(entry.path(), target_, error);
    } else {
      fs::remove_all(entry.path(), error);
    }
    close(lock);
  }
}

void StagedFolder::Create() {
  // Between mkdir and flock another writer may remove the folder as a leftover: then try again.
  while (true) {
    if (mkdir(partial_.c_str(), 0777) != 0) {
      const int error = errno;
      if (error != EEXIST) throw StorageError(target_.parent_path(), "cannot write here", error);
      throw StorageError(partial_.string() + ": another run is writing the same bundle");
    }
    lock_ = open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) {
      flock(lock_, LOCK_EX | LOCK_NB);  // without locks on this file system leftovers stay: no harm
      if (IsStillAt(lock_, partial_)) return;
      close(lock_);
      lock_ = -1;
    } else if (errno != ENOENT) {
      throw StorageError(partial_, "cannot open the folder", errno);
    }
  }
}

void StagedFolder::Commit() {
  for (const fs::directory_entry& entry : fs::directory_iterator(partial_))
    FlushToDisk(entry.path());
  FlushToDisk(partial_);
  PutInPlace();
  FlushToDisk(target_.parent_path());
  close(lock_);
  lock_ = -1;
}

void StagedFolder::PutInPlace() {
  // rename() replaces nothing or an empty folder.
  if (rename(partial_.c_str(), target_.c_str()) == 0) return;
  if (errno != EEXIST && errno != ENOTEMPTY) {
    throw StorageError(target_, "cannot put the bundle in place", errno);
  }
  std::error_code ignored;  // a remainder of the old folder is a leftover for the next writer
  if (renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    fs::remove_all(partial_, ignored);
    return;
  }
  // A file system without an exchange: there is a moment without either folder, which
  // RemoveLeftovers() repairs if the writer is killed in it.
  const fs::path old = Beside(target_, kOld);
  if (rename(target_.c_str(), old.c_str()) != 0) {
    throw StorageError(target_, "cannot replace the old bundle", errno);
  }
  if (rename(partial_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    rename(old.c_str(), target_.c_str());
    throw StorageError(target_, "cannot put the bundle in place", error);
  }
  fs::remove_all(old, ignored);
}

}  // namespace pliant
