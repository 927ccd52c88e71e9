// The program as its users meet it: started with arguments, read from outside.

#ifndef PLIANT_TESTS_APP_CLI_PROGRAM_H_
#define PLIANT_TESTS_APP_CLI_PROGRAM_H_

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/experiments/bundles/scratch.h"

namespace pliant {

struct Ended {
  int status = 0;        // exit status; 128 + its number after a signal, as shells say it
  std::string out, err;  // what went to stdout and to stderr
};

// The built pliant.
std::filesystem::path BuiltProgram();

struct Start {
  std::filesystem::path program;                   // the built pliant when empty
  std::map<std::string, std::string> environment;  // beside that of the test; "" removes
  std::string out, err;  // files that take the place of stdout and stderr; "-" closes them
};

// Runs at the root of the sources. Killed when it still runs at the end of the test.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, const Start& start = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Waits until stderr says `text`; false when it has ended, or a minute has passed, without.
  bool WaitForError(const std::string& text);
  // The same of a file that the program writes.
  bool WaitForText(const std::filesystem::path& file, const std::string& text);
  // Waits until it handles this signal by itself; false when it has ended, or a minute has passed, without.
  bool WaitToCatch(int signal) const;
  void Send(int signal) const;
  Ended Wait();

 private:
  ScratchFolder folder_;
  pid_t process_ = 0;
};

// Starts it and waits for its end.
Ended Pliant(const std::vector<std::string>& arguments, const Start& start = {});

std::string TextOf(const std::filesystem::path& file);
void WriteText(const std::filesystem::path& file, const std::string& text);

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_CLI_PROGRAM_H_
