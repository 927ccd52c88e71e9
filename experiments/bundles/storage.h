// Writing files so that nothing is lost unnoticed: every failure of the system is an error that
// names the path and the system's reason, and a folder appears under its name only when complete.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_STORAGE_H_
#define PLIANT_EXPERIMENTS_BUNDLES_STORAGE_H_

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pliant {

// Could not write (or read back) a file: exit status 3. what() is one line "path: what: why".
class StorageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  // `error` is an errno.
  StorageError(const std::filesystem::path& path, const std::string& what, int error);
};

// A text file, written through a buffer. std::ofstream forgets why it failed; this class does not.
class OutputFile {
 public:
  explicit OutputFile(std::filesystem::path path);  // created or truncated; throws StorageError
  ~OutputFile();                                    // closes; what is still buffered is lost
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void Write(std::string_view text);  // throws StorageError
  void Close();                       // writes what is buffered; throws StorageError

  const std::filesystem::path& path() const { return path_; }

 private:
  void Flush();

  std::filesystem::path path_;
  std::string buffer_;
  int descriptor_ = -1;
};

// Writes a whole file at once. Throws StorageError, and then leaves no partial file.
void WriteFile(const std::filesystem::path& path, std::string_view text);

// Writes a whole file in one step: if the program is killed at any time, the power fails or the disk
// is full, the file has its old or its new contents. A link stays, and so do the permissions of the
// file. Throws StorageError.
void ReplaceFile(const std::filesystem::path& path, std::string_view text);

// The whole of a file. Throws StorageError, also when it is no regular file or larger than
// kMostRecordBytes (experiments/files/readable_file.h).
std::string ReadFile(const std::filesystem::path& path);

// Flushes a file or folder to the disk, so that it survives a loss of power. Throws StorageError.
void FlushToDisk(const std::filesystem::path& path);

// Creates a folder and those above it. Throws StorageError.
void CreateFolder(const std::filesystem::path& path);

// A folder under construction: filled beside its name, as ".<name>.partial-<pid>", and put in place
// in one step. If the program is killed at any time, either the old folder or the new one has the
// name, and perhaps a partial one is left, which the next writer of the same name removes.
//
// The partial folder is locked (flock) while its writer lives: unlike a process number, the lock
// cannot be confused with that of another process or of another container on the same disk.
class StagedFolder {
 public:
  // Will become `target`. A folder that is in place already is replaced only when it is empty or
  // holds a file called `marker`, so that only a former result is ever removed. Throws
  // StorageError.
  StagedFolder(const std::filesystem::path& target, const std::string& marker);
  ~StagedFolder();  // removes what was not committed
  StagedFolder(const StagedFolder&) = delete;
  StagedFolder& operator=(const StagedFolder&) = delete;

  const std::filesystem::path& path() const { return partial_; }  // where to write

  // Flushes all files to the disk and puts the folder in place. Throws StorageError.
  void Commit();

 private:
  void RequireReplaceable(const std::string& marker) const;
  void RemoveLeftovers() const;
  void Create();
  void PutInPlace();

  std::filesystem::path target_, partial_;
  int lock_ = -1;  // descriptor of the partial folder
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_STORAGE_H_
