#include "experiments/runs/series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>

#include "experiments/bundles/headline.h"
#include "models/scene/shapes.h"

namespace pliant {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsNan;
using ::testing::Optional;

// The header of series.csv: a contract that other programs rely on.
const std::vector<std::string> kContract = [] {
  std::istringstream names(
      "time_s kinetic_energy_J gravitational_energy_J elastic_energy_J spring_energy_J "
      "contact_energy_J constraint_energy_J total_energy_J residual_energy_J made_energy_J "
      "numerical_energy_J work_force_J work_impulse_J work_moved_obstacles_J "
      "work_moved_nails_J work_control_J work_contact_J work_constraint_J work_damping_J "
      "momentum_x_kg_m_s momentum_y_kg_m_s momentum_z_kg_m_s angular_momentum_x_kg_m2_s "
      "angular_momentum_y_kg_m2_s angular_momentum_z_kg_m2_s momentum_residual_kg_m_s "
      "angular_momentum_residual_kg_m2_s spin_x_kg_m2_s spin_y_kg_m2_s spin_z_kg_m2_s "
      "centre_x_m centre_y_m centre_z_m edge_strain_max edge_strain_rms extent_ratio "
      "signed_extent_ratio cell_ratio_min "
      "constraint_error_m constraint_rate_m_s penetration_m penetration_rms_m "
      "obstacle_depth_m body_depth_m self_crossings body_crossings condition_number "
      "regularisation iterations step_time_s step_cpu_time_s");
  return std::vector<std::string>{std::istream_iterator<std::string>(names), {}};
}();

// A dumbbell of 2 kg + 1 kg in the plane, above a floor.
class SeriesTest : public ::testing::Test {
 protected:
  SeriesTest() {
    Body body = MakeChain("dumbbell", {0, 0, 0}, {2, 0, 0}, 2, 3.0);
    body.mass << 2.0, 1.0;
    scene_->bodies.push_back(body);
    scene_->gravity = {0, -10, 0};
    scene_->obstacles.push_back({"floor", Plane{}});
    info_.extras = {{"gain", "1", "of the surface"}, {"drift_rate_m_s", "m/s", "of a gap"}};
    seen_.time = 0.5;
    seen_.points.resize(3, 2);
    seen_.points << 0, 3, 1, -0.25, 0, 0;
    seen_.velocities.emplace(3, 2);
    *seen_.velocities << 1, 0, 0, 2, 0, 0;
    seen_.elastic_energy = 7.0;
    seen_.spring_energy = 0.5;
    seen_.contact_energy = 0.25;
    seen_.constraint_energy = 0.125;
    seen_.work = Exchange{{1.0, 2.0, 7.0, 8.0, 5.0, -3.0, 4.0, -6.0}};
    seen_.constraint_error = 1e-3;
    seen_.constraint_rate = 2e-3;
    seen_.condition_number = 100.0;
    seen_.iterations = 42;
    seen_.extras = {0.75, std::nullopt};
  }

  std::map<std::string, std::optional<double>> Row(SeriesRecorder* recorder,
                                                   StepSeconds step_seconds = {0.01, 0.008}) {
    const SeriesRow row = recorder->Row(seen_, step_seconds);
    const auto& columns = recorder->columns();
    EXPECT_EQ(row.size(), columns.size());
    std::map<std::string, std::optional<double>> by_name;
    for (size_t i = 0; i < columns.size(); ++i) by_name[columns[i].name] = row[i];
    return by_name;
  }

  std::shared_ptr<Scene> scene_ = std::make_shared<Scene>();
  BackendInfo info_;
  Observation seen_;
};

TEST_F(SeriesTest, ColumnsAreTheContractThenTheExtras) {
  std::vector<std::string> expected = kContract;
  expected.insert(expected.end(), {"gain", "drift_rate_m_s"});
  const std::vector<SeriesColumn> columns = SeriesColumns(info_);
  EXPECT_THAT(ColumnNames(columns), ElementsAreArray(expected));
  EXPECT_EQ(columns[kContract.size()].unit, "1");
  EXPECT_EQ(columns[kContract.size() + 1].unit, "m/s");
  for (const SeriesColumn& column : columns) {
    EXPECT_NE(column.meaning, "") << column.name;
    EXPECT_NE(column.unit, "") << column.name;
  }
}

TEST_F(SeriesTest, AnExtraOfEachBodyIsAColumnForEach) {
  const BackendInfo info = {.extras = {{"gain", "1", "gain"},
                                       {"pose.{body}", "1", "pose of '{body}'"},
                                       {"drift_m", "m", "drift"}}};
  Scene scene;
  scene.bodies.resize(2);
  scene.bodies[0].name = "left";
  scene.bodies[1].name = "right";
  const std::vector<SeriesColumn> columns = SeriesColumns(info, scene);
  ASSERT_EQ(columns.size(), kContract.size() + 4);
  const auto extra = columns.begin() + static_cast<std::ptrdiff_t>(kContract.size());
  EXPECT_EQ(extra[0].name, "gain");
  EXPECT_EQ(extra[1].name, "pose.left");
  EXPECT_EQ(extra[2].name, "pose.right");
  EXPECT_EQ(extra[2].meaning, "pose of 'right'");
  EXPECT_EQ(extra[3].name, "drift_m");
}

// Of a formulation whose material is more than its points.
TEST_F(SeriesTest, SumsOfTheMaterialStandForThoseOfThePoints) {
  MaterialSums sums;
  sums.kinetic_energy = 11.0;
  sums.gravitational_energy = 12.0;
  sums.momentum = {1.0, 2.0, 0.5};
  sums.angular_momentum = {0.3, 0.2, 4.0};
  sums.centre = {0.5, -0.25, 2.0};
  sums.mass = 3.0;
  seen_.sums = sums;
  SeriesRecorder recorder(scene_, info_);
  auto row = Row(&recorder);
  EXPECT_THAT(row["kinetic_energy_J"], Optional(11.0));
  EXPECT_THAT(row["momentum_y_kg_m_s"], Optional(2.0));
  EXPECT_THAT(row["angular_momentum_z_kg_m2_s"], Optional(4.0));
  EXPECT_THAT(row["centre_y_m"], Optional(-0.25));
  // L − c × p
  EXPECT_THAT(row["spin_x_kg_m2_s"], Optional(DoubleNear(0.3 - (-0.25 * 0.5 - 2.0 * 2.0), 1e-14)));
  EXPECT_THAT(row["spin_y_kg_m2_s"], Optional(DoubleNear(0.2 - (2.0 * 1.0 - 0.5 * 0.5), 1e-14)));
  EXPECT_THAT(row["spin_z_kg_m2_s"], Optional(DoubleNear(4.0 - (0.5 * 2.0 + 0.25 * 1.0), 1e-14)));
}

TEST_F(SeriesTest, EveryColumnHoldsWhatItsNameSays) {
  SeriesRecorder recorder(scene_, info_);
  auto row = Row(&recorder);
  EXPECT_THAT(row["time_s"], Optional(0.5));
  EXPECT_THAT(row["kinetic_energy_J"], Optional(0.5 * 2 * 1 + 0.5 * 1 * 4));
  EXPECT_THAT(row["gravitational_energy_J"], Optional(2 * 10 * 1 - 1 * 10 * 0.25));
  EXPECT_THAT(row["elastic_energy_J"], Optional(7.0));
  EXPECT_THAT(row["spring_energy_J"], Optional(0.5));
  EXPECT_THAT(row["contact_energy_J"], Optional(0.25));
  EXPECT_THAT(row["constraint_energy_J"], Optional(0.125));
  EXPECT_THAT(row["total_energy_J"], Optional(3 + 17.5 + 7 + 0.5 + 0.25 + 0.125));
  EXPECT_THAT(row["residual_energy_J"],
              Optional(0.0));  // the first row is what it is measured from
  EXPECT_THAT(row["work_force_J"], Optional(1.0));
  EXPECT_THAT(row["work_impulse_J"], Optional(2.0));
  EXPECT_THAT(row["made_energy_J"], Optional(0.0));
  EXPECT_THAT(row["numerical_energy_J"], Optional(4.0));  // the work of constraints
  EXPECT_THAT(row["work_moved_obstacles_J"], Optional(7.0));
  EXPECT_THAT(row["work_moved_nails_J"], Optional(8.0));
  EXPECT_THAT(row["work_contact_J"], Optional(-3.0));
  EXPECT_THAT(row["work_constraint_J"], Optional(4.0));
  EXPECT_THAT(row["work_control_J"], Optional(5.0));
  EXPECT_THAT(row["work_damping_J"], Optional(-6.0));
  EXPECT_THAT(row["momentum_x_kg_m_s"], Optional(2.0));
  EXPECT_THAT(row["momentum_y_kg_m_s"], Optional(2.0));
  EXPECT_THAT(row["momentum_z_kg_m_s"], Optional(0.0));
  EXPECT_THAT(row["angular_momentum_x_kg_m2_s"], Optional(0.0));
  EXPECT_THAT(row["angular_momentum_y_kg_m2_s"], Optional(0.0));
  EXPECT_THAT(row["angular_momentum_z_kg_m2_s"], Optional(-2.0 * 1 * 1 + 1.0 * 3 * 2));
  // L = L_spin + c × p with c = (1, 1.75/3) and p = (2, 2).
  EXPECT_THAT(row["spin_z_kg_m2_s"], Optional(DoubleNear(4.0 - (1.0 * 2 - 1.75 / 3 * 2), 1e-14)));
  EXPECT_THAT(row["centre_x_m"], Optional(1.0));
  EXPECT_THAT(row["centre_y_m"], Optional(DoubleNear(1.75 / 3, 1e-15)));
  EXPECT_THAT(row["centre_z_m"], Optional(0.0));
  const double strain = std::hypot(3.0, 1.25) / 2.0 - 1.0;
  EXPECT_THAT(row["edge_strain_max"], Optional(DoubleNear(strain, 1e-15)));
  EXPECT_THAT(row["edge_strain_rms"], Optional(DoubleNear(strain, 1e-15)));
  EXPECT_FALSE(row["extent_ratio"]);  // no faces
  EXPECT_THAT(row["constraint_error_m"], Optional(1e-3));
  EXPECT_THAT(row["constraint_rate_m_s"], Optional(2e-3));
  EXPECT_THAT(row["penetration_m"], Optional(0.25));
  EXPECT_THAT(row["penetration_rms_m"], Optional(DoubleNear(0.25 / std::sqrt(2.0), 1e-15)));
  EXPECT_THAT(row["condition_number"], Optional(100.0));
  EXPECT_FALSE(row["regularisation"]);
  EXPECT_THAT(row["iterations"], Optional(42.0));
  EXPECT_THAT(row["step_time_s"], Optional(0.01));
  EXPECT_THAT(row["step_cpu_time_s"], Optional(0.008));
  EXPECT_THAT(row["gain"], Optional(0.75));
  EXPECT_FALSE(row["drift_rate_m_s"]);
}

TEST_F(SeriesTest, ResidualIsTheChangeOfEnergyThatNoWorkAccountsFor) {
  SeriesRecorder recorder(scene_, info_);
  Row(&recorder);
  *seen_.elastic_energy += 5.0;                // energy appears,
  (*seen_.work)[WorkClass::kContact] += 3.0;   // some of it by contact,
  (*seen_.work)[WorkClass::kDamping] -= 0.25;  // while damping took some
  EXPECT_THAT(Row(&recorder)["residual_energy_J"], Optional(DoubleNear(5.0 - (3.0 - 0.25), 1e-14)));
  seen_.points.row(1).array() += 1.0;  // 3 kg lifted by 1 m without work
  EXPECT_THAT(Row(&recorder)["residual_energy_J"], Optional(DoubleNear(2.25 + 30.0, 1e-13)));
}

TEST_F(SeriesTest, MomentumThatNoImpulseAccountsForIsTheResidual) {
  SeriesRecorder recorder(scene_, info_);
  EXPECT_FALSE(Row(&recorder)["momentum_residual_kg_m_s"]) << "the backend reports no impulses";
  SeriesRecorder explained(scene_, info_);
  seen_.explains_momentum = true;
  seen_.work->impulse = {10.0, 0.0, 0.0};  // what came before the first row is no residual
  EXPECT_THAT(Row(&explained)["momentum_residual_kg_m_s"], Optional(0.0));
  seen_.velocities->col(0) += Eigen::Vector3d(0.3, -0.4, 0.0);  // 2 kg at (0, 1)
  seen_.work->impulse += Eigen::Vector3d(0.6, 0.0, 0.0);
  seen_.work->angular_impulse += Eigen::Vector3d(0.0, 0.0, -0.5);
  auto row = Row(&explained);
  EXPECT_THAT(row["momentum_residual_kg_m_s"], Optional(DoubleNear(0.8, 1e-14)));
  EXPECT_THAT(row["angular_momentum_residual_kg_m2_s"], Optional(DoubleNear(0.1, 1e-14)));
}

TEST_F(SeriesTest, GravityThatDoesNotActHasNoEnergy) {
  seen_.gravity_acts = false;
  SeriesRecorder recorder(scene_, info_);
  auto row = Row(&recorder);
  EXPECT_FALSE(row["gravitational_energy_J"]);
  EXPECT_THAT(row["total_energy_J"], Optional(3 + 7 + 0.5 + 0.25 + 0.125));
}

TEST_F(SeriesTest, WithoutVelocitiesNoEnergyOfMotionAndNoResidual) {
  seen_.velocities.reset();
  SeriesRecorder recorder(scene_, info_);
  for (int i = 0; i < 2; ++i) {
    auto row = Row(&recorder);
    for (const char* name : {"kinetic_energy_J", "total_energy_J", "residual_energy_J",
                             "momentum_x_kg_m_s", "angular_momentum_z_kg_m2_s", "spin_z_kg_m2_s"}) {
      EXPECT_FALSE(row[name]) << name;
    }
    EXPECT_TRUE(row["gravitational_energy_J"]);
    EXPECT_TRUE(row["centre_x_m"]);
  }
}

TEST_F(SeriesTest, WithoutWorkTheResidualIsNotDefinedThoughTheTotalIs) {
  seen_.work.reset();
  SeriesRecorder recorder(scene_, info_);
  auto row = Row(&recorder);
  EXPECT_TRUE(row["total_energy_J"]);
  EXPECT_FALSE(row["residual_energy_J"]);
  EXPECT_FALSE(row["work_contact_J"]);
}

TEST_F(SeriesTest, WithoutObstaclesThereIsNoPenetration) {
  scene_->obstacles.clear();
  SeriesRecorder recorder(scene_, info_);
  EXPECT_FALSE(Row(&recorder)["penetration_m"]);
}

std::map<std::string, std::optional<double>> Values(const std::vector<HeadlineFigure>& figures) {
  std::map<std::string, std::optional<double>> values;
  for (const HeadlineFigure& figure : figures) values[figure.name] = figure.value;
  EXPECT_EQ(values.size(), figures.size()) << "a name stands twice";
  return values;
}

TEST_F(SeriesTest, HeadlineFiguresAreTheExtremesOfTheSeries) {
  SeriesRecorder recorder(scene_, info_);
  std::vector<SeriesRow> rows = {recorder.Row(seen_, std::nullopt)};
  *seen_.elastic_energy -= 5.0;
  (*seen_.work)[WorkClass::kContact] -= 3.0;
  seen_.constraint_error = 5e-3;
  seen_.extras = {-2.0, 0.5};
  rows.push_back(recorder.Row(seen_, StepSeconds{0.04, 0.02}));
  *seen_.elastic_energy += 1.0;
  seen_.constraint_error = 4e-3;
  seen_.condition_number = 25.0;
  seen_.iterations = 50;
  seen_.extras = {3.0, std::nullopt};
  rows.push_back(recorder.Row(seen_, StepSeconds{0.01, 0.01}));
  seen_.condition_number = 400.0;
  rows.push_back(recorder.Row(seen_, StepSeconds{0.05, 0.05}));
  const RunOutcome outcome = {.time = 2.0,
                              .wall_seconds = 0.7,
                              .cpu_seconds = 0.5,
                              .preparation_seconds = 1.5,
                              .energy_at_stake = 4.0};
  const auto figures = HeadlineFigures(*scene_, outcome, recorder.columns(), rows);
  auto values = Values(figures);
  // −5 J against −3 J of work: 2 J are gone, of 4 J at stake.
  EXPECT_THAT(values["residual_energy_max_J"], Optional(DoubleNear(2.0, 1e-13)));
  EXPECT_THAT(values["residual_energy_relative"], Optional(DoubleNear(0.5, 1e-13)));
  EXPECT_THAT(values["constraint_error_max_m"], Optional(5e-3));
  EXPECT_THAT(values["penetration_max_m"], Optional(0.25));
  EXPECT_THAT(values["condition_number_start"], Optional(100.0));
  EXPECT_THAT(values["condition_number_min"], Optional(25.0));
  EXPECT_THAT(values["condition_number_max"], Optional(400.0));
  EXPECT_THAT(values["iterations_total"], Optional(50.0));
  EXPECT_THAT(values["step_time_quartile_1_s"], Optional(DoubleNear(0.015, 1e-15)));
  EXPECT_THAT(values["step_time_median_s"], Optional(0.02));
  EXPECT_THAT(values["step_time_quartile_3_s"], Optional(DoubleNear(0.035, 1e-15)));
  EXPECT_THAT(values["step_wall_time_max_s"], Optional(0.05));
  EXPECT_THAT(values["real_time_factor"], Optional(4.0));
  EXPECT_THAT(values["real_time_factor_overall"], Optional(1.0));
  EXPECT_THAT(values["preparation_time_s"], Optional(1.5));
  EXPECT_THAT(values["gain_min"], Optional(-2.0));
  EXPECT_THAT(values["gain_max"], Optional(3.0));
  EXPECT_THAT(values["drift_rate_max_m_s"], Optional(0.5));
  EXPECT_FALSE(values["regularisation_max"]);
  EXPECT_FALSE(values["extent_ratio_min"]);
  EXPECT_FALSE(values["momentum_drift_kg_m_s"]);  // gravity acts
}

TEST_F(SeriesTest, ANanStaysInTheFigureThatItSpoils) {
  SeriesRecorder recorder(scene_, info_);
  std::vector<SeriesRow> rows = {recorder.Row(seen_, std::nullopt)};
  seen_.condition_number = std::nan("");
  rows.push_back(recorder.Row(seen_, StepSeconds{0.04, 0.02}));
  seen_.condition_number = 1.0;
  rows.push_back(recorder.Row(seen_, StepSeconds{0.04, 0.02}));
  auto values = Values(HeadlineFigures(*scene_, {}, recorder.columns(), rows));
  ASSERT_TRUE(values["condition_number_max"]);
  EXPECT_TRUE(std::isnan(*values["condition_number_max"]));
  EXPECT_FALSE(values["real_time_factor"]);  // no step was timed
  EXPECT_FALSE(values["real_time_factor_overall"]);
}

TEST_F(SeriesTest, FirstContactIsTheFirstRecordWithAForceOfThePair) {
  info_.extras = {{"contact_force.{pair}_N", "N", "of {pair}"}};
  const SeriesRecorder recorder(scene_, info_);
  const auto first_contact = [&](const std::vector<std::optional<double>>& forces) {
    std::vector<SeriesRow> rows;
    for (size_t i = 0; i < forces.size(); ++i) {
      seen_.time = 0.5 * static_cast<double>(i);
      seen_.extras = {forces[i]};
      rows.push_back(SeriesRecorder(scene_, info_).Row(seen_, std::nullopt));
    }
    return Values(
        HeadlineFigures(*scene_, {}, recorder.columns(), rows))["first_contact.dumbbell.floor_s"];
  };
  EXPECT_THAT(first_contact({0.0, 0.0, 1e-9, 5.0, 0.0}), Optional(1.0));
  EXPECT_THAT(first_contact({3.0, 0.0}), Optional(0.0));
  EXPECT_THAT(first_contact({0.0, std::nullopt, 2.0, std::nan("")}), Optional(1.0));
  EXPECT_FALSE(first_contact({0.0, 0.0, 0.0}));
  EXPECT_THAT(first_contact({0.0, std::nan(""), 2.0}), Optional(IsNan()));
  for (const HeadlineFigure& figure : HeadlineFigures(*scene_, {}, recorder.columns(), {})) {
    if (!figure.name.starts_with("first_contact")) continue;
    EXPECT_THAT(figure.meaning, HasSubstr("up to one record_every after the touch"));
  }
}

// A bounce between two records: the force of the last step is 0 at both, the impulse is not.
TEST_F(SeriesTest, TheContactForceOfImpulsesIsTheMeanSinceTheRecordBefore) {
  info_.extras = {{"contact_force.{pair}_N", "N", "in the last step"}};
  for (const char axis : {'x', 'y', 'z'}) {
    info_.extras.push_back(
        {std::string("contact_impulse_") + axis + ".{pair}_N_s", "N s", "of {pair}"});
  }
  SeriesRecorder recorder(scene_, info_);
  std::vector<SeriesRow> rows;
  const auto record = [&](double time, const std::vector<std::optional<double>>& extras) {
    seen_.time = time;
    seen_.extras = extras;
    rows.push_back(recorder.Row(seen_, std::nullopt));
    return *std::prev(rows.back().end(), 4);
  };
  EXPECT_THAT(record(0.0, {7.0, 1.0, 1.0, 1.0}),
              Optional(7.0));  // of the last step: no record before
  EXPECT_THAT(record(0.5, {0.0, 1.0, 1.0, 1.0}), Optional(0.0));
  EXPECT_THAT(record(1.0, {0.0, 1.0, 4.0, 5.0}), Optional(10.0));  // |(0, 3, 4)| / 0.5
  EXPECT_THAT(record(1.25, {1e6, 1.0, 4.0, 5.0}), Optional(0.0));
  EXPECT_THAT(record(1.5, {3.0, std::nullopt, 4.0, 5.0}), Optional(3.0));
  auto values = Values(HeadlineFigures(*scene_, {}, recorder.columns(), rows));
  EXPECT_THAT(values["first_contact.dumbbell.floor_s"], Optional(0.0));
  rows.erase(rows.begin());
  values = Values(HeadlineFigures(*scene_, {}, recorder.columns(), rows));
  EXPECT_THAT(values["first_contact.dumbbell.floor_s"], Optional(1.0));
  EXPECT_THAT(values["contact_force.dumbbell.floor_max_N"], Optional(10.0));
}

TEST_F(SeriesTest, MomentumDriftIsTheLargestChangeAndOnlyOfIsolatedScenes) {
  scene_->gravity.setZero();
  scene_->obstacles.clear();
  SeriesRecorder recorder(scene_, info_);
  std::vector<SeriesRow> rows = {recorder.Row(seen_, std::nullopt)};
  seen_.velocities->col(0) += Eigen::Vector3d(0.3, -0.4, 0.0);  // 2 kg at (0, 1)
  rows.push_back(recorder.Row(seen_, StepSeconds{0.04, 0.02}));
  auto values = Values(HeadlineFigures(*scene_, {}, recorder.columns(), rows));
  EXPECT_THAT(values["momentum_drift_kg_m_s"], Optional(DoubleNear(1.0, 1e-14)));
  EXPECT_THAT(values["angular_momentum_drift_kg_m2_s"], Optional(DoubleNear(0.6, 1e-14)));

  scene_->springs.push_back({"between", {0, 0}, PointRef{0, 1}});
  EXPECT_TRUE(IsIsolated(*scene_));
  scene_->springs.push_back({"to the world", {0, 0}, std::nullopt});
  EXPECT_FALSE(IsIsolated(*scene_));
  values = Values(HeadlineFigures(*scene_, {}, recorder.columns(), rows));
  EXPECT_FALSE(values["momentum_drift_kg_m_s"]);
  EXPECT_FALSE(values["angular_momentum_drift_kg_m2_s"]);
}

TEST_F(SeriesTest, WhatHoldsPointsInTheWorldIsOutsideTheBodies) {
  scene_->gravity.setZero();
  scene_->obstacles.clear();
  const Scene isolated = *scene_;
  EXPECT_TRUE(IsIsolated(isolated));
  const auto with = [&](auto&& add) {
    Scene scene = isolated;
    add(scene);
    return IsIsolated(scene);
  };
  EXPECT_FALSE(with([](Scene& scene) { scene.nails.emplace_back(); }));
  EXPECT_FALSE(with([](Scene& scene) { scene.sliders.emplace_back(); }));
  EXPECT_FALSE(with([](Scene& scene) { scene.combinations.emplace_back(); }));
  EXPECT_FALSE(with([](Scene& scene) { scene.behaviours.emplace_back(); }));
  EXPECT_TRUE(with([](Scene& scene) { scene.attachments.emplace_back(); }));
  EXPECT_TRUE(with([](Scene& scene) { scene.limits.emplace_back(); }));
}

TEST_F(SeriesTest, WithoutRowsNothingIsDefined) {
  for (const HeadlineFigure& figure : HeadlineFigures(*scene_, {}, SeriesColumns(info_), {})) {
    EXPECT_FALSE(figure.value) << figure.name;
  }
}

}  // namespace
}  // namespace pliant
