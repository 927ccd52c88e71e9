// new: writes a first experiment, by options or by questions.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "app/cli/progress.h"
#include "experiments/bundles/storage.h"
#include "models/problem.h"

namespace pliant {
namespace {

// Asks until the answer is one of `words`; Return, or the end of the input, is `standard`.
void Ask(const std::string& question, const std::vector<std::string>& words,
         std::string* standard) {
  for (std::string line;;) {
    fmt::print("{} ({}) [{}] ", question, fmt::join(words, ", "), *standard);
    std::fflush(stdout);
    if (!std::getline(std::cin, line) || line.empty()) return;
    if (std::find(words.begin(), words.end(), line) != words.end()) {
      *standard = line;
      return;
    }
    fmt::print("{}\n", DidYouMean(line, words));
  }
}

void MustBeNew(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw BadInput({"", fmt::format("there is already a file '{}'", file.string()),
                    "choose another name; nothing is overwritten"});
  }
}

}  // namespace

int NewCommand(const std::filesystem::path& file, FirstChoice choice, bool chosen) {
  if (file.extension() != ".toml") {
    throw BadInput({"", fmt::format("'{}' is no name of an experiment file", file.string()),
                    fmt::format("write {}.toml", file.string())});
  }
  if (!chosen && isatty(STDIN_FILENO)) {
    Ask("What moves?", FirstShapes(), &choice.shape);
    Ask("What holds it?", FirstHolds(), &choice.held);
    Ask("What lies below?", FirstObstacles(), &choice.below);
  }
  std::filesystem::path modes = file;
  modes.replace_filename(file.stem().string() + "-modes.toml");
  const std::string text = FirstExperimentText(choice, modes.filename().string());
  const std::string table = ModeTableOf(choice.shape);
  MustBeNew(file);
  if (!table.empty()) {
    MustBeNew(modes);
    WriteFile(modes, ReadFile(Home() / "data" / "modes" / table));
    fmt::print("{}\n", modes.string());
  }
  WriteFile(file, text);
  fmt::print("{}\n", file.string());
  PrintToStderr(fmt::format("next: pliant check {0}, then pliant compare {0}\n", file.string()));
  return kDone;
}

}  // namespace pliant
