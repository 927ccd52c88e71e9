#include "solvers/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

enum class Colour { kRed, kGreen };

struct Options {
  double stiffness = 3.0;
  int sweeps = 5;
  bool printed = false;
  Colour colour = Colour::kGreen;
  std::vector<double> fractions = {1.0};
  double patience = 1.0;
  void Bind(ParameterBinder& b) {
    b.Real("stiffness", &stiffness, "N/m", MoreThan(0.0), "how stiff");
    b.Integer("sweeps", &sweeps, "1", Between(1, 100), "how often");
    b.Boolean("printed", &printed, "as printed");
    b.Choice("colour", &colour, {{"red", Colour::kRed}, {"green", Colour::kGreen}}, "which");
    b.Reals("fractions", &fractions, "1", Between(0, 1), "parts");
    b.Real("patience", &patience, "s", {.lower = 0.0, .infinite = true}, "how long to wait");
  }
};

TEST(Parameters, DescribeTheirDefaultsFromTheOptions) {
  const std::vector<ParameterInfo> infos = DescribeParameters<Options>();
  ASSERT_EQ(infos.size(), 6u);
  EXPECT_EQ(std::get<double>(infos[0].default_value), 3.0);
  EXPECT_EQ(std::get<std::int64_t>(infos[1].default_value), 5);
  EXPECT_EQ(std::get<std::string>(infos[3].default_value), "green");
  EXPECT_EQ(infos[3].choices.size(), 2u);
}

TEST(Parameters, AssignWhatIsGivenAndKeepTheRest) {
  const auto options = BindParameters<Options>({{"stiffness", std::int64_t{7}},
                                                {"colour", std::string("red")},
                                                {"fractions", std::vector<double>{0.5, 0.5}}});
  EXPECT_EQ(options.stiffness, 7.0);
  EXPECT_EQ(options.sweeps, 5);
  EXPECT_EQ(options.colour, Colour::kRed);
  EXPECT_EQ(options.fractions.size(), 2u);
}

TEST(Parameters, TakeANumberForAListOfOne) {
  EXPECT_EQ(BindParameters<Options>({{"fractions", 0.25}}).fractions, std::vector<double>{0.25});
  EXPECT_EQ(BindParameters<Options>({{"fractions", std::int64_t{1}}}).fractions,
            std::vector<double>{1.0});
}

struct Conditional {
  bool swells = false;
  double most = 1.0;
  double least = 0.5;
  double always = 2.0;
  MatrixTable table;
  void Bind(ParameterBinder& b) {
    b.Boolean("swells", &swells, "whether it swells");
    b.OnlyWhen(
        "swells = true", [this](const Scene&) { return swells; },
        [&] {
          b.Real("most", &most, "1", {}, "how much");
          b.OnlyWhen(
              "there is a body", [](const Scene& scene) { return !scene.bodies.empty(); },
              [&] {
                b.Real("least", &least, "1", AtLeast(0), "how little");
                b.Table("table", &table, "where");
              });
        });
    b.Real("always", &always, "1", {}, "that");
  }
};

std::vector<std::string> WithoutEffect(const ParameterValues& values, const Scene& scene) {
  return ParametersWithoutEffect(BindParameters<Conditional>(values), scene);
}

TEST(Parameters, SayWhenTheyCount) {
  const std::vector<ParameterInfo> infos = DescribeParameters<Conditional>();
  EXPECT_EQ(infos[0].counts_when, "");
  EXPECT_EQ(infos[1].counts_when, "swells = true");
  EXPECT_EQ(infos[2].counts_when, "swells = true; and there is a body");
  EXPECT_EQ(infos[4].counts_when, "");
  EXPECT_EQ(MeaningAndCondition(infos[1]), "how much; counts only when swells = true");
}

TEST(Parameters, WithoutEffectAreThoseThatDifferFromTheirDefaults) {
  const Scene empty;
  EXPECT_EQ(WithoutEffect({}, empty), std::vector<std::string>());
  EXPECT_EQ(WithoutEffect({{"most", 1.0}, {"table", MatrixTable()}}, empty),
            std::vector<std::string>());
  EXPECT_EQ(WithoutEffect({{"always", 3.0}, {"most", 3.0}}, empty),
            std::vector<std::string>{"most has no effect: it counts only when swells = true"});
  const ParameterValues swelling = {{"swells", true}, {"most", 3.0}, {"least", 3.0}};
  EXPECT_EQ(WithoutEffect(swelling, empty),
            std::vector<std::string>{"least has no effect: it counts only when there is a body"});
  Scene scene;
  scene.bodies.resize(1);
  EXPECT_EQ(WithoutEffect(swelling, scene), std::vector<std::string>());
  // Nothing of it is asked for.
  EXPECT_EQ(WithoutEffect({{"least", 0.0}}, scene), std::vector<std::string>());
  EXPECT_EQ(WithoutEffect({{"most", 0.0}}, scene),
            std::vector<std::string>{"most has no effect: it counts only when swells = true"});
  MatrixTable table;
  table.scalars["length"] = 1.0;
  EXPECT_EQ(WithoutEffect({{"table", table}}, scene),
            std::vector<std::string>{"table has no effect: it counts only when swells = true"});
}

std::string Refusal(const ParameterValues& values) {
  try {
    BindParameters<Options>(values);
  } catch (const BadInput& bad) {
    return bad.problem().where + ": " + bad.what();
  }
  return "accepted";
}

TEST(Parameters, AreInfiniteOnlyWhereTheyMayBe) {
  EXPECT_EQ(BindParameters<Options>({{"patience", INFINITY}}).patience, INFINITY);
  EXPECT_EQ(Refusal({{"patience", -INFINITY}}),
            "patience: patience = -inf is out of range; it must be at least 0, inf allowed");
  EXPECT_EQ(Refusal({{"patience", std::nan("")}}),
            "patience: patience = nan is out of range; it must be at least 0, inf allowed");
  EXPECT_EQ(Refusal({{"stiffness", INFINITY}}),
            "stiffness: stiffness = inf is out of range; it must be more than 0");
}

TEST(Parameters, RefuseInOneLine) {
  EXPECT_EQ(Refusal({{"stifness", 1.0}}),
            "stifness: unknown parameter 'stifness'; did you mean 'stiffness'?");
  EXPECT_EQ(Refusal({{"stiffness", 0.0}}),
            "stiffness: stiffness = 0 is out of range; it must be more than 0");
  EXPECT_EQ(Refusal({{"stiffness", std::nan("")}}),
            "stiffness: stiffness = nan is out of range; it must be more than 0");
  EXPECT_EQ(Refusal({{"sweeps", 1.5}}), "sweeps: sweeps has the wrong type; give a whole number");
  EXPECT_EQ(Refusal({{"sweeps", std::int64_t{1} << 40}}),
            "sweeps: sweeps = 1.09951e+12 is out of range; it must be between 1 and 100");
  EXPECT_EQ(Refusal({{"colour", std::string("gren")}}),
            "colour: unknown colour 'gren'; did you mean 'green'?");
  EXPECT_EQ(Refusal({{"fractions", std::vector<double>{0.5, 2.0}}}),
            "fractions: fractions = 2 is out of range; it must be between 0 and 1");
  EXPECT_EQ(Refusal({{"printed", std::int64_t{1}}}),
            "printed: printed has the wrong type; give true or false");
}

}  // namespace
}  // namespace pliant
