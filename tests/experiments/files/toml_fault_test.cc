// Syntax errors of TOML, each with its place and how to mend it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "experiments/files/mistakes.h"
#include "tests/says.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string FaultIn(const std::string& text) {
  try {
    ParseToml(text, std::make_shared<FileSource>(FileSource{"a.toml", "", false}));
  } catch (const FileError& error) {
    return error.what();
  }
  return "none";
}

struct WrongValue {
  std::string line;
  std::string mend;
};

class AWrongValue : public ::testing::TestWithParam<WrongValue> {};

TEST_P(AWrongValue, IsToldHowToBeWritten) {
  const std::string fault = FaultIn("# ä\n" + GetParam().line + "\nb = 1\n");
  EXPECT_THAT(fault, StartsWith("a.toml:2:")) << GetParam().line;
  EXPECT_THAT(fault, EndsWith("; " + GetParam().mend)) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(
    OfOneLine, AWrongValue,
    ::testing::Values(
        WrongValue{"a = 1,5", "write a decimal point: 1.5"},
        WrongValue{"a = 1,5e6  # N", "write a decimal point: 1.5e6"},
        WrongValue{"a = 1,500", "write a decimal point: 1.500; or 1500"},
        WrongValue{"a = 1,500,000", "write 1500000, without anything between the digits"},
        WrongValue{"a = 1 500 000", "write 1500000, without anything between the digits"},
        WrongValue{"a = 1'500'000", "write 1500000, without anything between the digits"},
        WrongValue{"a = 08", "write 8"}, WrongValue{"\"äääääääää\" = [1.0, 2.0, 08]", "write 8"},
        WrongValue{"a = -007.5", "write -7.5"}, WrongValue{"a = .5", "write 0.5"},
        WrongValue{"a = 5.", "write 5.0"}, WrongValue{"a = 1.e6", "write 1.0e6"},
        WrongValue{"a = [0,8, 0,04]", "write decimal points: [0.8, 0.04]"},
        WrongValue{"a = [0,8,0,04]", "write decimals with a point: 0.5, not 0,5"},
        WrongValue{"a = {b = 0,001, c = 20}", "write a decimal point: 0.001"},
        WrongValue{"a = [[1,2],[3 4]]", "write a comma between the entries"},
        WrongValue{"a = null", "leave the key out"}, WrongValue{"a = True", "write true"},
        WrongValue{"a = {b = FALSE}", "write false"}, WrongValue{"a = yes", "write true"},
        WrongValue{"a = (b = 20)", "write braces: {b = 20}"},
        WrongValue{"a = (1, 2)", "write square brackets: [1, 2]"},
        WrongValue{"a = [1, (2)]", "write square brackets: [2]"},
        WrongValue{"a = 1100 kg/m3",
                   "write the number alone, in the unit that the manual gives: 1100  # kg/m3"},
        WrongValue{"a = {b = 20mm}",
                   "write the number alone, in the unit that the manual gives: 20  # mm"},
        WrongValue{"a = 3.14/2", "write the result: a file does not compute"},
        WrongValue{"a = ring", "write texts in quotes: \"ring\""},
        WrongValue{"a = “ring”", "write straight quotes: \"ring\""},
        WrongValue{"a: 5", "write a = and its value"},
        WrongValue{"a \"ring\"", "write a = and its value"},
        WrongValue{"a = \"ball", "end it with \""}, WrongValue{"a = [1, 'ball]", "end it with '"}));

// The parser goes on in the next line, and complains about that.
TEST(AnOpenList, IsPlacedWhereItBegins) {
  const std::string said =
      ": not valid TOML: a list begins here and is not closed before the next key or table; "
      "end it with ]";
  for (const std::string next : {"[[scene.nail]]\n", "[run]  # s\n", "step = 1\n", "a.b = [2]\n",
                                 "\n\n[run]\n", "# said\n", ""}) {
    EXPECT_EQ(FaultIn("k = [1]\n\"ä\" = [1, 2\n" + next), "a.toml:2:7" + said) << next;
    EXPECT_EQ(FaultIn("a = [[1, 2], [3, 4\n" + next), "a.toml:1:14" + said) << next;
    EXPECT_EQ(FaultIn("a = [[1, 2],\n  [3, 4]\n" + next), "a.toml:1:5" + said) << next;
  }
  EXPECT_EQ(FaultIn("a = [1, 2,\nb = 3\n"), "a.toml:1:5" + said);
  // A list that goes on lacks a comma alone.
  EXPECT_THAT(FaultIn("a = [[1, 2]\n  [3, 4]]\n"),
              AllOf(StartsWith("a.toml:2:"), EndsWith("write a comma between the entries")));
}

// The place is the quote that begins, not the end of the line where the parser noticed; columns count characters.
TEST(AnOpenText, IsPlacedWhereItBegins) {
  EXPECT_EQ(FaultIn("k = 1\nname = \"ball  # it\nb = 2\n"),
            "a.toml:2:8: not valid TOML: a text begins here and has no closing quote on its line; "
            "end it with \"");
  EXPECT_THAT(FaultIn("\"ä\" = [\"b\", \"c]\n"), StartsWith("a.toml:1:13: "));
}

// A list of tables whose first header has one bracket too few: that header is wrong.
TEST(ATableThatIsThereTwice, IsToldWhichLineIsWrong) {
  EXPECT_EQ(FaultIn("[s]\na = 1\n[s.nail] # one\na = 1\n[[s.nail]]\na = 2\n"),
            "a.toml:3:1: not valid TOML: [s.nail] is a single table, but line 5 begins another "
            "one, [[s.nail]]; write [[s.nail]] here");
  EXPECT_THAT(FaultIn("[[nail]]\na = 1\n[nail]\na = 2\n"),
              Says({"a.toml:3:1:",
                    "[nail] is a single table, but [[nail]] stands in line 1 "
                    "already; write [[nail]]"}));
  EXPECT_THAT(
      FaultIn("[run]\na = 1\n[b]\n[run]\nb = 2\n"),
      Says({"a.toml:4:1:", "[run] stands in line 1 already; put the keys of both into one"}));
  EXPECT_THAT(FaultIn("a = 1\nb = 2\na = 3\n"),
              Says({"a.toml:3:", "'a' has a value in this table already; remove one"}));
  EXPECT_THAT(FaultIn("[a]\nnail = [1]\n[[a.nail]]\n"), HasSubstr("redefine"));
}

// What nobody can guess keeps the words of the parser alone.
TEST(AnyOtherFault, HasNoMend) {
  for (const std::string text : {"a = [1, 2\n", "[a\n", "a = ?\n", "a = \"\\q\"\n", "a = 1 2\n"}) {
    EXPECT_THAT(FaultIn(text), Not(HasSubstr("write"))) << text;
  }
}

}  // namespace
}  // namespace pliant
