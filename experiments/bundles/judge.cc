#include "experiments/bundles/judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "experiments/bundles/build_info.h"
#include "experiments/bundles/headline.h"
#include "experiments/bundles/manifest.h"
#include "experiments/runs/series.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Verdict = Reproduction::Verdict;

bool IsSame(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// Difference as a fraction of `scale`; infinite where it is not defined.
double Deviation(double before, double now, double scale) {
  if (IsSame(before, now)) return 0.0;
  const double deviation = std::abs(now - before) / scale;
  return std::isfinite(deviation) ? deviation : INFINITY;
}

double LargestFinite(const double* values, Eigen::Index count) {
  double largest = 0.0;
  for (Eigen::Index i = 0; i < count; ++i) {
    if (std::isfinite(values[i])) largest = std::max(largest, std::abs(values[i]));
  }
  return largest;
}

bool MadeByThisProgram(const Bundle& bundle) {
  const auto program = bundle.manifest().find("executable_sha256");
  return program != bundle.manifest().end() && program->second == ExecutableSha256();
}

}  // namespace

Judge::Judge(const Bundle& bundle) : bundle_(bundle) {
  const std::vector<SeriesColumn>& columns = bundle.columns();
  std::map<std::string, double> scale_of_unit;
  auto key = [](const SeriesColumn& column) {
    return column.unit == "1" ? column.name : column.unit;
  };
  for (size_t c = 0; c < columns.size(); ++c) {
    double& scale = scale_of_unit[key(columns[c])];
    if (columns[c].unit == "1") scale = std::max(scale, 1.0);
    for (const SeriesRow& row : bundle.rows()) {
      if (row[c]) scale = std::max(scale, LargestFinite(&*row[c], 1));
    }
  }
  for (const SeriesColumn& column : columns) column_scales_.push_back(scale_of_unit[key(column)]);
  for (size_t frame = 0; frame < bundle.frame_count(); ++frame) {
    const Eigen::Matrix3Xd x = bundle.Points(frame);
    points_scale_ = std::max(points_scale_, LargestFinite(x.data(), x.size()));
    if (const auto v = bundle.Velocities(frame)) {
      velocities_scale_ = std::max(velocities_scale_, LargestFinite(v->data(), v->size()));
    }
    const Eigen::VectorXd state = bundle.State(frame);
    state_scale_ = std::max(state_scale_, LargestFinite(state.data(), state.size()));
  }
}

void Judge::Differ(const std::string& quantity, std::optional<double> time,
                   const std::string& why) {
  if (decided()) return;
  result_.verdict = Verdict::kDifferent;
  result_.quantity = quantity;
  result_.time = time;
  result_.deviation.reset();
  result_.words = "different: " + quantity;
  if (time) result_.words += " at " + RoundTrip(*time) + " s";
  result_.words += ": " + why;
}

void Judge::LookAtNumber(const std::string& quantity, std::optional<double> time, double before,
                         double now, double scale) {
  const double deviation = Deviation(before, now, scale);
  if (deviation == 0.0 || decided()) return;
  const std::string change = RoundTrip(before) + " before, " + RoundTrip(now) + " now, " +
                             RoundTrip(deviation) + " of its scale";
  if (deviation > kReproductionTolerance) {
    Differ(quantity, time, change);
    result_.deviation = deviation;
  } else if (deviation > result_.deviation.value_or(0.0)) {
    result_.verdict = Verdict::kWithinTolerance;
    result_.quantity = quantity;
    result_.time = time;
    result_.deviation = deviation;
    result_.words = "within tolerance (" + RoundTrip(kReproductionTolerance) +
                    " of the scale of each quantity): at most " + quantity +
                    (time ? " at " + RoundTrip(*time) + " s" : "") + ": " + change;
  }
}

void Judge::LookAtOptional(const std::string& quantity, std::optional<double> time,
                           const std::optional<double>& before, const std::optional<double>& now,
                           double scale) {
  if (before && now) {
    LookAtNumber(quantity, time, *before, *now, scale);
  } else if (before || now) {
    Differ(quantity, time, before ? "defined before, not now" : "defined now, not before");
  }
}

void Judge::LookAtNumbers(const std::string& quantity, double time, const double* before,
                          const double* now, Eigen::Index count, double scale) {
  for (Eigen::Index i = 0; i < count; ++i) {
    LookAtNumber(quantity, time, before[i], now[i], scale);
  }
}

void Judge::Look(const Frame& frame) {
  const size_t index = frames_++;
  const double time = frame.observation.time;
  if (index >= bundle_.frame_count()) {
    Differ("number of frames", time, "the bundle has no frame here");
    return;
  }
  const SeriesRow& row = bundle_.rows()[index];
  for (size_t c = 0; c < row.size(); ++c) {
    const std::string& name = bundle_.columns()[c].name;
    if (IsTiming(name)) continue;
    LookAtOptional(name, time, row[c], frame.row[c], column_scales_[c]);
  }
  rows_.push_back(frame.row);
  for (size_t c = 0; c < row.size(); ++c) {
    if (IsTiming(bundle_.columns()[c].name)) rows_.back()[c] = row[c];
  }
  if (decided()) return;

  LookAtNumber("/time", time, bundle_.Time(index), time, bundle_.experiment().plan.duration);
  const Eigen::Matrix3Xd x = bundle_.Points(index);
  LookAtNumbers("/points", time, x.data(), frame.observation.points.data(), x.size(),
                points_scale_);
  const std::optional<Eigen::Matrix3Xd> v = bundle_.Velocities(index);
  if (v.has_value() != frame.observation.velocities.has_value()) {
    Differ("/velocities", time, v ? "defined before, not now" : "defined now, not before");
  } else if (v) {
    LookAtNumbers("/velocities", time, v->data(), frame.observation.velocities->data(), v->size(),
                  velocities_scale_);
  }
  const Eigen::VectorXd state = bundle_.State(index);
  if (state.size() != frame.state.size()) {
    Differ("/state", time,
           std::to_string(state.size()) + " numbers before, " + std::to_string(frame.state.size()) +
               " now");
  } else {
    LookAtNumbers("/state", time, state.data(), frame.state.data(), state.size(), state_scale_);
  }
}

void Judge::LookAtTranslation(const Translation& now) {
  const std::vector<TranslatedElement>& before = bundle_.translation();
  const std::vector<TranslatedElement> entries = now.record.Entries();
  auto same = [](const TranslatedElement& a, const TranslatedElement& b) {
    return a.element == b.element && a.fidelity == b.fidelity && a.reason == b.reason;
  };
  const auto [old_entry, new_entry] =
      std::mismatch(before.begin(), before.end(), entries.begin(), entries.end(), same);
  if (old_entry != before.end() || new_entry != entries.end()) {
    Differ("translation", std::nullopt,
           (old_entry != before.end() ? old_entry : new_entry)->element +
               " was translated differently");
  }
  if (bundle_.warnings() != now.warnings) {
    Differ("translation", std::nullopt, "it gave different warnings");
  }
  const auto same_table = [](const FindingTable& a, const FindingTable& b) {
    return a.title == b.title && a.columns == b.columns && a.rows == b.rows && a.remark == b.remark;
  };
  if (!std::equal(bundle_.findings().begin(), bundle_.findings().end(), now.findings.begin(),
                  now.findings.end(), same_table)) {
    Differ("findings", std::nullopt, "the translation found something else");
  }
}

void Judge::LookAtOutcome(const RunOutcome& now) {
  const RunOutcome& before = bundle_.outcome();
  if (frames_ < bundle_.frame_count()) {
    Differ("number of frames", bundle_.Time(frames_), "no frame here now");
  }
  if (before.kind != now.kind || before.step != now.step || before.reason != now.reason ||
      before.quantity != now.quantity || before.not_converged_steps != now.not_converged_steps) {
    auto words = [](const RunOutcome& outcome) {
      return std::string(ToString(outcome.kind)) + " at step " + std::to_string(outcome.step) +
             (outcome.reason.empty() ? "" : " (" + outcome.reason + ")");
    };
    Differ("outcome", std::nullopt, words(before) + " before, " + words(now) + " now");
  }
  LookAtNumber("time of the outcome", std::nullopt, before.time, now.time,
               bundle_.experiment().plan.duration);
  LookAtOptional("energy_at_stake_J", std::nullopt, before.energy_at_stake, now.energy_at_stake,
                 before.energy_at_stake.value_or(0.0));
  LookAtEvents(now.events);
  LookAtUnmet(now);
}

void Judge::LookAtEvents(const std::vector<SimulationEvent>& now) {
  const std::vector<SimulationEvent>& before = bundle_.outcome().events;
  if (before.size() != now.size()) {
    Differ("events", std::nullopt,
           std::to_string(before.size()) + " before, " + std::to_string(now.size()) + " now");
    return;
  }
  for (size_t i = 0; i < before.size(); ++i) {
    LookAtNumber("time of an event", now[i].time, before[i].time, now[i].time,
                 bundle_.experiment().plan.duration);
    if (before[i].what != now[i].what) {
      Differ("events", now[i].time, before[i].what + " before, " + now[i].what + " now");
    }
  }
}

void Judge::LookAtUnmet(const RunOutcome& now) {
  const RunOutcome& before = bundle_.outcome();
  const auto same = [](const UnmetConstraint& a, const UnmetConstraint& b) {
    return a.name == b.name && a.unit == b.unit;
  };
  if (before.unmet_count != now.unmet_count ||
      !std::equal(before.unmet.begin(), before.unmet.end(), now.unmet.begin(), now.unmet.end(),
                  same)) {
    Differ("open constraints", std::nullopt,
           UnmetInWords(before) + " before, " + UnmetInWords(now) + " now");
    return;
  }
  for (size_t i = 0; i < before.unmet.size(); ++i) {
    LookAtNumber("gap of " + before.unmet[i].name, std::nullopt, before.unmet[i].size,
                 now.unmet[i].size, std::abs(before.unmet[i].size));
  }
}

void Judge::LookAtFigures() {
  const Scene& scene = *bundle_.experiment().scene;
  const std::vector<HeadlineFigure> of_bundle = HeadlineFigures(
      scene, bundle_.outcome(), bundle_.columns(), bundle_.rows(), bundle_.experiment().probes);
  const std::vector<HeadlineFigure> of_run = HeadlineFigures(
      scene, bundle_.outcome(), bundle_.columns(), rows_, bundle_.experiment().probes);
  const std::map<std::string, std::optional<double>>& before = bundle_.summary();
  if (before.size() != of_bundle.size()) {
    Differ("figures", std::nullopt, "they differ from those of this version");
    return;
  }
  for (size_t i = 0; i < of_bundle.size(); ++i) {
    const HeadlineFigure& figure = of_bundle[i];
    const auto found = before.find(figure.name);
    if (found == before.end()) {
      Differ(figure.name, std::nullopt, "no figure of the bundle");
      return;
    }
    const std::optional<double>& stated = found->second;
    const std::optional<double>& again = of_run[i].value;
    // A figure may magnify what the tolerance lets pass in a cell: that cell has been judged.
    if (stated && again ? IsSame(*stated, *again) : !stated && !again) continue;
    LookAtOptional(figure.name, std::nullopt, stated, figure.value,
                   std::abs(figure.value.value_or(0.0)));
  }
}

void Judge::LookAtManifest() {
  const Experiment& experiment = bundle_.experiment();
  const auto look = [&](const std::string& fact, const std::string& now) {
    const auto found = bundle_.manifest().find(fact);
    const std::string before = found == bundle_.manifest().end() ? "nothing" : found->second;
    if (before != now)
      Differ(fact + " in the manifest", std::nullopt, before + " there, " + now + " in truth");
  };
  look("backend", bundle_.backend().info().name);
  look("label", bundle_.label());
  look("outcome", std::string(ToString(bundle_.outcome().kind)));
  look("seed", std::to_string(experiment.plan.seed));
  if (!MadeByThisProgram(bundle_)) return;
  const BuildInfo& build = ThisBuild();
  look("version", build.version);
  look("commit", build.commit);
  look("compiler", build.compiler);
  look("flags", build.flags);
}

Reproduction Judge::Result() const {
  Reproduction result = result_;
  if (result.verdict == Verdict::kIdentical) {
    result.words = "identical: the same outcome, figures and findings, " + std::to_string(frames_) +
                   " frames bit for bit";
  }
  result.same_program = MadeByThisProgram(bundle_);
  return result;
}

}  // namespace pliant
