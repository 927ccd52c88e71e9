// Messages that no test of their rooms triggers (untriggered.py): what each says, once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/bundles/inspection.h"
#include "experiments/bundles/kept_yardstick.h"
#include "experiments/bundles/manifest.h"
#include "experiments/bundles/points_file.h"
#include "experiments/bundles/storage.h"
#include "experiments/claims/carried_choice.h"
#include "experiments/claims/claimed_experiment.h"
#include "experiments/claims/units.h"
#include "experiments/claims/views.h"
#include "experiments/comparison/distance.h"
#include "experiments/refinement/ladder.h"
#include "experiments/scripts/script.h"
#include "experiments/searches/judged_motions.h"
#include "experiments/searches/run_searches.h"
#include "models/scene/shapes.h"
#include "solvers/backend_with.h"
#include "solvers/backends.h"
#include "solvers/control/tables.h"
#include "tests/experiments/searches/throwing.h"
#include "tests/experiments/shipped_file.h"
#include "tests/experiments/yardstick/bar_scene.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// What the call throws, whatever its kind.
template <typename Call>
std::string Said(const Call& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Messages, ARunWithoutFramesIsNotInspected) {
  const ScratchFolder folder;
  const Bundle refused = FallingBundle(folder, "refuses = true");
  EXPECT_THAT(Said([&] { NearestFrame(refused, std::nullopt); }),
              AllOf(HasSubstr("has no frames"), HasSubstr("inspect a run that began")));
  const Experiment experiment = FallingExperiment(folder, Falling("a", "refuses = true"));
  EXPECT_THAT(Said([&] { Inspect(experiment, 0, 0.1, nullptr, {}); }),
              AllOf(HasSubstr("too heavy"), HasSubstr("inspect a run that began")));
}

TEST(Messages, AKeptYardstickThatCannotBeReadSaysWhatToDo) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  const std::filesystem::path kept = folder / kYardsticksFolder / "abc";
  std::filesystem::create_directories(kept);
  std::filesystem::copy(bundle.path(), kept / "finest", std::filesystem::copy_options::recursive);
  const auto said = [&](const std::string& json) {
    WriteFile(kept / kYardstickJson, json);
    WriteFile(kept / kYardstickCsv, "time_s\n0\n");
    return Said([&] { FindYardstick(folder.path(), "abc", TestBackends()); });
  };
  EXPECT_THAT(said(R"({"format": 1})"),
              HasSubstr("kept by another version of Pliant; run `pliant yardstick FILE` again"));
  EXPECT_THAT(said(R"({"format": 2})"),
              AllOf(HasSubstr("damaged"), HasSubstr("; run `pliant yardstick FILE` again")));
  EXPECT_THAT(said(R"({"format": 2, "bundle": "finest", "settled": true, "good_until_s": null,
                       "spoiled": []})"),
              HasSubstr("does not belong to the finest run; run `pliant yardstick FILE` again"));
}

TEST(Messages, FilesThatCannotBeReadAreNamedWithTheReason) {
  const ScratchFolder folder;
  EXPECT_THAT(Said([&] { WriteManifest(folder / "nowhere", {}); }),
              HasSubstr("cannot read the folder"));
  EXPECT_THAT(Said([&] { ReadFile(folder.path()); }), HasSubstr(": cannot read: "));
}

TEST(Messages, AFolderIsNotReplacedByAFile) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "taken");
  EXPECT_THAT(Said([&] { ReplaceFile(folder / "taken", "text"); }),
              HasSubstr("taken: cannot replace the file: "));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "taken"));
}

// points.h5 with these extents, without numbers in it.
std::string PointsError(const std::vector<std::pair<std::string, std::vector<hsize_t>>>& datasets) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder / "points.h5";
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const auto& [name, shape] : datasets) {
    const int rank = static_cast<int>(shape.size());
    const hid_t space = H5Screate_simple(rank, shape.data(), nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const std::vector<hsize_t> chunk(shape.size(), 1);
    H5Pset_chunk(creation, rank, chunk.data());
    H5Dclose(
        H5Dcreate2(file, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Pclose(creation);
    H5Sclose(space);
  }
  H5Fclose(file);
  return Said([&] { PointsReader(path, 2); });
}

TEST(Messages, PointsOfOtherExtentsAreDamage) {
  const hsize_t huge = hsize_t{1} << 50;
  EXPECT_THAT(PointsError({{"time", {huge}}}), HasSubstr(": damaged: says "));
  EXPECT_THAT(PointsError({{"time", {3}}, {"points", {3, 2, 3}}, {"velocities", {3, 1, 3}}}),
              HasSubstr(": /velocities is not 3×2×3"));
  EXPECT_THAT(PointsError({{"time", {3}}, {"points", {3, 2, 3}}, {"state", {2, 4}}}),
              HasSubstr("has no dataset /state [n×dof] with a row for each time"));
  EXPECT_THAT(PointsError({{"time", {3}}, {"points", {3, 2, 3}}, {"state", {3, huge}}}),
              HasSubstr(": damaged: says a state of "));
}

// --- Comparisons

TEST(Messages, RunsWhosePointsDoNotCorrespondHaveNoDistance) {
  const ScratchFolder folder;
  const Experiment experiment = FallingExperiment(
      folder, Falling("a") + Falling("b", "[backends.b.scene.body.net]\nsize = [2.0, 2.0]\n"));
  std::vector<Bundle> runs;
  for (size_t i = 0; i < 2; ++i) {
    runs.push_back(
        Bundle::Open(RunTestBackend(experiment, i, folder / "runs").bundle, TestBackends()));
  }
  EXPECT_THAT(Said([&] { MeasureDistance(runs[1], runs[0]); }),
              HasSubstr("the points of their scenes are others: "));
}

TEST(Messages, ARungThatCannotBeReadIsNamed) {
  const ScratchFolder folder;
  FallingExperiment(folder, Falling("a") + "[refine]\nin = ['step']\nlevels = 3\ncoarser = 1\n");
  const Experiment experiment =
      ReadExperiment(folder / "fall.toml", {"run.step=0.04"}, TestBackends());
  EXPECT_THAT(Said([&] {
                ReadLadders(folder / "fall.toml", {"run.step=0.04"}, {}, experiment.refine,
                            TestBackends());
              }),
              HasSubstr("; on the rung step=2x"));
}

TEST(Messages, AClaimBetweenRecordsSaysWhichIsNear) {
  const ScratchFolder folder;
  WriteFile(folder / "bar.toml",
            "[run]\nduration = 0.4\nstep = 0.01\nrecord_every = 0.02\n"
            "[backends.linear-deformation]\n" +
                std::string(kBarScene) +
                "[[claim]]\ntext = 'so'\nof = 'linear-deformation'\nfigure = "
                "'centre_x_m'\nat = 0.03\nat_least = 0\n");
  EXPECT_THAT(
      Said([&] { ReadClaims(folder / "bar.toml", {}, {}, false, false); }),
      AllOf(HasSubstr("nothing is recorded at 0.03 s"), HasSubstr("the nearest is 0.04 s")));
}

// --- Views of a scene, and what a backend is told beside it

std::vector<std::string> WhyMissing(const Scene& scene) {
  std::vector<std::string> why;
  for (const MissingView& missing : ViewsOf(scene).missing) why.push_back(missing.why);
  return why;
}

TEST(Messages, BehavioursKeepASceneFromBeingSeenOtherwise) {
  Experiment experiment = ReadExperiment(ShippedFile("pendulum"));
  auto scene = std::make_shared<Scene>(*experiment.scene);
  Action wait;
  wait.kind = Action::Kind::kWait;
  scene->behaviours = {{"patience", {wait}}};
  scene->bodies.push_back(scene->bodies.front());
  scene->bodies.back().name += " again";
  scene->NumberPoints();
  EXPECT_THAT(WhyMissing(*scene),
              testing::IsSupersetOf({HasSubstr("behaviours name points and places of the scene"),
                                     HasSubstr("behaviours name points of bodies as they are")}));
  experiment.scene = scene;
  EXPECT_THAT(Said([&] { InUnits(experiment, 0, {}); }),
              HasSubstr("behaviours are texts with places and times of the scene as it is"));
}

TEST(Messages, ALoadThatRisesIsNotShifted) {
  const ScratchFolder folder;
  WriteFile(folder / "bar.toml",
            "[run]\nduration = 0.4\nstep = 0.01\nrecord_every = 0.02\n[backends.finite-elements]\n"
            "time_scheme = 'static'\n" +
                std::string(kBarScene));
  const Experiment experiment = ReadExperiment(folder / "bar.toml");
  EXPECT_THAT(Said([&] { ShiftedInTime(experiment, 0, 0.1); }),
              HasSubstr("the load rises from 0 s on"));
}

// Two sheets, one of which a view turns.
struct Turned {
  Scene scene;
  View view;
  BackendChoice choice;
};
Turned TurnOne(const std::string& parameter, ParameterValue value) {
  Turned made;
  made.scene.bodies = {MakeSheet("one", {1, 1}, {5, 5}, 1.0),
                       MakeSheet("two", {1, 1}, {5, 5}, 1.0)};
  made.scene.NumberPoints();
  made.view = {"turned", made.scene};
  const int points = made.scene.PointCount();
  for (int i = 0; i < points; ++i) made.view.columns.push_back(i);
  made.view.frames = {Eigen::Matrix3d(Eigen::Vector3d(-1, 1, 1).asDiagonal()),
                      Eigen::Matrix3d::Identity()};
  for (int j = 0; j < 5; ++j) {  // the first one is numbered from the other end of its rows
    for (int i = 0; i < 5; ++i) made.view.columns[5 * j + i] = 5 * j + 4 - i;
  }
  made.choice.label = "a";
  made.choice.backend = FindBackend("kinematic-response");
  made.choice.parameters = {{parameter, std::move(value)}};
  return made;
}
std::string SaidOf(const Turned& turned) {
  return Said([&] { CarriedChoice(turned.choice, turned.scene, turned.view); });
}

MatrixTable TableOf(const std::string& name, const std::map<std::string, std::string>& texts) {
  MatrixTable table;
  NamedMatrix entry{name, Eigen::MatrixXd::Ones(2, 2), {}};
  entry.texts = texts;
  table.entries.push_back(entry);
  return table;
}

TEST(Messages, WhatHoldsForAllBodiesIsNotCarriedWhereOneIsTurned) {
  EXPECT_THAT(SaidOf(TurnOne("maps", TableValue(TableOf("gain", {})))),
              HasSubstr("controls vary alike over bodies that are turned"));
  Turned strokes = TurnOne("strokes", TableValue(TableOf("dent", {})));
  strokes.view.linear = Eigen::Vector3d(-1, 1, 1).asDiagonal();
  EXPECT_THAT(SaidOf(strokes), HasSubstr("a stroke is of several bodies"));
  Turned meshes = TurnOne("maps", TableValue(TableOf("gain", {})));
  for (Body& body : meshes.scene.bodies) body.shape = ShapeKind::kMesh;
  EXPECT_THAT(SaidOf(meshes),
              HasSubstr("controls vary over a surface whose numbering is not mirrored"));
  Turned places = TurnOne("maps", TableValue(TableOf("gain", {{"formula", "x * map"}})));
  places.scene.bodies.pop_back();
  places.view.frames.pop_back();
  EXPECT_THAT(SaidOf(places), HasSubstr("a formula names places of the scene as it is"));
}

TEST(Messages, OneSideIsNotCarriedWhereOneBlockIsTurned) {
  Turned sides = TurnOne("patch_side", std::string("+x"));
  for (Body& body : sides.scene.bodies) body.shape = ShapeKind::kBlock;
  EXPECT_THAT(SaidOf(sides), HasSubstr("one side holds for bodies that are turned"));
}

TEST(Messages, NumbersOfSensorsHaveNoUnits) {
  ControlTable control;
  Sensor low;
  low.kind = Sensor::Kind::kBelow;
  control.sensors = {low};
  Experiment experiment = ReadExperiment(ShippedFile("faloutsos-bounding-distance"));
  experiment.backends[0].parameters["control"] = TableValue(control);
  EXPECT_THAT(Said([&] { InUnits(experiment, 0, {}); }),
              HasSubstr("the numbers of sensors have no known units"));
  View view =
      Carried("mirrored in y", *experiment.scene,
              Eigen::Matrix3d(Eigen::Vector3d(1, -1, 1).asDiagonal()), Eigen::Vector3d::Zero());
  EXPECT_THAT(Said([&] { CarriedChoice(experiment.backends[0], *experiment.scene, view); }),
              HasSubstr("a sensor reads a height of the scene as it is"));
}

TEST(Messages, OneTableOfModesIsNotCarriedWhereOneBodyIsTurned) {
  MatrixTable table;
  table.scalars = {{"degree_x", 2.0}, {"degree_y", 1.0}, {"degree_z", 1.0}};
  NamedMatrix drawn{"drawn", Eigen::MatrixXd(3, 12), {}};
  for (int i = 0; i < 36; ++i) drawn.values(i % 3, i / 3) = std::sin(1.0 + 3.0 * i);
  table.entries.push_back(drawn);
  Turned modes = TurnOne("modes", TableValue(table));
  modes.choice.backend = FindBackend("dynamic-ffd");
  EXPECT_THAT(SaidOf(modes), HasSubstr("one table of modes holds for bodies that are turned"));
}

// A tent without symmetry, whose surface is that of its cage.
TEST(Messages, ASubdividedMeshWithoutSymmetryHasNoMirrorImage) {
  const ScratchFolder folder;
  WriteFile(folder / "tent.toml", R"(
[run]
duration = 0.2
step = 0.01
record_every = 0.1
[scene]
name = "tent"
[[scene.body]]
name = "tent"
shape = "mesh"
scheme = "loop"
subdivisions = 1
vertices = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]
faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
mass = 1.0
[backends.position-based]
)");
  EXPECT_THAT(WhyMissing(*ReadExperiment(folder / "tent.toml").scene),
              testing::Contains(HasSubstr("body 'tent' is not its own mirror image")));
}

struct OddOptions {
  double width = 1.0;
  void Bind(ParameterBinder& b) { b.Real("width", &width, "furlong", MoreThan(0.0), "of a field"); }
};
class OddBackend final : public BackendWith<OddOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {.name = "odd",
                                     .title = "odd",
                                     .source = "none",
                                     .summary = "measures in furlongs",
                                     .losses = "everything",
                                     .condition_of = "",
                                     .extras = {}};
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene, const OddOptions&) const override {
    return {TranslationRecord(*scene), nullptr, {}};
  }
};

TEST(Messages, AUnitThatIsNotKnownIsNotConverted) {
  const OddBackend odd;
  Experiment experiment = ReadExperiment(ShippedFile("drop"));
  experiment.backends[0].backend = &odd;
  experiment.backends[0].parameters.clear();
  EXPECT_THAT(Said([&] { InUnits(experiment, 0, {}); }),
              HasSubstr("the unit 'furlong' of width is not known"));
}

TEST(Messages, AnObstacleIsNoMeshOfCells) {
  const ScratchFolder folder;
  WriteFile(folder / "a.vtk", "# vtk DataFile Version 5.1\na\nASCII\nDATASET UNSTRUCTURED_GRID\n");
  WriteFile(folder / "scene.toml",
            "name = 'stone'\n[[body]]\nname = 'rope'\nshape = 'chain'\nfrom = [0, 0, 0]\n"
            "to = [1, 0, 0]\npoints = 3\nmass = 1\n[[obstacle]]\nname = 'stone'\nshape = 'solid'\n"
            "file = 'a.vtk'\n");
  EXPECT_THAT(Said([&] { ReadScene(folder / "scene.toml"); }),
              AllOf(HasSubstr("a mesh of cells cannot be used here"), HasSubstr("OBJ")));
}

TEST(Messages, ARunBundleWithoutTheTableIsNoTable) {
  const ScratchFolder folder;
  CreateFolder(folder / "run");
  const auto said = [&](const std::string& backends) {
    WriteFile(folder / "run/experiment.toml", backends);
    return Said([&] {
      ReadExperiment(ShippedFile("lamp-jump-search"),
                     {"backends.poses.control='" + (folder / "run").string() + "'"});
    });
  };
  EXPECT_THAT(said("[backends.a]\ncontroller = 'planned'\n"),
              AllOf(HasSubstr("experiment.toml:1:"), HasSubstr("has no table 'control'"),
                    HasSubstr("name a run bundle, or a file")));
  EXPECT_THAT(said("[backends.a]\n[backends.b]\n"),
              AllOf(HasSubstr("an experiment that gives 'control' has one backend"),
                    HasSubstr("name the run bundle of one of them")));
}

TEST(Messages, ConstantsOfOtherModesAreRefused) {
  const ScratchFolder folder;
  WriteFile(folder / "square.toml",
            "points = [[0, 0], [0.2, 0], [0.2, 0.2], [0, 0.2]]\nmasses = [1, 1, 1, 1]\n"
            "edges = [[0, 1], [1, 2], [2, 3], [3, 0]]\n");
  WriteFile(folder / "modes.toml",
            "degree_x = 1\ndegree_y = 1\nsize_x = 1.0\nsize_y = 1.0\n[[entry]]\nname = 'stretch'\n"
            "values = [[0, 1, 0, 1], [0, 0, 0, 0]]\n");
  WriteFile(folder / "square.def.toml",
            "shape = 'square.toml'\nscale = 10\nmass = 8\nmodes = 'modes.toml'\n"
            "constants = [[10, 1], [20, 2]]\n");
  WriteFile(folder / "trial.txt", "load_def square.def.toml\nset dt 0.01\nset end 0.1\nsimul\n");
  EXPECT_THAT(Said([&] { ReadScript(folder / "trial.txt"); }),
              HasSubstr("the file gives constants of 2 modes"));
}

// --- Searches

TEST(Messages, ASearchSaysWhatItCannotVaryOrWeigh) {
  const ScratchFolder folder;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = kThrow;
    return ThrowingError(folder, text.replace(text.find(from), from.size(), to));
  };
  EXPECT_THAT(with("numbers = \"drift\"", "numbers = \"scene.gravity\""),
              HasSubstr("a search varies numbers of the backend, not of the scene"));
  const std::string jump = "function = \"energy-jump\"\ngoal = 1.0\n";
  EXPECT_THAT(with("function = \"1/distance\"", jump + "short_by = -1.0"),
              HasSubstr("short_by must be at least 0"));
  EXPECT_THAT(with("function = \"1/distance\"", jump + "acceleration_weight = -1.0"),
              HasSubstr("acceleration_weight must be at least 0"));
  EXPECT_THAT(with("function = \"1/distance\"", jump + "work_weight = -1.0"),
              HasSubstr("work_weight must be at least 0, not -1"));
  EXPECT_THAT(with("function = \"1/distance\"",
                   "function = \"weighted-sum\"\nweights = {energy_of = {bend = 1.0}}"),
              HasSubstr("falling does not deform by modes"));
}

TEST(Messages, EnergiesOfModesThatLeadElsewhereAreNotJudged) {
  const ScratchFolder folder;
  const Bundle bundle = FallingBundle(folder);
  const FallingBackend other({}, 0.5);
  const std::vector<const Backend*> others = {&other};
  JudgingCost cost;
  cost.cost.form = MotionCostFunction::Form::kWeightedSum;
  cost.cost.mode_weights = {{"bend", false, 1.0}};
  const MotionScore score = JudgeMotion(Bundle::Open(bundle.path(), others), cost);
  EXPECT_THAT(score.failure, HasSubstr("its steps made again lead elsewhere"));
}

TEST(Messages, AnEndedSearchOfOtherNumberIsDamage) {
  const ScratchFolder folder;
  std::string text = kThrow;
  text.replace(text.find("trials = 40"), 11, "trials = 2");
  const SearchPlan plan = Throwing(folder, text);
  const SearchesResult ended = RunSearches(plan, folder / "runs", 1, false, {});
  nlohmann::ordered_json record =
      nlohmann::ordered_json::parse(ReadFile(ended.folder / "optimization.json"));
  record["searches"].push_back(record["searches"][0]);
  WriteFile(ended.folder / "optimization.json", record.dump());
  EXPECT_THAT(Said([&] { RunSearches(plan, folder / "runs", 1, true, {}); }),
              HasSubstr(" searches, but the file makes 2"));
}

}  // namespace
}  // namespace pliant
