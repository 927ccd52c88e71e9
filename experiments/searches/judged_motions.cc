#include "experiments/searches/judged_motions.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/bundles/csv.h"
#include "experiments/files/first_names.h"
#include "experiments/runs/run.h"
#include "experiments/searches/run_searches.h"
#include "experiments/searches/scored_motion.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::optional<int> BodyNamed(const Scene& scene, const std::string& name) {
  const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                  [&](const Body& body) { return body.name == name; });
  if (found == scene.bodies.end()) return std::nullopt;
  return static_cast<int>(found - scene.bodies.begin());
}

// The probes of the cost in another scene, by the names of bodies. Throws BadInput where they have no meaning there.
std::vector<Probe> ProbesIn(const Scene& scene, const JudgingCost& by) {
  std::vector<Probe> probes = by.probes;
  for (Probe& probe : probes) {
    for (ProbeSet& set : probe.of) {
      const Body& meant = by.scene->bodies[static_cast<size_t>(set.body)];
      const std::optional<int> body = BodyNamed(scene, meant.name);
      if (!body) {
        throw BadInput({"",
                        "its scene has no body '" + meant.name + "', which probe '" + probe.name +
                            "' measures",
                        ""});
      }
      const auto points = scene.bodies[static_cast<size_t>(*body)].rest.cols();
      if (points != meant.rest.cols()) {
        throw BadInput({"",
                        "its body '" + meant.name + "' has " + std::to_string(points) +
                            " points, that of probe '" + probe.name + "' has " +
                            std::to_string(meant.rest.cols()),
                        ""});
      }
      set.body = *body;
    }
    if (probe.from) probe.from = TouchingNamed(scene, probe.from->name);
    RequireMeasurable(scene, probe);
  }
  return probes;
}

// The columns of a bundle that a score reads.
class Records {
 public:
  explicit Records(const Bundle& bundle)
      : bundle_(bundle),
        elastic_(Find("elastic_energy_J")),
        control_(Find("work_control_J")),
        damping_(Find("work_damping_J")) {
    for (const SeriesColumn& extra :
         ExtrasOf(bundle.backend().info(), *bundle.experiment().scene)) {
      extras_.push_back(Find(extra.name));
    }
  }

  Observation At(size_t frame) const {
    Observation record;
    record.time = bundle_.Time(frame);
    record.points = bundle_.Points(frame);
    record.velocities = bundle_.Velocities(frame);
    record.elastic_energy = Value(frame, elastic_);
    const std::optional<double> control = Value(frame, control_), damping = Value(frame, damping_);
    if (control && damping) {
      record.work.emplace();
      (*record.work)[WorkClass::kControl] = *control;
      (*record.work)[WorkClass::kDamping] = *damping;
    }
    for (const std::optional<size_t>& extra : extras_) record.extras.push_back(Value(frame, extra));
    return record;
  }

 private:
  std::optional<size_t> Find(const std::string& name) const {
    const auto& columns = bundle_.columns();
    const auto found =
        std::find_if(columns.begin(), columns.end(),
                     [&](const SeriesColumn& column) { return column.name == name; });
    if (found == columns.end()) return std::nullopt;
    return static_cast<size_t>(found - columns.begin());
  }
  std::optional<double> Value(size_t frame, const std::optional<size_t>& column) const {
    return column ? bundle_.rows()[frame][*column] : std::nullopt;
  }

  const Bundle& bundle_;
  std::optional<size_t> elastic_, control_, damping_;
  std::vector<std::optional<size_t>> extras_;  // of each extra of the backend
};

using ProbeValues = std::vector<std::optional<double>>;

// What no bundle has: the energies of the modes at the end, and the values of probes of forces, record by record.
struct MadeAgain {
  std::vector<ModeEnergy> modes;
  std::vector<ProbeValues> probes;
};

// By the steps made again. Throws BadInput where they lead elsewhere.
MadeAgain MakeAgain(const Bundle& bundle, const std::vector<Probe>& probes) {
  Experiment experiment = bundle.experiment();
  experiment.probes = probes;
  const Translation translation = TranslateFor(experiment, 0);
  MadeAgain again;
  Eigen::Matrix3Xd end;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) {
    end = frame.observation.points;
    again.probes.emplace_back(frame.probes.begin(), frame.probes.end());
  };
  if (translation.simulation != nullptr) Run(experiment, 0, translation.simulation.get(), hooks);
  if (again.probes.size() != bundle.frame_count() ||
      end != bundle.Points(again.probes.size() - 1)) {
    throw BadInput(
        {"",
         "energies of modes and forces that probes measure are in no bundle, and its steps "
         "made again lead elsewhere",
         ""});
  }
  const auto modes = translation.simulation->mode_energies();
  again.modes = {modes.begin(), modes.end()};
  return again;
}

// From the records of a bundle.
ProbeValues Measured(const ProbeMeter& meter, const Observation& record) {
  ProbeValues values;
  for (size_t i = 0; i < meter.probes().size(); ++i) {
    values.push_back(
        meter.Measure(i, record.points, record.velocities ? &*record.velocities : nullptr));
  }
  return values;
}

MotionScore ScoreOf(const Bundle& bundle, int body, const JudgingCost& by) {
  const Scene& scene = *bundle.experiment().scene;
  const std::vector<Probe> probes = ProbesIn(scene, by);
  std::optional<MadeAgain> again;
  if (!by.cost.mode_weights.empty() || NeedHoldForces(probes) || NeedContactForces(probes)) {
    again = MakeAgain(bundle, probes);
  }
  ScoredMotion motion(scene, body, bundle.backend().info(), by.cost, probes);
  const ProbeMeter meter(scene, probes);
  const Records records(bundle);
  const bool along = ReadsAlong(by.cost);
  const size_t last = bundle.frame_count() - 1;
  for (size_t frame = 0; frame <= last; ++frame) {
    if (!along && frame != 0 && frame != last) continue;
    const Observation record = records.At(frame);
    if (again) {
      motion.Add(record, again->modes, again->probes[frame]);
    } else {
      motion.Add(record, {}, Measured(meter, record));
    }
  }
  return motion.Score(bundle.outcome());
}

std::string CostText(const MotionScore& score) {
  return score.failure.empty() ? Digits(score.cost, 5) : "–";
}

// The motion of least cost; absent when none has a cost without a penalty.
std::optional<size_t> LeastOf(const std::vector<JudgedMotion>& motions, size_t cost) {
  std::optional<size_t> least;
  for (size_t i = 0; i < motions.size(); ++i) {
    const MotionScore& score = motions[i].scores[cost];
    if (!score.failure.empty() || score.violation > 0.0) continue;
    if (!least || score.cost < motions[*least].scores[cost].cost) least = i;
  }
  return least;
}

std::string RemarkOn(const MotionScore& score) {
  if (!score.failure.empty()) return score.failure;
  return score.violation > 0.0 ? "penalised: " + score.worst : "";
}

}  // namespace

JudgingCost ReadJudgingCost(const Experiment& experiment) {
  SearchCost read = ReadSearchCost(experiment);
  JudgingCost by;
  by.name = experiment.name;
  by.scene = SceneOf(experiment, read.backend);
  by.body = read.body;
  by.cost = std::move(read.cost);
  for (const Probe& probe : ProbesOf(experiment, read.backend)) {
    const std::vector<std::string> figures = ProbeFigureNames({probe});
    const bool used = std::ranges::any_of(by.cost.Figures(), [&](const std::string& figure) {
      return std::ranges::find(figures, figure) != figures.end();
    });
    if (used) by.probes.push_back(probe);
  }
  return by;
}

MotionScore JudgeMotion(const Bundle& bundle, const JudgingCost& by) {
  if (bundle.frame_count() == 0) return FailedScore(by.cost, bundle.outcome().reason);
  const Scene& scene = *bundle.experiment().scene;
  const std::optional<int> body = by.body ? BodyNamed(scene, *by.body) : 0;
  if (!body) return FailedScore(by.cost, "its scene has no body '" + *by.body + "'");
  for (const Measure measure : by.cost.Reads()) {
    if (IsMeasured(measure, bundle.backend().info())) continue;
    return FailedScore(by.cost, bundle.backend().info().name + " does not measure the " +
                                    MeasureInfos()[static_cast<size_t>(measure)].name +
                                    " of a motion");
  }
  try {
    return ScoreOf(bundle, *body, by);
  } catch (const BadInput& bad) {
    return FailedScore(by.cost, bad.what());
  }
}

FindingTable TableOfJudgements(const std::vector<std::string>& costs,
                               const std::vector<JudgedMotion>& motions) {
  FindingTable table;
  table.title = "Motions by cost";
  table.remark = "← the least of the column; * penalised; – cannot be judged, see below";
  table.columns = {"motion", "backend", "duration [s]"};
  table.columns.insert(table.columns.end(), costs.begin(), costs.end());
  for (const JudgedMotion& motion : motions) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row = {motion.name, motion.backend, Digits(motion.duration, 5)};
    for (const MotionScore& score : motion.scores) {
      row.push_back(CostText(score) + (score.violation > 0.0 ? " *" : ""));
    }
  }
  for (size_t c = 0; c < costs.size(); ++c) {
    if (const std::optional<size_t> least = LeastOf(motions, c)) table.rows[*least][3 + c] += " ←";
  }
  return table;
}

std::string CsvOfJudgements(const std::vector<std::string>& costs,
                            const std::vector<JudgedMotion>& motions) {
  std::string text = "motion,backend,duration_s";
  for (const std::string& cost : costs) text += "," + CsvCell(cost);
  text += ",remarks\n";
  for (const JudgedMotion& motion : motions) {
    text += CsvCell(motion.name) + "," + CsvCell(motion.backend) + "," + RoundTrip(motion.duration);
    std::string remarks = motion.sunk;
    for (size_t c = 0; c < costs.size(); ++c) {
      const MotionScore& score = motion.scores[c];
      text += "," + (score.failure.empty() ? RoundTrip(score.cost) : "");
      const std::string remark = RemarkOn(score);
      if (remark.empty()) continue;
      remarks += (remarks.empty() ? "" : "; ") + costs[c] + ": " + remark;
    }
    text += "," + CsvCell(remarks) + "\n";
  }
  return text;
}

std::vector<std::string> RemarksOn(const std::vector<std::string>& costs,
                                   const std::vector<JudgedMotion>& motions) {
  // Of a folder of searches many motions have the same remark.
  std::vector<std::pair<std::string, std::vector<std::string>>> same;  // remark, motions
  const auto remark = [&same](const JudgedMotion& motion, const std::string& words) {
    auto known = std::ranges::find(same, words, &decltype(same)::value_type::first);
    if (known == same.end()) known = same.insert(same.end(), {words, {}});
    known->second.push_back(motion.name);
  };
  for (const JudgedMotion& motion : motions) {
    if (!motion.sunk.empty()) remark(motion, ": " + motion.sunk);
    for (size_t c = 0; c < costs.size(); ++c) {
      const std::string words = RemarkOn(motion.scores[c]);
      if (!words.empty()) remark(motion, " by " + costs[c] + ": " + words);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [words, names] : same) {
    lines.push_back(FirstNames(names) + words);
  }
  return lines;
}

}  // namespace pliant
