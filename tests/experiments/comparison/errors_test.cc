// Errors against a reference, held against closed forms: two oscillations with a known phase, a body that is only displaced.

#include "experiments/comparison/errors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "experiments/comparison/comparison_table.h"
#include "experiments/comparison/distance.h"
#include "experiments/comparison/phase.h"
#include "tests/experiments/bundles.h"

namespace pliant {
namespace {

constexpr double kPi = std::numbers::pi;

Curve Sampled(double until, double interval, const auto& x) {
  Curve curve;
  for (int i = 0; i * interval <= until + 1e-12; ++i) {
    curve.times.push_back(i * interval);
    curve.values.push_back(x(i * interval));
  }
  return curve;
}

TEST(PhaseError, OfTwoOscillationsIsThatTheyWereMadeWith) {
  for (const double lead : {0.3, -2.0, 3.0}) {
    for (const double decay : {0.0, 0.4}) {
      for (const double sign : {1.0, -1.0}) {
        const auto wave = [&](double frequency, double phase) {
          return Sampled(4.0, 0.02, [=](double t) {
            return 0.7 + sign * std::exp(-decay * t) * std::cos(frequency * t + phase);
          });
        };
        const auto same = MeasurePhaseError(wave(9.0, 0.5 + lead), wave(9.0, 0.5));
        ASSERT_TRUE(same);
        EXPECT_NEAR(same->first, lead, 1e-7);
        EXPECT_NEAR(same->last, lead, 1e-7);
        const auto faster = MeasurePhaseError(wave(11.5, 0.5 + lead), wave(9.0, 0.5));
        ASSERT_TRUE(faster);
        EXPECT_NEAR(faster->first, lead, 1e-7);
        EXPECT_NEAR(faster->last, lead + 2.5 * 4.0, 1e-6) << "a whole turn and more";
        EXPECT_NEAR(faster->largest(), std::max(std::abs(lead), std::abs(lead + 10.0)), 1e-6);
      }
    }
  }
}

TEST(PhaseError, IsNotDefinedWithoutTwoOscillations) {
  const auto wave = Sampled(4.0, 0.02, [](double t) { return std::cos(9.0 * t); });
  const auto fall = Sampled(4.0, 0.02, [](double t) { return -5.0 * t * t; });
  EXPECT_FALSE(MeasurePhaseError(fall, wave));
  EXPECT_FALSE(MeasurePhaseError(wave, fall));
}

std::optional<double> FigureIn(const ComparisonTable& table, size_t row, const std::string& name) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return table.rows[row].values.at(c);
  }
  ADD_FAILURE() << "no column " << name;
  return std::nullopt;
}

// Of NAME-scene.toml by linear-deformation under the label `name`, with these more keys.
Bundle RunOf(const ScratchFolder& folder, const std::string& name, double duration, double step,
             const std::string& keys = "") {
  WriteFile(folder / (name + ".toml"),
            "title = \"A run\"\nscene = \"" + name +
                "-scene.toml\"\n[run]\nduration = " + std::to_string(duration) +
                "\nstep = " + std::to_string(step) + "\nrecord_every = 0.02\n[backends." + name +
                "]\nformulation = \"linear-deformation\"\n" + keys);
  const Experiment experiment = ReadExperiment(folder / (name + ".toml"));
  return Bundle::Open(RunTestBackend(experiment, 0, folder / "runs").bundle);
}

// A body of 1 kg that springs pull back to where it starts moves rigidly, x = v/ω sin ω t.
constexpr double kOmega = 10.0, kFaster = 10.6, kSpeed = 0.5, kUntil = 2.0;

Bundle Swinging(const ScratchFolder& folder, const std::string& name, double omega) {
  WriteFile(folder / (name + "-scene.toml"), R"(
name = "swing"
gravity = [0, 0, 0]
[[body]]
name = "block"
shape = "block"
size = [0.4, 0.3, 0.2]
points = [2, 2, 2]
mass = 1.0
velocity = [0.3, 0.4, 0.0]
[[spring]]
name = "home"
body = "block"
points = "all"
anchor = "start"
damping = 0
stiffness = )" + std::to_string(omega * omega / 8.0));
  return RunOf(folder, name, 2.0, 0.005, R"(
integrator = "rk4"
stretch_stiffness = 1
volume_stiffness = 1
)");
}

// A block of 4 kg and 8 points at rest, and one of 1 kg and 27 points that moves at `speed`.
Bundle Passing(const ScratchFolder& folder, const std::string& name, double speed) {
  WriteFile(folder / (name + "-scene.toml"), R"(
name = "pass"
gravity = [0, 0, 0]
[[body]]
name = "heavy"
shape = "block"
size = [0.4, 0.3, 0.2]
points = [2, 2, 2]
mass = 4.0
[[body]]
name = "light"
shape = "block"
size = [0.4, 0.3, 0.2]
points = [3, 3, 3]
mass = 1.0
position = [0, 5, 0]
velocity = [)" + std::to_string(speed) + ", 0, 0]\n");
  return RunOf(folder, name, 1.0, 0.01);
}

TEST(Distance, OfABodyCountsByItsMassHoweverManyPointsItHas) {
  const ScratchFolder folder;
  const DistanceSeries apart =
      MeasureDistance(Passing(folder, "moving", 0.5), Passing(folder, "still", 0.0));
  for (size_t i = 0; i < apart.times.size(); ++i) {
    const double way = 0.5 * apart.times[i];
    EXPECT_NEAR(apart.rms[i], way * std::sqrt(1.0 / 5.0), 1e-9);
    EXPECT_NEAR(apart.placement[i], apart.rms[i], 1e-9);
    EXPECT_NEAR(apart.max[i], way, 1e-9);
  }
}

class RigidSwing : public testing::Test {
 protected:
  static double Apart(double t) {
    return kSpeed * std::abs(std::sin(kFaster * t) / kFaster - std::sin(kOmega * t) / kOmega);
  }
  // Largest over the records up to `until` [s].
  template <typename F>
  static double Largest(const F& f, double until) {
    double largest = 0.0;
    for (int i = 0; 0.02 * i <= until + 1e-9; ++i) largest = std::max(largest, f(0.02 * i));
    return largest;
  }

  const ScratchFolder folder_;
  const Bundle slow_ = Swinging(folder_, "slow", kOmega),
               fast_ = Swinging(folder_, "fast", kFaster);
  std::vector<Bundle> bundles_ = [this] {
    std::vector<Bundle> bundles;
    for (const Bundle* bundle : {&slow_, &fast_}) bundles.push_back(Bundle::Open(bundle->path()));
    return bundles;
  }();
  const ComparisonTable table_ = CompareBundles(bundles_, "slow");
};

TEST_F(RigidSwing, HasTheDistancesOfTheClosedForm) {
  ASSERT_TRUE(table_.problems.empty()) << table_.problems.front();
  const auto value = [&](const char* name) { return FigureIn(table_, 1, name).value(); };
  EXPECT_NEAR(value("distance_to_reference_rms_m"), Largest(Apart, kUntil), 1e-6);
  EXPECT_NEAR(value("distance_to_reference_rms_early_m"), Largest(Apart, 0.25 * kUntil), 1e-6);
  EXPECT_NEAR(value("distance_to_reference_rms_final_m"), Apart(kUntil), 1e-6);
  double squares = 0.0;
  for (int i = 0; i < 100; ++i)
    squares += 0.01 * (std::pow(Apart(0.02 * i), 2) + std::pow(Apart(0.02 * (i + 1)), 2));
  EXPECT_NEAR(value("distance_to_reference_rms_over_time_m"), std::sqrt(squares / kUntil), 1e-6);
  EXPECT_LT(value("distance_to_reference_rms_early_m"), value("distance_to_reference_rms_m"));
}

TEST_F(RigidSwing, HasNoErrorOfShapeAndAllOfItIsPlace) {
  for (const char* name :
       {"distance_to_reference_shape_m", "distance_to_reference_shape_early_m",
        "distance_to_reference_shape_over_time_m", "distance_to_reference_shape_final_m",
        "error_of_extent_ratio_max", "error_of_elastic_energy_max_J"}) {
    EXPECT_NEAR(FigureIn(table_, 1, name).value(), 0.0, 1e-10) << name;
  }
  for (const char* when : {"_over_time_m", "_final_m", "_early_m"}) {
    EXPECT_NEAR(FigureIn(table_, 1, std::string("distance_to_reference_placement") + when).value(),
                FigureIn(table_, 1, std::string("distance_to_reference_rms") + when).value(),
                1e-10);
  }
}

TEST_F(RigidSwing, HasThePhaseTheEnergyAndTheImpulseOfTheClosedForm) {
  const auto value = [&](const char* name) { return FigureIn(table_, 1, name).value(); };
  EXPECT_NEAR(value("phase_error_final_rad"), (kFaster - kOmega) * kUntil, 1e-4);
  EXPECT_NEAR(value("phase_error_max_rad"), (kFaster - kOmega) * kUntil, 1e-4);
  const auto kinetic = [](double t) {
    return 0.5 * kSpeed * kSpeed *
           std::abs(std::pow(std::cos(kFaster * t), 2) - std::pow(std::cos(kOmega * t), 2));
  };
  EXPECT_NEAR(value("error_of_kinetic_energy_max_J"), Largest(kinetic, kUntil), 1e-6);
  EXPECT_NEAR(value("error_of_kinetic_energy_early_J"), Largest(kinetic, 0.5), 1e-6);
  EXPECT_NEAR(value("error_of_kinetic_energy_final_J"), kinetic(kUntil), 1e-6);
  const auto momentum = [](double t) {
    return kSpeed * std::abs(std::cos(kFaster * t) - std::cos(kOmega * t));
  };
  EXPECT_NEAR(value("error_of_momentum_max_kg_m_s"), Largest(momentum, kUntil), 1e-5);
  EXPECT_NEAR(value("error_of_momentum_final_kg_m_s"), momentum(kUntil), 1e-5);
}

TEST_F(RigidSwing, AheadOrBehindIsTheSignAndTheReferenceHasNone) {
  EXPECT_NEAR(FigureIn(table_, 0, "phase_error_final_rad").value(), 0.0, 1e-9);
  const ComparisonTable other = CompareBundles(bundles_, "fast");
  EXPECT_NEAR(FigureIn(other, 0, "phase_error_final_rad").value(), -(kFaster - kOmega) * kUntil,
              1e-4);
  EXPECT_NEAR(FigureIn(other, 0, "phase_error_max_rad").value(), (kFaster - kOmega) * kUntil, 1e-4);
}

TEST_F(RigidSwing, TheYardsticksOwnErrorsAreTakenAsTheFiguresAre) {
  const DistanceSeries distance = MeasureDistance(fast_, slow_);
  KeptYardstick kept{Bundle::Open(slow_.path()), true, {}, {}, {}, {}};
  for (int i = 0; i <= 100; ++i) {
    kept.times.push_back(0.02 * i);
    kept.errors["points_rms_error_m"].push_back(1e-3 * 0.02 * i);  // e(t) = 1e-3 t
    for (const char* axis : {"x", "y", "z"})
      kept.errors[std::string("momentum_") + axis + "_kg_m_s_error"].push_back(0.02 * i);
  }
  const auto own = ErrorsOfYardstick(kept, distance, kUntil, 0.01);
  const std::vector<SeriesColumn> columns = ErrorColumns("yardstick");
  ASSERT_EQ(own.size(), columns.size());
  const auto value = [&](const std::string& name) {
    const auto place = std::ranges::find(columns, name, &SeriesColumn::name);
    return own.at(static_cast<size_t>(place - columns.begin()));
  };
  EXPECT_NEAR(value("distance_to_reference_rms_early_m").value(), 0.5e-3, 1e-12);
  EXPECT_NEAR(value("distance_to_reference_rms_final_m").value(), 2e-3, 1e-12);
  EXPECT_NEAR(value("distance_to_reference_rms_over_time_m").value(), 2e-3 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(value("error_of_momentum_max_kg_m_s").value(), 2.0 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(value("phase_error_final_rad").value(), std::asin(0.2), 1e-12);
  EXPECT_FALSE(value("error_of_kinetic_energy_max_J")) << "not known";
  EXPECT_NEAR(ErrorsOfYardstick(kept, distance, kUntil, 1e-3).back().value(), kPi, 1e-12);
}

TEST(ErrorColumns, HaveOneFigureOfTheYardstickEachAndNoNameTwice) {
  std::set<std::string> names;
  for (const SeriesColumn& column : ErrorColumns("yardstick")) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
    EXPECT_TRUE(names.insert(YardstickErrorName(column.name)).second) << column.name;
    EXPECT_TRUE(column.unit == "1" || column.name.ends_with(UnitSuffix(column.unit)));
  }
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(YardstickErrorName(DistanceColumns("yardstick")[i].name),
              YardstickErrorColumns()[i].name);
  }
  EXPECT_EQ(YardstickErrorName("edge_strain_max"), "");
}

}  // namespace
}  // namespace pliant
