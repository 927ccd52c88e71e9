#include "experiments/bundles/kept_yardstick.h"

#include <algorithm>
#include <cmath>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/json_text.h"
#include "experiments/bundles/scene_that_moves.h"
#include "experiments/bundles/sha256.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/chosen_value.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"

namespace pliant {
namespace {

constexpr char kFormulation[] = "finite-elements";
constexpr size_t kAddressDigits = 16;

// The table of the file's first backend of finite elements; an empty one where it has none.
FileValue OwnBackend(const FileValue& root) {
  for (const FileValue::Entry& entry : *root.Find("backends")->table()) {
    const FileValue* formulation = entry.value.Find("formulation");
    const std::string name =
        formulation != nullptr && formulation->text() ? *formulation->text() : entry.key;
    if (name == kFormulation) return entry.value;
  }
  return {FileValue::Table(), root.place};
}

// The numbers of contact that vanish in the limit.
void Thin(int thinnings, const std::vector<const Backend*>& backends, FileValue* own) {
  for (const Backend* backend : backends) {
    if (backend->info().name != kFormulation) continue;
    for (const ParameterInfo& info : backend->Parameters()) {
      if (info.name != "contact_thickness" && info.name != "friction_speed") continue;
      double value = std::get<double>(info.default_value);
      if (const FileValue* given = own->Find(info.name)) {
        if (const auto* number = std::get_if<double>(&given->data)) value = *number;
        if (const auto* whole = std::get_if<std::int64_t>(&given->data))
          value = static_cast<double>(*whole);
      }
      own->Set(info.name, std::ldexp(value, -thinnings));
    }
  }
}

}  // namespace

namespace {

bool Mentions(const FileValue& value, const std::string& word) {
  if (const std::string* text = value.text()) return text->find(word) != std::string::npos;
  if (const FileValue::Array* list = value.array()) {
    return std::ranges::any_of(*list, [&](const FileValue& one) { return Mentions(one, word); });
  }
  const FileValue::Table* table = value.table();
  return table != nullptr && std::ranges::any_of(*table, [&](const FileValue::Entry& entry) {
           return entry.key != "marks" && Mentions(entry.value, word);
         });
}

}  // namespace

FileValue SceneThatMoves(const Experiment& experiment) {
  FileValue scene = *experiment.document->root.Find("scene");
  for (const char* words : {"name", "title", "description"}) scene.Erase(words);
  FileValue* bodies = scene.Find("body");
  if (bodies == nullptr || bodies->array() == nullptr || scene.Find("behaviour") != nullptr)
    return scene;
  const FileValue whole = scene;
  for (FileValue& body : *bodies->array()) {
    FileValue* marks = body.Find("marks");
    if (marks == nullptr || marks->table() == nullptr) continue;
    std::erase_if(*marks->table(),
                  [&](const FileValue::Entry& mark) { return !Mentions(whole, mark.key); });
    if (marks->table()->empty()) body.Erase("marks");
  }
  return scene;
}

Experiment YardstickExperiment(const Experiment& experiment, const Finer& finer,
                               const std::vector<const Backend*>& backends) {
  FileValue root = experiment.document->root;
  FileValue own = OwnBackend(root);
  own.Set("formulation", std::string(kFormulation));
  const FileValue* given = own.Find("refinement");
  const auto* refinement = given == nullptr ? nullptr : std::get_if<std::int64_t>(&given->data);
  own.Set("refinement", (refinement == nullptr ? std::int64_t{1} : *refinement) << finer.mesh);
  double step = experiment.plan.step;
  if (const FileValue* own_step = own.Find("step")) {
    if (const auto* number = std::get_if<double>(&own_step->data)) step = *number;
    own.Erase("step");
  }
  for (const char* key : {"scene", "unset", "variant"})
    own.Erase(key);             // of the experiment's own scene
  own.Erase("step_tolerance");  // the ladder of the step measures its error
  if (finer.thinnings > 0) Thin(finer.thinnings, backends, &own);
  for (const char* key : {"reference", "optimize", "sweep", "refine", "claim", "set"})
    root.Erase(key);
  FileValue only{FileValue::Table(), root.place};
  only.Set(kYardstick, std::move(own.data));
  root.Set("backends", std::move(only.data));
  root.Find("run")->Set("step", std::ldexp(step, -finer.halvings));
  Experiment made = ReadExperimentTree(std::move(root), experiment.name, {}, {}, backends);
  made.description.clear();
  return made;
}

std::string YardstickAddress(const Experiment& experiment,
                             const std::vector<const Backend*>& backends) {
  const Experiment made = YardstickExperiment(experiment, {}, backends);
  FileValue scene = SceneThatMoves(made);
  FileValue content{FileValue::Table(), {}};
  content.Set("duration", made.plan.duration);
  content.Set("record_every", made.plan.record_every);
  content.Set("scene", std::move(scene.data));
  std::string text = WriteToml(content);
  for (const ParameterInfo& info : made.backends[0].backend->Parameters()) {
    if (info.name == "refinement") continue;
    const ParameterValue& value = ChosenValue(made.backends[0], info);
    text += info.name + "=" + WriteInline(ToFileValue(value)) + "\n";
  }
  return Sha256OfText(text).substr(0, kAddressDigits);
}

KeptYardstick FindYardstick(const std::filesystem::path& near, const std::string& address,
                            const std::vector<const Backend*>& backends) {
  std::filesystem::path above = std::filesystem::absolute(near).lexically_normal();
  std::filesystem::path folder;
  while (folder.empty()) {
    const std::filesystem::path here = above / kYardsticksFolder / address;
    std::error_code error;
    if (std::filesystem::exists(here / kYardstickJson, error)) folder = here;
    if (!above.has_relative_path()) break;
    above = above.parent_path();
  }
  if (folder.empty()) {
    throw FileError("no yardstick of this scene is kept (" + std::string(kYardsticksFolder) + "/" +
                    address + "); run `pliant yardstick FILE` first");
  }
  try {
    const Json json = ParseJson(ReadFile(folder / kYardstickJson), folder / kYardstickJson);
    if (json.at("format") != kYardstickFormat) {
      throw FileError((folder / kYardstickJson).string() +
                      ": kept by another version of Pliant; run `pliant yardstick FILE` again");
    }
    KeptYardstick kept{
        Bundle::Open(folder / json.at("bundle").get<std::string>(), backends), {}, {}, {}, {}, {}};
    kept.settled = json.at("settled");
    if (!json.at("good_until_s").is_null()) kept.good_until = json.at("good_until_s");
    kept.spoiled = json.at("spoiled").get<std::vector<std::string>>();
    const CsvTable table = ReadCsv(folder / kYardstickCsv);
    for (const auto& row : table.rows) {
      kept.times.push_back(row[0].value());
      for (size_t c = 1; c < row.size(); ++c) {
        kept.errors[table.names[c]].push_back(row[c].value_or(std::nan("")));
      }
    }
    if (kept.times.size() != kept.bundle.frame_count()) {
      throw FileError((folder / kYardstickCsv).string() +
                      ": does not belong to the finest run; run `pliant yardstick FILE` again");
    }
    return kept;
  } catch (const nlohmann::json::exception& error) {
    throw FileError((folder / kYardstickJson).string() + ": damaged: " + error.what() +
                    "; run `pliant yardstick FILE` again");
  }
}

}  // namespace pliant
