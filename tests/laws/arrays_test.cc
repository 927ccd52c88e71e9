// Laws of what is observable: every formulation shows arrays with shapes, units and meanings, and names
// every number of its state.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "solvers/backends.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

class Arrays : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, Arrays, testing::ValuesIn(Subjects()),
                         [](const auto& info) { return Name(info.param); });

using Shapes = std::map<std::string, std::pair<Eigen::Index, Eigen::Index>>;

Shapes ShapesOf(const std::vector<NamedArray>& arrays) {
  Shapes shapes;
  for (const NamedArray& array : arrays) {
    const bool first =
        shapes.insert({array.group + "/" + array.name, {array.values.rows(), array.values.cols()}})
            .second;
    EXPECT_TRUE(first) << array.group << "/" << array.name << " stands twice";
  }
  return shapes;
}

Scene SceneOf(const Subject& subject) {
  return subject.promises.holds ? Swinging(subject.matter) : Pressed(subject.matter);
}

TEST_P(Arrays, HaveTheirGroupsShapesAndUnits) {
  const auto simulation = Start(GetParam(), SceneOf(GetParam()));
  ASSERT_NE(simulation, nullptr);
  simulation->KeepConstraintForces();
  const Shapes at_start = ShapesOf(simulation->Arrays(""));
  RunFor(simulation.get(), 1e-3, 20);
  const auto all = simulation->Arrays("");
  EXPECT_EQ(ShapesOf(all), at_start);  // points.h5 needs one shape per run
  std::set<std::string> known;
  size_t in_groups = 0;
  for (const ArrayGroup& group : FindBackend(GetParam().backend)->info().arrays) {
    EXPECT_FALSE(group.meaning.empty()) << group.name;
    EXPECT_TRUE(known.insert(group.name).second) << group.name;
    const auto of_group = simulation->Arrays(group.name);
    in_groups += of_group.size();
    for (const NamedArray& array : of_group) EXPECT_EQ(array.group, group.name) << array.name;
  }
  EXPECT_EQ(in_groups, all.size());
  EXPECT_FALSE(all.empty());
  for (const NamedArray& array : all) {
    const std::string name = array.group + "/" + array.name;
    EXPECT_TRUE(known.count(array.group)) << name;
    EXPECT_GT(array.values.size(), 0) << name;
    EXPECT_FALSE(array.unit.empty()) << name;
    EXPECT_FALSE(array.meaning.empty()) << name;
    if (!array.rows.empty()) {
      EXPECT_EQ(static_cast<Eigen::Index>(array.rows.size()), array.values.rows()) << name;
    }
    if (!array.columns.empty()) {
      EXPECT_EQ(static_cast<Eigen::Index>(array.columns.size()), array.values.cols()) << name;
    }
    EXPECT_FALSE(array.values.array().isInf().any()) << name;
  }
}

TEST_P(Arrays, ChangeNothing) {
  const Scene scene = SceneOf(GetParam());
  const auto plain = Start(GetParam(), scene), watched = Start(GetParam(), scene);
  watched->KeepConstraintForces();
  for (int i = 0; i < 10; ++i) {
    RunFor(plain.get(), 1e-3, 1);
    RunFor(watched.get(), 1e-3, 1);
    const Eigen::VectorXd before = watched->Save();
    watched->Arrays("");
    EXPECT_EQ(watched->Save(), before);
  }
  EXPECT_EQ(watched->Save(), plain->Save());
}

TEST_P(Arrays, TheLayoutNamesEveryNumberOfTheState) {
  for (const Scene& scene : {Pressed(GetParam().matter), SceneOf(GetParam())}) {
    const auto simulation = Start(GetParam(), scene);
    ASSERT_NE(simulation, nullptr);
    RunFor(simulation.get(), 1e-3, 5);
    Eigen::Index size = 0;
    std::set<std::string> names;
    for (const StateBlock& block : simulation->StateLayout()) {
      EXPECT_GT(block.size, 0) << block.name;
      EXPECT_NE(block.name, "state of the formulation");
      EXPECT_FALSE(block.name.empty() || block.unit.empty()) << block.name;
      EXPECT_NE(block.unit, "its own") << block.name;
      EXPECT_TRUE(names.insert(block.name).second) << block.name << " stands twice";
      size += block.size;
    }
    EXPECT_EQ(size, simulation->Save().size());
  }
}

// Each block is where the layout puts it: the work by class is that which is observed.
TEST_P(Arrays, TheWorkOfTheStateIsWhereTheLayoutPutsIt) {
  const auto simulation = Start(GetParam(), Pressed(GetParam().matter));
  ASSERT_NE(simulation, nullptr);
  const Observation seen = RunFor(simulation.get(), 1e-3, 100);
  if (!seen.work) return;
  const Eigen::VectorXd state = simulation->Save();
  Eigen::Index at = 0;
  bool found = false;
  for (const StateBlock& block : simulation->StateLayout()) {
    if (block.name == "impulse and angular impulse from outside") {
      found = true;
      EXPECT_EQ(state.segment<3>(at), seen.work->impulse);
      EXPECT_EQ(state.segment<3>(at + 3), seen.work->angular_impulse);
    }
    at += block.size;
  }
  EXPECT_TRUE(found);
}

TEST(Arrays, EveryGroupOfABackendHasArraysSomewhere) {
  std::map<std::string, std::set<std::string>> seen;
  for (const Subject& subject : Subjects()) {
    for (const Scene& scene : {Pressed(subject.matter), SceneOf(subject)}) {
      const auto simulation = Start(subject, scene);
      ASSERT_NE(simulation, nullptr);
      for (const NamedArray& array : simulation->Arrays("")) {
        seen[subject.backend].insert(array.group);
      }
    }
  }
  for (const Backend* backend : Backends()) {
    EXPECT_FALSE(backend->info().arrays.empty()) << backend->info().name;
    for (const ArrayGroup& group : backend->info().arrays) {
      EXPECT_TRUE(seen[backend->info().name].count(group.name))
          << backend->info().name << " shows no " << group.name;
    }
  }
}

}  // namespace
}  // namespace pliant::laws
