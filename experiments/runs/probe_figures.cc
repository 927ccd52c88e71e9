#include "experiments/runs/probe_figures.h"

#include <algorithm>
#include <cmath>

#include "experiments/runs/cycles.h"
#include "experiments/runs/series.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kSameTime = 1e-9;  // of the time, or of 1 s

using OptionalNumber = std::optional<double>;

OptionalNumber LeastOfCurve(const Probe& /*probe*/, const Curve& curve) {
  return *std::ranges::min_element(curve.values);
}
OptionalNumber LargestOfCurve(const Probe& /*probe*/, const Curve& curve) {
  return *std::ranges::max_element(curve.values);
}
OptionalNumber MeanOfCurve(const Probe& /*probe*/, const Curve& curve) {
  return MeanOverTime(curve);
}
OptionalNumber CrossingOfCurve(const Probe& probe, const Curve& curve) {
  return FirstCrossing(curve, *probe.crosses);
}
OptionalNumber FallsOfCurve(const Probe& probe, const Curve& curve) {
  return static_cast<double>(FallsTo(*probe.crosses, curve).size());
}
OptionalNumber FirstFallOfCurve(const Probe& probe, const Curve& curve) {
  const std::vector<double> falls = FallsTo(*probe.crosses, curve);
  return falls.empty() ? std::nullopt : OptionalNumber(falls.front());
}
OptionalNumber LastFallOfCurve(const Probe& probe, const Curve& curve) {
  const std::vector<double> falls = FallsTo(*probe.crosses, curve);
  return falls.empty() ? std::nullopt : OptionalNumber(falls.back());
}
OptionalNumber FirstIntervalOfCurve(const Probe& probe, const Curve& curve) {
  const std::vector<double> falls = FallsTo(*probe.crosses, curve);
  return falls.size() < 2 ? std::nullopt : OptionalNumber(falls[1] - falls[0]);
}
OptionalNumber IntervalOfCurve(const Probe& probe, const Curve& curve) {
  return MeanTimeBetween(FallsTo(*probe.crosses, curve));
}
OptionalNumber SpreadOfCurve(const Probe& probe, const Curve& curve) {
  return SpreadOfIntervals(FallsTo(*probe.crosses, curve));
}
OptionalNumber BelowOfCurve(const Probe& probe, const Curve& curve) {
  return ShareBelow(*probe.crosses, curve);
}
OptionalNumber ReturnOfCurve(const Probe& probe, const Curve& curve) {
  return ReturnDistance(curve, FallsTo(*probe.crosses, curve));
}
OptionalNumber PeriodOfCurve(const Probe& /*probe*/, const Curve& curve) {
  const auto fit = FitOscillation(curve);
  return fit ? OptionalNumber(fit->period) : std::nullopt;
}
// The period of the second half of the records less that of the first, each fitted alone: where it is not small, as of a
// pendulum whose amplitude decays, the period of all records is a mean of theirs. Absent where either half has none.
OptionalNumber DriftOfCurve(const Probe& /*probe*/, const Curve& curve) {
  const auto half = static_cast<std::ptrdiff_t>(curve.values.size() / 2);
  const auto first = FitOscillation({{curve.times.begin(), curve.times.begin() + half},
                                     {curve.values.begin(), curve.values.begin() + half}});
  const auto second = FitOscillation({{curve.times.begin() + half, curve.times.end()},
                                      {curve.values.begin() + half, curve.values.end()}});
  return first && second ? OptionalNumber(second->period - first->period) : std::nullopt;
}
OptionalNumber DecayOfCurve(const Probe& /*probe*/, const Curve& curve) {
  const auto fit = FitOscillation(curve);
  return fit ? OptionalNumber(fit->decay) : std::nullopt;
}

// The impulse over the records, trapezoidal.
OptionalNumber ImpulseOfCurve(const Probe& /*probe*/, const Curve& curve) {
  const auto mean = MeanOverTime(curve);
  return mean ? OptionalNumber(*mean * (curve.times.back() - curve.times.front())) : std::nullopt;
}

bool Always(const Probe& /*probe*/) { return true; }
bool IfCrosses(const Probe& probe) { return probe.crosses.has_value(); }
bool IfCycles(const Probe& probe) { return probe.cycles && probe.crosses; }
bool IfForce(const Probe& probe) {
  return probe.kind == ProbeKind::kReaction && probe.component.has_value();
}
bool IfOscillates(const Probe& probe) { return probe.oscillates; }

// A statistic of the curve of a probe.
struct CurveFigure {
  const char* word;     // in the name of the figure; may be empty
  const char* unit;     // null: that of the probe
  const char* meaning;  // followed by what the probe measures
  bool (*wanted)(const Probe&);
  OptionalNumber (*of)(
      const Probe&, const Curve&);  // of a curve that is not empty; null: the last value of the run
};
constexpr CurveFigure kCurveFigures[] = {
    {"min", nullptr, "smallest recorded", Always, LeastOfCurve},
    {"max", nullptr, "largest recorded", Always, LargestOfCurve},
    {"mean", nullptr, "mean over time", Always, MeanOfCurve},
    {"", nullptr, "at the end", Always, nullptr},
    {"impulse", "N s", "integral over time", IfForce, ImpulseOfCurve},
    {"crossing", "s", "first time at which it passes its level", IfCrosses, CrossingOfCurve},
    {"falls", "1", "number of times it falls to its level", IfCycles, FallsOfCurve},
    {"first_fall", "s", "first time at which it falls to its level", IfCycles, FirstFallOfCurve},
    {"last_fall", "s", "last time at which it falls to its level", IfCycles, LastFallOfCurve},
    {"first_interval", "s", "time between its first two falls", IfCycles, FirstIntervalOfCurve},
    {"interval", "s", "mean time between its falls", IfCycles, IntervalOfCurve},
    {"interval_spread", "s", "largest less smallest time between its falls", IfCycles,
     SpreadOfCurve},
    {"below", "1", "fraction of time at its level or below it", IfCycles, BelowOfCurve},
    {"return", nullptr, "rms distance between its last two cycles", IfCycles, ReturnOfCurve},
    {"period", "s",
     "period of the damped oscillation that fits best, a mean over the run where period_drift is "
     "not "
     "small",
     IfOscillates, PeriodOfCurve},
    {"period_drift", "s",
     "period of the second half of the records less that of the first, each fitted alone",
     IfOscillates, DriftOfCurve},
    {"decay", "1/s", "rate at which the amplitude of that oscillation decays", IfOscillates,
     DecayOfCurve},
};

std::string NameOfFigure(const Probe& probe, const std::string& word, const std::string& unit) {
  return probe.name + (word.empty() ? "" : "_" + word) + UnitSuffix(unit);
}

bool SameTime(double a, double b) { return std::abs(a - b) <= kSameTime * std::max(1.0, b); }

// Between two records in proportion; absent before the first and after the last one.
OptionalNumber ValueAt(double time, const Curve& curve) {
  for (size_t i = 0; i < curve.times.size(); ++i) {
    if (SameTime(curve.times[i], time)) return curve.values[i];
    if (curve.times[i] < time) continue;
    if (i == 0) return std::nullopt;
    const double part = (time - curve.times[i - 1]) / (curve.times[i] - curve.times[i - 1]);
    return std::lerp(curve.values[i - 1], curve.values[i], part);
  }
  return std::nullopt;
}

// The part of the curve from one time to another, which begins and ends between records in proportion.
Curve Between(const std::array<double, 2>& during, const Curve& curve) {
  Curve part;
  const auto add = [&part](double time, OptionalNumber value) {
    if (!value) return;
    part.times.push_back(time);
    part.values.push_back(*value);
  };
  const auto [begin, end] = during;
  add(begin, ValueAt(begin, curve));
  for (size_t i = 0; i < curve.times.size(); ++i) {
    const double time = curve.times[i];
    if (!SameTime(time, begin) && !SameTime(time, end) && time > begin && time < end) {
      add(time, curve.values[i]);
    }
  }
  add(end, ValueAt(end, curve));
  return part;
}

bool HasNan(const Curve& curve) {
  return std::ranges::any_of(curve.values, [](double value) { return std::isnan(value); });
}

}  // namespace

SeriesColumn ProbeColumn(const Probe& probe) {
  const std::string unit = InfoOf(probe.kind).unit;
  return {NameOfFigure(probe, "", unit), unit, "probe: " + MeaningOf(probe)};
}

std::vector<ProbeFigure> ProbeFigures(const Probe& probe, const Curve& curve) {
  const Curve part = probe.during ? Between(*probe.during, curve) : curve;
  const std::string when = probe.during ? " from " + Digits(probe.during->front()) + " to " +
                                              Digits(probe.during->back()) + " s"
                                        : "";
  const auto value_of = [](const Curve& of, const auto& figure) -> OptionalNumber {
    if (HasNan(of)) return std::nan("");
    return of.values.empty() ? std::nullopt : figure(of);
  };
  std::vector<ProbeFigure> figures;
  for (const CurveFigure& statistic : kCurveFigures) {
    if (!statistic.wanted(probe)) continue;
    const std::string unit = statistic.unit == nullptr ? InfoOf(probe.kind).unit : statistic.unit;
    ProbeFigure& figure = figures.emplace_back();
    figure.is = {
        NameOfFigure(probe, statistic.word, unit), unit,
        statistic.meaning + (statistic.of == nullptr ? "" : when) + ": " + MeaningOf(probe)};
    if (statistic.of == nullptr) {
      figure.value =
          value_of(curve, [](const Curve& run) { return OptionalNumber(run.values.back()); });
    } else {
      figure.value = value_of(part, [&](const Curve& of) { return statistic.of(probe, of); });
    }
  }
  for (const double time : probe.at) {
    const std::string unit = InfoOf(probe.kind).unit, at = Digits(time);
    ProbeFigure& figure = figures.emplace_back();
    figure.is = {NameOfFigure(probe, "at_" + at + "_s", unit), unit,
                 "at " + at + " s: " + MeaningOf(probe)};
    figure.value = value_of(curve, [time](const Curve& run) { return ValueAt(time, run); });
  }
  return figures;
}

// A line that swings through its direction: the angle to it is never negative.
static bool LosesItsSign(const Probe& probe) {
  return probe.kind == ProbeKind::kAngle && probe.against && !probe.about &&
         (probe.oscillates || probe.crosses || probe.cycles);
}

FindingTable TableOfProbes(const Scene& scene, const std::vector<Probe>& probes) {
  FindingTable table{"Probes", {"column", "measures", "at the start", "figures"}, {}, ""};
  const ProbeMeter meter(scene, probes);
  const Eigen::Matrix3Xd x = scene.InitialPoints(), v = scene.InitialVelocities();
  for (size_t i = 0; i < probes.size(); ++i) {
    const std::optional<double> start = meter.Measure(i, x, &v);
    std::string figures;
    for (const std::string& name : ProbeFigureNames({probes[i]})) {
      figures += (figures.empty() ? "" : " ") + name;
    }
    table.rows.push_back(
        {ProbeColumn(probes[i]).name, MeaningOf(probes[i]),
         start ? ThreeDigits(*start) + " " + InfoOf(probes[i].kind).unit : "not defined", figures});
    if (!LosesItsSign(probes[i])) continue;
    table.remark += (table.remark.empty() ? "" : "; ") + probes[i].name +
                    ": an angle without about has no sign: a swing through against appears with "
                    "half its period";
  }
  return table;
}

std::vector<std::string> ProbeFigureNames(const std::vector<Probe>& probes) {
  std::vector<std::string> names;
  for (const Probe& probe : probes) {
    for (const ProbeFigure& figure : ProbeFigures(probe, {})) names.push_back(figure.is.name);
  }
  return names;
}

}  // namespace pliant
