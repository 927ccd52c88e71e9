#include <algorithm>
#include <utility>

#include "experiments/files/experiment_document.h"
#include "experiments/files/parameter_values.h"
#include "experiments/files/writer.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/search_keys.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr int kMostRestarts = 10000;

const FileValue* FindTable(const Experiment& experiment) {
  return experiment.document == nullptr ? nullptr : experiment.document->root.Find("optimize");
}

const FileValue& RequiredTable(const Experiment& experiment) {
  const FileValue* table = FindTable(experiment);
  if (table == nullptr) {
    FailAt(experiment.document->root.place, "the file has no [optimize] table",
           "add one with trials, cost, and [[optimize.vary]]");
  }
  return *table;
}

void RequireAtLeastOne(const FileValue& table, const char* key, int value) {
  if (value >= 1) return;
  FailAt(PlaceOf(table, key),
         std::string(key) + " must be at least 1, not " + std::to_string(value));
}

size_t BackendNamed(const Experiment& experiment, const std::string& label,
                    const FilePlace& place) {
  const std::vector<std::string> labels = LabelsOf(experiment);
  const auto found = std::find(labels.begin(), labels.end(), label);
  if (found == labels.end()) {
    FailAt(place, "the experiment has no backend '" + label + "'", DidYouMean(label, labels));
  }
  return static_cast<size_t>(found - labels.begin());
}

size_t ChooseBackend(const Experiment& experiment, const SearchKeys& keys, const FileValue& table) {
  if (keys.backend) return BackendNamed(experiment, *keys.backend, PlaceOf(table, "backend"));
  if (experiment.backends.size() > 1) {
    FailAt(table.place, "[optimize] does not name the backend to search",
           "add backend = \"" + experiment.backends.front().label + "\"");
  }
  return 0;
}

void RequireMeasured(const MotionCostFunction& cost, const BackendChoice& choice,
                     const FilePlace& place) {
  for (const Measure measure : cost.Reads()) {
    if (IsMeasured(measure, choice.backend->info())) continue;
    FailAt(place, choice.backend->info().name + " does not measure the " +
                      MeasureInfos()[static_cast<size_t>(measure)].name + " of a motion");
  }
}

// The measures of the cost must be available there too.
std::vector<size_t> ChooseOthers(const SearchPlan& plan, const SearchKeys& keys,
                                 const FileValue& table) {
  std::vector<size_t> others;
  const FilePlace place = PlaceOf(table, "against");
  for (const std::string& label : keys.against) {
    const size_t index = BackendNamed(plan.experiment, label, place);
    if (index == plan.backend) {
      FailAt(place, "'" + label + "' is the backend of the search itself", "name another one");
    }
    if (label == "start" || label == "best") {
      FailAt(place, "'" + label + "' is the name of a motion of the search", "rename it");
    }
    RequireMeasured(plan.cost, plan.experiment.backends[index], place);
    if (SceneOf(plan.experiment, index) != SceneOf(plan.experiment, plan.backend)) {
      FailAt(place, "the backend '" + label + "' has a scene of its own",
             "a search judges motions of one scene: compare them by `pliant judge`");
    }
    others.push_back(index);
  }
  return others;
}

int ChooseBody(const Scene& scene, const SearchKeys& keys, const FileValue& table) {
  if (!keys.body) return 0;
  std::vector<std::string> names;
  for (const Body& body : scene.bodies) names.push_back(body.name);
  const auto found = std::find(names.begin(), names.end(), *keys.body);
  if (found == names.end()) {
    FailAt(PlaceOf(table, "body"), "the scene has no body '" + *keys.body + "'",
           DidYouMean(*keys.body, names));
  }
  return static_cast<int>(found - names.begin());
}

void RequireCost(const MotionCostFunction& cost, const FileValue& table,
                 const BackendChoice& choice) {
  const FilePlace at = PlaceOf(table, "function");
  if (!(cost.scale > 0.0))
    FailAt(PlaceOf(table, "scale"), "scale must be more than 0, not " + Digits(cost.scale));
  const bool sum = cost.form == MotionCostFunction::Form::kWeightedSum;
  if (table.Find("weights") != nullptr && !sum) {
    FailAt(PlaceOf(table, "weights"), "only a weighted sum has weights",
           "write function = \"weighted-sum\", or remove them");
  }
  const bool weighs_modes =
      std::any_of(cost.mode_weights.begin(), cost.mode_weights.end(),
                  [](const auto& weighted) { return weighted.weight != 0.0; });
  const bool weighs_figures =
      std::any_of(cost.figure_weights.begin(), cost.figure_weights.end(),
                  [](const auto& weighted) { return weighted.weight != 0.0; });
  if (sum && cost.Reads().empty() && !weighs_modes && !weighs_figures) {
    FailAt(at, "a weighted sum needs a weight", "add weights = {distance = -1}");
  }
  if (cost.IsJump()) {
    if (!(cost.tolerance > 0.0)) {
      FailAt(PlaceOf(table, "tolerance"),
             "tolerance must be more than 0, not " + Digits(cost.tolerance));
    }
    if (cost.short_by && !(*cost.short_by >= 0.0)) {
      FailAt(PlaceOf(table, "short_by"),
             "short_by must be at least 0, not " + Digits(*cost.short_by));
    }
    for (const auto& [key, weight] : {std::pair("torque_weight", cost.torque_weight),
                                      std::pair("acceleration_weight", cost.acceleration_weight),
                                      std::pair("work_weight", cost.work_weight)}) {
      if (weight >= 0.0) continue;
      FailAt(PlaceOf(table, key), std::string(key) + " must be at least 0, not " + Digits(weight));
    }
  }
  if (!cost.limits.empty() && !(cost.penalty > 0.0)) {
    FailAt(PlaceOf(table, "penalty"), "penalty must be more than 0, not " +
                                          RoundTrip(cost.penalty) +
                                          ": by it a [[optimize.cost.limit]] has effect");
  }
  RequireMeasured(cost, choice, at);
}

SearchChoice ReadMethod(FileValue::Entry* entry, const MotionNumbers& numbers,
                        std::int64_t trials) {
  FileValue* table = ReadValue<FileValue*>(&entry->value, {"'" + entry->key + "'"});
  const FileValue* given = table->Find("method");
  const std::string name =
      given == nullptr ? entry->key : ReadValue<std::string>(table->Find("method"), {"'method'"});
  SearchChoice choice;
  choice.label = entry->key;
  choice.method = FindSearchMethod(name);
  if (choice.method == nullptr) {
    std::vector<std::string> names;
    for (const SearchMethod* method : SearchMethods()) names.push_back(method->name());
    FailAt(given == nullptr ? entry->place : given->place, "there is no method '" + name + "'",
           DidYouMean(name, names) +
               (given == nullptr ? " (or add method = …, to use a label of your own)" : ""));
  }
  choice.parameters = ReadParameters(table, choice.method->Parameters(), KeyNames<MethodKeys>(),
                                     "[optimize.methods." + entry->key + "]");
  try {
    choice.method->Start(numbers, trials, 1, choice.parameters);
  } catch (const BadInput& bad) {
    FailAt(PlaceOf(*table, bad.problem().where), bad.problem().what, bad.problem().mend);
  }
  return choice;
}

// Of [optimize.methods] the tables of these labels; a method that has none there searches with its defaults.
void KeepMethods(const std::vector<std::string>& only, FileValue* methods) {
  ReadValue<FileValue*>(methods, {"'methods'"});
  std::vector<std::string> known;
  for (const FileValue::Entry& entry : *methods->table()) known.push_back(entry.key);
  for (const SearchMethod* method : SearchMethods()) {
    if (std::ranges::find(known, method->name()) == known.end()) known.push_back(method->name());
  }
  FileValue::Table kept;
  for (const std::string& label : only) {
    if (std::ranges::find(known, label) == known.end()) {
      throw BadInput({"", "there is no method '" + label + "'", DidYouMean(label, known)});
    }
    if (std::ranges::find(kept, label, &FileValue::Entry::key) != kept.end()) continue;
    FileValue* given = methods->Find(label);
    kept.push_back({label, methods->place,
                    given != nullptr ? *given : FileValue{FileValue::Table(), methods->place}});
  }
  methods->data = std::move(kept);
}

// The energies of modes must refer to modes of the bodies.
void RequireModes(const SearchPlan& plan, const Simulation& simulation, const FileValue& table) {
  std::vector<std::string> modes;
  for (const ModeEnergy& energy : simulation.mode_energies()) modes.push_back(energy.mode);
  for (const MotionCostFunction::ModeWeight& weighted : plan.cost.mode_weights) {
    if (std::find(modes.begin(), modes.end(), weighted.mode) != modes.end()) continue;
    const std::string key = weighted.net ? "net_energy_of" : "energy_of";
    const FileValue& weights = *table.Find("cost")->Find("weights")->Find(key);
    const std::string& backend = plan.experiment.backends[plan.backend].backend->info().name;
    FailAt(weights.Find(weighted.mode)->place,
           modes.empty() ? backend + " does not deform by modes"
                         : "no body has a mode '" + weighted.mode + "'",
           modes.empty() ? "" : DidYouMean(weighted.mode, modes));
  }
}

// The figure must be of a probe that the backend at `index` measures. `others`: the names that could have been meant
// instead.
void RequireFigure(const Experiment& experiment, size_t index, const std::string& figure,
                   const FilePlace& place, const std::vector<std::string>& others = {}) {
  std::vector<std::string> known = ProbeFigureNames(ProbesOf(experiment, index));
  if (std::ranges::find(known, figure) != known.end()) return;
  const std::vector<std::string> elsewhere = ProbeFigureNames(experiment.probes);
  if (std::ranges::find(elsewhere, figure) != elsewhere.end()) {
    const BackendChoice& choice = experiment.backends[index];
    FailAt(place,
           "the backend '" + choice.label + "' does not measure '" + figure + "': it " +
               VariantInWords(choice),
           "use another figure, or search another backend");
  }
  const bool measures = !others.empty();
  const std::string keys = KeysOfProbeFigure(experiment.probes, figure);
  known.insert(known.end(), others.begin(), others.end());
  FailAt(place,
         "no probe has a figure '" + figure + "'" + (measures ? ", and it is no measure" : ""),
         !keys.empty()   ? keys
         : known.empty() ? "add a [[probe]]"
                         : DidYouMean(figure, known));
}

void RequireProbes(const Experiment& experiment, size_t index, const MotionCostFunction& cost,
                   const FileValue& table) {
  for (const MotionCostFunction::FigureWeight& weighted : cost.figure_weights) {
    const FileValue& weights = *table.Find("cost")->Find("weights")->Find("probe");
    RequireFigure(experiment, index, weighted.figure, weights.Find(weighted.figure)->place);
  }
  std::vector<std::string> measures;
  for (const MeasureInfo& info : MeasureInfos()) measures.push_back(info.name);
  for (size_t i = 0; i < cost.limits.size(); ++i) {
    const std::string& of = cost.limits[i].of;
    if (MeasureNamed(of)) continue;
    RequireFigure(experiment, index, of, PlaceOf(table, "cost.limit[" + std::to_string(i) + "].of"),
                  measures);
  }
}

// The warnings of a translation of the plan's backend with all numbers of a problem at `values`.
std::vector<std::string> WarningsAt(ControllerProblem* problem, const Eigen::VectorXd& values) {
  const Experiment experiment = problem->With(values, "trial");
  return experiment.backends[0]
      .backend->Translate(experiment.scene, experiment.backends[0].parameters)
      .warnings;
}

// Bounds, one after the other, that bring warnings which the start does not have. A search would spend trials there.
std::vector<std::string> WarningsOfBounds(const SearchPlan& plan) {
  const auto all = plan.Problem();
  const std::vector<std::string> at_start = WarningsAt(all.get(), all->numbers().start);
  const auto news = [&](ControllerProblem* problem, const Eigen::VectorXd& values) {
    std::string words;
    for (const std::string& warning : WarningsAt(problem, values)) {
      if (std::ranges::find(at_start, warning) != at_start.end()) continue;
      words += (words.empty() ? "" : "; ") + warning;
    }
    return words;
  };
  std::vector<std::string> lines;
  for (const bool upper : {false, true}) {
    const auto bounds = [upper](const MotionNumbers& n) { return upper ? n.upper : n.lower; };
    if (news(all.get(), bounds(all->numbers())).empty()) continue;
    for (const Varied& varied : plan.varied) {
      ControllerProblem one(plan.experiment, plan.backend, plan.body, {varied}, plan.cost);
      const std::string words = news(&one, bounds(one.numbers()));
      if (words.empty()) continue;
      lines.push_back("[[optimize.vary]] " + varied.numbers +
                      (upper ? ", at its upper bound of " : ", at its lower bound of ") +
                      RoundTrip(upper ? varied.upper : varied.lower) + ": " + words);
    }
  }
  return lines;
}

// Each number that the backend refuses at a bound while the others are at their start, at the key of that bound.
void CollectRefusedBounds(const SearchPlan& plan, const FileValue& table, Mistakes* mistakes) {
  const FileValue::Array& entries = *table.Find("vary")->array();
  for (size_t v = 0; v < plan.varied.size(); ++v) {
    ControllerProblem problem(plan.experiment, plan.backend, plan.body, {plan.varied[v]},
                              plan.cost);
    const MotionNumbers& numbers = problem.numbers();
    for (const bool upper : {false, true}) {
      const char* key = upper ? "upper" : "lower";
      const double bound = upper ? plan.varied[v].upper : plan.varied[v].lower;
      for (Eigen::Index i = 0; i < numbers.start.size(); ++i) {
        Eigen::VectorXd values = numbers.start;
        values[i] = bound;
        try {
          WarningsAt(&problem, values);
        } catch (const BadInput& bad) {
          mistakes->Add(FileError(
              std::vector<Mistake>{{PlaceOf(entries[v], key),
                                    std::string(key) + " = " + Digits(bound) + " does not fit '" +
                                        numbers.names[static_cast<size_t>(i)] + "': " + bad.what(),
                                    ""}}));
        }
      }
    }
  }
}

// Numbers that the backend refuses would make half of the trials fail: report them before.
void TryOut(const SearchPlan& plan, const FileValue& table) {
  const auto problem = plan.Problem();
  const MotionNumbers& numbers = problem->numbers();
  const auto attempt = [&](const Eigen::VectorXd& values, const char* what) {
    try {
      const Experiment experiment = problem->With(values, "trial");
      const Translation translation = experiment.backends[0].backend->Translate(
          experiment.scene, experiment.backends[0].parameters);
      if (translation.simulation == nullptr) {
        FailAt(table.place, "nothing to search: the backend refuses the scene",
               translation.record.WhyUnsupported());
      }
      RequireModes(plan, *translation.simulation, table);
    } catch (const BadInput& bad) {
      Mistakes of_bounds;
      if (&values != &numbers.start) CollectRefusedBounds(plan, table, &of_bounds);
      of_bounds.ThrowIfAny();
      FailAt(PlaceOf(table, "vary"), std::string(what) + " do not fit: " + bad.what());
    }
  };
  attempt(numbers.start, "the initial numbers");
  attempt(numbers.lower, "the lower bounds");
  attempt(numbers.upper, "the upper bounds");
}

}  // namespace

bool HasSearchPlan(const Experiment& experiment) { return FindTable(experiment) != nullptr; }

SearchCost ReadSearchCost(const Experiment& experiment) {
  FileValue table = RequiredTable(experiment);
  const auto keys = ReadKeys<SearchKeys>(&table);
  const size_t backend = ChooseBackend(experiment, keys, table);
  RequireCost(keys.cost, *table.Find("cost"), experiment.backends[backend]);
  RequireProbes(experiment, backend, keys.cost, table);
  ChooseBody(*SceneOf(experiment, backend), keys, table);
  return {keys.body, keys.cost, backend};
}

SearchPlan ReadSearchPlan(Experiment experiment, const std::vector<std::string>& only) {
  SearchPlan plan;
  plan.table = RequiredTable(experiment);
  FileValue& table = plan.table;
  const auto keys = ReadKeys<SearchKeys>(&table);
  RequireAtLeastOne(table, "trials", keys.trials);
  RequireAtLeastOne(table, "restarts", keys.restarts);
  if (keys.restarts > kMostRestarts) {
    FailAt(PlaceOf(table, "restarts"), "restarts must be at most " + std::to_string(kMostRestarts) +
                                           ", not " + std::to_string(keys.restarts));
  }
  plan.experiment = std::move(experiment);
  const Experiment& read = plan.experiment;
  plan.trials = keys.trials;
  if (keys.seconds) {
    if (!(*keys.seconds > 0.0))
      FailAt(PlaceOf(table, "seconds"),
             "seconds must be more than 0, not " + Digits(*keys.seconds));
    plan.seconds = *keys.seconds;
  }
  plan.backend = ChooseBackend(read, keys, table);
  plan.body = ChooseBody(*SceneOf(read, plan.backend), keys, table);
  plan.cost = keys.cost;
  RequireCost(keys.cost, *table.Find("cost"), read.backends[plan.backend]);
  RequireProbes(read, plan.backend, keys.cost, table);
  plan.others = ChooseOthers(plan, keys, table);
  plan.varied = keys.vary;
  if (plan.varied.empty()) {
    FailAt(PlaceOf(table, "vary"), "nothing is varied", "add [[optimize.vary]]");
  }
  TryOut(plan, table);
  plan.warnings = WarningsOfBounds(plan);

  FileValue* methods = table.Find("methods");
  if (methods == nullptr) {
    methods = table.Set("methods", FileValue::Table());
    methods->Set("annealing", FileValue::Table());
  }
  if (!only.empty()) KeepMethods(only, methods);
  const MotionNumbers numbers = plan.Problem()->numbers();
  for (FileValue::Entry& entry : *methods->table()) {
    SearchChoice choice = ReadMethod(&entry, numbers, keys.trials);
    for (int i = 0; i < keys.restarts; ++i) {
      choice.seed = read.plan.seed + static_cast<std::uint64_t>(i);
      plan.searches.push_back(choice);
    }
  }
  if (plan.searches.empty()) {
    FailAt(methods->place, "there is no method", "add [optimize.methods.annealing]");
  }
  return plan;
}

std::unique_ptr<ControllerProblem> SearchPlan::Problem() const {
  return std::make_unique<ControllerProblem>(experiment, backend, body, varied, cost);
}

std::string SearchPlan::Resolved() const {
  FileValue root = experiment.document->root;
  root.Set("name", experiment.name);
  root.Set("title", experiment.title);
  root.Set("optimize", table.data);
  return WriteToml(root);
}

}  // namespace pliant
