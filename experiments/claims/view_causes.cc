#include "experiments/claims/view_causes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "experiments/files/chosen_value.h"

namespace pliant {
namespace {

constexpr double kFinerTolerance = 0.25;
constexpr std::int64_t kManySweeps = 64;  // and four times as many as are asked for

// A choice of the method with which a motion depends on how its scene is seen, and another with which it does not.
struct Choice {
  std::string formulation, parameter;
  ParameterValue value, without;
  std::string otherwise, why;
};

const std::vector<Choice>& Choices() {
  using std::string;
  static const string equal = "of displacements of equal length the first is restricted";
  static const std::vector<Choice> choices = {
      {"kinematic-response", "casting", string("ray"), string("nearest"), "casting = nearest",
       "rays go against the normal, and the numbering of its points decides which side of an open "
       "surface the normal points to"},
      {"kinematic-response", "restriction", string("maximum"), string("full-weighting"),
       "restriction = full-weighting", equal},
      {"kinematic-response", "restriction", string("average"), string("full-weighting"),
       "restriction = full-weighting", equal},
      {"kinematic-response", "restriction", string("combined"), string("full-weighting"),
       "restriction = full-weighting", equal},
      {"displacement-constraints", "inertia", string("identity"), string("lumped"),
       "inertia = lumped", "the unit inertia of the source is 1 kg m² in any units"},
      {"articulated-lamp", "timed", true, false, "timed = false",
       "as in the source a speed is divided by a duration, so that its parameter has another unit"},
  };
  return choices;
}

// The value that is given or the default; null where the backend has no such parameter.
const ParameterValue* ValueOf(const BackendChoice& choice,
                              const std::vector<ParameterInfo>& parameters, std::string_view name) {
  const auto info = std::ranges::find(parameters, name, &ParameterInfo::name);
  if (info == parameters.end()) return nullptr;
  return &ChosenValue(choice, *info);
}

std::optional<double> NumberOf(const ParameterValue* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* number = std::get_if<double>(value)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  return std::nullopt;
}

bool SameWord(const ParameterValue& a, const ParameterValue& b) {
  const auto* word = std::get_if<std::string>(&a);
  const auto* other_word = std::get_if<std::string>(&b);
  if (word != nullptr && other_word != nullptr) return *word == *other_word;
  const auto* choice = std::get_if<bool>(&a);
  const auto* other_choice = std::get_if<bool>(&b);
  return choice != nullptr && other_choice != nullptr && *choice == *other_choice;
}

// Of a method that sweeps over gaps.
void AddSweeps(const BackendChoice& choice, const std::vector<ParameterInfo>& parameters,
               std::vector<ViewCause>* causes) {
  const std::optional<double> least = NumberOf(ValueOf(choice, parameters, "min_sweeps"));
  const std::optional<double> most = NumberOf(ValueOf(choice, parameters, "max_sweeps"));
  if (!least || !most) return;
  const std::int64_t many = std::max(kManySweeps, 4 * static_cast<std::int64_t>(*least));
  causes->push_back({.name = "the order of sweeps",
                     .why = "each corrects one gap after the other, in the order of points and "
                            "elements, which counts until many have been made",
                     .otherwise = "min_sweeps = " + std::to_string(many),
                     .values = {{"min_sweeps", many},
                                {"max_sweeps", std::max(static_cast<std::int64_t>(*most), many)}},
                     .falls = true});
  causes->push_back({.name = "the step",
                     .why = "sweeps in another order end at another of the shapes without gaps, as "
                            "far away as the step moves the points apart",
                     .otherwise = "half of it",
                     .values = {},
                     .step = 0.5,
                     .falls = true});
  causes->push_back({.name = "the gaps that remain",
                     .why = "what folds or turns over magnifies what the sweeps leave over",
                     .otherwise = "rest points displaced by the largest of them",
                     .values = {},
                     .by_gaps = true});
}

}  // namespace

std::vector<ViewCause> CausesIn(const BackendChoice& choice) {
  const std::vector<ParameterInfo> parameters = choice.backend->Parameters();
  const std::string& formulation = choice.backend->info().name;
  std::vector<ViewCause> causes;
  for (const Choice& one : Choices()) {
    if (one.formulation != formulation) continue;
    const ParameterValue* value = ValueOf(choice, parameters, one.parameter);
    if (value == nullptr || !SameWord(*value, one.value)) continue;
    causes.push_back({.name = one.parameter,
                      .why = one.why,
                      .otherwise = one.otherwise,
                      .values = {{one.parameter, one.without}}});
  }
  const ParameterValue* integrator = ValueOf(choice, parameters, "integrator");
  const bool adapts =
      integrator != nullptr && SameWord(*integrator, std::string("bogacki-shampine"));
  for (const std::string name : {"tolerance", "newton_tolerance", "absolute_tolerance"}) {
    const std::optional<double> tolerance = NumberOf(ValueOf(choice, parameters, name));
    if (!tolerance || (name == "absolute_tolerance" && !adapts)) continue;
    causes.push_back({.name = "the tolerance",
                      .why = "iterations end within it, wherever they are then",
                      .otherwise = "a quarter of it",
                      .values = {{name, kFinerTolerance * *tolerance}},
                      .falls = true});
  }
  AddSweeps(choice, parameters, &causes);
  return causes;
}

ViewCause Together(const std::vector<ViewCause>& causes) {
  ViewCause all;
  for (const ViewCause& cause : causes) {
    if (cause.by_gaps) continue;
    all.name += (all.name.empty() ? "" : " and ") + cause.name;
    all.why += (all.why.empty() ? "" : "; ") + cause.why;
    all.otherwise += (all.otherwise.empty() ? "" : ", ") + cause.otherwise;
    for (const auto& [name, value] : cause.values) all.values[name] = value;
    all.step *= cause.step;
    all.falls = all.falls || cause.falls;
  }
  return all;
}

Experiment Without(const ViewCause& cause, const Experiment& experiment, size_t index) {
  Experiment other = experiment;
  BackendChoice& choice = other.backends[index];
  for (const auto& [name, value] : cause.values) choice.parameters[name] = value;
  choice.step *= cause.step;
  return other;
}

}  // namespace pliant
