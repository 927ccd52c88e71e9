#include "app/python/loaded_experiment.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cmath>

#include "app/python/values.h"
#include "experiments/claims/verify.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/listing.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/scene_summary.h"
#include "experiments/files/writer.h"
#include "experiments/searches/run_searches.h"
#include "experiments/sweeps/sweep.h"
#include "solvers/step_limit.h"

namespace pliant {
namespace py = pybind11;
namespace {

using KeyPath =
    std::vector<std::string>;  // keys from the root; an element of a list by its name or number

// `experiment["scene"]["body"][0]`, as the user wrote it.
std::string InPython(const KeyPath& path) {
  std::string text = "experiment";
  for (const std::string& part : path) {
    const bool number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    text += number ? "[" + part + "]" : "[\"" + part + "\"]";
  }
  return text;
}

FilePlace PlaceInPython(const KeyPath& path) {
  return {std::make_shared<FileSource>(FileSource{InPython(path), "", true})};
}

// The text after --set that gives the value at `path` this value.
std::string OverrideText(const KeyPath& path, const py::object& value) {
  std::string key;
  for (const std::string& part : path) key += (key.empty() ? "" : ".") + part;
  return key + "=" + WriteInline(ToFileValue(value, PlaceInPython(path), InPython(path)));
}

FileValue* Next(FileValue* value, const std::string& part) {
  return value->table() != nullptr ? value->Find(part) : FindElement(value, part);
}

[[noreturn]] void ThrowNoSuchKey(const KeyPath& path, size_t depth, const FileValue& parent) {
  throw BadInput({"",
                  InPython({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth)}) +
                      " has no '" + path[depth] + "'",
                  DidYouMean(path[depth], PartsOf(parent))});
}

FileValue* ParentOf(FileValue* root, const KeyPath& path) {
  FileValue* value = root;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    FileValue* next = Next(value, path[i]);
    if (next == nullptr) ThrowNoSuchKey(path, i, *value);
    value = next;
  }
  return value;
}

void Replace(FileValue* root, const KeyPath& path, const py::object& value) {
  FileValue changed = ToFileValue(value, PlaceInPython(path), InPython(path));
  FileValue* parent = ParentOf(root, path);
  if (parent->table() != nullptr) {
    parent->Set(path.back(), std::move(changed.data));
  } else if (FileValue* element = FindElement(parent, path.back()); element != nullptr) {
    *element = std::move(changed);
  } else {
    ThrowNoSuchKey(path, path.size() - 1, *parent);
  }
}

void Remove(FileValue* root, const KeyPath& path) {
  FileValue* parent = ParentOf(root, path);
  const FileValue* found = Next(parent, path.back());
  if (found == nullptr) ThrowNoSuchKey(path, path.size() - 1, *parent);
  if (parent->table() != nullptr) {
    parent->Erase(path.back());
  } else {
    parent->array()->erase(parent->array()->begin() + (found - parent->array()->data()));
  }
}

// The whole experiment as the TOML text of one file, without what is `removed`, and in which the values at paths are
// replaced or added. For changes that no --set can make: whole tables, new backends, elements that go.
std::string ChangedToml(const LoadedExperiment& loaded, const std::vector<KeyPath>& removed,
                        const std::vector<std::pair<KeyPath, py::object>>& changes) {
  FileValue root = loaded.experiment->document->root;
  for (const KeyPath& path : removed) Remove(&root, path);
  for (const auto& [path, value] : changes) Replace(&root, path, value);
  return WriteToml(root);
}

// The experiment of this text as the TOML text of one file that needs no other.
std::string SelfContained(const std::string& toml, const std::string& name,
                          const std::filesystem::path& folder) {
  FileValue root = ParseToml(toml, std::make_shared<FileSource>(FileSource{name, folder}));
  return WriteToml(ReadExperimentTree(std::move(root), name, {}, {}, Backends()).document->root);
}

// What `pliant check` prints of one backend.
py::dict Checked(const Experiment& experiment, size_t index) {
  const BackendChoice& choice = experiment.backends[index];
  const Translation translation = TranslateFor(experiment, index);
  py::dict checked;
  checked["label"] = choice.label;
  checked["backend"] = choice.backend->info().name;
  checked["title"] = choice.backend->info().title;
  checked["step"] = choice.step;
  checked["runs"] = translation.simulation != nullptr;
  checked["record"] = ToPython(translation.record.Entries());
  checked["warnings"] = translation.warnings;
  checked["variant"] = choice.variant;
  py::list limits, findings, tables;
  if (choice.scene != nullptr) {
    for (const FindingTable& table :
         RowsNotIn(SummaryOf(*experiment.scene), SummaryOf(*SceneOf(experiment, index))))
      tables.append(ToPython(table));
  }
  checked["tables"] = tables;
  const StepLimited* limited =
      translation.simulation == nullptr ? nullptr : translation.simulation->AsStepLimited();
  if (limited != nullptr) {
    for (const StepLimit& limit : limited->StepLimits()) {
      if (std::isfinite(limit.step)) limits.append(py::make_tuple(limit.of, limit.step));
    }
  }
  for (const FindingTable& table : translation.findings) findings.append(ToPython(table));
  checked["step_limits"] = limits;
  checked["findings"] = findings;
  checked["losses"] = choice.backend->info().losses;
  return checked;
}

py::list Check(const LoadedExperiment& loaded) {
  const Experiment& experiment = *loaded.experiment;
  RequireMeasurable(experiment);
  py::list backends;
  for (size_t i = 0; i < experiment.backends.size(); ++i) backends.append(Checked(experiment, i));
  if (HasSearchPlan(experiment)) ReadSearchPlan(experiment);
  if (experiment.sweep != nullptr) RequireTranslatable(ReadSweep(loaded.file, loaded.overrides));
  return backends;
}

py::list Bodies(const Scene& scene) {
  py::list bodies;
  int first = 0;
  for (const Body& body : scene.bodies) {
    py::dict one;
    one["name"] = body.name;
    one["first"] = first;
    one["size"] = body.size();
    one["mass"] = std::vector<double>(body.mass.begin(), body.mass.end());
    one["edges"] = body.edges;
    one["faces"] = body.faces;
    py::dict marks;
    for (const auto& [name, point] : body.marks) marks[py::str(name)] = point;
    one["marks"] = marks;
    bodies.append(one);
    first += body.size();
  }
  return bodies;
}

py::list Parameters(const std::string& backend_name) {
  const Backend* backend = FindBackend(backend_name);
  if (backend == nullptr) {
    std::vector<std::string> names;
    for (const Backend* known : Backends()) names.push_back(known->info().name);
    throw BadInput(
        {"", "there is no backend '" + backend_name + "'", DidYouMean(backend_name, names)});
  }
  py::list parameters;
  for (const ParameterInfo& info : backend->Parameters()) {
    py::dict one;
    one["name"] = info.name;
    one["unit"] = info.unit;
    one["meaning"] = MeaningAndCondition(info);
    one["default"] =
        IsDataTable(info.default_value) ? py::none() : ToPython(ToFileValue(info.default_value));
    one["choices"] = info.choices;
    parameters.append(one);
  }
  return parameters;
}

}  // namespace

LoadedExperiment::LoadedExperiment(std::filesystem::path file_in,
                                   std::vector<std::string> overrides_in)
    : file(std::move(file_in)),
      overrides(std::move(overrides_in)),
      experiment(std::make_shared<const Experiment>(ReadExperiment(file, overrides))) {}

size_t LoadedExperiment::IndexOf(const std::string& label) const {
  const std::vector<std::string> labels = LabelsOf(*experiment);
  const auto found = std::find(labels.begin(), labels.end(), label);
  if (found == labels.end()) {
    throw BadInput(
        {"", "the experiment has no backend '" + label + "'", DidYouMean(label, labels)});
  }
  return static_cast<size_t>(found - labels.begin());
}

Experiment LoadedExperiment::Keeping(const std::vector<std::string>& labels) const {
  Experiment kept = *experiment;
  KeepBackends(&kept, labels);
  return kept;
}

void BindExperiment(py::module_& m) {
  py::class_<LoadedExperiment>(m, "Experiment", "An experiment file with its changes.")
      .def(py::init<std::filesystem::path, std::vector<std::string>>(), py::arg("file"),
           py::arg("overrides"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("file", [](const LoadedExperiment& e) { return e.file.string(); })
      .def_property_readonly("overrides", [](const LoadedExperiment& e) { return e.overrides; })
      .def_property_readonly("name", [](const LoadedExperiment& e) { return e.experiment->name; })
      .def_property_readonly("title", [](const LoadedExperiment& e) { return e.experiment->title; })
      .def_property_readonly("description",
                             [](const LoadedExperiment& e) { return e.experiment->description; })
      .def_property_readonly("reference",
                             [](const LoadedExperiment& e) { return e.experiment->reference; })
      .def_property_readonly("labels",
                             [](const LoadedExperiment& e) { return LabelsOf(*e.experiment); })
      .def_property_readonly(
          "dimension", [](const LoadedExperiment& e) { return e.experiment->scene->dimension; })
      .def_property_readonly("bodies",
                             [](const LoadedExperiment& e) { return Bodies(*e.experiment->scene); })
      .def(
          "bodies_of",
          [](const LoadedExperiment& e, const std::string& label) {
            return Bodies(*SceneOf(*e.experiment, e.IndexOf(label)));
          },
          py::arg("label"))
      .def(
          "dimension_of",
          [](const LoadedExperiment& e, const std::string& label) {
            return SceneOf(*e.experiment, e.IndexOf(label))->dimension;
          },
          py::arg("label"))
      .def_property_readonly(
          "tree", [](const LoadedExperiment& e) { return ToPython(e.experiment->document->root); })
      .def(
          "step",
          [](const LoadedExperiment& e, const std::string& label) {
            return e.experiment->backends[e.IndexOf(label)].step;
          },
          py::arg("label"))
      .def(
          "override",
          [](const LoadedExperiment&, const KeyPath& path, const py::object& value) {
            return OverrideText(path, value);
          },
          py::arg("path"), py::arg("value"))
      .def("changed", &ChangedToml, py::arg("removed"), py::arg("changes"))
      .def("toml",
           [](const LoadedExperiment& e) { return WriteToml(e.experiment->document->root); })
      .def(
          "resolved",
          [](const LoadedExperiment& e, const std::string& label) {
            return e.experiment->Resolved(e.IndexOf(label));
          },
          py::arg("label"))
      .def("check", &Check);
  m.def(
      "find_experiment",
      [](const std::filesystem::path& asked, const std::filesystem::path& home) {
        return FindExperiment(asked, home / "experiments").string();
      },
      py::arg("name"), py::arg("home"));
  m.def(
      "experiments",
      [](const std::filesystem::path& home) {
        py::list files;
        for (const ListedFile& file : ListExperiments(home / "experiments"))
          files.append(py::make_tuple(file.name, file.group, file.file.string(), file.summary));
        return files;
      },
      py::arg("home"));
  m.def("backends", [] {
    py::dict backends;
    for (const Backend* backend : Backends())
      backends[py::str(backend->info().name)] = backend->info().summary;
    return backends;
  });
  m.def("self_contained", &SelfContained, py::arg("toml"), py::arg("name"), py::arg("folder"));
  m.def("parameters", &Parameters, py::arg("backend"));
}

}  // namespace pliant
