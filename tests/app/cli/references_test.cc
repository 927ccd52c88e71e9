// An exact solution as the reference: its errors are figures of every command; and a reference that was not chosen.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "models/scene/number_text.h"
#include "tests/app/cli/program.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kSwing[] = R"(
[run]
duration = 0.4
step = 0.002
record_every = 0.02
[scene]
name = "pend"
dimension = 2
[[scene.body]]
name = "rod"
shape = "chain"
from = [0, 0]
to = [0, -1]
points = 2
mass = 2.0
rotation = 0.01
rigid = true
[[scene.nail]]
name = "hook"
body = "rod"
point = "start"
[[probe]]
name = "swing"
measure = "angle"
of = [{body = "rod", point = "start"}, {body = "rod", point = "end"}]
against = [0, -1]
about = [0, 0, 1]
[backends.linear-deformation]
[backends.displacement-constraints]
)";

constexpr char kSweptStep[] = R"(
[sweep]
[[sweep.vary]]
key = "run.step"
values = [0.005, 0.01]
[[sweep.curve]]
figure = "FIGURE"
)";

constexpr char kClaimedError[] = R"(
[[claim]]
text = "near the exact solution"
figure = "FIGURE"
of = "linear-deformation"
at_most = 1.0
)";

std::string Naming(std::string text, const std::string& figure) {
  return text.replace(text.find("FIGURE"), 6, figure);
}

// φ = φ₀ cos √(g/l) t of small swings of a point on a massless rod, which half of the mass hangs on.
void WriteExactSwing(const std::filesystem::path& file) {
  std::string text = "time_s,swing_rad\n";
  for (int i = 0; i <= 20; ++i) {
    const double t = 0.02 * i;
    text += Digits(t, 6) + "," + Digits(0.01 * std::cos(std::sqrt(9.81) * t), 12) + "\n";
  }
  WriteText(file, text);
}

class ExactSwing : public testing::Test {
 protected:
  ExactSwing() { WriteExactSwing(folder_ / "exact.csv"); }
  std::string Write(const std::string& more, const std::string& head = "reference = 'exact.csv'") {
    WriteText(folder_ / "pend.toml", head + kSwing + more);
    return (folder_ / "pend.toml").string();
  }
  std::string out() const { return (folder_ / "runs").string(); }
  ScratchFolder folder_;
};

TEST_F(ExactSwing, IsDrawnFromASweep) {
  const std::string file = Write(Naming(kSweptStep, "error_of_swing_max_rad"));
  const Ended sweep = Pliant({"sweep", file, "--backend", "linear-deformation", "--out", out()});
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  const std::string csv = TextOf(folder_ / "runs/pend/sweep.csv");
  EXPECT_THAT(csv, HasSubstr("error_of_swing_max_rad"));
  // A table gives no distances of points and no energies.
  EXPECT_THAT(csv, Not(HasSubstr("distance_to_reference")));
  EXPECT_THAT(csv, Not(HasSubstr("error_of_kinetic_energy")));
}

TEST_F(ExactSwing, ErrorsOfOtherColumnsAreRefusedWithAHint) {
  const std::string file = Write(Naming(kSweptStep, "error_of_kinetic_energy_max_J"));
  const Ended sweep = Pliant({"sweep", file, "--out", out()});
  EXPECT_EQ(sweep.status, 2);
  EXPECT_THAT(sweep.err, Says({"there is no headline figure 'error_of_kinetic_energy_max_J'",
                               "the reference exact.csv is a table", "error_of_swing_max_rad"}));
  Write(Naming(kSweptStep, "error_of_swing_rad_max"));
  EXPECT_THAT(Pliant({"sweep", file, "--out", out()}).err,
              HasSubstr("did you mean 'error_of_swing_max_rad'?"));
  Write(Naming(kSweptStep, "error_of_swing_max_rad"), "");
  EXPECT_THAT(Pliant({"sweep", file, "--out", out()}).err,
              HasSubstr("it needs a reference, and the experiment names none"));
}

TEST_F(ExactSwing, IsClaimed) {
  const std::string file = Write(Naming(kClaimedError, "error_of_swing_max_rad"));
  const Ended verified = Pliant({"verify", file, "--out", out()});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out, HasSubstr("holds"));
  EXPECT_EQ(Pliant({"check", file}).status, 0);
  Write(Naming(kClaimedError, "error_of_kinetic_energy_max_J"));
  const Ended refused = Pliant({"verify", file, "--out", out()});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, Says({"there is no headline figure 'error_of_kinetic_energy_max_J'",
                                 "the reference exact.csv is a table"}));
  std::string order = Naming(kClaimedError, "error_of_kinetic_energy_max_J");
  Write(order.replace(order.find("at_most = 1.0"), 13, "order = 1"));
  EXPECT_THAT(Pliant({"verify", file, "--out", out()}).err,
              HasSubstr("the reference exact.csv is a table"));
}

// The reference runs for a claim about an error against it, as for one about a distance.
TEST_F(ExactSwing, AnErrorAgainstABackendIsClaimed) {
  const std::string file = Write(Naming(kClaimedError, "error_of_kinetic_energy_max_J"),
                                 "reference = 'displacement-constraints'");
  const Ended verified = Pliant({"verify", file, "--out", out()});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_THAT(verified.out,
              HasSubstr("linear-deformation error_of_kinetic_energy_max_J at most 1"));
}

TEST_F(ExactSwing, AReferenceThatIsNotChosenIsMissed) {
  const std::string file = Write("", "reference = 'displacement-constraints'");
  const std::string says =
      "the reference 'displacement-constraints' is not among the chosen backends: no distances; "
      "choose it too, or give reference = \"…/displacement-constraints\"";
  for (const std::string command : {"run", "compare", "refine"}) {
    std::vector<std::string> one = {command, file,  "--backend",  "linear-deformation",
                                    "--out", out(), "--overwrite"};
    if (command == "refine") one.back() = "--levels=2";
    const Ended alone = Pliant(one);
    EXPECT_EQ(alone.status, 0) << alone.err;
    EXPECT_THAT(alone.err, HasSubstr(says)) << command;
    one.insert(one.end(), {"--backend", "displacement-constraints"});
    EXPECT_THAT(Pliant(one).err, Not(HasSubstr("is not among the chosen backends"))) << command;
  }
  // The advice works.
  Write("", "reference = 'runs/pend/displacement-constraints'");
  const Ended kept = Pliant(
      {"compare", file, "--backend", "linear-deformation", "--out", (folder_ / "other").string()});
  EXPECT_EQ(kept.status, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("distance_to_reference_rms_m"));
}

}  // namespace
}  // namespace pliant
