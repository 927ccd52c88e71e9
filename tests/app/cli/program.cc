#include "tests/app/cli/program.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>

namespace pliant {
namespace {

std::vector<char*> Pointers(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> EnvironmentWith(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> environment;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!changes.contains(text.substr(0, text.find('=')))) environment.push_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) environment.push_back(name + "=" + value);
  }
  return environment;
}

void Redirect(posix_spawn_file_actions_t* actions, int descriptor, const std::string& file) {
  if (file == "-") {
    posix_spawn_file_actions_addclose(actions, descriptor);
  } else {
    posix_spawn_file_actions_addopen(actions, descriptor, file.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0666);
  }
}

}  // namespace

std::filesystem::path BuiltProgram() {
  return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / PLIANT_PROGRAM)
      .lexically_normal();
}

Program::Program(const std::vector<std::string>& arguments, const Start& start) {
  const std::string program = start.program.empty() ? BuiltProgram() : start.program;
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment = EnvironmentWith(start.environment);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  Redirect(&actions, STDOUT_FILENO, start.out.empty() ? (folder_ / "out").string() : start.out);
  Redirect(&actions, STDERR_FILENO, start.err.empty() ? (folder_ / "err").string() : start.err);
  // Signals as a shell in the foreground leaves them: a test in the background ignores SIGINT.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const int error = posix_spawn(&process_, program.c_str(), &actions, &attributes,
                                Pointers(&words).data(), Pointers(&environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    process_ = 0;
    throw std::system_error(error, std::generic_category(), "cannot start " + program);
  }
}

Program::~Program() {
  if (process_ == 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

bool Program::WaitForError(const std::string& text) { return WaitForText(folder_ / "err", text); }

bool Program::WaitForText(const std::filesystem::path& file, const std::string& text) {
  constexpr std::chrono::milliseconds kPause(10);
  for (int i = 0; i < 6000; ++i) {
    if (TextOf(file).find(text) != std::string::npos) return true;
    siginfo_t ended = {};
    waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT);
    if (ended.si_pid != 0) return false;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

bool Program::WaitToCatch(int signal) const {
  constexpr std::chrono::milliseconds kPause(1);
  const std::string status = "/proc/" + std::to_string(process_) + "/status", name = "SigCgt:";
  for (int i = 0; i < 60000; ++i) {
    const std::string text = TextOf(status);
    const size_t at = text.find(name);
    if (at == std::string::npos) return false;
    const auto caught = std::stoull(text.substr(at + name.size()), nullptr, 16);
    if ((caught >> (signal - 1) & 1) != 0) return true;
    std::this_thread::sleep_for(kPause);
  }
  return false;
}

void Program::Send(int signal) const { kill(process_, signal); }

Ended Program::Wait() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), TextOf(folder_ / "out"),
          TextOf(folder_ / "err")};
}

Ended Pliant(const std::vector<std::string>& arguments, const Start& start) {
  return Program(arguments, start).Wait();
}

std::string TextOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

void WriteText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace pliant
