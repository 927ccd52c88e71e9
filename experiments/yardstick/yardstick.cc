#include "experiments/yardstick/yardstick.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/bundles/csv.h"
#include "experiments/bundles/json_numbers.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/distance.h"
#include "experiments/refinement/refinement.h"
#include "experiments/yardstick/yardstick_cost.h"
#include "models/contact/has_contact.h"
#include "models/geometry/extent.h"
#include "models/scene/body_measures.h"
#include "models/scene/number_text.h"
#include "models/scene/rigid_motion.h"

namespace pliant {
namespace {

constexpr double kRatio = 2.0;
// Of an extent that hardly changes, a change of this share is what its error is measured by.
constexpr double kLeastExtent = 0.01;
constexpr double kRoundingOfScale = 1e-12;
// The part of what is tolerated that the strain of a rigid body may take.
constexpr double kRigid = 0.1;

bool IsEnergy(const std::string& name) {
  constexpr std::array kStored = {"kinetic_energy_J", "gravitational_energy_J", "elastic_energy_J",
                                  "spring_energy_J",  "contact_energy_J",       "total_energy_J"};
  return std::find(kStored.begin(), kStored.end(), name) != kStored.end();
}

bool IsExtent(const std::string& name) { return name == "extent_ratio"; }

// Those that a finer run changes for no other reason than its numerics.
bool IsObservable(const SeriesColumn& column) {
  return column.name != "time_s" && !IsCost(column.name) && column.name != "iterations" &&
         column.name != "condition_number" && column.name != "regularisation" &&
         column.name.find("residual") == std::string::npos;
}

// The runs of one ladder, read back.
struct ReadLadderRuns {
  std::vector<Bundle> bundles;
  Refinement refinement;
  const RefinedRun& run() const { return refinement.runs.front(); }
};

class Maker {
 public:
  Maker(const Experiment& experiment, std::filesystem::path out, int jobs,
        const YardstickHooks& hooks, const std::vector<const Backend*>& backends)
      : experiment_(experiment),
        out_(std::move(out)),
        jobs_(jobs),
        hooks_(hooks),
        backends_(backends) {
    result_.address = YardstickAddress(experiment, backends);
    result_.folder = out_ / result_.address;
    result_.tolerance = experiment.yardstick.tolerance;
  }

  Yardstick Make() {
    RequireSolvable();
    const int meshes = Extend("finer meshes", &result_.mesh, &Observable::mesh, [](int i) {
      return YardstickRung{{.mesh = i}, {}, {}};
    });
    if (Stopped()) return std::move(result_);
    const int steps = Extend("shorter steps", &result_.step, &Observable::step, [](int i) {
      return YardstickRung{{.halvings = i}, {}, {}};
    });
    if (Stopped()) return std::move(result_);
    int thinnings = 0;
    if (HasContact(*experiment_.scene)) {
      thinnings = Extend("thinner contact", &result_.contact, &Observable::contact, [](int i) {
        return YardstickRung{{.thinnings = i}, {}, {}};
      });
      if (Stopped()) return std::move(result_);
    }
    Tell(thinnings == 0 ? "finer meshes and shorter steps"
                        : "finer meshes, shorter steps and thinner contact");
    for (int i = kLeastRungs - 1; i >= 0; --i) {
      result_.joint.push_back(
          {{meshes - 1 - i, steps - 1 - i, std::max(0, thinnings - 1 - i)}, {}, {}});
    }
    const auto runs = RunRungs(&result_.joint);
    if (!runs) return std::move(result_);
    Measure(*runs, &Observable::joint);
    Judge(*runs);
    Write();
    return std::move(result_);
  }

 private:
  bool Stopped() const { return hooks_.stop.stop_requested() || !result_.failure.empty(); }

  void Tell(const std::string& words) {
    if (hooks_.on_ladder) hooks_.on_ladder(words);
  }

  // The translation of the coarsest rung is the same for all rungs. That a body is approximated by
  // elements is what refinement removes; anything else that is not exact is another scene.
  void RequireSolvable() {
    const Experiment coarsest = YardstickExperiment(experiment_, {}, backends_);
    const Translation translation = TranslateFor(coarsest, 0);
    if (translation.simulation == nullptr) {
      throw FileError(experiment_.name +
                      ": no yardstick: finite-elements: " + translation.record.WhyUnsupported());
    }
    for (const TranslatedElement& element : translation.record.Entries()) {
      const bool of_body = element.element.starts_with("body.") &&
                           std::count(element.element.begin(), element.element.end(), '.') == 1;
      if (element.fidelity == Fidelity::kExact || of_body || IsRigidBody(element)) continue;
      result_.spoiled.push_back(element.element + " is " + std::string(ToString(element.fidelity)) +
                                (element.reason.empty() ? "" : ": " + element.reason));
    }
  }

  // How rigid an approximation keeps a body is measured (RequireRigid).
  static bool IsRigidBody(const TranslatedElement& element) {
    return element.element.starts_with("body.") && element.element.ends_with(".rigid") &&
           element.fidelity == Fidelity::kApproximated;
  }

  // The strain of a rigid body displaces its points by no more than a tenth of what is tolerated of them; `way`: their
  // range [m].
  void RequireRigid(const Bundle& finest, double way) {
    const Scene& scene = *finest.experiment().scene;
    for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
      const Body& body = scene.bodies[static_cast<size_t>(b)];
      if (!body.rigid) continue;
      const double size = DiagonalOf(body.rest);
      double strain = 0.0;
      for (size_t f = 0; f < finest.frame_count(); ++f) {
        const auto measured =
            MeasureEdgeStrain(body, finest.Points(f).middleCols(scene.Offset(b), body.size()));
        if (measured) strain = std::max(strain, measured->max);
      }
      if (strain * size <= kRigid * result_.tolerance * way) continue;
      Spoil("body '" + body.name + "' is not rigid enough: a strain of " + ThreeDigits(strain));
    }
  }

  // The first of several reasons of one kind is enough.
  void Spoil(const std::string& why) {
    const std::string kind = why.substr(0, why.find(':'));
    if (std::ranges::none_of(result_.spoiled,
                             [&](const std::string& known) { return known.starts_with(kind); }))
      result_.spoiled.push_back(why);
  }

  // More and more rungs along one axis, until the error is at most half of what is tolerated; their number.
  template <typename MakeRung>
  int Extend(const std::string& words, std::vector<YardstickRung>* rungs,
             ErrorOverTime Observable::*estimate, const MakeRung& make) {
    Tell(words);
    for (int i = 0; i < kLeastRungs; ++i) rungs->push_back(make(i));
    while (true) {
      const auto runs = RunRungs(rungs);
      if (!runs) break;
      Measure(*runs, estimate);
      const int count = static_cast<int>(rungs->size());
      if (Worst(estimate) <= 0.5 * result_.tolerance || count >= experiment_.yardstick.levels)
        return count;
      rungs->push_back(make(count));
    }
    return static_cast<int>(rungs->size());
  }

  double Worst(ErrorOverTime Observable::*estimate) const {
    double worst = 0.0;
    for (const Observable& one : result_.observables) {
      if (one.judged && !(one.*estimate).error.empty() && one.scale > 0.0)
        worst = std::max(worst, (one.*estimate).error.back() / one.scale);
    }
    return worst;
  }

  std::optional<ReadLadderRuns> RunRungs(std::vector<YardstickRung>* rungs) {
    Ladder ladder{"mesh and step", kRatio, 1.0, {}, 0, {}};
    ladder.rungs.backends = backends_;
    for (YardstickRung& rung : *rungs) {
      rung.name = "mesh=" + std::to_string(1 << rung.finer.mesh) +
                  "_step=" + Digits(std::ldexp(1.0, -rung.finer.halvings)) + "x";
      if (rung.finer.thinnings > 0)
        rung.name += "_contact=" + Digits(std::ldexp(1.0, -rung.finer.thinnings)) + "x";
      SweepPoint& point = ladder.rungs.points.emplace_back();
      point.name = rung.name;
      // Elements, and somewhat more than these to factorise; steps.
      point.cost = std::exp2((experiment_.scene->dimension + 1) * rung.finer.mesh +
                             rung.finer.halvings + rung.finer.thinnings);
      point.experiment = YardstickExperiment(experiment_, rung.finer, backends_);
      ladder.sizes.push_back(std::pow(kRatio, -static_cast<double>(ladder.sizes.size())));
    }
    ladder.rungs.base = ladder.rungs.points.front().experiment;
    ladder.rungs.base.name = result_.address;  // of the folder
    SweepHooks hooks;
    hooks.stop = hooks_.stop;
    hooks.on_progress = hooks_.on_progress;
    const std::vector<SweepRun> runs = RunLadder(ladder, out_, jobs_, hooks);
    if (hooks_.stop.stop_requested()) return std::nullopt;
    for (size_t i = 0; i < rungs->size(); ++i) {
      (*rungs)[i].outcome = runs[i].run.outcome.kind;
      if (runs[i].run.outcome.kind == OutcomeKind::kTurnedInsideOut)
        Spoil("elements are inside out, which no body can be: " + runs[i].run.outcome.reason);
      if (RanToItsEnd(runs[i].run.outcome.kind)) continue;
      result_.failure =
          "the run " + (*rungs)[i].name + " ended as " +
          std::string(ToString(runs[i].run.outcome.kind)) +
          (runs[i].run.outcome.reason.empty() ? "" : ": " + runs[i].run.outcome.reason);
      return std::nullopt;
    }
    ReadLadderRuns read{{}, CollectLadder(ladder, runs)};
    for (const SweepRun& run : runs)
      read.bundles.push_back(Bundle::Open(run.run.bundle, backends_));
    return read;
  }

  // The difference of each rung from the one before, of each observable; their scales by the finest run.
  void Measure(const ReadLadderRuns& runs, ErrorOverTime Observable::*estimate) {
    if (result_.observables.empty()) ListObservables(runs);
    SetScales(runs);
    std::vector<std::array<std::vector<double>, 4>> apart;  // by rung
    for (size_t k = 0; k + 1 < runs.bundles.size(); ++k) {
      const DistanceSeries d = MeasureDistance(runs.bundles[k], runs.bundles[k + 1]);
      apart.push_back({d.rms, d.max, d.shape, d.placement});
      result_.times = d.times;
    }
    ConvergenceRules rules = runs.refinement.rules;
    for (size_t o = 0; o < result_.observables.size(); ++o) {
      Observable& one = result_.observables[o];
      rules.round_off = std::max(RoundOffOf(runs.run(), one.unit), kRoundingOfScale * one.scale);
      std::vector<std::vector<double>> differences;
      for (size_t k = 0; k + 1 < runs.bundles.size(); ++k) {
        differences.push_back(o < apart[k].size() ? apart[k][o]
                                                  : ColumnDifferences(runs, one.name, k));
      }
      one.*estimate = MeasureErrorOverTime(differences, rules);
    }
  }

  static std::vector<double> ColumnDifferences(const ReadLadderRuns& runs, const std::string& name,
                                               size_t k) {
    const auto coarse = runs.bundles[k].Column(name), fine = runs.bundles[k + 1].Column(name);
    std::vector<double> differences;
    for (size_t t = 0; t < fine.size(); ++t) differences.push_back(std::abs(*fine[t] - *coarse[t]));
    return differences;
  }

  void ListObservables(const ReadLadderRuns& runs) {
    for (const char* error : kPointErrors) {
      std::string name = error;
      name.replace(name.find("_error"), 6, "");
      result_.observables.push_back(
          {name, "m", 0.0, error == kPointErrors[0], {}, {}, {}, {}, {}, {}});
    }
    for (const SeriesColumn& column : runs.bundles.back().columns()) {
      if (!IsObservable(column)) continue;
      const bool defined = std::ranges::all_of(runs.bundles, [&](const Bundle& bundle) {
        const auto values = bundle.Column(column.name);
        return std::ranges::all_of(values, [](const auto& v) { return v && std::isfinite(*v); });
      });
      if (!defined) continue;
      result_.observables.push_back({column.name,
                                     column.unit,
                                     0.0,
                                     IsEnergy(column.name) || IsExtent(column.name),
                                     {},
                                     {},
                                     {},
                                     {},
                                     {},
                                     {}});
    }
  }

  void SetScales(const ReadLadderRuns& runs) {
    const Bundle& finest = runs.bundles.back();
    const Eigen::Matrix3Xd start = finest.Points(0);
    double way = 0.0, energy = 0.0;
    for (size_t f = 0; f < finest.frame_count(); ++f) {
      way = std::max(way,
                     PartsOfDistance(*finest.experiment().scene, finest.Points(f), start).points);
    }
    for (Observable& one : result_.observables) {
      one.scale = way;
      if (one.name.starts_with("points_")) continue;
      const auto values = finest.Column(one.name);
      const auto [least, most] = std::ranges::minmax_element(values);
      one.scale = **most - **least;
      if (IsExtent(one.name)) one.scale = std::max(one.scale, kLeastExtent);
      if (IsEnergy(one.name)) energy = std::max(energy, one.scale);
    }
    for (Observable& one : result_.observables) {
      if (IsEnergy(one.name)) one.scale = energy;
    }
    RequireRigid(finest, way);
  }

  void Judge(const ReadLadderRuns& runs) {
    const size_t times = runs.bundles.back().frame_count();
    size_t good = times;
    for (Observable& one : result_.observables) {
      ErrorOverTime separate = Sum(one.mesh, one.step);
      if (!one.contact.error.empty()) separate = Sum(separate, one.contact);
      one.total = Larger(separate, one.joint);
      const double allowed = result_.tolerance * one.scale;
      const auto first =
          std::ranges::find_if(one.total.error, [&](double error) { return !(error <= allowed); });
      const auto count = static_cast<size_t>(first - one.total.error.begin());
      if (count > 0) one.good_until = result_.times[count - 1];
      if (one.judged) good = std::min(good, count);
    }
    result_.settled = good == times;
    if (good > 0) result_.good_until = result_.times[good - 1];
  }

  void Write() const {
    std::vector<std::string> names = {"time_s"};
    for (size_t o = 0; o < result_.observables.size(); ++o) {
      names.push_back(o < std::size(kPointErrors) ? std::string(kPointErrors[o])
                                                  : result_.observables[o].name + "_error");
    }
    CsvWriter csv(result_.folder / kYardstickCsv, names);
    for (size_t t = 0; t < result_.times.size(); ++t) {
      SeriesRow row = {result_.times[t]};
      for (const Observable& one : result_.observables) row.emplace_back(one.total.error[t]);
      csv.Row(row);
    }
    csv.Close();
    Json observables = Json::array();
    for (const Observable& one : result_.observables) {
      observables.push_back({{"name", one.name},
                             {"unit", one.unit},
                             {"scale", one.scale},
                             {"judged", one.judged},
                             {"error", one.total.error.back()},
                             {"order_mesh", NumberToJson(one.mesh.order)},
                             {"order_step", NumberToJson(one.step.order)},
                             {"order_contact", NumberToJson(one.contact.order)},
                             {"order_joint", NumberToJson(one.joint.order)},
                             {"good_until_s", NumberToJson(one.good_until)}});
    }
    const Json json = {{"format", kYardstickFormat},
                       {"experiment", experiment_.name},
                       {"bundle", result_.joint.back().name + "/" + kYardstick},
                       {"tolerance", result_.tolerance},
                       {"settled", result_.settled},
                       {"good_until_s", NumberToJson(result_.good_until)},
                       {"spoiled", result_.spoiled},
                       {"observables", observables}};
    WriteFile(result_.folder / kYardstickJson, json.dump(2) + "\n");
  }

  const Experiment& experiment_;
  const std::filesystem::path out_;
  const int jobs_;
  const YardstickHooks& hooks_;
  const std::vector<const Backend*>& backends_;
  Yardstick result_;
};

}  // namespace

Yardstick MakeYardstick(const Experiment& experiment, const std::filesystem::path& out, int jobs,
                        const YardstickHooks& hooks, const std::vector<const Backend*>& backends) {
  return Maker(experiment, out, jobs, hooks, backends).Make();
}

}  // namespace pliant
