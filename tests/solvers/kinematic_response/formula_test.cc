// Formulas of controls that vary over a surface.

#include <gtest/gtest.h>

#include <cmath>

#include "solvers/kinematic_response/formula.h"
#include "tests/reference/complaints.h"

namespace pliant::kinematic_response {
namespace {

double Evaluated(const std::string& text, double u = 0.25, double v = 0.5) {
  Formula formula(text, {"u", "v"});
  formula.Set(0, u);
  formula.Set(1, v);
  return formula.Value();
}

TEST(Formula, IsArithmeticInItsVariables) {
  EXPECT_DOUBLE_EQ(Evaluated("2 * u + v^2"), 0.75);
  EXPECT_DOUBLE_EQ(Evaluated("u < 0.3 ? 10 : 20"), 10.0);
  EXPECT_DOUBLE_EQ(Evaluated("u == v || u <= 0.25"), 1.0);
  EXPECT_DOUBLE_EQ(Evaluated("sin(pi * v)"), 1.0);
  EXPECT_TRUE(std::isnan(Evaluated("sqrt(-u)")));
}

TEST(Formula, KnowsWhichVariablesItUses) {
  const Formula formula("3 * v", {"u", "v"});
  EXPECT_FALSE(formula.Uses(0));
  EXPECT_TRUE(formula.Uses(1));
}

TEST(Formula, SaysAtWhichColumnItCannotBeRead) {
  struct Bad {
    std::string text, what, mend;
  };
  for (const Bad& bad : std::vector<Bad>{
           {"0.3 * uu", "unknown 'uu' at column 7 ", "did you mean 'u'?"},
           {"0.3 * (u + v", "a ')' is missing at column 13 ", "close"},
           {"0.3 * ", "a number is missing at column 7 ", ""},
           {"u = 0.3", "unexpected '=' at column 3 ", "=="},
           {"u, v", "unexpected ',' at column 2 ", ""},
           {"u ? 3", "a ':' is missing at column 6 ", ""},
           {"2 * * u", "unexpected '*' at column 5 ", ""},
           {"sin(u, v)", "wrong number of arguments", ""},
       }) {
    reference::ExpectBadInput("", {bad.what, bad.mend}, [&] { Formula(bad.text, {"u", "v"}); });
  }
}

}  // namespace
}  // namespace pliant::kinematic_response
