// Laws of honesty: every element is spoken of, every shortfall has a reason, what is absent is not
// reported as zero.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>

#include "experiments/runs/series.h"
#include "models/problem.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "tests/laws/subjects.h"

namespace pliant::laws {
namespace {

class Record : public testing::TestWithParam<Subject> {};
INSTANTIATE_TEST_SUITE_P(Backends, Record, testing::ValuesIn(Subjects()),
                         [](const auto& info) { return Name(info.param); });

// A scene with one element of every kind.
Scene EverythingAtOnce() {
  Scene scene = Pressed(Matter::kSheet);
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].velocity = {0.1, 0, 0};
  scene.bodies[0].stretch = Eigen::Vector3d(1.1, 1, 1).asDiagonal();
  scene.obstacles[0].friction = 0.3;
  scene.bodies.push_back(MakeSheet("second", {1, 1}, {5, 5}, 1.0));
  scene.bodies[1].position = scene.InitialPoints().col(24) - scene.bodies[1].rest.col(0);
  scene.attachments.push_back({"hinge", {0, 24}, {1, 0}});
  scene.nails.push_back({"pin", {0, 0}, Path::Still(scene.InitialPoints().col(0))});
  Eigen::Matrix3Xd keys(3, 2);
  keys.col(0) = scene.InitialPoints().col(4);
  keys.col(1) = keys.col(0) + Eigen::Vector3d(0, 0, 0.1);
  scene.nails.push_back({"hand", {0, 4}, Path({0.0, 1.0}, keys, Path::Interpolation::kCubic)});
  scene.forces.push_back({.name = "push", .point = {0, 12}, .force = {0, 1, 0}});
  scene.impulses.push_back({.name = "kick", .point = {0, 12}, .impulse = {0, 0, 0.1}});
  scene.notices.push_back({"cliff", 0, 0.5, std::nullopt, Eigen::Vector3d::UnitX()});
  scene.morphs.push_back({"growth", 1, 1.5 * scene.bodies[1].rest, 0.0, 1.0});
  scene.obstacles[0].restitution = 0.5;
  scene.nails.back().hold.until = 0.5;
  scene.attachments.push_back({"clasp", {0, 0}, {1, 24}, {0.3, 0.6}});
  Slider rail;
  rail.name = "rail";
  rail.point = {1, 4};
  rail.through = scene.InitialPoints().col(scene.Index(rail.point));
  scene.sliders = {rail};
  scene.limits = {{"elbow", Limit::Kind::kAngle, {{{0, 0}, {0, 1}, {0, 2}}}, 0.5, 3.0}};
  const Path still = Path::Still(scene.InitialPoints().col(20));
  scene.combinations = {{"middle", {{{0, 20}, 1.0}}, still, {0.0, 0.4}}};
  Action wait;
  wait.kind = Action::Kind::kWait;
  scene.behaviours = {{"patience", {wait}}};
  scene.bodies.push_back(MakeSheet("third", {1, 1}, {5, 5}, 1.0));
  scene.bodies[2].position = {0, 0, 3};
  scene.contacts = {{0, 1, false, 0.2, 0.5}, {2, 2}, {1, 2, true}};
  return scene;
}

TEST_P(Record, SpeaksOfEveryElementWithAReasonUnlessExact) {
  const auto scene = std::make_shared<const Scene>(EverythingAtOnce());
  const Backend* backend = FindBackend(GetParam().backend);
  ASSERT_NE(backend, nullptr);
  std::optional<Translation> translated;
  try {
    translated = backend->Translate(scene, GetParam().parameters);
  } catch (const BadInput& refused) {  // options that do not go with sheets or behaviours
    EXPECT_THAT(refused.what(), testing::HasSubstr("; use "));
    return;
  }
  const Translation& translation = *translated;
  const auto entries = translation.record.Entries();
  ASSERT_EQ(entries.size(), Elements(*scene).size());
  for (const TranslatedElement& entry : entries) {
    if (entry.fidelity != Fidelity::kExact) {
      EXPECT_FALSE(entry.reason.empty()) << entry.element;
    }
    EXPECT_EQ(entry.reason.find("does not support this element"), std::string::npos)
        << entry.element << " is not spoken of";
    // Nothing that belongs to a refused body is said to be fine.
    const auto body = std::ranges::find_if(entries, [&](const TranslatedElement& other) {
      return other.fidelity == Fidelity::kUnsupported && other.element.starts_with("body.") &&
             entry.element.starts_with(other.element + ".");
    });
    if (body != entries.end() && entry.fidelity != Fidelity::kUnsupported) {
      EXPECT_THAT(entry.reason, testing::HasSubstr("not reached")) << entry.element;
    }
  }
  EXPECT_EQ(translation.simulation == nullptr, !translation.record.supported());
}

TEST_P(Record, ObservesFinitePointsAndItsDeclaredExtras) {
  const Scene scene = Pressed(GetParam().matter);
  const auto simulation = Start(GetParam(), scene);
  ASSERT_NE(simulation, nullptr);
  const Observation o = RunFor(simulation.get(), 1e-3, 100);
  const BackendInfo& info = FindBackend(GetParam().backend)->info();
  EXPECT_EQ(o.points.cols(), scene.PointCount());
  EXPECT_TRUE(o.points.allFinite());
  EXPECT_EQ(o.extras.size(), info.extras.size());
  EXPECT_EQ(o.velocities.has_value(), GetParam().promises.inertia);
  EXPECT_EQ(o.work.has_value(), GetParam().promises.inertia);
  if (info.condition_of.empty()) {
    EXPECT_FALSE(o.condition_number.has_value());
  }
  for (const auto& extra : o.extras) {
    if (extra) {
      EXPECT_FALSE(std::isnan(*extra));
    }
  }
}

TEST_P(Record, NamesOfExtrasEndWithTheirUnits) {
  for (const SeriesColumn& extra : FindBackend(GetParam().backend)->info().extras) {
    EXPECT_TRUE(extra.name.ends_with(UnitSuffix(extra.unit))) << extra.name << " in " << extra.unit;
    EXPECT_FALSE(extra.meaning.empty()) << extra.name;
  }
}

// A new backend needs its promises.
TEST(Subjects, AreOfEveryBackendAndOfNoOther) {
  std::set<std::string> backends, tried, names;
  for (const Backend* backend : Backends()) backends.insert(backend->info().name);
  for (const Subject& subject : Subjects()) {
    tried.insert(subject.backend);
    EXPECT_TRUE(names.insert(Name(subject)).second) << Name(subject) << " stands twice";
  }
  EXPECT_EQ(backends, tried);
}

TEST_P(Record, BackendSaysWhatItLoses) {
  const BackendInfo& info = FindBackend(GetParam().backend)->info();
  EXPECT_FALSE(info.title.empty());
  EXPECT_FALSE(info.source.empty());
  EXPECT_FALSE(info.summary.empty());
  EXPECT_FALSE(info.losses.empty());
}

TEST_P(Record, ParametersHaveMeaningsUnitsAndAcceptTheirOwnDefaults) {
  const Backend* backend = FindBackend(GetParam().backend);
  ParameterValues defaults = GetParam().parameters;
  for (const ParameterInfo& info : backend->Parameters()) {
    EXPECT_FALSE(info.meaning.empty()) << info.name;
    EXPECT_FALSE(info.unit.empty()) << info.name;
    defaults.emplace(info.name, info.default_value);
  }
  EXPECT_NO_THROW(
      backend->Translate(std::make_shared<const Scene>(Pressed(GetParam().matter)), defaults));
}

}  // namespace
}  // namespace pliant::laws
