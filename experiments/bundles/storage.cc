#include "experiments/bundles/storage.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

#include "experiments/files/readable_file.h"

namespace pliant {

StorageError::StorageError(const std::filesystem::path& path, const std::string& what, int error)
    : std::runtime_error(path.string() + ": " + what + ": " + std::strerror(error)) {}

OutputFile::OutputFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw StorageError(path_, "cannot create the file", errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void OutputFile::Write(std::string_view text) {
  constexpr size_t kBufferSize = size_t{1} << 16;
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) Flush();
}

void OutputFile::Flush() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw StorageError(path_, "cannot write", errno);
    done += static_cast<size_t>(written);
  }
  buffer_.clear();
}

void OutputFile::Close() {
  Flush();
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) throw StorageError(path_, "cannot close the file", errno);
}

void WriteFile(const std::filesystem::path& path, std::string_view text) {
  try {
    OutputFile file(path);
    file.Write(text);
    file.Close();
  } catch (const StorageError&) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::remove(path, ignored);
    throw;
  }
}

std::string ReadFile(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored)) {  // else the system says why
    const std::optional<Problem> problem = WhyUnreadable(path, kMostRecordBytes);
    if (problem) throw StorageError(path.string() + ": cannot read: " + problem->what);
  }
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw StorageError(path, "cannot open the file", errno);
  std::string text;
  char block[1 << 16];
  ssize_t count = 0;
  do {
    count = read(descriptor, block, sizeof block);
    if (count > 0) text.append(block, static_cast<size_t>(count));
  } while (count > 0 || (count < 0 && errno == EINTR));
  const int error = errno;
  close(descriptor);
  if (count < 0) throw StorageError(path, "cannot read", error);
  return text;
}

void FlushToDisk(const std::filesystem::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw StorageError(path, "cannot open", errno);
  const int result = fsync(descriptor);
  const int error = errno;
  close(descriptor);
  // Some file systems cannot flush a folder and say so with EINVAL.
  if (result != 0 && error != EINVAL) throw StorageError(path, "cannot write to the disk", error);
}

void ReplaceFile(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  const std::filesystem::path linked = std::filesystem::canonical(path, error);
  const std::filesystem::path target = error ? std::filesystem::absolute(path) : linked;
  std::string name = ".";
  name += target.filename().string() + ".partial-" + std::to_string(getpid());
  const std::filesystem::path partial = target.parent_path() / name;
  WriteFile(partial, text);
  try {
    const std::filesystem::file_status before = std::filesystem::status(target, error);
    if (std::filesystem::is_regular_file(before)) {
      std::filesystem::permissions(partial, before.permissions(), error);
    }
    FlushToDisk(partial);
    if (rename(partial.c_str(), target.c_str()) != 0) {
      throw StorageError(path, "cannot replace the file", errno);
    }
  } catch (const StorageError&) {
    std::filesystem::remove(partial, error);
    throw;
  }
  FlushToDisk(target.parent_path());
}

void CreateFolder(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path))
    error.assign(ENOTDIR, std::generic_category());
  if (error) throw StorageError(path, "cannot create the folder", error.value());
}

}  // namespace pliant
