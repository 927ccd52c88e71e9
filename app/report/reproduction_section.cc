// Parameters of each run, and all that is needed to have it again.

#include <algorithm>
#include <set>
#include <variant>

#include "app/report/page.h"
#include "experiments/files/parameter_values.h"
#include "models/scene/number_text.h"
#include "solvers/control/tables.h"

namespace pliant {
namespace {

std::string Setting(double value) { return Digits(value); }

// Names in a list; those of several tables with their bodies.
template <typename Element>
std::string NamesOf(const std::vector<Element>& elements) {
  std::string list;
  for (const Element& element : elements) list += (list.empty() ? "" : ", ") + element.name;
  return list;
}
std::string Setting(const MatrixTable& table) {
  if (table.entries.empty()) return "none";
  return std::to_string(table.entries.size()) + ": " + NamesOf(table.entries);
}
std::string OneSetting(const ControlTable& table) {
  return std::to_string(table.poses.size()) + " poses: " + NamesOf(table.poses);
}
std::string OneSetting(const KeyFrameTable& table) {
  return std::to_string(table.keys.size()) + " keys";
}
template <typename Table>
std::string SettingOfEach(const Table& table) {
  if (table.several.empty()) return table.empty() ? "none" : OneSetting(table);
  std::string list;
  for (const Table& one : table.several) {
    list += (list.empty() ? "" : "; ") + one.body + ": " + SettingOfEach(one);
  }
  return list;
}

std::string Setting(const TableValue& table) {
  if (const auto* matrices = table.As<MatrixTable>()) return Setting(*matrices);
  if (const auto* control = table.As<ControlTable>()) return SettingOfEach(*control);
  if (const auto* frames = table.As<KeyFrameTable>()) return SettingOfEach(*frames);
  return KindOf(table);
}
std::string Setting(bool flag) { return flag ? "true" : "false"; }
std::string Setting(std::int64_t integer) { return std::to_string(integer); }
std::string Setting(const std::string& word) { return word; }
template <typename Value>
std::string Setting(const std::vector<Value>& values) {
  std::string list;
  for (const Value& value : values) list += (list.empty() ? "" : ", ") + Setting(value);
  return "[" + list + "]";
}
std::string Setting(const ParameterValue& value) {
  return std::visit([](const auto& one) { return Setting(one); }, value);
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
    commands += "pliant reproduce " + run.bundle.string() + "\n";
  }
  return SectionOf(
      "reproduce", "How to reproduce it",
      Element("p",
              "Every bundle holds its experiment with all parameters and data written out. "
              "Each of these commands runs it again and compares the results (except the step "
              "times) with this bundle (in a folder of the sources: ./pliant):") +
          Element("pre", commands) + Facts(data));
}

}  // namespace pliant
