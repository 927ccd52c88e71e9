// completion: a script by which a shell completes commands, options and the names of what ships. Made from the
// command line itself, so that it knows every option.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "models/problem.h"

namespace pliant {
namespace {

constexpr char kScript[] = R"sh(_pliant() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} words="" kind=""
  if [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W "{commands}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    return
  fi
  COMPREPLY=($(compgen -f -- "$word"))
  # The first word of each line is a name.
  if [[ -n $kind ]]; then
    COMPREPLY+=($(compgen -W "$("${{COMP_WORDS[0]}}" list "$kind" 2>/dev/null | cut -d ' ' -f 1)" -- "$word"))
  fi
}}
complete -o filenames -F _pliant pliant
)sh";

// What of the shipped names an argument of the command may be: a WHAT of `pliant list`, or nothing.
std::string KindOfArgument(const std::string& command) {
  if (command == "figure") return "figures";
  for (const char* experiment : {"compare", "run", "optimize", "sweep", "refine", "yardstick",
                                 "verify", "check", "workbench"}) {
    if (command == experiment) return "experiments";
  }
  return "";
}

}  // namespace

int CompletionCommand(const CLI::App& app, const std::string& shell) {
  if (shell != "bash" && shell != "zsh") {
    throw BadInput({"", fmt::format("there is no completion for '{}'", shell),
                    DidYouMean(shell, {"bash", "zsh"})});
  }
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    std::string options;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) options += " --" + name;
    }
    commands += (commands.empty() ? "" : " ") + command->get_name();
    cases +=
        fmt::format("    {}) words=\"{}\" kind=\"{}\" ;;\n", command->get_name(),
                    options.empty() ? "" : options.substr(1), KindOfArgument(command->get_name()));
  }
  if (shell == "zsh") fmt::print("#compdef pliant\nautoload -U +X bashcompinit && bashcompinit\n");
  fmt::print(kScript, fmt::arg("commands", commands), fmt::arg("cases", cases));
  return kDone;
}

}  // namespace pliant
