// A parameter either changes the run or the backend warns that it has no effect, and never both:
// every parameter of every backend, in every experiment that Pliant ships, and in scenes of which
// those have none.
//
// A change shows in what a run outputs within a few steps, from the start or from a moment at which
// more is going on: the first contact, or the last moment reached. Parameters that count only when
// something happens in a run that none of these moments shows are listed below with their cause.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "experiments/files/experiment.h"
#include "experiments/files/listing.h"
#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/experiments/slow_choice.h"

namespace pliant {
namespace {

constexpr int kSteps = 3;                  // of a run from each moment
constexpr int kMostSearchSteps = 2000;     // for the first contact of a case
constexpr int kMostSearchPoints = 100000;  // points times steps, at most
constexpr int kMostPoints = 700;  // larger scenes take long and show nothing that these do not

constexpr std::int64_t kSweeps = 20;  // at most, of formulations that sweep

// All numbers that a run outputs, and how its steps ended.
using Output = std::vector<double>;

void Append(const std::optional<double>& value, Output* output) {
  output->push_back(value.has_value() ? 1.0 : 0.0);
  output->push_back(value.value_or(0.0));
}

void AppendObservation(const Simulation& simulation, Output* output) {
  Observation o;
  simulation.Observe(&o);
  output->insert(output->end(), o.points.data(), o.points.data() + o.points.size());
  if (o.velocities) {
    output->insert(output->end(), o.velocities->data(),
                   o.velocities->data() + o.velocities->size());
  }
  if (o.work) {
    const auto numbers = o.work->Numbers();
    output->insert(output->end(), numbers.begin(), numbers.end());
  }
  for (const auto& value :
       {o.elastic_energy, o.spring_energy, o.contact_energy, o.constraint_energy,
        o.constraint_error, o.constraint_rate, o.condition_number, o.regularisation}) {
    Append(value, output);
  }
  output->push_back(static_cast<double>(o.iterations.value_or(-1)));
  for (const auto& extra : o.extras) Append(extra, output);
}

Output RunSteps(Simulation* simulation, double step) {
  Output output;
  AppendObservation(*simulation, &output);
  for (int i = 0; i < kSteps; ++i) {
    const StepOutcome outcome = simulation->Advance(step);
    output.push_back(static_cast<double>(outcome.kind));
    if (outcome.kind == StepOutcome::Kind::kDiverged) break;
    AppendObservation(*simulation, &output);
  }
  return output;
}

bool IsSame(const Output& a, const Output& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// A backend of an experiment, run from its moments.
struct Case {
  std::string name;
  std::shared_ptr<const Scene> scene;
  BackendChoice choice;
  double duration = 0.0;  // s, of the experiment
  std::vector<Eigen::VectorXd> moments = {};
  Output at_start = {};
  std::vector<Output> from_moments = {};
};

bool Touches(const Scene& scene, const Simulation& simulation) {
  Observation o;
  simulation.Observe(&o);
  const auto penetration = MeasurePenetration(scene, o.time, o.points);
  if (penetration && penetration->max > 0.0) return true;
  if (o.contact_energy.value_or(0.0) > 0.0) return true;  // also of bodies that meet
  return o.work && (*o.work)[WorkClass::kContact] != 0.0;
}

// Translates, runs from the start, and finds the moments. False for a scene that is refused.
bool Prepare(Case* one) {
  const auto translate = [one] {
    return one->choice.backend->Translate(one->scene, one->choice.parameters).simulation;
  };
  auto simulation = translate();
  if (simulation == nullptr) return false;
  one->at_start = RunSteps(simulation.get(), one->choice.step);
  simulation = translate();
  const int steps = std::min({kMostSearchSteps, kMostSearchPoints / one->scene->PointCount(),
                              static_cast<int>(std::lround(one->duration / one->choice.step))});
  bool touched = false;
  for (int i = 0; i < steps; ++i) {
    if (simulation->Advance(one->choice.step).kind == StepOutcome::Kind::kDiverged) break;
    if (!touched && Touches(*one->scene, *simulation)) {
      touched = true;
      one->moments.push_back(simulation->Save());
    }
  }
  one->moments.push_back(simulation->Save());
  for (const Eigen::VectorXd& moment : one->moments) {
    const auto again = translate();
    again->Restore(moment);
    one->from_moments.push_back(RunSteps(again.get(), one->choice.step));
  }
  return true;
}

void AddReal(double value, const ParameterInfo& info, std::vector<double>* values) {
  const bool above = info.range.open_lower ? value > info.range.lower : value >= info.range.lower;
  if (above && value <= info.range.upper) values->push_back(value);
}

// Other numbers for one number, near ones first.
std::vector<double> OtherReals(double value, const ParameterInfo& info) {
  std::vector<double> values;
  if (std::isinf(value)) value = 0.25;
  const double from = value == 0.0 ? 0.1 : value;
  for (const double factor : {1.0, 0.5, 1.5, -1.0, 1e-3, 1e3}) {
    if (factor * from != value) AddReal(factor * from, info, &values);
  }
  if (values.empty() && std::isfinite(info.range.upper)) AddReal(info.range.upper, info, &values);
  return values;
}

std::vector<ParameterValue> OtherValues(const ParameterValue& value, const ParameterInfo& info,
                                        const Scene& scene) {
  std::vector<ParameterValue> others;
  if (const auto* flag = std::get_if<bool>(&value)) {
    others.emplace_back(!*flag);
  } else if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    std::vector<double> reals;
    for (const double other : {*whole + 1.0, *whole - 1.0, 1.0, 3.0 * *whole}) {
      if (other != static_cast<double>(*whole)) AddReal(other, info, &reals);
    }
    for (const double real : reals) others.emplace_back(static_cast<std::int64_t>(real));
  } else if (const auto* real = std::get_if<double>(&value)) {
    for (const double other : OtherReals(*real, info)) others.emplace_back(other);
  } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
    if (reals->empty()) {
      others.emplace_back(std::vector<double>(scene.bodies.size(), 1.0));
    } else {
      for (const double other : OtherReals(reals->front(), info)) {
        others.emplace_back(std::vector<double>(reals->size(), other));
      }
      if (reals->size() == 2) others.emplace_back(std::vector<double>{(*reals)[1], (*reals)[0]});
    }
  } else if (const auto* word = std::get_if<std::string>(&value)) {
    for (const std::string& choice : info.choices) {
      if (choice != *word) others.emplace_back(choice);
    }
  } else if (const auto* words = std::get_if<std::vector<std::string>>(&value)) {
    if (words->empty()) others.emplace_back(std::vector<std::string>{"*"});
  }
  return others;
}

// What changes no number of a run, or only of one in which something happens that these do not
// show.
const std::map<std::string, std::string>& Exempt() {
  static const std::map<std::string, std::string> exempt = {
      {"threads", "the results are the same by design"},
      {"min_sweeps", "counts in steps whose gaps are within the tolerance"},
      {"link_contact", "counts when a link touches something"},
      {"max_sweeps", "counts in steps that need more sweeps"},
      {"tolerance", "counts in steps that need more sweeps than min_sweeps"},
      {"smallest_substep", "counts in steps that need a shorter substep"},
      {"change_modes_at", "counts from that time on"},
      {"at_rest_by", "counts when it is short enough to shorten a time"},
      {"bounce", "counts when a point hits an obstacle"},
      {"break_force", "counts when an edge bears that much"},
      {"break_resolution", "counts in steps whose tensions need more sweeps than their gaps"},
      {"casting", "counts when an obstacle touches"},
      {"contact_between", "counts when bodies come near each other"},
      {"contact_thickness", "counts when bodies come near each other"},
      {"correction_distance", "counts when a hinge is outside the dead band"},
      {"correction_speed", "counts when a hinge is outside the dead band"},
      {"feature_stiffness", "counts where a pressed level has features"},
      {"filter_fraction", "counts while forces and impulses act"},
      {"layer_thickness", "counts where the layer is pressed through"},
      {"newton_tolerance", "counts where a step needs more or fewer iterations to meet it"},
      {"obstacle_contact",
       "counts when an edge or a face is deeper in an obstacle than its points"},
      {"order", "counts in bodies of several joints"},
      {"relative_stiffness", "counts when surfaces meet"},
      {"relaxation", "counts in bodies of several joints"},
      {"relaxation_time", "counts when offsets relax"},
      {"damping_time", "counts while offsets change"},
      {"restriction", "counts where a pressed surface passes displacements to a coarser level"},
      {"plan_method", "counts where methods find different plans"},
      {"plan_friction_margin", "counts where the plan is at the border of the cone"},
      {"plan_starts", "counts where another start ends cheaper"},
      {"plan_threads", "the results are the same by design"},
      {"prolongation", "counts on surfaces that bend"},
      {"rides", "never holds bodies that nothing moves, as when-moved does"},
      {"stop_damping", "counts when a hinge is beyond its limits"},
      {"stop_stiffness", "counts when a hinge is beyond its limits"},
      {"surface_friction", "counts when surfaces meet"},
      {"surface_thickness", "counts when surfaces meet"},
      {"timed", "counts when a pose lasts for some time"},
      {"velocity_update", "counts while something accelerates points"},
  };
  return exempt;
}

struct Finding {
  bool changed = false, warned = false, valid = false;
};

Finding TryValue(const Case& one, const ParameterInfo& info, const ParameterValue& value) {
  Finding finding;
  BackendChoice choice = one.choice;
  choice.parameters[info.name] = value;
  Translation translation{TranslationRecord(*one.scene), nullptr, {}};
  const auto translate = [&] { return choice.backend->Translate(one.scene, choice.parameters); };
  try {
    translation = translate();
  } catch (const BadInput&) {
    return finding;
  }
  if (translation.simulation == nullptr) return finding;
  finding.valid = true;
  const std::string line = info.name + " has no effect";
  for (const std::string& warning : translation.warnings) {
    finding.warned = finding.warned || warning.starts_with(line);
  }
  const Eigen::VectorXd start = translation.simulation->Save();
  finding.changed = !IsSame(RunSteps(translation.simulation.get(), choice.step), one.at_start);
  for (size_t i = 0; i < one.moments.size() && !finding.changed; ++i) {
    finding.changed = start.size() != one.moments[i].size();
    if (finding.changed) break;
    translation.simulation->Restore(start);
    translation.simulation->Restore(one.moments[i]);
    finding.changed =
        !IsSame(RunSteps(translation.simulation.get(), choice.step), one.from_moments[i]);
  }
  return finding;
}

class ParametersCount : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Backends, ParametersCount, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Backend* backend : Backends()) {
                             names.push_back(backend->info().name);
                           }
                           return names;
                         }()),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

bool Sweeps(const BackendChoice& choice) {
  const std::vector<ParameterInfo> infos = choice.backend->Parameters();
  return std::any_of(infos.begin(), infos.end(),
                     [](const ParameterInfo& info) { return info.name == "max_sweeps"; });
}

// A beam that is pushed in its middle, as far from both ends, and begins at rest: what resists deformation has nothing to do,
// which no warning can know beforehand.
bool NeverDeforms(const std::string& file, const std::string& backend) {
  return file == "between-points" && backend == "linear-deformation";
}

// Impulses take a block out of a floor, and nothing holds it.
Case BlockOnFloor(const std::string& backend) {
  Scene scene;
  scene.name = "block-on-floor";
  scene.bodies = {MakeBlock("block", {0.4, 0.3, 0.5}, {2, 2, 2}, 1.0)};
  scene.bodies[0].position.y() = 0.16;
  scene.bodies[0].orientation = Eigen::AngleAxisd(0.05, Eigen::Vector3d(1, 2, 3).normalized());
  scene.bodies[0].velocity = {0.3, -0.5, 0.0};
  scene.obstacles = {{"floor", Plane{{0, 1, 0}}, Path::Still({0, 0, 0}), 0.3, 0.2}};
  return {"block on floor",
          std::make_shared<const Scene>(scene),
          {"impulses", FindBackend(backend), {{"contact", std::string("impulse")}}, 1e-3},
          0.2};
}

bool IsOfPlan(const std::string& parameter) {
  return parameter.starts_with("jump_") || parameter.starts_with("plan_") ||
         parameter.starts_with("tracking_") || parameter == "time_weight";
}

// Every time free, on a coarse mesh.
Case PlannedJelly() {
  const Experiment experiment =
      ReadExperiment(PLIANT_SOURCE_DIR "/tests/audit/experiments/mode-plan.toml");
  BackendChoice choice = experiment.backends.at(1);
  choice.parameters["plan_step"] = 0.02;
  return {"planned jelly", experiment.scene, choice, 0.3};
}

std::vector<Case> CasesOf(const std::string& backend) {
  std::vector<Case> cases;
  if (backend == "dynamic-ffd") cases.push_back(PlannedJelly());
  if (backend == "linear-deformation") cases.push_back(BlockOnFloor(backend));
  for (const ListedFile& file : ListExperiments(PLIANT_SOURCE_DIR "/experiments")) {
    if (NeverDeforms(file.name, backend)) continue;
    const Experiment experiment = ReadExperiment(file.file);
    for (const BackendChoice& choice : experiment.backends) {
      if (choice.backend->info().name != backend) continue;
      if (experiment.scene->PointCount() > kMostPoints) continue;
      if (IsSlow(choice)) continue;
      cases.push_back(
          {file.name + "/" + choice.label, experiment.scene, choice, experiment.plan.duration});
      if (Sweeps(choice)) cases.back().choice.parameters["max_sweeps"] = kSweeps;
    }
  }
  return cases;
}

TEST_P(ParametersCount, OrWarnThatTheyHaveNoEffect) {
  for (Case& one : CasesOf(GetParam())) {
    if (!Prepare(&one)) continue;
    for (const ParameterInfo& info : one.choice.backend->Parameters()) {
      // Each of them makes a plan again; all others are tried without one.
      if (FollowsPlan(one.choice) && !IsOfPlan(info.name)) continue;
      const auto given = one.choice.parameters.find(info.name);
      const ParameterValue& value =
          given == one.choice.parameters.end() ? info.default_value : given->second;
      bool changed = false, warned = false, valid = false;
      for (const ParameterValue& other : OtherValues(value, info, *one.scene)) {
        const Finding finding = TryValue(one, info, other);
        if (!finding.valid) continue;
        valid = true;
        changed = changed || finding.changed;
        warned = warned || finding.warned;
        EXPECT_FALSE(finding.changed && finding.warned)
            << one.name << ": " << info.name << " changes the run, but a warning says otherwise";
        if (finding.changed || finding.warned || Exempt().contains(info.name)) break;
      }
      EXPECT_TRUE(!valid || changed || warned || Exempt().contains(info.name))
          << one.name << ": " << info.name << " changes nothing, and no warning says so";
    }
  }
}

}  // namespace
}  // namespace pliant
