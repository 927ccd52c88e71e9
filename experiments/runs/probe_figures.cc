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

// Which probes have a figure, and the keys by which one gets it.
struct Wish {
  bool (*is_met)(const Probe&);
  const char* keys;  // null: there are none
};
constexpr Wish kAlways{[](const Probe& /*probe*/) { return true; }, nullptr};
constexpr Wish kIfCrosses{[](const Probe& probe) { return probe.crosses.has_value(); },
                          "crosses = …, the value that it passes"};
constexpr Wish kIfCycles{[](const Probe& probe) { return probe.cycles && probe.crosses; },
                         "cycles = true and crosses = …, the value that it falls to"};
constexpr Wish kIfForce{[](const Probe& probe) {
                          return probe.kind == ProbeKind::kReaction && probe.component.has_value();
                        },
                        "measure = \"reaction\" and component = \"x\", \"y\" or \"z\""};
constexpr Wish kIfOscillates{[](const Probe& probe) { return probe.oscillates; },
                             "oscillates = true"};

// A statistic of the curve of a probe.
struct CurveFigure {
  const char* word;     // in the name of the figure; may be empty
  const char* unit;     // null: that of the probe
  const char* meaning;  // followed by what the probe measures
  Wish wish;
  OptionalNumber (*of)(
      const Probe&, const Curve&);  // of a curve that is not empty; null: the last value of the run
};
constexpr CurveFigure kCurveFigures[] = {
    {"min", nullptr, "smallest recorded", kAlways, LeastOfCurve},
    {"max", nullptr, "largest recorded", kAlways, LargestOfCurve},
    {"mean", nullptr, "mean over time", kAlways, MeanOfCurve},
    {"", nullptr, "at the end", kAlways, nullptr},
    {"impulse", "N s", "integral over time", kIfForce, ImpulseOfCurve},
    {"crossing", "s", "first time at which it passes its level", kIfCrosses, CrossingOfCurve},
    {"falls", "1", "number of times it falls to its level", kIfCycles, FallsOfCurve},
    {"first_fall", "s", "first time at which it falls to its level", kIfCycles, FirstFallOfCurve},
    {"last_fall", "s", "last time at which it falls to its level", kIfCycles, LastFallOfCurve},
    {"first_interval", "s", "time between its first two falls", kIfCycles, FirstIntervalOfCurve},
    {"interval", "s", "mean time between its falls", kIfCycles, IntervalOfCurve},
    {"interval_spread", "s", "largest less smallest time between its falls", kIfCycles,
     SpreadOfCurve},
    {"below", "1", "fraction of time at its level or below it", kIfCycles, BelowOfCurve},
    {"return", nullptr, "rms distance between its last two cycles", kIfCycles, ReturnOfCurve},
    {"period", "s",
     "period of the damped oscillation that fits best, a mean over the run where period_drift is "
     "not "
     "small",
     kIfOscillates, PeriodOfCurve},
    {"period_drift", "s",
     "period of the second half of the records less that of the first, each fitted alone",
     kIfOscillates, DriftOfCurve},
    {"decay", "1/s", "rate at which the amplitude of that oscillation decays", kIfOscillates,
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
    if (!statistic.wish.is_met(probe)) continue;
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

std::string KeysOfProbeFigure(const std::vector<Probe>& probes, const std::string& figure) {
  for (const Probe& probe : probes) {
    const auto mend = [&](const std::string& keys) {
      return "add to probe '" + probe.name + "': " + keys;
    };
    for (const CurveFigure& statistic : kCurveFigures) {
      if (statistic.wish.is_met(probe) || statistic.wish.keys == nullptr) continue;
      const std::string unit = statistic.unit == nullptr ? InfoOf(probe.kind).unit : statistic.unit;
      if (NameOfFigure(probe, statistic.word, unit) == figure) return mend(statistic.wish.keys);
    }
    const std::string before = probe.name + "_at_",
                      behind = "_s" + UnitSuffix(InfoOf(probe.kind).unit);
    if (figure.size() <= before.size() + behind.size() || !figure.starts_with(before) ||
        !figure.ends_with(behind))
      continue;
    const std::string time =
        figure.substr(before.size(), figure.size() - before.size() - behind.size());
    if (time.find_first_not_of("0123456789.e-") == std::string::npos)
      return mend("at = [" + time + "]");
  }
  return "";
}

std::vector<std::string> ProbeFigureNames(const std::vector<Probe>& probes) {
  std::vector<std::string> names;
  for (const Probe& probe : probes) {
    for (const ProbeFigure& figure : ProbeFigures(probe, {})) names.push_back(figure.is.name);
  }
  return names;
}

}  // namespace pliant
