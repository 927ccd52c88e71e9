#include "experiments/scripts/commands.h"

#include <cmath>
#include <functional>
#include <sstream>
#include <utility>

#include "experiments/bundles/csv.h"
#include "experiments/files/experiment.h"
#include "models/geometry/angles.h"

namespace pliant {
namespace {

constexpr char kDegrees[] = "deg";

// The settings of `set`, numbers first; also used for the message about an unknown one.
const std::vector<std::string> kNumbers = {"gr_const", "gr_dam", "fr_const", "fr_sin", "codamA",
                                           "spdam",    "time",   "end",      "dt"};
const std::vector<std::string> kFlags = {"gravity", "spring", "debug"};

// One command: its name and arguments.
struct Line {
  ScriptWord name;
  std::vector<ScriptWord> arguments;
};

std::vector<Line> SplitLines(const std::string& text,
                             const std::shared_ptr<const FileSource>& source) {
  std::vector<Line> lines;
  std::istringstream rest(text);
  int number = 0;
  for (std::string line; std::getline(rest, line);) {
    ++number;
    line.resize(std::min(line.size(), line.find('#')));
    std::vector<ScriptWord> words;
    constexpr char kBlanks[] = " \t\r";
    for (size_t begin = line.find_first_not_of(kBlanks); begin != std::string::npos;) {
      const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
      words.push_back(
          {line.substr(begin, end - begin), {source, number, static_cast<int>(begin) + 1}});
      begin = line.find_first_not_of(kBlanks, end);
    }
    if (words.empty()) continue;
    lines.push_back({words.front(), {words.begin() + 1, words.end()}});
  }
  return lines;
}

// Fails unless `line` has from `least` to `most` arguments, which `usage` shows.
void RequireCount(const Line& line, size_t least, size_t most, const std::string& usage) {
  const size_t count = line.arguments.size();
  if (count >= least && count <= most) return;
  const FilePlace& place = count > most ? line.arguments[most].place : line.name.place;
  FailAt(place,
         "'" + line.name.text + "' has " + std::to_string(count) +
             (count == 1 ? " argument" : " arguments"),
         "write " + usage);
}

// A finite number; "-60deg" are degrees. `what` names it in messages.
double ReadNumber(const ScriptWord& word, const std::string& what) {
  const bool degrees = word.text.ends_with(kDegrees);
  const std::string digits =
      degrees ? word.text.substr(0, word.text.size() - sizeof kDegrees + 1) : word.text;
  const std::optional<double> number = ParseNumber(digits);
  if (!number || !std::isfinite(*number)) {
    FailAt(word.place, what + " is '" + word.text + "'", "give a number, such as 0.1");
  }
  return degrees ? Radians(*number) : *number;
}

bool ReadFlag(const ScriptWord& word, const std::string& what) {
  if (word.text == "T") return true;
  if (word.text == "F") return false;
  FailAt(word.place, what + " is '" + word.text + "'", "give T or F");
}

void LoadDef(const Line& line, ScriptCommands* commands) {
  RequireCount(line, 1, 1, "load_def FILE");
  commands->load_def = line.arguments[0];
}

void Trans(const Line& line, ScriptCommands* commands) {
  RequireCount(line, 2, 3, "trans X Y [Z]");
  std::vector<double> place;
  for (size_t i = 0; i < line.arguments.size(); ++i) {
    place.push_back(ReadNumber(line.arguments[i], std::string(1, "xyz"[i]) + " of trans"));
  }
  if (place.size() == 3 && place[2] != 0.0) {
    FailAt(line.arguments[2].place, "z of trans is " + line.arguments[2].text,
           "the object lives in the plane z = 0");
  }
  commands->trans = {{place[0], place[1]}, line.name.place};
}

void Set(const Line& line, ScriptCommands* commands) {
  RequireCount(line, 2, 2, "set NAME VALUE");
  const ScriptWord &name = line.arguments[0], &value = line.arguments[1];
  const std::string what = "'" + name.text + "'";
  for (const std::string& number : kNumbers) {
    if (number != name.text) continue;
    commands->numbers[number] = {ReadNumber(value, what), value.place};
    return;
  }
  for (const std::string& flag : kFlags) {
    if (flag != name.text) continue;
    commands->flags[flag] = {ReadFlag(value, what), value.place};
    return;
  }
  std::vector<std::string> known = kNumbers;
  known.insert(known.end(), kFlags.begin(), kFlags.end());
  FailAt(name.place, "there is no setting called '" + name.text + "'",
         DidYouMean(name.text, known));
}

void Assign(const Line& line, ScriptCommands* commands) {
  RequireCount(line, 3, 3, "assign MODE C D");
  const double mode = ReadNumber(line.arguments[0], "the mode of assign");
  if (mode < 1.0 || mode != std::floor(mode)) {
    FailAt(line.arguments[0].place, "the mode of assign is " + line.arguments[0].text,
           "give its number, from 1");
  }
  ModeConstants constants{ReadNumber(line.arguments[1], "C of assign"),
                          ReadNumber(line.arguments[2], "D of assign")};
  for (int i = 1; i <= 2; ++i) {
    if ((i == 1 ? constants.stiffness : constants.damping) >= 0.0) continue;
    FailAt(line.arguments[i].place,
           std::string(i == 1 ? "C" : "D") + " of assign is " + line.arguments[i].text,
           "it must be at least 0");
  }
  commands->assign[static_cast<int>(mode)] = {constants, line.arguments[0].place};
}

void SetVec(const Line& line, ScriptCommands* commands) {
  constexpr char kUsage[] = "set_vec q|dq X Y ANGLE and a number for each mode";
  RequireCount(line, 4, line.arguments.size(), kUsage);
  const ScriptWord& name = line.arguments[0];
  if (name.text != "q" && name.text != "dq") {
    FailAt(name.place, "there is no vector '" + name.text + "'", "write " + std::string(kUsage));
  }
  std::vector<double> numbers;
  for (size_t i = 1; i < line.arguments.size(); ++i) {
    numbers.push_back(
        ReadNumber(line.arguments[i], "number " + std::to_string(i) + " of " + name.text));
  }
  (name.text == "q" ? commands->q : commands->dq) = {numbers, name.place};
}

void Simul(const Line& line, ScriptCommands* commands) {
  RequireCount(line, 0, 0, "simul");
  commands->simul = line.name.place;
}

}  // namespace

ScriptCommands ReadCommands(const std::filesystem::path& file) {
  return ReadCommands(ReadTextFile(file), file);
}

ScriptCommands ReadCommands(const std::string& text, const std::filesystem::path& file) {
  using Command = std::function<void(const Line&, ScriptCommands*)>;
  static const std::vector<std::pair<std::string, Command>> kCommands = {
      {"load_def", LoadDef}, {"trans", Trans},    {"set", Set},
      {"assign", Assign},    {"set_vec", SetVec}, {"simul", Simul}};
  const auto source =
      std::make_shared<FileSource>(FileSource{file.string(), file.parent_path(), false});
  ScriptCommands commands;
  for (const Line& line : SplitLines(text, source)) {
    if (commands.simul.source != nullptr) {
      FailAt(line.name.place, "'" + line.name.text + "' comes after simul",
             "a script is one run and must end with simul");
    }
    std::vector<std::string> known;
    const Command* command = nullptr;
    for (const auto& [name, run] : kCommands) {
      known.push_back(name);
      if (name == line.name.text) command = &run;
    }
    if (command == nullptr) {
      FailAt(line.name.place, "there is no command '" + line.name.text + "'",
             DidYouMean(line.name.text, known));
    }
    (*command)(line, &commands);
  }
  if (commands.simul.source == nullptr) {
    FailAt({source, 1, 1}, "the script has no simul, so nothing would run", "end it with simul");
  }
  return commands;
}

}  // namespace pliant
