// reproduce, report, export: what is done with a bundle.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace pliant {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class OnABundle : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(Pliant({"run", "experiments/pendulum.toml", "--backend", "linear-deformation",
                      "--set", "run.duration=0.02", "--out", folder_.path()})
                  .status,
              0);
  }
  const ScratchFolder folder_;
  const std::filesystem::path bundle_ = folder_ / "pendulum/linear-deformation";
};

TEST_F(OnABundle, ReproduceSaysIdentical) {
  const Ended reproduce = Pliant({"reproduce", bundle_});
  EXPECT_EQ(reproduce.status, 0);
  EXPECT_THAT(reproduce.out, StartsWith("identical: "));
}

// The checksum of a file, as the manifest has it.
std::string Sha256(const std::filesystem::path& file) {
  Start start;
  start.program = "/usr/bin/sha256sum";
  return Pliant({file}, start).out.substr(0, 64);
}

TEST_F(OnABundle, ABundleThatComesOutDifferentIsStatus1) {
  const std::filesystem::path series = bundle_ / "series.csv", manifest = bundle_ / "manifest.json";
  const std::string before = Sha256(series);
  std::string rows = TextOf(series), sums = TextOf(manifest);
  rows.replace(rows.find("\n0.02,") + 6, 1, "7");  // the first digit of the kinetic energy
  WriteText(series, rows);
  WriteText(manifest, sums.replace(sums.find(before), before.size(), Sha256(series)));
  const Ended reproduce = Pliant({"reproduce", bundle_});
  EXPECT_EQ(reproduce.status, 1);
  EXPECT_THAT(reproduce.out, StartsWith("different: kinetic_energy_J at 0.02 s"));
}

TEST_F(OnABundle, ADamagedBundleIsRefusedWithTheFile) {
  WriteText(bundle_ / "series.csv", TextOf(bundle_ / "series.csv") + "1\n");
  for (const char* command : {"reproduce", "report"}) {
    const Ended ended = Pliant({command, bundle_});
    EXPECT_EQ(ended.status, 2) << command;
    EXPECT_THAT(ended.out, IsEmpty());
    EXPECT_THAT(ended.err, HasSubstr("series.csv"));
  }
}

TEST_F(OnABundle, ReportOverTwoScenesIsHeadedByTheirNames) {
  ASSERT_EQ(Pliant({"run", "experiments/pendulum.toml", "--backend", "linear-deformation", "--set",
                    "run.duration=0.02", "--set", "name=longer", "--set", "scene.name=two-links",
                    "--set", "scene.body.lower.points=3", "--out", folder_.path()})
                .status,
            0);
  const Ended report =
      Pliant({"report", folder_ / "pendulum", folder_ / "longer", "--out", folder_ / "both.html"});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_THAT(report.out, AllOf(HasSubstr("pendulum:\n"), HasSubstr("longer (scene two-links):\n"),
                                HasSubstr("report: " + (folder_ / "both.html").string())));
#ifdef PLIANT_QT
  EXPECT_THAT(TextOf(folder_ / "both.html"), HasSubstr("longer (scene two-links)</h2>"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "both-2/report.html"));
#endif
}

TEST_F(OnABundle, ReportPrintsTheTableAgain) {
  const Ended report = Pliant({"report", folder_ / "pendulum", "--out", folder_ / "again.html"});
  EXPECT_EQ(report.status, 0);
  EXPECT_THAT(report.out, HasSubstr("residual_energy_max_J"));
  EXPECT_THAT(report.out, HasSubstr("report: " + (folder_ / "again.html").string()));
#ifdef PLIANT_QT
  EXPECT_TRUE(std::filesystem::exists(folder_ / "again.html"));
#endif
}

TEST_F(OnABundle, ExportWritesEachFormatAndSaysWhere) {
  for (const std::string format : {"vtk", "xdmf", "obj", "csv"}) {
    const Ended written = Pliant({"export", bundle_, "--format", format});
    EXPECT_EQ(written.status, 0) << format;
    ASSERT_THAT(written.out, StartsWith(bundle_.string() + "-" + format));
    EXPECT_TRUE(std::filesystem::exists(written.out.substr(0, written.out.size() - 1)));
    EXPECT_THAT(written.err, IsEmpty());
  }
}

TEST_F(OnABundle, ExportRefusesUnknownFormats) {
  const Ended refused = Pliant({"export", bundle_, "--format", "vtq"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.err, "pliant: unknown format 'vtq'; did you mean 'vtk'?\n");
}

TEST_F(OnABundle, WhatCannotBeWrittenIsStatus3) {
  WriteText(folder_ / "file", "");
  const Ended csv = Pliant({"export", bundle_, "--format", "csv", "--out", folder_ / "file/x"});
  EXPECT_EQ(csv.status, 3);
  EXPECT_THAT(csv.err, StartsWith("pliant: " + (folder_ / "file").string()));
#ifdef PLIANT_QT
  EXPECT_EQ(Pliant({"report", bundle_, "--out", folder_ / "file/report.html"}).status, 3);
#endif
}

TEST_F(OnABundle, ADamagedBundleDoesNotHideTheOthers) {
  const std::filesystem::path other = folder_ / "pendulum/other";
  std::filesystem::copy(bundle_, other);
  WriteText(other / "series.csv", "");
  const Ended report = Pliant({"report", folder_ / "pendulum", "--out", folder_ / "again.html"});
  EXPECT_EQ(report.status, 1);
  EXPECT_THAT(report.err, HasSubstr("other is left out: "));
  EXPECT_THAT(report.err, HasSubstr("changed since the run"));
  EXPECT_THAT(report.out, HasSubstr("residual_energy_max_J"));
}

}  // namespace
}  // namespace pliant
