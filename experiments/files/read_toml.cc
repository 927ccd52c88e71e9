// The only place that depends on the TOML parser.

#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "experiments/files/control_characters.h"
#include "experiments/files/document.h"
#include "experiments/files/experiment.h"
#include "experiments/files/readable_file.h"
#include "experiments/files/toml_fault.h"

namespace pliant {
namespace {

using SourcePtr = std::shared_ptr<const FileSource>;

// A line of a comment whose words begin in this column or later is not reflowed.
constexpr size_t kCommandColumn = 4;

FilePlace PlaceIn(const SourcePtr& source, const toml::source_region& region) {
  return {source, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

FileValue Convert(const toml::node& node, const SourcePtr& source);

// Texts reach terminals and reports, where control characters would act; TOML lets "\u001b" in.
void RequirePrintable(const std::string& text, const FilePlace& place) {
  const std::optional<std::string> control = ControlCharacterIn(text);
  if (control) FailAt(place, "a text holds the control character " + *control, "remove it");
}

// The parser sorts keys; the order of the file is restored from their places.
FileValue::Table ConvertTable(const toml::table& table, const SourcePtr& source) {
  FileValue::Table entries;
  for (const auto& [key, node] : table) {
    RequirePrintable(std::string(key.str()), PlaceIn(source, key.source()));
    entries.push_back(
        {std::string(key.str()), PlaceIn(source, key.source()), Convert(node, source)});
    // A table that only a longer header implies has no place of its own.
    FilePlace& place = entries.back().value.place;
    if (place.line == 0) place = entries.back().place;
  }
  std::stable_sort(
      entries.begin(), entries.end(), [](const FileValue::Entry& a, const FileValue::Entry& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
      });
  return entries;
}

FileValue Convert(const toml::node& node, const SourcePtr& source) {
  FileValue value{{}, PlaceIn(source, node.source())};
  if (const auto* table = node.as_table()) {
    value.data = ConvertTable(*table, source);
  } else if (const auto* array = node.as_array()) {
    FileValue::Array elements;
    for (const toml::node& element : *array) elements.push_back(Convert(element, source));
    value.data = std::move(elements);
  } else if (const auto text = node.value_exact<std::string>()) {
    RequirePrintable(*text, value.place);
    value.data = *text;
  } else if (const auto integer = node.value_exact<std::int64_t>()) {
    value.data = *integer;
  } else if (const auto real = node.value_exact<double>()) {
    value.data = *real;
  } else if (const auto boolean = node.value_exact<bool>()) {
    value.data = *boolean;
  } else {
    FailAt(value.place, "dates and times are not supported", "write texts in quotes");
  }
  return value;
}

}  // namespace

void RequireReadable(const std::filesystem::path& file, const FilePlace& asked_at,
                     std::uintmax_t most_bytes) {
  const std::optional<Problem> problem = WhyUnreadable(file, most_bytes);
  if (!problem) return;
  const bool relative = asked_at.source != nullptr && problem->mend.empty();
  FailAt(asked_at, problem->what,
         relative ? "file names are relative to the file that contains them" : problem->mend);
}

std::string ReadTextFile(const std::filesystem::path& file, const FilePlace& asked_at) {
  RequireReadable(file, asked_at, kMostTextBytes);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) FailAt(asked_at, "cannot read '" + file.string() + "'");
  return text.str();
}

FileValue ParseToml(std::string_view text, const SourcePtr& source) {
  try {
    FileValue root{{}, {source, 1, 1}};
    root.data = ConvertTable(toml::parse(text), source);
    return root;
  } catch (const toml::parse_error& error) {
    const FilePlace place = PlaceIn(source, error.source());
    const TomlFault fault =
        FaultOf(text, place.line, place.column, std::string(error.description()));
    FailAt({source, fault.line, fault.column}, "not valid TOML: " + fault.what, fault.mend);
  }
}

FileValue ReadToml(const std::filesystem::path& file, const FilePlace& asked_at) {
  const std::string text = ReadTextFile(file, asked_at);
  return ParseToml(
      text, std::make_shared<FileSource>(FileSource{file.string(), file.parent_path(), false}));
}

std::string LeadingComment(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string comment, line;
  while (std::getline(in, line) && line.starts_with('#')) {
    const size_t begin = line.find_first_not_of("# \t");
    const bool begins_line = comment.empty() || comment.back() == '\n';
    if (begin == std::string::npos) {
      comment += begins_line ? "\n" : "\n\n";
    } else if (begin >= kCommandColumn) {
      comment += (begins_line ? "" : "\n") + std::string(begin, ' ') + line.substr(begin) + '\n';
    } else {
      comment += (begins_line ? "" : " ") + line.substr(begin);
    }
  }
  comment.erase(comment.find_last_not_of(" \t\r\n") + 1);
  return comment;
}

}  // namespace pliant
