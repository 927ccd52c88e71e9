#include "experiments/sweeps/sweep.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <memory>

#include "experiments/bundles/csv.h"
#include "experiments/comparison/errors.h"
#include "experiments/files/experiment_document.h"
#include "experiments/files/first_names.h"
#include "experiments/files/key_catalogue.h"
#include "experiments/files/overrides.h"
#include "experiments/files/whole_steps.h"
#include "experiments/files/writer.h"
#include "experiments/sweeps/sweep_table.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr size_t kLongestPart = 40;   // of a point's name, a value
constexpr size_t kLongestName = 200;  // file systems stop at 255

// Checks that a key can be varied and that its backend exists: a new key under [backends] would be
// a new backend.
void RequireVariable(const VariedKey& varied, const Experiment& base) {
  const std::vector<std::string> parts = SplitPath(varied.key);
  if (parts[0] != "run" && parts[0] != "scene" && parts[0] != "backends") {
    const std::string owners = parts.size() == 1 ? TablesWithKey(parts[0]) : "";
    FailAt(varied.place, "'" + varied.key + "' cannot be varied",
           owners.empty() ? DidYouMean(parts[0], {"run", "scene", "backends"})
                          : "'" + parts[0] + "' belongs to " + owners +
                                ": write the path to it, such as run.step");
  }
  if (parts[0] == "scene") return;
  if (parts.size() < 2) {
    FailAt(varied.place, "'" + varied.key + "' is a table", "name a key in it");
  }
  if (parts[0] == "run") return;
  const std::vector<std::string> labels = LabelsOf(base);
  if (std::find(labels.begin(), labels.end(), parts[1]) == labels.end()) {
    FailAt(varied.place, "the experiment has no backend '" + parts[1] + "'",
           DidYouMean(parts[1], labels));
  }
}

void RequireReference(const SweepCurve& curve, const Experiment& base) {
  if (curve.difference == CurveDifference::kNone || curve.reference) return;
  if (base.reference.empty()) {
    FailAt(
        curve.difference_place, "there is no reference that '" + curve.figure + "' differs from",
        "give reference = … in this [[sweep.curve]], a number, or reference = \"…\" at the top of "
        "the experiment: a backend, a run, a table or the yardstick");
  }
  if (IsAgainstReference(curve.figure)) {
    FailAt(curve.difference_place,
           "'" + curve.figure + "' is measured from the reference of the experiment already",
           "leave 'difference' out");
  }
}

void RequireFigures(const Experiment& base) {
  std::vector<std::string> known;
  for (const SeriesColumn& figure : FiguresOf(base)) known.push_back(figure.name);
  for (const SweepCurve& curve : base.sweep->curves) {
    RequireReference(curve, base);
    if (std::find(known.begin(), known.end(), curve.figure) != known.end()) continue;
    FailAt(curve.place, "there is no headline figure '" + curve.figure + "'",
           MendOfFigure(base, curve.figure, known));
  }
}

// The shortest end of each key that is unique: "step", "dynamic-ffd.step".
std::vector<std::string> ShortKeys(const std::vector<VariedKey>& vary) {
  auto last_parts = [](const std::string& key, size_t count) {
    size_t begin = key.size();
    for (size_t part = 0; part < count && begin != 0; ++part) {
      const size_t dot = key.rfind('.', begin - 1);
      begin = dot == std::string::npos ? 0 : part + 1 == count ? dot + 1 : dot;
    }
    return key.substr(begin);
  };
  std::vector<std::string> names;
  for (const VariedKey& varied : vary) {
    for (size_t parts = 1;; ++parts) {
      const std::string name = last_parts(varied.key, parts);
      const auto like = std::count_if(vary.begin(), vary.end(), [&](const VariedKey& other) {
        return last_parts(other.key, parts) == name;
      });
      if (like > 1 && name != varied.key) continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

bool IsPlain(const FileValue& value) {
  const std::string text = ValueText(value);
  return value.table() == nullptr && value.array() == nullptr && !text.empty() &&
         text.size() <= kLongestPart && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
         });
}

// Names of the values of a key: the values themselves, or their indices if one of them cannot be
// part of a folder name.
std::vector<std::string> ValueNames(const VariedKey& varied) {
  const bool plain = std::all_of(varied.values.begin(), varied.values.end(), IsPlain);
  std::vector<std::string> names;
  for (size_t i = 0; i < varied.values.size(); ++i) {
    names.push_back(plain ? ValueText(varied.values[i]) : "value-" + std::to_string(i + 1));
  }
  return names;
}

bool IsStep(const std::string& key) {
  const std::vector<std::string> parts = SplitPath(key);
  return key == "run.step" || (parts.size() == 3 && parts[0] == "backends" && parts[2] == "step");
}

// Of a varied step the values that a run can make: between two records there is a whole number of steps, so that each
// step becomes the nearest that divides that time. A step beyond it stays, and is refused where it is read. So does
// every step where the times of the run are varied, too. Two values that become one are an error.
void SnapSteps(const RunPlan& run, SweepPlan* plan) {
  for (const VariedKey& varied : plan->vary) {
    if (varied.key == "run" || varied.key == "run.duration" || varied.key == "run.record_every")
      return;
  }
  if (!IsWholeNumberOfSteps(run.duration, run.record_every)) return;
  for (VariedKey& varied : plan->vary) {
    if (!IsStep(varied.key)) continue;
    std::map<double, double> given;  // by what became of it
    for (FileValue& value : varied.values) {
      const auto* step = std::get_if<double>(&value.data);
      if (step == nullptr || !(*step > 0.0)) continue;
      const double wanted = *step, steps = std::round(run.record_every / wanted);
      if (!(steps >= 1.0 && steps < 1e15)) continue;
      if (!IsWholeNumberOfSteps(run.record_every, wanted)) value.data = run.record_every / steps;
      const double snapped = std::get<double>(value.data);
      const auto [same, is_new] = given.emplace(snapped, wanted);
      if (is_new || plan->combination == SweepCombination::kZip) continue;
      FailAt(value.place,
             "the steps of " + Digits(same->second) + " s and " + Digits(wanted) +
                 " s both become " + Digits(snapped) + " s, which divides the time between records",
             "leave one out, or choose another record_every");
    }
  }
}

// "run.step: 0.00215443 s becomes 0.00217391 s, …", of each varied step of which values were changed.
std::vector<std::string> NotesOfSnapping(const SweepPlan& asked, const SweepPlan& plan) {
  std::vector<std::string> notes;
  for (size_t k = 0; k < plan.vary.size(); ++k) {
    std::vector<std::string> changes;
    for (size_t i = 0; i < plan.vary[k].values.size(); ++i) {
      const auto *wanted = std::get_if<double>(&asked.vary[k].values[i].data),
                 *is = std::get_if<double>(&plan.vary[k].values[i].data);
      if (wanted == nullptr || is == nullptr || *wanted == *is) continue;
      changes.push_back(Digits(*wanted) + " s becomes " + Digits(*is) + " s");
    }
    if (changes.empty()) continue;
    notes.push_back(plan.vary[k].key + ": " + FirstNames(changes) +
                    ": each is the nearest step that divides the time between records");
  }
  return notes;
}

// What became of the steps of a point, for its record; empty where they are as the file has them.
std::string SnappedInWords(const SweepPlan& asked, const SweepPlan& plan,
                           const std::vector<size_t>& at) {
  std::string text;
  for (size_t k = 0; k < plan.vary.size(); ++k) {
    if (!IsStep(plan.vary[k].key)) continue;
    const FileValue &wanted = asked.vary[k].values[at[k]], &is = plan.vary[k].values[at[k]];
    if (ValueText(wanted) == ValueText(is)) continue;
    text += "\n\n" + plan.vary[k].key + " = " + ValueText(is) + " s is the step nearest to the " +
            ValueText(wanted) + " s of the sweep that divides the time between records.";
  }
  return text;
}

}  // namespace

std::string ValueText(const FileValue& value) {
  if (const auto* real = std::get_if<double>(&value.data)) return RoundTrip(*real);
  return value.text() != nullptr ? *value.text() : WriteInline(value);
}

Sweep ReadSweep(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                const std::vector<std::string>& labels,
                const std::vector<const Backend*>& backends) {
  Sweep sweep{ReadChangedExperiment(file, overrides, {}, backends, labels), {}, backends};
  if (sweep.base.sweep == nullptr) {
    FailAt(sweep.base.document->root.place, "the experiment has no [sweep] table",
           "add one, or use `pliant run`");
  }
  const auto asked = sweep.base.sweep;
  auto snapped = std::make_shared<SweepPlan>(*asked);
  SnapSteps(sweep.base.plan, snapped.get());
  sweep.base.sweep = snapped;
  sweep.notes = NotesOfSnapping(*asked, *snapped);
  const SweepPlan& plan = sweep.plan();
  for (const VariedKey& varied : plan.vary) RequireVariable(varied, sweep.base);
  RequireFigures(sweep.base);
  KeepBackends(&sweep.base, labels);

  const std::vector<std::string> keys = ShortKeys(plan.vary);
  std::vector<std::vector<std::string>> value_names;
  for (const VariedKey& varied : plan.vary) value_names.push_back(ValueNames(varied));
  for (size_t i = 0; i < plan.PointCount(); ++i) {
    SweepPoint& point = sweep.points.emplace_back();
    std::vector<FileValue> changes;
    const std::vector<size_t> at = plan.ValuesAt(i);
    for (size_t k = 0; k < plan.vary.size(); ++k) {
      const VariedKey& varied = plan.vary[k];
      point.name += (k > 0 ? "_" : "") + keys[k] + "=" + value_names[k][at[k]];
      point.values.push_back(varied.values[at[k]]);
      changes.push_back(AtKey(varied.key, varied.values[at[k]], varied.place));
    }
    if (point.name.size() > kLongestName) point.name = "point-" + std::to_string(i + 1);
    try {
      point.experiment =
          ReadChangedExperiment(file, overrides, std::move(changes), backends, labels);
    } catch (const FileError& error) {
      throw FileError(std::string(error.what()) + "; at the point " + point.name);
    }
    point.experiment.description += SnappedInWords(*asked, plan, at);
    KeepBackends(&point.experiment, labels);
  }
  return sweep;
}

void RequireTranslatable(const Sweep& sweep) {
  for (const SweepPoint& point : sweep.points) {
    for (size_t index = 0; index < point.experiment.backends.size(); ++index) {
      try {
        TranslateFor(point.experiment, index);
      } catch (const FileError& error) {
        throw FileError(std::string(error.what()) + "; at the point " + point.name);
      }
    }
  }
}

}  // namespace pliant
