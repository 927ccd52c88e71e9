// The series of an experiment's run, without a folder, and when two are the same.

#ifndef PLIANT_TESTS_APP_WORKBENCH_SERIES_H_
#define PLIANT_TESTS_APP_WORKBENCH_SERIES_H_

#include <gtest/gtest.h>

#include <vector>

#include "experiments/runs/run.h"

namespace pliant {

inline std::vector<SeriesRow> RowsOf(const Experiment& experiment, size_t index) {
  std::vector<SeriesRow> rows;
  RunHooks hooks;
  hooks.on_frame = [&](const Frame& frame) { rows.push_back(frame.row); };
  const Translation translation = TranslateFor(experiment, index);
  Run(experiment, index, translation.simulation.get(), hooks);
  return rows;
}

// Equal but for the wall time of a step.
inline void ExpectSameSeries(const Experiment& a, const Experiment& b, size_t index) {
  const std::vector<SeriesRow> rows = RowsOf(a, index), other = RowsOf(b, index);
  const std::vector<SeriesColumn> columns = SeriesColumns(a.backends[index].backend->info());
  ASSERT_EQ(rows.size(), other.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (size_t c = 0; c < columns.size(); ++c) {
      if (IsTiming(columns[c].name)) continue;
      EXPECT_EQ(rows[i][c], other[i][c]) << columns[c].name << " in row " << i;
    }
  }
}

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_SERIES_H_
