// Recorded arrays as columns of a series.

#include "experiments/runs/recorded_columns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using testing::ElementsAre;

std::vector<NamedArray> Arrays() {
  NamedArray amplitudes{"modes", "amplitudes.rod", "1", "γ", {"bend", "squash x"}, {}, {}};
  amplitudes.values = Eigen::Vector2d(0.25, -0.5);
  NamedArray state{"coordinates", "q", "m, rad", "q", {"x", "θ 1"}, {}, {}};
  state.values = Eigen::Vector2d(1.5, 0.75);
  NamedArray lambda{"multipliers", "lambda", "N", "λ", {"nail 'a.b'"}, {"x", "y", "z"}, {}};
  lambda.values = Eigen::RowVector3d(2.0, -3.0, 6.0);
  NamedArray offsets{"levels", "offsets.0", "m", "offsets", {}, {"x", "y", "z"}, {}};
  offsets.values = Eigen::MatrixXd::Constant(50, 3, 0.1);
  offsets.values(7, 1) = -0.3;
  NamedArray mass{"equations", "M", "kg, kg m by row and column", "M", {}, {}, {}};
  mass.values = Eigen::Matrix2d::Identity();
  return {amplitudes, state, lambda, offsets, mass};
}

TEST(RecordedColumns, AreNamedRowsMagnitudesOfVectorsAndLargestValues) {
  const auto columns = RecordedColumns(Arrays());
  EXPECT_THAT(ColumnNames(columns),
              ElementsAre("modes.amplitudes.rod.bend", "modes.amplitudes.rod.squash_x",
                          "coordinates.q.x_m", "coordinates.q._1_rad",
                          "multipliers.lambda.nail_a-b_N", "levels.offsets.0.largest_m"));
  SeriesRow row = {1.0};
  AppendRecorded(Arrays(), columns, &row);
  EXPECT_THAT(row, ElementsAre(1.0, 0.25, -0.5, 1.5, 0.75, 7.0, 0.3));
}

TEST(RecordedColumns, AreKnownFromTheirNames) {
  for (const SeriesColumn& column : RecordedColumns(Arrays())) {
    EXPECT_TRUE(IsRecordedColumn(column.name));
    EXPECT_EQ(RecordedColumn(column.name), column) << column.name;
  }
  for (const SeriesColumn& column : SeriesColumns(BackendInfo())) {
    EXPECT_EQ(RecordedColumn(column.name), std::nullopt) << column.name;
  }
}

TEST(RecordedColumns, LeaveOutWhatIsNotThere) {
  const auto columns = RecordedColumns(Arrays());
  std::vector<NamedArray> later = Arrays();
  later.erase(later.begin());
  later[0].values(1) = std::nan("");
  later[2].values(3, 0) = std::nan("");
  SeriesRow row;
  AppendRecorded(later, columns, &row);
  EXPECT_THAT(row, ElementsAre(std::nullopt, std::nullopt, 1.5, std::nullopt, 7.0, std::nullopt));
}

}  // namespace
}  // namespace pliant
