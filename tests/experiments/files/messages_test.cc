// Messages of the reader that no other test triggers: each row is a text that is added to a right experiment, and what is
// said of it in one line at its place. tests/messages/untriggered.py lists the messages that no test triggers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/bundles/storage.h"
#include "experiments/files/static_experiment.h"
#include "tests/experiments/bundles/scratch.h"
#include "tests/experiments/complaints.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kRight[] = R"(
[run]
duration = 0.2
step = 0.01
record_every = 0.1
[scene]
name = "two"
[[scene.body]]
name = "rope"
shape = "chain"
from = [0, 0, 0]
to = [1, 0, 0]
points = 5
mass = 1.0
marks = {crown = 3}
[[scene.body]]
name = "tent"
shape = "mesh"
vertices = [[0, 0, 2], [1, 0, 2], [0, 1, 2], [0, 0, 3]]
faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
mass = 1.0
[backends.displacement-constraints]
[backends.position-based]
)";

struct AddedText {
  std::string added, at;  // the place of the complaint: a text in what is added
  std::vector<std::string> says;
  std::string before = "";  // of kRight: what is added stands before it, else at the end
};
void PrintTo(const AddedText& row, std::ostream* out) { *out << row.added; }

std::string ClaimThat(const std::string& lines, const std::string& text = "so it is") {
  return "[[claim]]\ntext = '" + text + "'\nof = 'position-based'\n" + lines;
}
std::string FigureClaim(const std::string& lines) {
  return ClaimThat("figure = 'edge_strain_max'\n" + lines);
}
std::string OverMembers(const std::string& lines) {
  return FigureClaim("over = {seeds = 4}\n" + lines);
}
std::string NailOn(const std::string& path) {
  return "[[scene.nail]]\nname = 'hook'\nbody = 'rope'\npoint = 'start'\npath = " + path + "\n";
}
std::string MorphBy(const std::string& lines) {
  return "[[scene.morph]]\nname = 'grow'\nbody = 'tent'\nuntil = 1\n" + lines;
}

std::string OverSteps(const std::string& curve) {
  return "[[sweep.vary]]\nkey = 'run.step'\nvalues = [0.01, 0.02]\n[[sweep.curve]]\n" + curve;
}

class ReaderMessage : public testing::TestWithParam<AddedText> {
 protected:
  std::filesystem::path Write(const std::string& text) {
    WriteFile(folder_ / "short.txt", "0 0 0 0\n");
    WriteFile(folder_ / "back.txt", "0 0 0 0\n1 1 0 0\n0.5 1 0 0\n");
    WriteFile(folder_ / "plane.txt", "0 0 0 0\n1 1 0\n");
    WriteFile(folder_ / "right.txt", "0 0 0 0\n1 1 0 0\n");
    WriteFile(folder_ / "two.toml", text);
    return folder_ / "two.toml";
  }
  const ScratchFolder folder_;
};

TEST_P(ReaderMessage, IsOneLineAtItsPlace) {
  const AddedText& row = GetParam();
  EXPECT_EQ(FileErrorOf([&] { ReadExperiment(Write(kRight)); }), "") << "what is right stays so";
  std::string text = kRight;
  const size_t place = row.before.empty() ? text.size() : text.find(row.before);
  ASSERT_NE(place, std::string::npos);
  text.insert(place, row.added);
  const std::string error = FileErrorOf([&] { ReadExperiment(Write(text)); });
  EXPECT_THAT(error, HasSubstr("two.toml:" + PlaceOfText(text, row.at, place) + ":"));
  for (const std::string& words : row.says) EXPECT_THAT(error, HasSubstr(words));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Claims, ReaderMessage,
    testing::Values(
        AddedText{
            FigureClaim("at_least = 1\ntolerance = 2\n"), "2\n", {"counts only with 'about'"}},
        AddedText{
            FigureClaim("about = 1\ntolerance = 0\n"), "0\n", {"'tolerance' must be more than 0"}},
        AddedText{FigureClaim("at_least = 1\nhorizon = 2\n"),
                  "2\n",
                  {"'horizon' applies only to an ensemble"}},
        AddedText{OverMembers("order = 1\n"),
                  "{seeds",
                  {"an ensemble has a mean, a worst member or a rate"}},
        AddedText{OverMembers("at_least = 1\nmet = {at_least = 1}\n"),
                  "{at_least",
                  {"'met' applies only to a rate"}},
        AddedText{OverMembers("statistic = 'rate'\nat_least = 1\n"), "'rate'", {"a rate of what?"}},
        AddedText{OverMembers("statistic = 'rate'\nat_least = 2\nmet = {at_least = 1}\n"),
                  "'rate'",
                  {"a rate is between 0 and 1"}},
        AddedText{
            OverMembers("at_least = 1\nhorizon = 0\n"), "0\n", {"'horizon' must be more than 0"}},
        AddedText{FigureClaim("order = 0\n"), "0\n", {"what converges has an order above 0"}},
        AddedText{FigureClaim("order = 1\nquick = true\n"), "true", {"an order needs three rungs"}},
        AddedText{FigureClaim("at_least = 1\nover = {seeds = 1}\n"),
                  "1}",
                  {"an ensemble of 1 shows no spread"}},
        AddedText{
            FigureClaim("at_least = 1\nover = {perturb = 1}\n"), "1}", {"'perturb' is a part"}},
        AddedText{OverMembers("statistic = 'rate'\nat_least = 1\nmet = {}\n"),
                  "{}",
                  {"every member meets an empty 'met'"}},
        AddedText{
            OverMembers(
                "statistic = 'rate'\nat_least = 1\nmet = {outcome = 'completed', at_most = 1}\n"),
            "'completed'",
            {"an outcome has no bound"}},
        AddedText{
            OverMembers("statistic = 'rate'\nat_least = 1\nmet = {at_least = 2, at_most = 1}\n"),
            "1}",
            {"no number meets both bounds"}},
        AddedText{ClaimThat("at_least = 1\n"), "[[claim]]", {"the claim names no figure"}},
        AddedText{ClaimThat("figure = 'edge_strain_max'\nat_least = 1\n", ""),
                  "''",
                  {"the claim says nothing"}},
        AddedText{FigureClaim("at_least = 1\nwithin = 2\n"),
                  "2\n",
                  {"'within' counts only with 'order'"}},
        AddedText{FigureClaim("order = 1\nwithin = 0\n"), "0\n", {"'within' must be more than 0"}},
        AddedText{FigureClaim("less_than = {of = 'displacement-constraints', factor = 0}\n"),
                  "{of",
                  {"'factor' must be more than 0"}},
        AddedText{FigureClaim("less_than = {of = 'position-based'}\n"),
                  "'so it is'",
                  {"the claim compares 'position-based' with itself"}},
        AddedText{FigureClaim("at_least = 2\n") +
                      ClaimThat("figure = 'edge_strain_max'\nat_most = 1\n", "nor so"),
                  "'nor so'",
                  {"contradicts the claim at"}}));

INSTANTIATE_TEST_SUITE_P(
    Ladders, ReaderMessage,
    testing::Values(
        AddedText{"[refine]\nin = []\n", "[]", {"nothing is refined"}},
        AddedText{"[refine]\nin = ['step', 'step']\n", "['step", {"'step' is refined twice"}},
        AddedText{"[refine]\nlevels = 1\n", "1\n", {"a ladder of 1 rung shows no convergence"}},
        AddedText{"[refine]\nlevels = 0\n", "0\n", {"a ladder of 0 rungs shows no convergence"}},
        AddedText{"[refine]\nlevels = 3\ncoarser = 4\n",
                  "4\n",
                  {"'coarser' is 4 of 3 rungs", "at least 0, below levels"}},
        AddedText{"[refine]\nratio = 1\n", "1\n", {"'ratio' must be more than 1"}},
        AddedText{"[refine]\norder = 0\n", "0\n", {"'order' must be more than 0"}},
        AddedText{"[yardstick]\ntolerance = 0\n", "0\n", {"'tolerance' must be more than 0"}},
        AddedText{"[yardstick]\nlevels = 2\n", "2\n", {"fewer than 3 levels measure no order"}},
        AddedText{"[sweep]\nvary = []\n", "[]", {"nothing is varied", "add [[sweep.vary]]"}},
        AddedText{OverSteps("figure = 'edge_strain_max'\nreference = 0.0\nscale = 'logarithmic'\n"),
                  "0.0\n",
                  {"'reference' is 0, which a logarithmic axis does not have", "linear"}},
        AddedText{OverSteps("figure = 'edge_strain_max'\nreference_name = 'theory'\n"),
                  "'theory'",
                  {"'reference_name' names a value that is not given", "add reference"}}));

INSTANTIATE_TEST_SUITE_P(
    Elements, ReaderMessage,
    testing::Values(
        AddedText{NailOn("{drag = 'right.txt', times = [0, 1]}"),
                  "[0, 1]",
                  {"the path has both a drag and 'times'"}},
        AddedText{NailOn("{drag = 'right.txt', tolerance = 0}"),
                  "0}",
                  {"the tolerance must be more than 0 m"}},
        AddedText{
            NailOn("{drag = 'short.txt'}"), "'short.txt'", {"a drag needs at least two samples"}},
        AddedText{"[[scene.nail]]\nname = 'hook'\nbody = 'rope'\npoints = 'crwn'\n",
                  "'crwn'",
                  {"unknown group of points 'crwn'", "did you mean 'crown'?"}},
        AddedText{"[[scene.nail]]\nname = 'hook'\nbody = 'rope'\npoint = 'elbow'\n",
                  "'elbow'",
                  {"unknown group of points 'elbow'", "all, corners", ", z+, crown"}},
        AddedText{
            "[[scene.body]]\nname = 'moon'\nshape = 'sphere'\nradius = 1\n",
            "'sphere'",
            {"'shape' cannot be 'sphere'", "shape = \"mesh\"", "file = \"ball\"", "tetrahedra"}},
        AddedText{"[[scene.body]]\nname = 'moon'\nshape = 'ball'\n",
                  "'ball'",
                  {"'shape' cannot be 'ball'"}},
        AddedText{"[[scene.body]]\nname = 'moon'\nshape = 'cube'\n",
                  "'cube'",
                  {"'shape' cannot be 'cube'; write shape = \"block\" with size"}},
        AddedText{"[[scene.body]]\nname = 'moon'\nshape = 'circle'\n",
                  "'circle'",
                  {"'shape' cannot be 'circle'; write shape = \"ring\" with radius"}},
        AddedText{MorphBy("stretch = [1, -1, 1]\n"),
                  "[1, -1, 1]",
                  {"the stretch of a morph collapses or mirrors"}},
        AddedText{"[[scene.nail]]\nname = 'hook'\nbody = 'tent'\npoints = {from = 0, to = 2}\n",
                  "{from",
                  {"the points of the mesh 'tent' have no order"}},
        AddedText{"[[scene.nail]]\nname = ''\nbody = 'rope'\npoint = 0\n",
                  "''",
                  {"a name cannot be empty"}},
        AddedText{"tetrahedra = [[0, 1, 2, 3]]\n",
                  "[[0, 2, 1]",
                  {"the faces of a volume are those of its cells"},
                  "faces ="},
        AddedText{"record = ['nothing']\n",
                  "['nothing']",
                  {"no formulation has arrays 'nothing'"},
                  "[scene]"},
        AddedText{"[backends.'a.b']\nformulation = 'position-based'\n",
                  "'a.b'",
                  {"the label 'a.b' contains a dot"}},
        AddedText{"set = 3\n", "3\n", {"'set' is a whole number; it is a table"}, "[run]"}));

class DragMessage : public ReaderMessage {};
TEST_P(DragMessage, IsToldInTheFileOfSamples) {
  const std::string error =
      FileErrorOf([&] { ReadExperiment(Write(kRight + NailOn(GetParam().added))); });
  EXPECT_THAT(error, HasSubstr(GetParam().at));
  EXPECT_THAT(error, HasSubstr(GetParam().says[0]));
}
INSTANTIATE_TEST_SUITE_P(
    Drags, DragMessage,
    testing::Values(
        AddedText{"{drag = 'back.txt'}", "back.txt:3:1: ", {"the times of a drag must increase"}},
        AddedText{
            "{drag = 'plane.txt'}", "plane.txt:2:1: ", {"a sample is a time and 3 coordinates"}}));

// A mesh of cells in place of the tent's.
class CellsMessage : public ReaderMessage {};
TEST_P(CellsMessage, IsToldInTheFileOfTheMesh) {
  const AddedText& row = GetParam();
  WriteFile(folder_ / row.at, row.added);
  std::string text = kRight;
  const size_t begin = text.find("vertices ="), end = text.find("mass = 1.0\n[backends");
  text.replace(begin, end - begin, "file = '" + row.at + "'\n");
  const std::string error = FileErrorOf([&] { ReadExperiment(Write(text)); });
  EXPECT_THAT(error, HasSubstr(row.at + ":"));
  EXPECT_THAT(error, HasSubstr(row.says[0]));
  EXPECT_THAT(error, Not(HasSubstr("\n")));
}

TEST(Meshes, AreNamedByTheirShortNames) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "data" / "meshes");
  WriteFile(folder / "data" / "meshes" / "gem.obj",
            "v 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
  const auto with = [&](const std::string& file) {
    std::string text = kRight;
    const size_t begin = text.find("vertices ="), end = text.find("mass = 1.0\n[backends");
    text.replace(begin, end - begin, "file = '" + file + "'\n");
    WriteFile(folder / "two.toml", text);
    return FileErrorOf(
        [&] { EXPECT_EQ(ReadExperiment(folder / "two.toml").scene->bodies[1].size(), 4); });
  };
  EXPECT_EQ(with("gem"), "");
  EXPECT_EQ(with("gem.obj"), "");
  EXPECT_THAT(with("gme"), HasSubstr("did you mean 'gem'?"));
}

using namespace std::string_literals;  // with zeros in them
constexpr char kGmsh[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
constexpr char kVtk[] = "# vtk DataFile Version 5.1\na\nASCII\nDATASET UNSTRUCTURED_GRID\n";
INSTANTIATE_TEST_SUITE_P(
    Meshes, CellsMessage,
    testing::Values(
        AddedText{
            "$MeshFormat\n4.1 0 4\n$EndMeshFormat\n", "a.msh", {"numbers are not of 8 bytes"}},
        AddedText{"$MeshFormat\n4.1 1 8\n\0\0\0\1\n$EndMeshFormat\n"s,
                  "a.msh",
                  {"the bytes are in the order of another machine"}},
        AddedText{
            std::string(kGmsh) + "$PartitionedEntities\n", "a.msh", {"the mesh is partitioned"}},
        AddedText{std::string(kVtk) + "CELLS 1 5\n4 0 1 2 3\n", "a.vtk", {"cells before points"}},
        AddedText{std::string(kVtk) + "FIELD a 1\n", "a.vtk", {"a section FIELD before the cells"}},
        AddedText{
            std::string(kVtk) +
                "POINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 3 4\nOFFSETS vtktypeint64\n0 4 2\n"
                "CONNECTIVITY vtktypeint64\n0 1 2 3\n",
            "a.vtk",
            {"offsets have to ascend"}}));

TEST(StaticExperiment, SaysHowManyLoadStepsThereAre) {
  const ScratchFolder folder;
  WriteFile(folder / "two.toml", kRight);
  for (const int steps : {0, 100001}) {
    try {
      ReadStaticExperiment(folder / "two.toml", {}, steps);
      ADD_FAILURE() << steps;
    } catch (const BadInput& bad) {
      EXPECT_THAT(bad.what(),
                  HasSubstr("there are " + std::to_string(steps) + " load steps; use 1 to 100000"));
    }
  }
}

}  // namespace
}  // namespace pliant
