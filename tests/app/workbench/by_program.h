// What the program of the command line makes of a file, beside what a session has recorded.

#ifndef PLIANT_TESTS_APP_WORKBENCH_BY_PROGRAM_H_
#define PLIANT_TESTS_APP_WORKBENCH_BY_PROGRAM_H_

#include <gtest/gtest.h>

#include <QProcess>
#include <filesystem>
#include <vector>

#include "app/workbench/session/session.h"
#include "experiments/bundles/bundle.h"

namespace pliant {

// Every number of every pane that ran to its end, bit for bit, but the wall time of a step.
inline void ExpectTheProgramRunsAlike(const Session& session, const std::filesystem::path& file,
                                      const std::filesystem::path& out) {
  QProcess program;
  program.start(PLIANT_CLI, {"run", QString::fromStdString(file.string()), "--out",
                             QString::fromStdString(out.string())});
  ASSERT_TRUE(program.waitForFinished(60000));
  ASSERT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
  const std::vector<std::filesystem::path> bundles = FindBundles(out);
  ASSERT_EQ(bundles.size(), session.panes().size());
  for (const std::filesystem::path& path : bundles) {
    const Bundle bundle = Bundle::Open(path);
    const Pane* pane = nullptr;
    for (const Pane& one : session.panes()) {
      if (one.label == bundle.label()) pane = &one;
    }
    ASSERT_NE(pane, nullptr) << bundle.label();
    ASSERT_EQ(pane->recording.size(), bundle.rows().size()) << pane->label;
    for (size_t k = 0; k < pane->recording.size(); ++k) {
      for (size_t c = 0; c < bundle.columns().size(); ++c) {
        if (IsTiming(bundle.columns()[c].name)) continue;
        ASSERT_EQ(pane->recording[k].row[c], bundle.rows()[k][c])
            << pane->label << ": " << bundle.columns()[c].name << " in row " << k;
      }
      ASSERT_TRUE(pane->recording[k].points == bundle.Points(k).cast<float>())
          << pane->label << ", frame " << k;
    }
  }
}

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_BY_PROGRAM_H_
