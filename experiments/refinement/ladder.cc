#include "experiments/refinement/ladder.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "experiments/files/chosen_value.h"
#include "experiments/files/codec.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/overrides.h"
#include "experiments/files/parameter_values.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

// A rung: `number` refinements beyond the file (coarser when negative), of size ratio^−number.
struct Rung {
  int number;
  double size;
};

std::optional<ParameterValue> ParameterOf(const BackendChoice& choice, const std::string& name) {
  for (const ParameterInfo& info : choice.backend->Parameters()) {
    if (info.name != name) continue;
    const ParameterValue& value = ChosenValue(choice, info);
    // A whole number stands where a real one is meant.
    const auto* whole = std::get_if<std::int64_t>(&value);
    const bool real = std::holds_alternative<double>(info.default_value);
    return whole != nullptr && real ? ParameterValue(static_cast<double>(*whole)) : value;
  }
  return std::nullopt;
}

// The changes that make a rung of a file, for one axis.
class RungMaker {
 public:
  RungMaker(const Experiment& base, const Rung& rung) : base_(base), rung_(rung) {}

  void Refine(RefinedAxis axis) {
    switch (axis) {
      case RefinedAxis::kStep:
        return RefineSteps();
      case RefinedAxis::kResolution:
        return RefineBodies();
      case RefinedAxis::kOrder:
        return CountUp({"order"});
      case RefinedAxis::kLevels:
        return CountUp({"levels", "solver_levels"});
      case RefinedAxis::kTolerance:
        return Scale({"tolerance", "midpoint_tolerance", "relative_tolerance", "absolute_tolerance",
                      "newton_tolerance", "step_tolerance"},
                     rung_.size);
      case RefinedAxis::kContactStiffness:
        Scale({"contact_stiffness", "contact_tangential_stiffness"}, 1.0 / rung_.size);
        return Scale({"contact_thickness"}, rung_.size);
    }
  }

  void Tie(const TiedKey& tied) {
    const std::optional<double> value = NumberAt(base_, tied.key);
    if (!value) {
      FailAt(tied.place, "'" + tied.key + "' is no number of the experiment",
             "name a number of [run], the scene or a backend");
    }
    const double scaled = *value * std::pow(rung_.size, tied.power);
    // Sweeps and iterations are whole, and at least one remains.
    if (!IsWhole(tied.key)) return Change(tied.key, scaled);
    Change(tied.key, std::max<std::int64_t>(1, std::llround(scaled)));
  }

  std::vector<FileValue> TakeChanges() { return std::move(changes_); }

 private:
  const FileValue& root() const { return base_.document->root; }

  template <typename Value>
  void Change(const std::string& key, Value value) {
    changes_.push_back(AtKey(key, {std::move(value), root().place}, root().place));
  }

  void RefineSteps() {
    bool common = false;
    for (const BackendChoice& choice : base_.backends) {
      if (root().Find("backends")->Find(choice.label)->Find("step") == nullptr) {
        common = true;
      } else {
        Change("backends." + choice.label + ".step", choice.step * rung_.size);
      }
    }
    if (common) Change("run.step", base_.plan.step * rung_.size);
  }

  bool IsWhole(const std::string& key) const {
    const std::vector<std::string> parts = SplitPath(key);
    for (const BackendChoice& choice : base_.backends) {
      if (parts.size() != 3 || parts[0] != "backends" || choice.label != parts[1]) continue;
      const auto value = ParameterOf(choice, parts[2]);
      return value && std::holds_alternative<std::int64_t>(*value);
    }
    return false;
  }

  // n points along a line become (n − 1)/size + 1, those of a closed one n/size.
  std::int64_t Finer(std::int64_t points, bool closed) const {
    const std::int64_t ends = closed ? 0 : 1;
    return std::llround(static_cast<double>(points - ends) / rung_.size) + ends;
  }
  // One number, or one for each direction, of which the first `closed` go around.
  FileValue Finer(const FileValue& points, size_t closed) const {
    FileValue finer = points;
    if (auto* array = finer.array()) {
      for (size_t i = 0; i < array->size(); ++i) {
        if (auto* count = std::get_if<std::int64_t>(&(*array)[i].data))
          *count = Finer(*count, i < closed);
      }
    } else if (auto* count = std::get_if<std::int64_t>(&finer.data)) {
      *count = Finer(*count, closed > 0);
    }
    return finer;
  }

  // The points of bodies that count them and the control points of free lattices; where there are none, the elements
  // between two points.
  void RefineBodies() {
    RequireSharedBodies();
    const size_t before = changes_.size();
    const FileValue* bodies = root().Find("scene")->Find("body");
    if (bodies != nullptr && bodies->array() != nullptr) {
      for (size_t i = 0; i < bodies->array()->size(); ++i)
        RefineBody((*bodies->array())[i], "scene.body." + ElementName((*bodies->array())[i], i));
    }
    for (const BackendChoice& choice : base_.backends) RefineLattice(choice);
    if (changes_.size() > before) return;
    EachParameter({"refinement"}, [this](const std::string& key, const ParameterValue& value) {
      if (const auto* count = std::get_if<std::int64_t>(&value)) Change(key, Finer(*count, true));
    });
  }

  // The rungs change the bodies of the experiment's scene; those of a variant follow where they are the same.
  void RequireSharedBodies() const {
    for (const BackendChoice& choice : base_.backends) {
      if (choice.scene == nullptr) continue;
      const auto& shared = base_.scene->bodies;
      for (const Body& body : choice.scene->bodies) {
        const bool same = std::ranges::any_of(shared, [&](const Body& other) {
          return other.name == body.name && other.size() == body.size();
        });
        if (same) continue;
        FailAt(PlaceOf(root(), "backends." + choice.label + ".scene"),
               "a ladder of resolution refines the bodies of the experiment's scene, and the "
               "backend '" +
                   choice.label + "' has another body '" + body.name + "'",
               "leave this backend out with --backend, or refine in the step");
      }
    }
  }

  void RefineBody(const FileValue& body, const std::string& key) {
    const std::map<std::string, size_t> closed_directions = {
        {"chain", 0}, {"sheet", 0}, {"block", 0}, {"ring", 1}, {"tube", 1}, {"torus", 2}};
    const FileValue *points = body.Find("points"), *shape = body.Find("shape");
    if (points == nullptr || shape == nullptr || shape->text() == nullptr) return;
    const auto closed = closed_directions.find(*shape->text());
    if (closed != closed_directions.end())
      Change(key + ".points", Finer(*points, closed->second).data);
  }

  // Of degree d, d spans between control points; of a spline with n of them, n − 3.
  void RefineLattice(const BackendChoice& choice) {
    const auto free = ParameterOf(choice, "free_lattice");
    const auto modes = choice.parameters.find("modes");
    if (!free || !std::get<bool>(*free) || modes == choice.parameters.end()) return;
    const auto* table = ValueAs<MatrixTable>(modes->second);
    if (table == nullptr) return;
    const auto basis = table->texts.find("basis");
    const bool spline = basis != table->texts.end() && basis->second == "b-spline";
    for (int axis = 0; axis < base_.scene->dimension; ++axis) {
      const std::string name = (spline ? "points_" : "degree_") + std::string(1, "xyz"[axis]);
      const auto given = table->scalars.find(name);
      const std::int64_t rest = spline ? 3 : 0, spans = given == table->scalars.end()
                                                            ? 3
                                                            : std::llround(given->second) - rest;
      if (spans > 0)
        Change("backends." + choice.label + ".modes." + name, Finer(spans, true) + rest);
    }
  }

  // One more of these whole numbers for each rung.
  void CountUp(const std::vector<std::string>& names) {
    EachParameter(names, [this](const std::string& key, const ParameterValue& value) {
      if (const auto* count = std::get_if<std::int64_t>(&value)) Change(key, *count + rung_.number);
    });
  }

  void Scale(const std::vector<std::string>& names, double factor) {
    EachParameter(names, [&](const std::string& key, const ParameterValue& value) {
      if (const auto* number = std::get_if<double>(&value)) Change(key, *number * factor);
    });
  }

  template <typename Use>
  void EachParameter(const std::vector<std::string>& names, const Use& use) {
    for (const BackendChoice& choice : base_.backends) {
      for (const std::string& name : names) {
        if (const auto value = ParameterOf(choice, name))
          use("backends." + choice.label + "." + name, *value);
      }
    }
  }

  const Experiment& base_;
  const Rung rung_;
  std::vector<FileValue> changes_;
};

Ladder ReadLadder(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                  const std::vector<std::string>& labels, const RefinePlan& plan,
                  const std::vector<RefinedAxis>& axes, const Experiment& base,
                  const std::vector<const Backend*>& backends) {
  Ladder ladder{
      "", plan.ratio, plan.order, {}, static_cast<size_t>(plan.coarser), {base, {}, backends}};
  for (const RefinedAxis axis : axes)
    ladder.axis += (ladder.axis.empty() ? "" : "+") + WordOf(axis);
  for (int number = -plan.coarser; number < plan.levels - plan.coarser; ++number) {
    const Rung rung = {number, std::pow(plan.ratio, -number)};
    SweepPoint& point = ladder.rungs.points.emplace_back();
    point.name = number == 0 ? "file" : ladder.axis + "=" + Digits(rung.size) + "x";
    RungMaker maker(base, rung);
    if (number != 0) {
      for (const RefinedAxis axis : axes) maker.Refine(axis);
    }
    std::vector<FileValue> changes = maker.TakeChanges();
    if (number != 0 && changes.empty()) {
      const std::string what = "nothing in the experiment can be refined in " + ladder.axis;
      const FileValue& root = base.document->root;
      if (root.Find("refine") == nullptr || base.refine.axes != plan.axes)
        throw FileError(file.string() + ": " + what + "; choose another axis");
      FailAt(PlaceOf(root, "refine.in"), what, "choose another axis");
    }
    if (number != 0) {
      RungMaker tie(base, rung);
      for (const TiedKey& tied : plan.tied) tie.Tie(tied);
      for (FileValue& change : tie.TakeChanges()) changes.push_back(std::move(change));
    }
    try {
      point.experiment =
          ReadChangedExperiment(file, overrides, std::move(changes), backends, labels);
    } catch (const FileError& error) {
      throw FileError(std::string(error.what()) + "; on the rung " + point.name);
    }
    // Another comment in the file does not make another run.
    point.experiment.description.clear();
    KeepBackends(&point.experiment, labels);
    ladder.sizes.push_back(rung.size);
    point.cost = 1.0 / rung.size;  // as of a shorter step; of a finer mesh at least
  }
  return ladder;
}

}  // namespace

std::optional<double> NumberAt(const Experiment& experiment, const std::string& key) {
  const std::vector<std::string> parts = SplitPath(key);
  if (parts.size() == 3 && parts[0] == "backends") {
    for (const BackendChoice& choice : experiment.backends) {
      if (choice.label != parts[1]) continue;
      const auto value = ParameterOf(choice, parts[2]);
      if (!value) return std::nullopt;
      if (const auto* whole = std::get_if<std::int64_t>(&*value))
        return static_cast<double>(*whole);
      const auto* number = std::get_if<double>(&*value);
      return number == nullptr ? std::nullopt : std::optional(*number);
    }
  }
  const FileValue* value = &experiment.document->root;
  for (const std::string& part : parts) {
    value = value->array() != nullptr ? FindElement(*value, part) : value->Find(part);
    if (value == nullptr) return std::nullopt;
  }
  FileValue copy = *value;
  if (!Codec<double>::Accepts(copy)) return std::nullopt;
  return Codec<double>::Read(&copy, {"'" + key + "'"});
}

std::vector<Ladder> ReadLadders(const std::filesystem::path& file,
                                const std::vector<std::string>& overrides,
                                const std::vector<std::string>& labels,
                                const std::optional<RefinePlan>& given,
                                const std::vector<const Backend*>& backends) {
  Experiment base = ReadChangedExperiment(file, overrides, {}, backends, labels);
  KeepBackends(&base, labels);
  const RefinePlan plan = given.value_or(base.refine);
  std::vector<Ladder> ladders;
  if (plan.joint) {
    ladders.push_back(ReadLadder(file, overrides, labels, plan, plan.axes, base, backends));
    return ladders;
  }
  for (const RefinedAxis axis : plan.axes) {
    ladders.push_back(ReadLadder(file, overrides, labels, plan, {axis}, base, backends));
  }
  return ladders;
}

}  // namespace pliant
