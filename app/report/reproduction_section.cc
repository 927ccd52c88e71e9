// Parameters of each run, and all that is needed to have it again.

#include <algorithm>
#include <set>

#include "app/report/page.h"

#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string Setting(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return Digits(*real);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  std::string list;
  if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    for (const double real : *reals) list += (list.empty() ? "" : ", ") + Digits(real);
    return "[" + list + "]";
  }
  if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
    for (const std::string& word : *words) list += (list.empty() ? "" : ", ") + word;
    return "[" + list + "]";
  }
  if (const auto* control = std::get_if<ControlTable>(&value)) {
    for (const ControlTable& one : control->several) {
      list += (list.empty() ? "" : "; ") + one.body + ": " + Setting(one);
    }
    if (!control->several.empty()) return list;
    for (const ControlTable::Entry& pose : control->poses) {
      list += (list.empty() ? "" : ", ") + pose.name;
    }
    return control->empty() ? "none" : std::to_string(control->poses.size()) + " poses: " + list;
  }
  if (const auto* frames = std::get_if<KeyFrameTable>(&value)) {
    for (const KeyFrameTable& one : frames->several) {
      list += (list.empty() ? "" : "; ") + one.body + ": " + Setting(one);
    }
    if (!frames->several.empty()) return list;
    return frames->empty() ? "none" : std::to_string(frames->keys.size()) + " keys";
  }
  const auto& table = std::get<MatrixTable>(value);
  if (table.entries.empty()) return "none";
  for (const NamedMatrix& entry : table.entries) {
    list += (list.empty() ? "" : ", ") + entry.name;
  }
  return std::to_string(table.entries.size()) + ": " + list;
}

Html Parameters(const ReportRun& run) {
  Html rows = Element("thead", HeadRow({"parameter", "value", "unit", "default", "meaning"}));
  std::string changed;
  for (const ParameterInfo& info : run.parameters) {
    const auto given = run.values.find(info.name);
    const std::string standard = Setting(info.default_value);
    const std::string value = given == run.values.end() ? standard : Setting(given->second);
    const Html cells = Element("td", Element("code", info.name)) +
                       Element("td", value.empty() ? "none" : value) +
                       Element("td", info.unit == "1" ? "" : info.unit) +
                       Element("td", standard.empty() ? "none" : standard) +
                       Element("td", MeaningAndCondition(info));
    const bool differs = value != standard;
    if (differs) changed += (changed.empty() ? "" : ", ") + info.name;
    rows += Element("tr", cells, differs ? Attributes{{"class", "changed"}} : Attributes{}) +
            Html::Raw("\n");
  }
  const std::string summary =
      std::to_string(run.parameters.size()) + " parameters, step " + Digits(run.step * 1e3) +
      " ms; " + (changed.empty() ? "all at their defaults" : "not at its default: " + changed);
  return Element("details", Element("summary", RunName(run) + " " + Element("span", summary)) +
                                Table(rows, "parameters"));
}

// The facts of the manifests; one that all runs share stands once.
Html Facts(const ReportData& data) {
  static const std::vector<std::pair<std::string, std::string>> facts = {
      {"version", "version"},
      {"commit", "commit"},
      {"dirty", "source changed since the commit"},
      {"compiler", "compiler"},
      {"flags", "flags"},
      {"executable_sha256", "SHA-256 of the program"},
      {"cpu", "processor"},
      {"threads", "threads of the machine"},
      {"system", "system"},
      {"seed", "seed"},
      {"started", "started"},
      {"finished", "finished"},
  };
  std::vector<Html> head = {"recorded"};
  for (const ReportRun& run : data.runs) head.push_back(RunName(run));
  Html rows = Element("thead", HeadRow(head));
  auto add = [&](const std::string& name, const std::vector<std::string>& values) {
    const std::set<std::string> different(values.begin(), values.end());
    Html cells = Element("td", name);
    if (different.size() == 1) {
      cells += Element("td", values.front(), {{"colspan", std::to_string(values.size())}});
    } else {
      for (const std::string& value : values) cells += Element("td", value);
    }
    rows += Element("tr", cells) + Html::Raw("\n");
  };
  for (const auto& [key, name] : facts) {
    std::vector<std::string> values;
    for (const ReportRun& run : data.runs) {
      const auto fact = run.manifest.find(key);
      values.push_back(fact == run.manifest.end() ? "not recorded" : fact->second);
    }
    add(name, values);
  }
  std::vector<std::string> digests;
  for (const ReportRun& run : data.runs) digests.push_back(run.manifest_sha256);
  add("SHA-256 of its manifest.json, which holds those of its other files", digests);
  return Table(rows, "reproduction");
}

}  // namespace

Html ParameterSection(const ReportData& data) {
  Html inside = Element("p", "Values that differ from the default are marked.");
  for (const ReportRun& run : data.runs) inside += Parameters(run);
  return SectionOf("parameters", "Parameters", inside);
}

Html ReproductionSection(const ReportData& data) {
  std::string commands;
  for (const ReportRun& run : data.runs) {
    commands += "./pliant reproduce " + run.bundle.string() + "\n";
  }
  return SectionOf(
      "reproduce", "How to reproduce it",
      Element("p",
              "Every bundle holds its experiment with all parameters and data written out. "
              "Each of these commands runs it again and compares the results (except the step "
              "times) with this bundle:") +
          Element("pre", commands) + Facts(data));
}

}  // namespace pliant
