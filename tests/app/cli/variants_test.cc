// Backends that run a variant of the scene, in every command that can meet one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A sheet on a nail. "slow" has another gravity, "free" no nail and more points.
constexpr char kFall[] = R"(
title = "A fall"
[scene]
name = "net"
gravity = [0, -10, 0]
[[scene.body]]
name = "net"
shape = "sheet"
size = [2.0, 1.0]
points = [3, 3]
mass = 4.5
[[scene.obstacle]]
name = "floor"
shape = "plane"
position = [0, -9, 0]
[[scene.nail]]
name = "hook"
body = "net"
point = [0, 0]
[run]
duration = 0.16
step = 0.01
record_every = 0.04
[backends.position-based]
[backends.slow]
formulation = "position-based"
[backends.slow.scene]
gravity = [0, -1, 0]
[backends.free]
formulation = "position-based"
compliance = 1e-4
unset = ["scene.nail.hook"]
[backends.free.scene]
body.net.points = [5, 3]
)";
constexpr char kSweep[] = R"(
[sweep]
[[sweep.vary]]
key = "scene.gravity"
values = [[0, -5, 0], [0, -2, 0]]
[[sweep.curve]]
figure = "edge_strain_max"
)";
constexpr char kWarning[] =
    "warning: scene.gravity has no effect on the backend 'slow', whose variant of the scene has "
    "gravity = [0, -1, 0]; vary backends.slow.scene.gravity too (combine = \"zip\" pairs the "
    "values)\n";

class VariantsInCommands : public testing::Test {
 protected:
  // Writes the experiment with these further tables.
  std::string File(const std::string& more = "") const {
    WriteText(folder_ / "fall.toml", kFall + more);
    return folder_ / "fall.toml";
  }
  std::string Out() const { return folder_ / "runs"; }
  std::string RunOf(const std::string& label) const {
    EXPECT_EQ(Pliant({"run", File(), "--out", Out()}).status, 0);
    return folder_ / "runs/fall" / label;
  }

  const ScratchFolder folder_;
};

TEST_F(VariantsInCommands, CheckPrintsWhatOfBodiesAndElementsDiffers) {
  const std::string file = File(
      "[backends.moved]\nformulation = 'position-based'\n"
      "unset = ['scene.obstacle.floor.position']\n[backends.moved.scene]\nobstacle.floor.path = "
      "{times = [0, 1], keys = [[0, -9, 0], [0, -7, 0]]}\n"
      "nail.hook.point = [0, 1]\n");
  const std::string out = Pliant({"check", file}).out;
  const auto part = [&](const std::string& from, const std::string& to) {
    const size_t begin = out.find(from);
    return begin == std::string::npos ? "" : out.substr(begin, out.find(to, begin) - begin);
  };
  EXPECT_THAT(part("\nposition-based (", "\nslow ("), Not(HasSubstr("differs")));
  // Another gravity moves no point and changes no mass.
  EXPECT_THAT(part("\nslow (", "\nfree ("), Not(HasSubstr("differs")));
  const std::string free = part("\nfree (", "\nmoved (");
  EXPECT_THAT(free, Says({"Bodies at the start, where its variant differs:", "net   15"}));
  EXPECT_THAT(free, Not(HasSubstr("Points of elements")));
  const std::string moved = part("\nmoved (", "\nestimate");
  EXPECT_THAT(moved, Says({"Points of elements, where its variant differs:", "nail.hook  1",
                           "Paths, where its variant differs:", "obstacle.floor  0 -9 0"}));
  EXPECT_THAT(moved, Not(HasSubstr("Bodies at the start")));
}

TEST_F(VariantsInCommands, CheckAsJsonHasTheSame) {
  const auto json = nlohmann::json::parse(Pliant({"check", File(kSweep), "--json"}).out);
  EXPECT_FALSE(json["backends"][0].contains("tables"));
  EXPECT_THAT(json["backends"][1]["tables"], IsEmpty());
  ASSERT_EQ(json["backends"][2]["tables"].size(), 1u);
  EXPECT_EQ(json["backends"][2]["tables"][0]["rows"][0]["points"], "15");
  EXPECT_EQ(json["sweep"]["points"], 2);
  ASSERT_EQ(json["sweep"]["warnings"].size(), 1u);
  EXPECT_THAT("warning: " + json["sweep"]["warnings"][0].get<std::string>() + "\n", kWarning);
}

TEST_F(VariantsInCommands, SweepsWarnOfAKeyThatAVariantSets) {
  const std::string file = File(kSweep);
  EXPECT_THAT(Pliant({"check", file}).out, HasSubstr(std::string("  ") + kWarning));
  const Ended sweep = Pliant({"sweep", file, "--out", Out()});
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_THAT(sweep.err, HasSubstr(kWarning));
  const std::string rows = TextOf(folder_ / "runs/fall/sweep.csv");
  EXPECT_THAT(rows, Says({"point,scene.gravity,without_effect,label,", ",scene.gravity,slow,",
                          "\",,free,", "\",,position-based,"}));
#ifdef PLIANT_QT
  EXPECT_THAT(TextOf(folder_ / "runs/fall/sweep.html"),
              Says({"scene.gravity has no effect on the backend &#39;slow&#39;", "(no effect)"}));
#endif
  // Without that backend there is nothing to warn of.
  const Ended without = Pliant({"sweep", file, "--out", Out(), "--backend", "free", "--overwrite"});
  EXPECT_THAT(without.err, Not(HasSubstr("warning")));
}

TEST_F(VariantsInCommands, InvarianceIsThatOfItsOwnScene) {
  const Ended seen =
      Pliant({"verify", "--invariance", File(), "--backend", "free", "--backend", "slow"});
  EXPECT_EQ(seen.status, 0) << seen.out;
  EXPECT_THAT(seen.out, Says({"free:\n  translated ", "slow:\n  translated ", "half the records"}));
  // Free fall without a nail is the same to rounding, whatever the numbering; on a nail it is not.
  const std::string free = seen.out.substr(seen.out.find("free:"));
  EXPECT_THAT(free.substr(0, free.find("slow:")), Not(HasSubstr("explained")));
}

TEST_F(VariantsInCommands, BundlesReproduceAndAreExported) {
  const std::string free = RunOf("free");
  EXPECT_THAT(Pliant({"reproduce", free}).out, HasSubstr("identical"));
  const std::string csv = folder_ / "csv";
  EXPECT_EQ(Pliant({"export", free, "--format", "csv", "--out", csv}).status, 0);
  std::string text;
  for (const auto& file : std::filesystem::recursive_directory_iterator(csv)) {
    if (file.is_regular_file()) text += TextOf(file.path());
  }
  EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 15 * 5) << "15 points at 5 times";
  for (const std::string format : {"vtk", "obj", "xdmf"}) {
    EXPECT_EQ(Pliant({"export", free, "--format", format, "--out", folder_ / format}).status, 0);
  }
}

TEST_F(VariantsInCommands, SearchesAndJudgementsAreOfItsOwnScene) {
  const std::string search = R"(
[[probe]]
name = "fall"
measure = "displacement"
component = "y"
of = {body = "net", points = "all"}
[optimize]
trials = 3
backend = "free"
[optimize.cost]
function = "weighted-sum"
weights = {probe = {fall_min_m = 1}}
[[optimize.vary]]
numbers = "compliance"
lower = 0
upper = 1
)";
  const std::string file = File(search);
  const Ended checked = Pliant({"check", file});
  EXPECT_EQ(checked.status, 0) << checked.err;
  const Ended found = Pliant({"optimize", file, "--out", Out()});
  EXPECT_EQ(found.status, 0) << found.err;
  const std::string best = folder_ / "runs/fall/optimize/best";
  const Ended judged = Pliant({"judge", best, "--by", file, "--format", "csv"});
  EXPECT_EQ(judged.status, 0) << judged.err;
  // ½ g t² of the mean of its 15 points.
  EXPECT_THAT(judged.out, HasSubstr("-0.128"));
  EXPECT_THAT(Pliant({"reproduce", best}).out, HasSubstr("identical"));
}

}  // namespace
}  // namespace pliant
