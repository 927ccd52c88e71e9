#include "experiments/bundles/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "experiments/files/experiment.h"
#include "models/scene/number_text.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Csv, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(RoundTrip(0.1), "0.1");
  EXPECT_EQ(RoundTrip(-2.0), "-2");
  EXPECT_EQ(RoundTrip(1e300), "1e+300");
  EXPECT_EQ(RoundTrip(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(RoundTrip(kInfinity), "inf");
  EXPECT_EQ(RoundTrip(-std::nan("")), "nan");
}

TEST(Csv, EveryNumberReadsBackBitForBit) {
  constexpr std::uint64_t kSeed = 20240229;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 20000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    const std::optional<double> back = ParseNumber(RoundTrip(value));
    ASSERT_TRUE(back);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(*back), std::bit_cast<std::uint64_t>(value)) << value;
  }
  EXPECT_TRUE(std::signbit(*ParseNumber("-0")));
}

TEST(Csv, WhatIsNotWhollyANumberIsNone) {
  for (const char* text : {"", "1x", "x1", "1 ", " 1", "1,2", "--1"}) {
    EXPECT_FALSE(ParseNumber(text)) << text;
  }
}

TEST(Csv, NotDefinedIsAnEmptyCellAndStaysApartFromZero) {
  const ScratchFolder folder;
  const std::vector<std::vector<std::optional<double>>> rows = {
      {0.0, std::nullopt, 1.5}, {0.5, 0.0, std::nullopt}, {std::nullopt, -kInfinity, kInfinity}};
  CsvWriter writer(folder / "a.csv", {"time_s", "x_m", "y_m"});
  for (const auto& row : rows) writer.Row(row);
  writer.Close();
  EXPECT_EQ(ReadFile(folder / "a.csv"), "time_s,x_m,y_m\n0,,1.5\n0.5,0,\n,-inf,inf\n");

  const CsvTable table = ReadCsv(folder / "a.csv");
  EXPECT_EQ(table.names, (std::vector<std::string>{"time_s", "x_m", "y_m"}));
  EXPECT_EQ(table.rows, rows);
}

TEST(Csv, NamesOfColumnsReadBackWhateverIsInThem) {
  const ScratchFolder folder;
  const std::vector<std::string> names = {"a, b", "say \"so\"", "two\nlines", "plain", ""};
  CsvWriter writer(folder / "a.csv", names);
  writer.Row({1.0, 2.0, 3.0, 4.0, 5.0});
  writer.Close();
  const CsvTable table = ReadCsv(folder / "a.csv");
  EXPECT_EQ(table.names, names);
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0][4], 5.0);
}

TEST(Csv, AWrongRowIsNamedWithItsLine) {
  const ScratchFolder folder;
  WriteFile(folder / "short.csv", "a,b\n1,2\n3\n");
  EXPECT_THAT([&] { ReadCsv(folder / "short.csv"); },
              ThrowsMessage<FileError>(HasSubstr("short.csv:3: 1 cells, but the header has 2")));
  WriteFile(folder / "word.csv", "a,b\n1,two\n");
  EXPECT_THAT([&] { ReadCsv(folder / "word.csv"); },
              ThrowsMessage<FileError>(HasSubstr("word.csv:2: 'two' in column b is not a number")));
}

TEST(Csv, TextIsQuotedOnlyWhereItMustBe) {
  EXPECT_EQ(CsvCell("plain words"), "plain words");
  EXPECT_EQ(CsvCell("a, b"), "\"a, b\"");
  EXPECT_EQ(CsvCell("say \"so\""), "\"say \"\"so\"\"\"");
}

TEST(Storage, ADeviceWithoutRoomIsAnErrorWithPathAndReason) {
  CsvWriter writer("/dev/full", {"a"});
  writer.Row({1.0});
  EXPECT_THAT([&] { writer.Close(); },
              ThrowsMessage<StorageError>("/dev/full: cannot write: No space left on device"));
}

TEST(Storage, AFullDiskIsNoticedWhileWriting) {
  const ScratchFolder folder;
  const FullDisk full(1 << 16);
  CsvWriter writer(folder / "a.csv", {"a"});
  EXPECT_THAT(
      [&] {
        for (int i = 0; i < 100000; ++i) writer.Row({0.1 * i});
        writer.Close();
      },
      ThrowsMessage<StorageError>(HasSubstr("a.csv: cannot write: File too large")));
}

TEST(Storage, APathBelowAFileIsAnErrorWithPathAndReason) {
  const ScratchFolder folder;
  WriteFile(folder / "file", "");
  EXPECT_THAT([&] { OutputFile(folder / "file" / "a.csv"); },
              ThrowsMessage<StorageError>(HasSubstr("a.csv: cannot create the file: Not a dir")));
  EXPECT_THAT([&] { CreateFolder(folder / "file" / "deeper"); },
              ThrowsMessage<StorageError>(HasSubstr("cannot create the folder: Not a directory")));
  EXPECT_THAT([&] { CreateFolder(folder / "file"); },
              ThrowsMessage<StorageError>(HasSubstr("cannot create the folder: Not a directory")));
  EXPECT_THAT([&] { ReadFile(folder / "absent"); },
              ThrowsMessage<StorageError>(HasSubstr("absent: cannot open the file: No such file")));
}

}  // namespace
}  // namespace pliant
