// What editors do to an experiment, without a window: lists of numbers, poses, modes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QUndoStack>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "app/workbench/editors/editor_lists.h"
#include "app/workbench/editors/mode_model.h"
#include "app/workbench/editors/pose_graph_view.h"
#include "app/workbench/editors/pose_model.h"
#include "app/workbench/edits/experiment_edit.h"
#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/edits/pose_edit.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment_document.h"
#include "experiments/runs/run.h"
#include "solvers/articulated_lamp/lamp_body.h"
#include "tests/app/workbench/series.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

NumberList Shares(std::vector<double> values) {
  NumberList list;
  list.title = "shares";
  list.is_whole = true;
  list.values = std::move(values);
  list.labels.assign(list.values.size(), "level");
  list.ranges.assign(list.values.size(), Between(0.0, 1.0));
  return list;
}

double Sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

const NumberList& ListCalled(const std::vector<EditorGroup>& groups, EditorGroup::Kind kind,
                             const std::string& title) {
  for (const EditorGroup& group : groups) {
    if (group.kind != kind) continue;
    for (const NumberList& list : group.lists) {
      if (list.title == title) return list;
    }
  }
  throw std::runtime_error("there is no list " + title);
}

std::shared_ptr<const Experiment> With(const Experiment& experiment, const NumberList& list,
                                       const std::vector<double>& values) {
  FileValue root = experiment.document->root;
  SetAt(&root, list.path, list.write(values));
  return Reread(experiment, std::move(root));
}

// Angle of the middle hinge of a lamp at recorded times [rad].
std::map<double, double> MidHinge(const Experiment& experiment) {
  std::map<double, double> angles;
  RunHooks hooks;
  Body lamp = experiment.scene->bodies[0];
  hooks.on_frame = [&](const Frame& frame) {
    lamp.rest = frame.observation.points;
    lamp.position.setZero();
    angles[std::round(100.0 * frame.observation.time) / 100.0] =
        articulated_lamp::ReadLampBody(lamp).q[4];
  };
  const Translation translation = TranslateFor(experiment, 0);
  Run(experiment, 0, translation.simulation.get(), hooks);
  return angles;
}

TEST(NumberListTest, SharesKeepTheirSumWhateverIsDragged) {
  EXPECT_THAT(Moved(Shares({0.25, 0.25, 0.5}), 2, 0.8).values,
              ElementsAre(DoubleNear(0.1, 1e-15), DoubleNear(0.1, 1e-15), 0.8));
  EXPECT_THAT(Moved(Shares({1.0, 0.0, 0.0}), 0, 0.4).values,
              ElementsAre(0.4, DoubleEq(0.3), DoubleEq(0.3)));
  EXPECT_EQ(Moved(Shares({0.2, 0.8}), 0, 7.0).values, (std::vector{1.0, 0.0}));
  EXPECT_THAT(Moved(Shares({0.2, 0.8}), 0, 7.0).why, HasSubstr("between 0 and 1"));
  EXPECT_EQ(Moved(Shares({1.0}), 0, 0.5).values, std::vector{1.0});
  EXPECT_NE(Moved(Shares({1.0}), 0, 0.5).why, "");
  NumberList shares = Shares({0.1, 0.2, 0.3, 0.15, 0.25});
  for (int i = 0; i < 200; ++i) {  // whatever is done, and to the last bit
    shares.values = Moved(shares, static_cast<size_t>(i * 7 % 5), (i * 37 % 101) / 100.0).values;
    ASSERT_NEAR(Sum(shares.values), 1.0, 1e-15) << i;
    for (const double share : shares.values) ASSERT_GE(share, 0.0);
  }
  // In proportion, however little there is in them.
  EXPECT_THAT(Moved(Shares({1.0, 2e-17, 6e-17}), 0, 0.2).values,
              ElementsAre(0.2, DoubleNear(0.2, 1e-15), DoubleNear(0.6, 1e-15)));
  EXPECT_EQ(Resized(Shares({0.25, 0.25, 0.5}), 2), (std::vector{0.25, 0.75}));
  EXPECT_EQ(Resized(Shares({0.25, 0.75}), 3), (std::vector{0.25, 0.75, 0.0}));
}

TEST(NumberListTest, ValuesStayInTheirRangeAndSayWhy) {
  NumberList list;
  list.title = "yield";
  list.labels = {"coarsest", "finest"};
  list.values = {0.5, 1.0};
  list.ranges.assign(2, Range{.lower = 0.0, .open_lower = true, .infinite = true});
  EXPECT_EQ(Moved(list, 0, 0.2).values, (std::vector{0.2, 1.0}));
  EXPECT_EQ(Moved(list, 0, 0.2).why, "");
  EXPECT_EQ(Moved(list, 1, kInfinity).values, (std::vector{0.5, kInfinity}));
  EXPECT_EQ(Moved(list, 1, 0.0).values, list.values) << "0 itself is not allowed";
  EXPECT_THAT(Moved(list, 1, -1.0).why, HasSubstr("more than 0"));
  EXPECT_EQ(Moved(list, 0, std::nan("")).values, list.values);
  list.ranges[0] = Between(-1.0, 1.0);
  EXPECT_EQ(Moved(list, 0, -3.0).values[0], -1.0);
  EXPECT_EQ(Moved(list, 0, kInfinity).values[0], 1.0);
  EXPECT_EQ(Resized(list, 4), (std::vector{0.5, 1.0, 0.5, 1.0})) << "a second stage";
  EXPECT_EQ(Resized(list, 1), std::vector{0.5});
}

TEST(NumberListTest, AnAxisHoldsWhatItShows) {
  NumberList list = Shares({0.5, 0.5});
  EXPECT_EQ(ScaleOf(list).lower, 0.0);
  EXPECT_EQ(ScaleOf(list).upper, 1.0);
  list.ranges.assign(2, Range{.lower = 0.0, .infinite = true});
  list.values = {0.3, kInfinity};
  EXPECT_TRUE(ScaleOf(list).infinite);
  EXPECT_NEAR(ScaleOf(list).upper, 0.5, 1e-12);
  list.ranges.assign(2, Range{});
  list.values = {-1.7, 0.2};
  EXPECT_NEAR(ScaleOf(list).lower, -5.0, 1e-12);
  EXPECT_NEAR(ScaleOf(list).upper, 5.0, 1e-12);
}

TEST(EditorListsTest, LevelsOfASurfaceAreEditedOneByOne) {
  const Experiment experiment = ReadExperiment("experiments/harrison-1994/harrison-patch.toml");
  const auto groups = EditorGroups(experiment);
  const NumberList& absorption = ListCalled(groups, EditorGroup::Kind::kLevels, "absorption");
  EXPECT_THAT(absorption.labels, ElementsAre("coarsest", "2", "3", "4", "finest"));
  const NumberMove move = Moved(absorption, 1, 0.35);
  const auto edited = With(experiment, absorption, move.values);
  EXPECT_THAT(std::get<std::vector<double>>(edited->backends[0].parameters.at("absorption")),
              ElementsAre(0.0, 0.35, 0.2, 0.2, 0.0));
  // One value becomes one for each level; the translation takes it.
  const NumberList& yield = ListCalled(groups, EditorGroup::Kind::kLevels, "yield");
  ASSERT_EQ(yield.values.size(), 1u);
  EXPECT_THAT(yield.sizes, ElementsAre(1u, 5u));
  const auto split = With(experiment, yield, Resized(yield, 5));
  EXPECT_TRUE(TranslateFor(*split, 0).record.supported());
  const NumberList after = ListCalled(EditorGroups(*split), EditorGroup::Kind::kLevels, "yield");
  EXPECT_EQ(after.labels.size(), 5u);
  EXPECT_EQ(after.values, std::vector(5, yield.values[0]));
}

TEST(EditorListsTest, SharesOfForcesAreFinestFirst) {
  const Experiment experiment = ReadExperiment("experiments/palazzi-1993/palazzi-fractions.toml");
  const auto groups = EditorGroups(experiment);
  const NumberList& local = ListCalled(groups, EditorGroup::Kind::kShares, "force_fractions");
  EXPECT_EQ(local.labels.front(), "finest");
  EXPECT_EQ(local.values, (std::vector{1.0, 0.0, 0.0, 0.0}));
  EXPECT_EQ(local.sizes.back(), 4u);
  for (const size_t size : local.sizes) {
    const auto edited = With(experiment, local, Resized(local, size));
    EXPECT_TRUE(TranslateFor(*edited, 0).record.supported()) << size;
  }
  const auto edited = With(experiment, local, Moved(local, 3, 0.3).values);
  EXPECT_TRUE(TranslateFor(*edited, 0).record.supported());
}

TEST(EditorListsTest, ALampHasMassesOfLinksAndLimitsOfHinges) {
  const Experiment experiment = ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml");
  const auto groups = EditorGroups(experiment);
  const NumberList& masses = ListCalled(groups, EditorGroup::Kind::kLamp, "masses of the links");
  EXPECT_THAT(masses.values,
              ElementsAre(DoubleEq(1.0), DoubleEq(0.2), DoubleEq(0.2), DoubleEq(0.4)));
  const auto heavy = With(experiment, masses, Moved(masses, 3, 1.2).values);
  const articulated_lamp::LampBody before =
      articulated_lamp::ReadLampBody(experiment.scene->bodies[0]);
  const articulated_lamp::LampBody after = articulated_lamp::ReadLampBody(heavy->scene->bodies[0]);
  for (size_t j = 0; j < 3; ++j) {
    EXPECT_EQ(after.parameters.links[j].mass, before.parameters.links[j].mass);
  }
  EXPECT_NEAR(after.parameters.links[3].mass, 1.2, 1e-12);
  EXPECT_NEAR(after.parameters.links[3].centre, before.parameters.links[3].centre, 1e-12);
  EXPECT_NEAR(after.parameters.links[3].inertia, 3.0 * before.parameters.links[3].inertia, 1e-12);
  const NumberList& lower = ListCalled(groups, EditorGroup::Kind::kLamp, "hinge_lower");
  const auto limited = With(experiment, lower, Moved(lower, 1, 0.3).values);
  EXPECT_EQ(std::get<std::vector<double>>(limited->backends[0].parameters.at("hinge_lower"))[1],
            0.3);
}

TEST(EditorListsTest, PosesAreBoundedByTheirServos) {
  const Experiment experiment = ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml");
  const NumberList bow = ListCalled(EditorGroups(experiment), EditorGroup::Kind::kPoses, "bow");
  EXPECT_THAT(bow.labels, ElementsAre("base hinge", "mid hinge", "head hinge"));
  EXPECT_THAT(bow.values, ElementsAre(-0.65, 1.25, 0.5));
  const NumberMove move = Moved(bow, 1, 9.0);
  EXPECT_EQ(move.values[1], 1.5);
  const auto edited = With(experiment, bow, move.values);
  const auto& control = *ValueAs<ControlTable>(edited->backends[0].parameters.at("control"));
  EXPECT_EQ(control.poses[1].targets.at("mid hinge"), 1.5);
  EXPECT_EQ(control.poses[1].targets.at("head hinge"), 0.5);
}

TEST(EditorListsTest, AmplitudesAtTheStartAreThoseOfTheModes) {
  const Experiment experiment =
      ReadExperiment("experiments/faloutsos-1995/faloutsos-cliff.toml", {"run.duration=0.02"});
  const NumberList list =
      ListCalled(EditorGroups(experiment), EditorGroup::Kind::kModes, "amplitude at the start");
  EXPECT_EQ(list.labels[1], "horizontal bend");
  const auto edited = With(experiment, list, Moved(list, 1, 0.4).values);
  const auto& modes = *ValueAs<MatrixTable>(edited->backends[0].parameters.at("modes"));
  EXPECT_EQ(modes.entries[1].scalars.at("initial"), 0.4);
  EXPECT_FALSE(modes.entries[0].scalars.contains("initial")) << "what is not said stays unsaid";
}

// Before its time nothing differs; after it the servos go where the pose says, also where another
// pose was due.
TEST(PoseEditTest, APoseTakenByHandHoldsFromItsTimeOn) {
  const Experiment experiment =
      ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml", {"run.duration=1.6"});
  const auto bowed = WithPose(experiment, 2, 0.3);
  const auto both = WithPose(*bowed, 3, 1.0);
  const ScratchFolder folder;
  WriteFile(folder / "saved.toml", ToToml(*both));
  ExpectSameSeries(*both, ReadExperiment(folder / "saved.toml"), 0);

  auto without = MidHinge(experiment), once = MidHinge(*bowed), twice = MidHinge(*both);
  for (const double time : {0.1, 0.3}) EXPECT_EQ(twice.at(time), without.at(time)) << time;
  EXPECT_NEAR(without.at(0.7), 0.8727, 0.1);
  EXPECT_NEAR(twice.at(0.7), 1.25, 0.1) << "it bows";
  EXPECT_EQ(twice.at(1.0), once.at(1.0));
  EXPECT_NEAR(twice.at(1.58), 0.45, 0.1) << "it looks up";
  EXPECT_NEAR(once.at(1.58), 1.25, 0.1) << "the last one is kept";
}

TEST(PoseEditTest, TakenPosesStandInTheOrderOfTheirTimesAndCanBeForgotten) {
  const Experiment experiment = ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml");
  const auto& control = *ValueAs<ControlTable>(experiment.backends[0].parameters.at("control"));
  ControlTable taken = control;
  EXPECT_FALSE(TakePose(&taken, 4, 0.5)) << "there are three";
  ASSERT_TRUE(TakePose(&taken, 1, 2.0));
  ASSERT_TRUE(TakePose(&taken, 2, 0.5));
  ASSERT_TRUE(TakePose(&taken, 3, 2.0));  // in place of the first
  ASSERT_EQ(taken.poses.size(), 5u);
  EXPECT_EQ(taken.poses[3].targets, control.poses[1].targets);
  EXPECT_EQ(taken.poses[4].targets, control.poses[2].targets);
  EXPECT_EQ(taken.sensors[0].threshold, 0.5);
  EXPECT_EQ(taken.sensors[1].threshold, 2.0);
  EXPECT_TRUE(taken.poses[4].is_final);
  EXPECT_EQ(taken.poses[0].next.front().to, "hand-1") << "before what was due at the same time";
  EXPECT_EQ(PosesOnKeys(taken).size(), 3u);
  MakePoseGraph(taken);  // throws where it is none
  ForgetTakenPoses(&taken);
  ASSERT_EQ(taken.poses.size(), 3u);
  EXPECT_TRUE(taken.sensors.empty());
  EXPECT_EQ(taken.poses[2].next.front().to, "rest") << "the cycle is as before";
  EXPECT_EQ(taken.poses[2].next.front().after, 0.8);
}

TEST(PoseEditTest, SequencesAreCopiedMovedAndCut) {
  ControlTable control =
      *ValueAs<ControlTable>(ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml")
                                 .backends[0]
                                 .parameters.at("control"));
  EXPECT_EQ(CopyPose(&control, 1), 2u);
  EXPECT_EQ(control.poses[2].name, "bow 2");
  EXPECT_TRUE(MovePose(&control, 2, 1));
  EXPECT_EQ(control.poses[3].name, "bow 2");
  EXPECT_FALSE(MovePose(&control, 3, 1));
  RenamePose(&control, 0, "stand");
  EXPECT_TRUE(RemovePose(&control, 2));
  MakePoseGraph(control);
  ControlTable hop = *ValueAs<ControlTable>(
      ReadExperiment("experiments/faloutsos-1995/faloutsos-bounding-speed.toml")
          .backends[0]
          .parameters.at("control"));
  ASSERT_FALSE(hop.poses.empty());
  CopyPose(&hop, 0);
  MakePoseGraph(hop);
}

TEST(PoseGraphPictureTest, ShowsWhatLeadsWhereAndWhen) {
  ControlTable control =
      *ValueAs<ControlTable>(ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml")
                                 .backends[0]
                                 .parameters.at("control"));
  const PoseGraphPicture cycle = PictureOf(control);
  ASSERT_EQ(cycle.poses.size(), 3u);
  EXPECT_TRUE(cycle.poses[0].is_start);
  EXPECT_FALSE(cycle.poses[1].is_start);
  ASSERT_EQ(cycle.transitions.size(), 3u);
  EXPECT_EQ(cycle.transitions[2].from, 2u);
  EXPECT_EQ(cycle.transitions[2].to, 0u);
  EXPECT_EQ(cycle.transitions[2].when, "0.8 s");
  ASSERT_TRUE(TakePose(&control, 2, 0.5));
  const PoseGraphPicture taken = PictureOf(control);
  ASSERT_EQ(taken.poses.size(), 4u);
  EXPECT_TRUE(taken.poses[3].is_final);
  ASSERT_EQ(taken.transitions.size(), 6u);
  EXPECT_EQ(taken.transitions[0].to, 3u);
  EXPECT_EQ(taken.transitions[0].when, "hand-1");
}

// What is never taken is a mistake, not an ornament.
TEST(PoseGraphPictureTest, ATransitionBehindTheClockIsRefused) {
  ControlTable control =
      *ValueAs<ControlTable>(ReadExperiment("experiments/chitimalli-2008/lamp-dance.toml")
                                 .backends[0]
                                 .parameters.at("control"));
  ASSERT_TRUE(TakePose(&control, 2, 0.5));  // a sensor before the clock: "hand-1"
  std::vector<ControlTable::Transition>& next = control.poses[0].next;
  ASSERT_EQ(next.size(), 2u);
  PictureOf(control);
  const ControlTable::Transition clock = next[1];
  const auto refused = [&] {
    try {
      PictureOf(control);
    } catch (const BadInput& wrong) {
      return wrong.problem().where + ": " + wrong.what();
    }
    return std::string();
  };
  next.push_back({"look up", *clock.after + 0.1, std::nullopt});
  EXPECT_THAT(refused(), HasSubstr("pose[0].next[2].after"));
  EXPECT_THAT(refused(), HasSubstr("can never lead to 'look up'"));
  next[2].after = *clock.after;  // as early, but behind it
  EXPECT_THAT(refused(), HasSubstr("next[2]"));
  next[2].after = *clock.after - 0.1;  // now the other one waits too long
  EXPECT_THAT(refused(), HasSubstr("next[1]"));
  next.pop_back();
  next[0].after = *clock.after + 0.5;  // a sensor that is asked too late
  EXPECT_THAT(refused(), HasSubstr("next[0]"));
  next[0].after = 0.0;
  EXPECT_EQ(refused(), "");
}

TEST(PoseModelTest, TimesNamesAndTransitionsAreEditsOfTheExperiment) {
  OpenExperiment open;
  QString refused;
  QObject::connect(&open, &OpenExperiment::Refused, [&](const QString& why) { refused = why; });
  open.Open("experiments/chitimalli-2008/lamp-dance.toml");
  PoseModel model(&open);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  const auto control = [&] {
    return *ValueAs<ControlTable>(open.experiment()->backends[0].parameters.at("control"));
  };
  const auto show = [&] { model.Show("consistent", control(), -1); };
  show();
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(model.index(1, PoseModel::kKey).data().toInt(), 2);
  EXPECT_TRUE(model.setData(model.index(1, PoseModel::kTime), 1.25));
  EXPECT_EQ(control().poses[1].duration, 1.25);
  show();
  EXPECT_FALSE(model.setData(model.index(1, PoseModel::kTime), -1.0));
  EXPECT_NE(refused, "");
  EXPECT_TRUE(model.setData(model.index(2, PoseModel::kName), "up"));
  show();
  EXPECT_TRUE(model.setData(model.index(1, PoseModel::kNext), R"([{to = "up", after = 0.5}])"));
  show();
  EXPECT_FALSE(control().poses[1].duration.has_value());
  EXPECT_EQ(control().poses[1].next[0].after, 0.5);
  EXPECT_FALSE(
      model.setData(model.index(1, PoseModel::kNext), R"([{to = "nowhere", after = 1.0}])"));
  EXPECT_THAT(refused.toStdString(), HasSubstr("nowhere"));
  EXPECT_FALSE(model.setData(model.index(1, PoseModel::kNext), "[{to ="));
  EXPECT_TRUE(model.setData(model.index(2, PoseModel::kNext), "held"));
  EXPECT_TRUE(control().poses[2].is_final);
  while (open.history()->canUndo()) open.history()->undo();
  EXPECT_FALSE(open.edited());
}

TEST(ModeModelTest, TheMatrixOfADrawnModeIsATableToEdit) {
  OpenExperiment open;
  open.Open("experiments/faloutsos-1995/faloutsos-cliff.toml");
  ModeModel model(&open);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  const auto table = [&] {
    return *ValueAs<MatrixTable>(open.experiment()->backends[0].parameters.at("modes"));
  };
  const ModesOfBody modes(table(), *open.experiment()->scene, 0);
  model.Show("dynamic-ffd", modes, 1);
  ASSERT_EQ(model.rowCount(), 8);  // d_x and d_y, four j each
  ASSERT_EQ(model.columnCount(), 4);
  EXPECT_EQ(model.headerData(5, Qt::Vertical, Qt::DisplayRole).toString(), "d_y, j = 1");
  EXPECT_EQ(model.index(0, 0).data().toString(), "150");
  EXPECT_EQ(model.index(7, 1).data().toString(), "100");
  EXPECT_TRUE(model.drawn());
  EXPECT_TRUE(model.setData(model.index(6, 3), -40.0));
  EXPECT_EQ(table().entries[1].values(1, 3 + 4 * 2), -40.0);
  EXPECT_FALSE(model.setData(model.index(6, 3), "wide"));
  // γ = 1 moves the control points as drawn, scaled to the body.
  const double width = modes.lattices[0].lattice.extent().x();
  EXPECT_NEAR(modes.lattice_moves[1](0, 0), 150.0 / 400.0 * width, 1e-12);
}

TEST(ModeModelTest, ShapesOfTheLibraryAreShownAsTheyComeOut) {
  OpenExperiment open;
  open.Open("experiments/drop.toml");
  for (const BackendChoice& choice : open.experiment()->backends) {
    const auto found = choice.parameters.find("modes");
    if (found == choice.parameters.end()) continue;
    const auto& table = *ValueAs<MatrixTable>(found->second);
    const ModesOfBody modes(table, *open.experiment()->scene, 0);
    ModeModel model(&open);
    for (size_t k = 0; k < table.entries.size(); ++k) {
      model.Show(choice.label, modes, k);
      EXPECT_EQ(model.drawn(), table.entries[k].values.size() > 0);
      EXPECT_GT(model.rowCount(), 0);
      EXPECT_TRUE(model.index(0, 0).data().isValid());
    }
  }
}

}  // namespace
}  // namespace pliant
