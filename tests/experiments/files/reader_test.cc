// What a right file means.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/files/document.h"
#include "experiments/files/listing.h"
#include "models/scene/shapes.h"
#include "tests/experiments/files/samples.h"

namespace pliant {
namespace {

using Eigen::Vector3d;
using samples::Folder;
using samples::ReadProbe;
using samples::WriteSample;

const Obstacle& ObstacleOf(const Scene& scene, const std::string& name) {
  for (const Obstacle& obstacle : scene.obstacles) {
    if (obstacle.name == name) return obstacle;
  }
  throw std::out_of_range(name);
}

std::vector<Nail> NailsOf(const Scene& scene, const std::string& name) {
  std::vector<Nail> nails;
  for (const Nail& nail : scene.nails) {
    if (nail.name == name) nails.push_back(nail);
  }
  return nails;
}

class SampleScene : public testing::Test {
 protected:
  SampleScene() : experiment_(ReadProbe(WriteSample(folder_))), scene_(*experiment_.scene) {}
  Folder folder_;
  Experiment experiment_;
  const Scene& scene_;
};

TEST_F(SampleScene, BodiesHaveTheShapeWritten) {
  const Body& outline = scene_.bodies[0];
  EXPECT_EQ(outline.shape, ShapeKind::kProfile);
  EXPECT_EQ(outline.rest.col(1), Vector3d(1.1, 0, 0));
  EXPECT_NEAR(outline.mass.sum(), 0.7, 1e-15);
  EXPECT_NEAR(outline.mass[2] / outline.mass[0], 3.0, 1e-14);
  EXPECT_EQ(outline.faces.size(), 1u);
  EXPECT_EQ(outline.position, Vector3d(0.1, 0.2, 0.3));

  const Body& rope = scene_.bodies[1];
  EXPECT_EQ(rope.size(), 5);
  EXPECT_EQ(rope.angular_velocity, Vector3d(0, 0, 0.1));
  EXPECT_TRUE(rope.orientation.isApprox(
      Eigen::Quaterniond(Eigen::AngleAxisd(0.3, Vector3d::UnitZ())), 1e-15));

  const Body& brick = scene_.bodies[3];
  EXPECT_EQ(brick.size(), 24);
  EXPECT_EQ(brick.stretch.diagonal(), Vector3d(1.2, 1, 0.9));
  EXPECT_TRUE(brick.orientation.isApprox(
      Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 1, 0).normalized())), 1e-15));
}

// The normal of a sheet is +z of its own frame.
TEST_F(SampleScene, SheetInPlaneXzHasNormalY) {
  const Body& cloth = scene_.bodies[2];
  EXPECT_LT((cloth.orientation * Vector3d::UnitZ() - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_LT((cloth.orientation * Vector3d::UnitX() - Vector3d::UnitX()).norm(), 1e-15);
  const Experiment yz = ReadProbe(folder_.path() / "sample.toml", {"scene.body.cloth.plane=yz"});
  EXPECT_LT((yz.scene->bodies[2].orientation * Vector3d::UnitZ() - Vector3d::UnitX()).norm(),
            1e-15);
}

TEST_F(SampleScene, PlanesAreGivenByAnyNormalOrByASlope) {
  const auto& floor = std::get<Plane>(ObstacleOf(scene_, "floor").shape);
  EXPECT_LT((floor.normal - Vector3d(0.1, 3, 0).normalized()).norm(), 1e-15);
  // A plane that rises towards +x by 0.2 rad: this direction lies in it, and up is outside.
  const auto& ramp = std::get<Plane>(ObstacleOf(scene_, "ramp").shape);
  EXPECT_NEAR(ramp.normal.dot(Vector3d(std::cos(0.2), std::sin(0.2), 0)), 0.0, 1e-15);
  EXPECT_GT(ramp.normal.y(), 0.0);
}

TEST_F(SampleScene, ObstaclesMoveOnTheirPathAndRestAtTheirPosition) {
  const Obstacle& ball = ObstacleOf(scene_, "ball");
  EXPECT_EQ(ball.motion.interpolation(), Path::Interpolation::kLinear);
  EXPECT_LT((ball.motion.At(0.35).position - Vector3d(0.5, 3, 0)).norm(), 1e-15);
  EXPECT_EQ(ObstacleOf(scene_, "floor").motion.At(1.0).position, Vector3d(0, -1, 0));
  EXPECT_EQ(ObstacleOf(scene_, "floor").friction, 0.3);
  EXPECT_FALSE(ObstacleOf(scene_, "crate").motion.moves());
}

TEST_F(SampleScene, NailsStartAtTheirPoints) {
  const Eigen::Matrix3Xd start = scene_.InitialPoints();
  ASSERT_EQ(NailsOf(scene_, "edge").size(), 4u);
  for (const Nail& nail : NailsOf(scene_, "edge")) {
    EXPECT_EQ(nail.path.At(0.0).position, start.col(scene_.Index(nail.point)));
  }
  const Nail lead = NailsOf(scene_, "lead").front();
  EXPECT_EQ(lead.path.At(0.0).position, start.col(scene_.Index(lead.point)));
  EXPECT_LT((lead.path.At(1.0).position - lead.path.At(0.0).position - Vector3d(0.1, 0, 0)).norm(),
            1e-15);
  EXPECT_EQ(NailsOf(scene_, "track").front().path.At(0.0).position, Vector3d::Zero());
}

TEST_F(SampleScene, SpringsGoToTheirAnchorOrPoint) {
  const Eigen::Matrix3Xd start = scene_.InitialPoints();
  ASSERT_EQ(scene_.springs.size(), 16u);  // 15 points of the cloth and the tie
  for (size_t i = 0; i < 15; ++i) {
    EXPECT_EQ(scene_.springs[i].anchor, start.col(scene_.Index(scene_.springs[i].a)));
    EXPECT_FALSE(scene_.springs[i].b.has_value());
  }
  const Spring& tie = scene_.springs[15];
  EXPECT_EQ(tie.a.point, 4);
  ASSERT_TRUE(tie.b.has_value());
  EXPECT_EQ(tie.b->body, 3);
  EXPECT_EQ(tie.b->point, GridPoint(scene_.bodies[3], {1, 2, 3}));
  EXPECT_EQ(tie.rest_length, 0.1);
}

TEST_F(SampleScene, ForcesEndWhenToldOrNever) {
  EXPECT_EQ(scene_.forces[0].until, 0.3);
  std::string text = samples::Replaced(samples::SampleScene(), "until = 0.3\n", "");
  folder_.Write("scene.toml", text);
  EXPECT_EQ(ReadProbe(folder_.path() / "sample.toml").scene->forces[0].until,
            std::numeric_limits<double>::infinity());
}

TEST_F(SampleScene, AForceMayHaveAHistory) {
  std::string text =
      samples::Replaced(samples::SampleScene(), "force = [0.1, 0, 0]",
                        "history = {times = [0.1, 0.3, 0.35], forces = [[1, 0, 0], [0, 2, 0]]}");
  folder_.Write("scene.toml", samples::Replaced(text, "until = 0.3\n", ""));
  const Experiment read = ReadProbe(folder_.path() / "sample.toml");
  const std::vector<TimedForce>& forces = read.scene->forces;
  ASSERT_EQ(forces.size(), 2u);
  for (const TimedForce& force : forces) {
    EXPECT_EQ(force.name, "push");
    EXPECT_EQ(force.point.point, 3);
  }
  EXPECT_EQ(forces[0].force, Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(forces[0].from, 0.1);
  EXPECT_EQ(forces[0].until, 0.3);
  EXPECT_EQ(forces[1].force, Eigen::Vector3d(0, 2, 0));
  EXPECT_EQ(forces[1].from, 0.3);
  EXPECT_EQ(forces[1].until, 0.35);
}

TEST(LeadingComment, KeepsParagraphsAndCommands) {
  const Folder folder;
  folder.Write("a.toml",
               "# One sentence.\n# Its end.\n#\n#\n# Try:\n#\n#   pliant run x \\\n#     --set y\n"
               "# or not.\n\n# no more\n");
  EXPECT_EQ(LeadingComment(folder.path() / "a.toml"),
            "One sentence. Its end.\n\n\nTry:\n\n    pliant run x \\\n      --set y\nor not.");
}

TEST_F(SampleScene, DescriptionIsTheCommentAtTheTop) {
  EXPECT_EQ(scene_.description, "Everything there is.\n\nSecond paragraph.");
  EXPECT_EQ(experiment_.description, "A probe.\n\nLook for nothing.");
  EXPECT_EQ(experiment_.name, "sample");
  EXPECT_EQ(experiment_.title, "sample");
}

TEST_F(SampleScene, BackendsKeepTheOrderOfTheFileAndTheirOwnStep) {
  ASSERT_EQ(experiment_.backends.size(), 2u);
  EXPECT_EQ(experiment_.backends[0].label, "probe");
  EXPECT_EQ(experiment_.backends[0].step, 0.01);
  EXPECT_EQ(experiment_.backends[1].label, "probe-fine");
  EXPECT_EQ(experiment_.backends[1].step, 0.005);
  EXPECT_EQ(experiment_.backends[1].backend, &samples::ProbeBackend());
  EXPECT_EQ(experiment_.backends[1].parameters.size(), 1u);
  // In the order written, not of the alphabet.
  std::string text = samples::SampleExperiment();
  text = samples::Replaced(text, "[backends.probe]", "[backends.zebra]\nformulation = \"probe\"");
  const Experiment turned = ReadProbe(folder_.Write("turned.toml", text));
  EXPECT_EQ(turned.backends[0].label, "zebra");
}

TEST(PlanarScene, VectorsMayLeaveOutZ) {
  const Folder folder;
  const Scene scene = ReadScene(folder.Write("planar.toml", R"(
name = "planar"
dimension = 2
gravity = [0, -1]
[[body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [1, 2]
points = 2
mass = 1
stretch = [1.5, 1]
rotation = {axis = [0, 0, -2], angle = 0.5}
)"));
  EXPECT_EQ(scene.gravity, Vector3d(0, -1, 0));
  EXPECT_EQ(scene.bodies[0].rest.col(1), Vector3d(1, 2, 0));
  EXPECT_EQ(scene.bodies[0].stretch.diagonal(), Vector3d(1.5, 1, 1));
  EXPECT_NEAR(scene.bodies[0].orientation.z(), -std::sin(0.25), 1e-15);
}

TEST(Overrides, ChangeWhatTheyName) {
  const Folder folder;
  const Experiment experiment =
      ReadProbe(WriteSample(folder),
                {"run.step=0.005", "scene.gravity=[0, -1, 0]", "scene.obstacle.floor.friction=0.9",
                 "scene.obstacle[2].radius = 0.25", "backends.probe.pace=slow",
                 "backends.probe.modes = {length = 2, entry = []}", "scene.body.rope.mass=7"});
  EXPECT_EQ(experiment.plan.step, 0.005);
  EXPECT_EQ(experiment.scene->gravity, Vector3d(0, -1, 0));
  EXPECT_EQ(experiment.scene->obstacles[0].friction, 0.9);
  EXPECT_EQ(std::get<Sphere>(experiment.scene->obstacles[2].shape).radius, 0.25);
  EXPECT_DOUBLE_EQ(experiment.scene->bodies[1].mass.sum(), 7.0);
  const ParameterValues& values = experiment.backends[0].parameters;
  EXPECT_EQ(std::get<std::string>(values.at("pace")), "slow");
  EXPECT_EQ(ValueAs<MatrixTable>(values.at("modes"))->scalars.at("length"), 2.0);
}

TEST(Overrides, LaterOnesWinOverEarlierOnesAndOverTheSetTable) {
  const Folder folder;
  const auto file = WriteSample(folder);
  folder.Write("sample.toml", samples::SampleExperiment() +
                                  "[set]\nrun.seed = 3\nscene.obstacle.floor.friction = 0.7\n");
  EXPECT_EQ(ReadProbe(file).plan.seed, 3u);
  EXPECT_EQ(ReadProbe(file).scene->obstacles[0].friction, 0.7);
  EXPECT_EQ(ReadProbe(file, {"run.seed=4", "run.seed=5"}).plan.seed, 5u);
}

TEST(Overrides, OfTheSceneFileComeBeforeThoseOfItsKeys) {
  const Folder folder;
  const auto file = WriteSample(folder);
  folder.Write("other.toml",
               samples::Replaced(samples::SampleScene(), "name = \"rich\"", "name = \"other\""));
  const Experiment experiment = ReadProbe(file, {"scene.gravity=[0, 0, 0]", "scene=other.toml"});
  EXPECT_EQ(experiment.scene->name, "other");
  EXPECT_EQ(experiment.scene->gravity, Vector3d::Zero());
}

TEST(KeepBackends, KeepsTheirOrderAndForgetsALostReference) {
  const Folder folder;
  Experiment experiment = ReadProbe(WriteSample(folder), {"reference=probe"});
  EXPECT_EQ(experiment.reference, "probe");
  KeepBackends(&experiment, {});
  EXPECT_EQ(experiment.backends.size(), 2u);
  EXPECT_THROW(KeepBackends(&experiment, {"prob"}), BadInput);
  KeepBackends(&experiment, {"probe-fine"});
  ASSERT_EQ(experiment.backends.size(), 1u);
  EXPECT_EQ(experiment.backends[0].label, "probe-fine");
  EXPECT_EQ(experiment.reference, "");
  EXPECT_THAT(experiment.Resolved(0), testing::HasSubstr("[backends.probe-fine]"));
}

TEST(ParameterOfSeveralNumbers, MayBeOneNumberOrInfiniteWhereItsRangeAllows) {
  const Folder folder;
  const auto file = WriteSample(folder);
  const Experiment one = ReadProbe(file, {"backends.probe.fractions=1"});
  EXPECT_EQ(std::get<std::vector<double>>(one.backends[0].parameters.at("fractions")),
            std::vector<double>{1.0});
  EXPECT_THAT(samples::ErrorOf(file, {"backends.probe.fractions=inf"}),
              testing::HasSubstr("between 0 and 1"));
  const Experiment limit = ReadProbe(file, {"backends.probe.limit=inf"});
  EXPECT_EQ(std::get<double>(limit.backends[0].parameters.at("limit")),
            std::numeric_limits<double>::infinity());
  EXPECT_NE(samples::ErrorOf(file, {"backends.probe.limit=nan"}), "");
  EXPECT_NE(samples::ErrorOf(file, {"backends.probe.limit=-inf"}), "");
}

TEST(Listing, TellsTheFirstSentenceOfEachFile) {
  const Folder folder;
  folder.Write("b.toml", "# First words of b. And more.\nname = 1\n");
  folder.Write("a.toml", "# A sentence that runs over\n# two lines. And more.\n\n# Not this.\n");
  folder.Write("c.toml", "broken [\n");
  folder.Write("notes.txt", "# no\n");
  const std::vector<ListedFile> files = ListScenes(folder.path());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].name, "a");
  EXPECT_EQ(files[0].summary, "A sentence that runs over two lines.");
  EXPECT_EQ(files[1].summary, "First words of b.");
  EXPECT_EQ(files[2].summary, "");
  EXPECT_TRUE(ListExperiments(folder.path() / "nowhere").empty());
}

// What FindExperiment says of a file that is not there.
std::string NotFound(const std::filesystem::path& asked, const std::filesystem::path& folder) {
  try {
    return "found " + FindExperiment(asked, folder).string();
  } catch (const FileError& error) {
    return error.what();
  }
}

TEST(AnExperiment, IsFoundByItsNameOrTheMessageSaysWhereItIs) {
  const Folder folder;
  std::filesystem::create_directory(folder.path() / "source");
  const auto top = folder.Write("top.toml", "");
  const auto moved = folder.Write("source/moved.toml", "");
  EXPECT_EQ(FindExperiment(top, folder.path()), top);
  EXPECT_EQ(FindExperiment("top", folder.path()), top);
  EXPECT_EQ(FindExperiment("moved", folder.path()), moved);
  EXPECT_EQ(FindExperiment("moved.toml", folder.path()), moved);
  const std::string before = (folder.path() / "moved.toml").string();
  EXPECT_EQ(NotFound(before, folder.path()), "there is no file '" + before + "'; did you mean '" +
                                                 std::filesystem::proximate(moved).string() + "'?");
  EXPECT_EQ(NotFound("movd", folder.path()), "there is no file 'movd'; did you mean 'moved'?");
  EXPECT_EQ(NotFound("else/where.toml", folder.path()),
            "there is no file 'else/where.toml'; `pliant list experiments` lists those that ship");
}

}  // namespace
}  // namespace pliant
