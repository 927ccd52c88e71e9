#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "experiments/files/document.h"
#include "experiments/files/writer.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using samples::Folder;
using samples::ReadProbe;
using samples::WriteSample;

void ExpectSamePath(const Path& a, const Path& b) {
  EXPECT_EQ(a.times(), b.times());
  EXPECT_EQ(a.keys(), b.keys());
  EXPECT_EQ(a.interpolation(), b.interpolation());
}

void ExpectSameBodies(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.bodies.size(), b.bodies.size());
  for (size_t i = 0; i < a.bodies.size(); ++i) {
    const Body &p = a.bodies[i], &q = b.bodies[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.shape, q.shape);
    EXPECT_EQ(p.rest, q.rest);
    EXPECT_EQ(p.mass, q.mass);
    EXPECT_EQ(p.grid, q.grid);
    EXPECT_EQ(p.edges, q.edges);
    EXPECT_EQ(p.faces, q.faces);
    EXPECT_EQ(p.position, q.position);
    EXPECT_EQ(p.orientation.coeffs(), q.orientation.coeffs());
    EXPECT_EQ(p.stretch, q.stretch);
    EXPECT_EQ(p.velocity, q.velocity);
    EXPECT_EQ(p.angular_velocity, q.angular_velocity);
  }
}

void ExpectSameObstacles(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.obstacles.size(), b.obstacles.size());
  for (size_t i = 0; i < a.obstacles.size(); ++i) {
    const Obstacle &p = a.obstacles[i], &q = b.obstacles[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.friction, q.friction);
    ExpectSamePath(p.motion, q.motion);
    ASSERT_EQ(p.shape.index(), q.shape.index());
    // All shapes, told apart by the distances they measure.
    const Eigen::Vector3d x(0.31, -0.17, 0.05), origin(0.1, 0.2, -0.3);
    const Proximity near = SignedDistance(p.shape, origin, x);
    EXPECT_EQ(near.distance, SignedDistance(q.shape, origin, x).distance);
    EXPECT_EQ(near.normal, SignedDistance(q.shape, origin, x).normal);
  }
}

void ExpectSameElements(const Scene& a, const Scene& b) {
  ASSERT_EQ(a.nails.size(), b.nails.size());
  for (size_t i = 0; i < a.nails.size(); ++i) {
    EXPECT_EQ(a.nails[i].name, b.nails[i].name);
    EXPECT_TRUE(a.nails[i].point == b.nails[i].point);
    ExpectSamePath(a.nails[i].path, b.nails[i].path);
  }
  ASSERT_EQ(a.springs.size(), b.springs.size());
  for (size_t i = 0; i < a.springs.size(); ++i) {
    const Spring &p = a.springs[i], &q = b.springs[i];
    EXPECT_TRUE(p.a == q.a);
    ASSERT_EQ(p.b.has_value(), q.b.has_value());
    EXPECT_TRUE(!p.b || *p.b == *q.b);
    EXPECT_EQ(p.anchor, q.anchor);
    EXPECT_EQ(p.stiffness, q.stiffness);
    EXPECT_EQ(p.damping, q.damping);
    EXPECT_EQ(p.rest_length, q.rest_length);
  }
  ASSERT_EQ(a.forces.size(), b.forces.size());
  for (size_t i = 0; i < a.forces.size(); ++i) {
    EXPECT_TRUE(a.forces[i].point == b.forces[i].point);
    EXPECT_EQ(a.forces[i].force, b.forces[i].force);
    EXPECT_EQ(a.forces[i].from, b.forces[i].from);
    EXPECT_EQ(a.forces[i].until, b.forces[i].until);
  }
  ASSERT_EQ(a.impulses.size(), b.impulses.size());
  for (size_t i = 0; i < a.impulses.size(); ++i) {
    EXPECT_TRUE(a.impulses[i].point == b.impulses[i].point);
    EXPECT_EQ(a.impulses[i].impulse, b.impulses[i].impulse);
    EXPECT_EQ(a.impulses[i].time, b.impulses[i].time);
  }
}

TEST(Resolved, ReadsBackToTheSameRunBitForBit) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteSample(folder));
  ASSERT_EQ(experiment.backends.size(), 2u);
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const Folder elsewhere;  // no file of the experiment is at hand
    const std::string text = experiment.Resolved(i);
    const Experiment again =
        ReadProbe(elsewhere.Write("experiment" + std::to_string(i) + ".toml", text));
    EXPECT_EQ(again.name, experiment.name);
    EXPECT_EQ(again.title, experiment.title);
    EXPECT_EQ(again.description, experiment.description);
    EXPECT_EQ(again.plan.duration, experiment.plan.duration);
    EXPECT_EQ(again.plan.step, experiment.plan.step);
    EXPECT_EQ(again.plan.record_every, experiment.plan.record_every);
    EXPECT_EQ(again.plan.seed, experiment.plan.seed);
    ASSERT_EQ(again.backends.size(), 1u);
    EXPECT_EQ(again.backends[0].label, experiment.backends[i].label);
    EXPECT_EQ(again.backends[0].backend, experiment.backends[i].backend);
    EXPECT_EQ(again.backends[0].step, experiment.backends[i].step);
    EXPECT_EQ(again.scene->name, experiment.scene->name);
    EXPECT_EQ(again.scene->description, experiment.scene->description);
    EXPECT_EQ(again.scene->dimension, experiment.scene->dimension);
    EXPECT_EQ(again.scene->gravity, experiment.scene->gravity);
    ExpectSameBodies(*again.scene, *experiment.scene);
    ExpectSameObstacles(*again.scene, *experiment.scene);
    ExpectSameElements(*again.scene, *experiment.scene);
    EXPECT_EQ(again.Resolved(0), text);
  }
}

TEST(Resolved, TheStepOfTheRunCanBeChangedUnlessTheBackendHasItsOwn) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteSample(folder));
  const auto common = folder.Write("common.toml", experiment.Resolved(0));
  EXPECT_EQ(ReadProbe(common, {"run.step=0.002"}).backends[0].step, 0.002);
  const auto own = folder.Write("own.toml", experiment.Resolved(1));
  const std::string said = samples::ErrorOf(own, {"run.step=0.002"});
  EXPECT_THAT(said, testing::HasSubstr("--set run.step=0.002: 'run.step' has no effect: every "
                                       "backend has a step of its own; set "
                                       "backends.probe-fine.step"));
  EXPECT_EQ(ReadProbe(own, {"backends.probe-fine.step=0.002"}).backends[0].step, 0.002);
}

TEST(Resolved, WritesEveryParameterWithItsValue) {
  const Folder folder;
  const Experiment experiment = ReadProbe(WriteSample(folder));
  const Experiment again = ReadProbe(folder.Write("again.toml", experiment.Resolved(0)));
  const ParameterValues& values = again.backends[0].parameters;
  EXPECT_EQ(values.size(), samples::ProbeBackend().Parameters().size());
  EXPECT_EQ(std::get<double>(values.at("stiffness")), 0.1);
  EXPECT_EQ(std::get<std::int64_t>(values.at("sweeps")), 7);
  EXPECT_EQ(std::get<bool>(values.at("fail")), false);
  EXPECT_EQ(std::get<std::string>(values.at("pace")), "fast");
  EXPECT_EQ(std::get<std::string>(values.at("note")), "say \"no\"\n\ttwice");
  EXPECT_EQ(std::get<std::vector<double>>(values.at("fractions")), (std::vector<double>{1, 0.1}));
  const auto& modes = *ValueAs<MatrixTable>(values.at("modes"));
  EXPECT_EQ(modes.scalars.at("length"), 0.1);
  ASSERT_EQ(modes.entries.size(), 2u);
  EXPECT_EQ(modes.entries[0].name, "first");
  EXPECT_EQ(modes.entries[0].scalars.at("stiffness"), 3.0);
  EXPECT_EQ(modes.entries[0].values, (Eigen::Matrix2d() << 0.1, 0.2, 0.3, 0.7).finished());
}

TEST(Resolved, WritesTablesThatSayInWordsWhatTheirEntriesAre) {
  const Folder folder;
  Experiment experiment = ReadProbe(WriteSample(folder));
  MatrixTable table;
  table.scalars = {{"length", 0.1}};
  table.texts = {{"basis", "b-spline"}};
  table.entries = {{"turned", {}, {{"angle", 0.5}}, {{"shape", "squash"}}, {}},
                   {"sum", {}, {}, {}, {{"blend", {{"a mode", 1.5}, {"turned", -0.1}}}}}};
  table.groups["lattice"] = {{"legs", Eigen::MatrixXd::Identity(2, 3), {}, {}, {}}};
  experiment.backends[0].parameters["modes"] = table;
  const Experiment again = ReadProbe(folder.Write("again.toml", experiment.Resolved(0)));
  const auto& read = *ValueAs<MatrixTable>(again.backends[0].parameters.at("modes"));
  EXPECT_EQ(read.texts, table.texts);
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_EQ(read.entries[0].texts, table.entries[0].texts);
  EXPECT_EQ(read.entries[0].scalars, table.entries[0].scalars);
  EXPECT_EQ(read.entries[0].values.size(), 0);
  EXPECT_EQ(read.entries[1].weights, table.entries[1].weights);
  ASSERT_EQ(read.groups.at("lattice").size(), 1u);
  EXPECT_EQ(read.groups.at("lattice")[0].name, "legs");
  EXPECT_EQ(read.groups.at("lattice")[0].values, table.groups["lattice"][0].values);
}

TEST(Resolved, WritesDefaultsOfTheSceneOut) {
  const Folder folder;
  const std::string text = ReadProbe(WriteSample(folder)).Resolved(0);
  for (const char* line : {"gravity = [0.0, -9.81, 0.0]\n", "interpolation = \"cubic\"\n",
                           "rest_length = 0.0\n", "seed = 1\n", "step = 0.01\n"}) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
}

TEST(Resolved, SpeaksOfTheExperimentAsItIsNow) {
  const Folder folder;
  Experiment experiment = ReadProbe(WriteSample(folder), {"run.seed=5"});
  experiment.plan.duration = 0.6;
  experiment.backends[1].parameters["stiffness"] = 0.25;
  const Experiment again = ReadProbe(folder.Write("again.toml", experiment.Resolved(1)));
  EXPECT_EQ(again.plan.duration, 0.6);
  EXPECT_EQ(again.plan.seed, 5u);
  EXPECT_EQ(std::get<double>(again.backends[0].parameters.at("stiffness")), 0.25);
}

TEST(WriteToml, NumbersKeepTheirBits) {
  std::uint64_t state = 20250131;  // a linear congruential generator over all bit patterns
  SCOPED_TRACE("seed 20250131");
  FileValue::Array numbers;
  for (double special : {0.0, -0.0, 1.0, 1e300, 5e-324, 0.1, -1e22, 123456789.0}) {
    numbers.push_back({special, {}});
  }
  while (numbers.size() < 2000) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto number = std::bit_cast<double>(state);
    if (number == number) numbers.push_back({number, {}});
  }
  FileValue root{FileValue::Table(), {}};
  root.Set("numbers", numbers);
  root.Set("infinite", std::numeric_limits<double>::infinity());
  const FileValue again = ParseToml(WriteToml(root), std::make_shared<FileSource>());
  ASSERT_EQ(again.Find("numbers")->array()->size(), numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const auto* number = std::get_if<double>(&(*again.Find("numbers")->array())[i].data);
    ASSERT_NE(number, nullptr) << WriteInline(numbers[i]);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*number),
              std::bit_cast<std::uint64_t>(std::get<double>(numbers[i].data)));
  }
  EXPECT_EQ(std::get<double>(again.Find("infinite")->data),
            std::numeric_limits<double>::infinity());
}

TEST(WriteToml, TextsAndKeysSurvive) {
  FileValue root{FileValue::Table(), {}};
  root.Set("a key \"with\" all", std::string("tab\t quote\" slash\\ line\n ü — end"));
  root.Set("", std::string());
  const FileValue again = ParseToml(WriteToml(root), std::make_shared<FileSource>());
  ASSERT_NE(again.Find("a key \"with\" all"), nullptr);
  EXPECT_EQ(*again.Find("a key \"with\" all")->text(), *root.Find("a key \"with\" all")->text());
  EXPECT_EQ(*again.Find("")->text(), "");
}

}  // namespace
}  // namespace pliant
