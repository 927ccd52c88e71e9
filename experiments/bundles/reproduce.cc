#include "experiments/bundles/reproduce.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/manifest.h"
#include "experiments/runs/recorded_columns.h"
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

// The verdict as it grows, frame by frame. Once different, it stays at the first difference.
class Judge {
 public:
  explicit Judge(const Bundle& bundle);

  bool decided() const { return result_.verdict == Verdict::kDifferent; }
  size_t frames() const { return frames_; }  // seen

  void Look(const Frame& frame);
  void Differ(const std::string& quantity, std::optional<double> time, const std::string& why);
  Reproduction Result() const;

 private:
  void LookAtNumbers(const std::string& quantity, double time, const double* before,
                     const double* now, Eigen::Index count, double scale);
  void LookAtNumber(const std::string& quantity, double time, double before, double now,
                    double scale);

  const Bundle& bundle_;
  std::vector<double> column_scales_;
  double points_scale_ = 0.0, velocities_scale_ = 0.0, state_scale_ = 0.0;
  size_t frames_ = 0;
  Reproduction result_;
};

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

void Judge::LookAtNumber(const std::string& quantity, double time, double before, double now,
                         double scale) {
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
                    " of the scale of each quantity): at most " + quantity + " at " +
                    RoundTrip(time) + " s: " + change;
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
    if (row[c] && frame.row[c]) {
      LookAtNumber(name, time, *row[c], *frame.row[c], column_scales_[c]);
    } else if (row[c] || frame.row[c]) {
      Differ(name, time, row[c] ? "defined before, not now" : "defined now, not before");
    }
  }
  if (decided()) return;

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

Reproduction Judge::Result() const {
  Reproduction result = result_;
  if (result.verdict == Verdict::kIdentical) {
    result.words =
        "identical: the same outcome, " + std::to_string(frames_) + " frames bit for bit";
  }
  result.same_program = bundle_.manifest().count("executable_sha256") > 0 &&
                        bundle_.manifest().at("executable_sha256") == ExecutableSha256();
  return result;
}

// Compares the present translation of the scene with that of the bundle.
void JudgeTranslation(const Bundle& bundle, const Translation& now, Judge* judge) {
  const std::vector<TranslatedElement>& before = bundle.translation();
  const std::vector<TranslatedElement> entries = now.record.Entries();
  auto same = [](const TranslatedElement& a, const TranslatedElement& b) {
    return a.element == b.element && a.fidelity == b.fidelity && a.reason == b.reason;
  };
  const auto [old_entry, new_entry] =
      std::mismatch(before.begin(), before.end(), entries.begin(), entries.end(), same);
  if (old_entry != before.end() || new_entry != entries.end()) {
    judge->Differ("translation", std::nullopt,
                  (old_entry != before.end() ? old_entry : new_entry)->element +
                      " was translated differently");
  }
  if (bundle.warnings() != now.warnings) {
    judge->Differ("translation", std::nullopt, "it gave different warnings");
  }
}

void JudgeOutcome(const Bundle& bundle, const RunOutcome& now, Judge* judge) {
  const RunOutcome& before = bundle.outcome();
  if (judge->frames() < bundle.frame_count()) {
    judge->Differ("number of frames", bundle.Time(judge->frames()), "no frame here now");
  }
  if (before.kind != now.kind || before.step != now.step || before.reason != now.reason ||
      before.not_converged_steps != now.not_converged_steps) {
    auto words = [](const RunOutcome& outcome) {
      return std::string(ToString(outcome.kind)) + " at step " + std::to_string(outcome.step) +
             (outcome.reason.empty() ? "" : " (" + outcome.reason + ")");
    };
    judge->Differ("outcome", std::nullopt, words(before) + " before, " + words(now) + " now");
  }
}

}  // namespace

std::optional<Reproduction> Reproduce(const Bundle& bundle, const RunHooks& hooks) {
  Judge judge(bundle);
  // A budget of time is no part of what is reproduced.
  Experiment experiment = bundle.experiment();
  experiment.plan.max_wall_seconds.reset();
  const Translation translation = TranslateFor(experiment, 0);
  std::vector<SeriesColumn> columns = SeriesColumns(bundle.backend().info(), *experiment.scene);
  if (translation.simulation != nullptr) {
    const auto recorded =
        RecordedColumns(RecordedArrays(experiment.plan.record, *translation.simulation));
    columns.insert(columns.end(), recorded.begin(), recorded.end());
  }
  if (ColumnNames(columns) != ColumnNames(bundle.columns())) {
    judge.Differ("columns of series.csv", std::nullopt, "they differ from those of this version");
    return judge.Result();
  }
  JudgeTranslation(bundle, translation, &judge);
  RunOutcome outcome;
  if (translation.simulation == nullptr) {
    outcome.kind = OutcomeKind::kUnsupported;
    outcome.reason = translation.record.WhyUnsupported();
  } else if (!judge.decided()) {
    // Stops on request, when a difference is found, and where a cancelled run was cut short.
    std::stop_source stop;
    const std::stop_callback forward(hooks.stop, [&] { stop.request_stop(); });
    const OutcomeKind before = bundle.outcome().kind;
    const bool cut_short =
        before == OutcomeKind::kCancelled || before == OutcomeKind::kBudgetExceeded;
    std::int64_t steps = 0;
    RunHooks run;
    run.stop = stop.get_token();
    run.on_frame = [&](const Frame& frame) {
      if (hooks.stop.stop_requested()) return;  // not a frame of the plan
      judge.Look(frame);
      if (judge.decided()) stop.request_stop();
    };
    run.on_step = [&](double time, double duration) {
      if (hooks.on_step) hooks.on_step(time, duration);
      if (cut_short && ++steps == bundle.outcome().step) stop.request_stop();
    };
    outcome = Run(experiment, 0, translation.simulation.get(), run);
    if (hooks.stop.stop_requested() && !judge.decided()) return std::nullopt;
    if (cut_short && outcome.kind == OutcomeKind::kCancelled &&
        outcome.step == bundle.outcome().step) {
      outcome.kind = before;  // cut short at the same step, for whatever reason
      outcome.reason = bundle.outcome().reason;
    }
  }
  if (!judge.decided()) JudgeOutcome(bundle, outcome, &judge);
  return judge.Result();
}

}  // namespace pliant
