#include "experiments/refinement/refinement.h"

#include <algorithm>
#include <cmath>

#include "experiments/bundles/bundle.h"
#include "experiments/refinement/record_spacing.h"
#include "experiments/runs/probe_figures.h"
#include "experiments/sweeps/sweep_table.h"
#include "models/scene/extent.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

constexpr double kRoundOff = 1e-12;

// Decides which rungs count: those that ended no worse than the finest.
void ChooseRungs(const std::vector<SweepPoint>& points, RefinedRun* run) {
  const OutcomeKind finest = run->outcomes.back().kind;
  run->first = run->rungs();
  if (!RanToItsEnd(finest)) {
    run->left_out =
        "all rungs: " + points.back().name + " ended as " + std::string(ToString(finest));
    return;
  }
  while (run->first > 0 && run->outcomes[run->first - 1].kind <= finest) --run->first;
  if (run->first == 0) return;
  const RunOutcome& unstable = run->outcomes[run->first - 1];
  run->left_out = (run->first > 1 ? "the rungs up to " : "the rung ") +
                  points[run->first - 1].name + ", which ended as " +
                  std::string(ToString(unstable.kind)) +
                  (unstable.reason.empty() ? "" : " (" + unstable.reason + ")");
}

void ReadScales(const Scene& scene, RefinedRun* run) {
  run->length_scale = ExtentOf(scene);
  run->mass = scene.Masses().sum();
  for (const RunOutcome& outcome : run->outcomes) {
    run->energy_scale = std::max(run->energy_scale, outcome.energy_at_stake.value_or(0.0));
  }
}

}  // namespace

std::vector<SweepRun> RunLadder(const Ladder& ladder, const std::filesystem::path& out, int jobs,
                                const SweepHooks& hooks) {
  return RunSweep(ladder.rungs, out, {jobs, true, true}, hooks);
}

Refinement CollectLadder(const Ladder& ladder, const std::vector<SweepRun>& runs) {
  Refinement refinement{ladder.axis,
                        ladder.sizes,
                        ladder.file_rung,
                        {ladder.ratio, ladder.assumed_order, 0.0},
                        {},
                        {},
                        {}};
  const SweepTable table = CollectSweep(ladder.rungs, runs);
  refinement.figures = table.table.columns;
  refinement.problems = table.table.problems;
  refinement.probe_figures = ProbeFigureNames(ladder.rungs.base.probes);
  refinement.yardstick_of_other_scene = table.table.yardstick_of_other_scene;
  for (const SweepPoint& rung : ladder.rungs.points)
    refinement.record_spacings.push_back(rung.experiment.plan.record_every);
  const size_t backends = ladder.rungs.base.backends.size();
  for (size_t index = 0; index < backends; ++index) {
    const BackendChoice& choice = ladder.rungs.base.backends[index];
    RefinedRun& run = refinement.runs.emplace_back();
    run.label = choice.label;
    run.backend = choice.backend->info().name;
    run.columns = ColumnsOf(ladder.rungs.base, index);
    for (size_t rung = 0; rung < ladder.sizes.size(); ++rung) {
      const ComparisonRow& row = table.table.rows[rung * backends + index];
      run.outcomes.push_back(row.outcome);
      run.bundles.push_back(row.bundle);
      run.figures.push_back(row.values);
      run.rows.emplace_back();
      if (row.bundle.empty()) continue;
      Bundle bundle = Bundle::Open(row.bundle, ladder.rungs.backends);
      run.rows.back() = bundle.rows();
      if (rung + 1 == ladder.sizes.size())
        run.sparse_figures = FiguresOfSparserRecords(bundle, refinement.figures);
    }
    ChooseRungs(ladder.rungs.points, &run);
    ReadScales(*SceneOf(ladder.rungs.base, index), &run);
  }
  return refinement;
}

double RoundOffOf(const RefinedRun& run, const std::string& unit) {
  const double momentum = std::sqrt(2.0 * run.mass * run.energy_scale);
  if (unit == "1" || unit == "rad") return kRoundOff;
  if (unit == "J") return kRoundOff * run.energy_scale;
  if (unit == "m") return kRoundOff * run.length_scale;
  if (unit == "m/s" && run.mass > 0.0) return kRoundOff * momentum / run.mass;
  if (unit == "N" && run.length_scale > 0.0) return kRoundOff * run.energy_scale / run.length_scale;
  if (unit == "kg m/s" || unit == "N s") return kRoundOff * momentum;
  if (unit == "kg m²/s") return kRoundOff * momentum * run.length_scale;
  return 0.0;
}

std::optional<Convergence> ConvergenceOf(const Refinement& refinement, const RefinedRun& run,
                                         const std::vector<std::optional<double>>& values,
                                         const std::string& unit) {
  std::vector<double> counted;
  for (size_t rung = run.first; rung < values.size(); ++rung) {
    if (!values[rung] || !std::isfinite(*values[rung])) return std::nullopt;
    counted.push_back(*values[rung]);
  }
  if (counted.empty()) return std::nullopt;
  ConvergenceRules rules = refinement.rules;
  rules.round_off = RoundOffOf(run, unit);
  return MeasureConvergence(counted, rules);
}

std::vector<std::optional<double>> ColumnAt(const RefinedRun& run, size_t column, double time) {
  std::vector<std::optional<double>> values;
  for (const std::vector<SeriesRow>& rows : run.rows) {
    std::optional<double>& value = values.emplace_back();
    for (const SeriesRow& row : rows) {
      if (std::abs(row[0].value_or(-1.0) - time) <= 1e-9 * std::max(1.0, time)) value = row[column];
    }
  }
  return values;
}

std::vector<double> ChangesOf(const RefinedRun& run, size_t column) {
  std::vector<double> changes;
  for (size_t rung = run.first; rung + 1 < run.rungs(); ++rung) {
    const std::vector<SeriesRow>&coarse = run.rows[rung], &fine = run.rows[rung + 1];
    if (coarse.size() != fine.size() || coarse.empty()) return {};
    double squares = 0.0;
    for (size_t i = 0; i < coarse.size(); ++i) {
      const std::optional<double>&a = coarse[i][column], &b = fine[i][column];
      if (a.has_value() != b.has_value()) return {};
      if (!a) continue;
      squares += (*b - *a) * (*b - *a);
    }
    changes.push_back(std::sqrt(squares / static_cast<double>(coarse.size())));
    if (!std::isfinite(changes.back())) return {};
  }
  return changes;
}

void AddLimits(const Refinement& refinement, ComparisonTable* table) {
  for (const RefinedRun& run : refinement.runs) {
    const auto row = std::ranges::find(table->rows, run.label, &ComparisonRow::label);
    if (row == table->rows.end()) continue;
    for (size_t f = 0; f < refinement.figures.size(); ++f) {
      const SeriesColumn& figure = refinement.figures[f];
      std::vector<std::optional<double>> values;
      for (const auto& of_rung : run.figures) values.push_back(of_rung[f]);
      const auto c = ConvergenceOf(refinement, run, values, figure.unit);
      if (IsCost(figure.name) || !c || !c->band) continue;
      row->limits[figure.name] = {c->value, *c->band};
    }
  }
}

bool IsCost(const std::string& name) {
  return name.starts_with("step_") || name == "preparation_time_s" ||
         name.starts_with("real_time_factor") || IsTiming(name);
}

}  // namespace pliant
