#include "app/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "app/cli/command_line_options.h"
#include "app/cli/commands.h"

namespace pliant {
namespace {

void AddList(CLI::App* app, CommandLine* line) {
  struct Choice {
    std::string what, name;
    bool markdown = false;
  };
  const auto choice = Kept<Choice>();
  CLI::App* list = app->add_subcommand("list", "what there is");
  list->add_option(
      "WHAT", choice->what,
      "backends, elements (what each formulation makes of them), scenes, meshes, experiments, "
      "figures, metrics, parameters, or schema: the format of "
      "files as JSON Schema, for editors");
  list->add_option("NAME", choice->name, "one of them");
  list->add_flag("--markdown", choice->markdown,
                 "parameters: the whole reference of experiment files; figures: the page of the "
                 "figures; elements: docs/elements.md");
  Choose(list, line, [=] { return ListCommand(choice->what, choice->name, choice->markdown); });
}

void AddNew(CLI::App* app, CommandLine* line) {
  const auto file = Kept<std::filesystem::path>();
  const auto first = Kept<FirstChoice>();
  CLI::App* command = app->add_subcommand(
      "new", "write a first experiment, commented and ready to run; without options it asks");
  command->add_option("FILE", *file, "the file to write: first.toml")->required();
  command->add_option("--shape", first->shape, "block, rigid-block, sheet or chain")
      ->capture_default_str();
  command->add_option("--held", first->held, "nothing, one-side or both-sides")
      ->capture_default_str();
  command->add_option("--below", first->below, "nothing, floor or ball")->capture_default_str();
  Choose(command, line, [=] {
    const bool is_chosen =
        command->count("--shape") + command->count("--held") + command->count("--below") > 0;
    return NewCommand(*file, *first, is_chosen);
  });
}

void AddExplain(CLI::App* app, CommandLine* line) {
  const auto words = Kept<std::vector<std::string>>();
  CLI::App* explain = app->add_subcommand(
      "explain", "what the manual says of a key, a quantity, a word or a message");
  explain
      ->add_option("TEXT", *words, "contact_stiffness, made_energy_J, \"gained energy\", a message")
      ->required();
  Choose(explain, line, [=] { return ExplainCommand(fmt::format("{}", fmt::join(*words, " "))); });
}

void AddCompletion(CLI::App* app, CommandLine* line) {
  const auto shell = Kept<std::string>();
  CLI::App* completion = app->add_subcommand(
      "completion", "print the script by which a shell completes commands and options");
  completion->add_option("SHELL", *shell, "bash or zsh")->required();
  Choose(completion, line, [=] { return CompletionCommand(*app, *shell); });
}

}  // namespace

// In the order in which --help lists them.
void AddCommands(CLI::App* app, CommandLine* line) {
  AddExperimentCommands(app, line);
  for (const auto add : {AddList, AddNew, AddExplain, AddCompletion}) add(app, line);
  AddResultCommands(app, line);
}

}  // namespace pliant
