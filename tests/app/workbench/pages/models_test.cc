// The models of the pages; no window.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QUndoStack>
#include <chrono>
#include <thread>
#include <tuple>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/library_model.h"
#include "app/workbench/pages/log_model.h"
#include "app/workbench/pages/parameter_model.h"
#include "app/workbench/pages/translation_model.h"
#include "app/workbench/session/session.h"
#include "experiments/comparison/comparison.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr char kDropFile[] = "experiments/drop.toml";

TEST(ParameterModelTest, EditsMarksAndUndoes) {
  OpenExperiment open;
  ParameterModel model(&open);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  open.Open(kDropFile);
  model.Reload();
  const QModelIndex run = model.index(0, 0);
  EXPECT_EQ(run.data().toString(), "run");
  const QModelIndex duration = model.index(0, ParameterModel::kValue, run);
  EXPECT_EQ(model.index(0, ParameterModel::kName, run).data().toString(), "duration");
  EXPECT_EQ(duration.data().toString(), "2.0");
  EXPECT_FALSE(duration.data(ParameterModel::kDiffersRole).toBool());
  EXPECT_TRUE(model.setData(duration, "1.5"));
  EXPECT_EQ(open.experiment()->plan.duration, 1.5);
  EXPECT_TRUE(duration.data(ParameterModel::kDiffersRole).toBool());
  EXPECT_TRUE(run.data(ParameterModel::kDiffersRole).toBool());
  EXPECT_FALSE(model.setData(duration, "long"));
  EXPECT_EQ(duration.data().toString(), "1.5");
  open.history()->undo();
  EXPECT_EQ(duration.data().toString(), "2.0");
  EXPECT_FALSE(run.data(ParameterModel::kDiffersRole).toBool());
  EXPECT_FALSE(model.flags(model.index(0, ParameterModel::kName, run)) & Qt::ItemIsEditable);
}

TEST(ParameterModelTest, WordsAreChosenFromAList) {
  OpenExperiment open;
  ParameterModel model(&open);
  open.Open(kDropFile);
  model.Reload();
  const QModelIndex group = model.index(1, 0);
  for (int row = 0; row < model.rowCount(group); ++row) {
    if (model.index(row, 0, group).data().toString() != "integrator") continue;
    const QModelIndex value = model.index(row, ParameterModel::kValue, group);
    EXPECT_EQ(value.data().toString(), "rk4");
    EXPECT_TRUE(value.data(ParameterModel::kChoicesRole).toStringList().contains("rk4"));
    EXPECT_TRUE(model.setData(value, "semi-implicit-euler"));
    EXPECT_EQ(std::get<std::string>(open.experiment()->backends[0].parameters.at("integrator")),
              "semi-implicit-euler");
    return;
  }
  ADD_FAILURE() << "no integrator";
}

TEST(TranslationModelTest, HasARowForEachElement) {
  Session session;
  TranslationModel model(&session);
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  session.Open(std::make_shared<Experiment>(ReadExperiment(kDropFile)));
  for (int i = 0; i < 5000 && model.rowCount() == 0; ++i) {
    session.Tick(0.0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (int i = 0; i < 5000; ++i) {  // all panes have begun
    session.Tick(0.0);
    bool begun = true;
    for (const Pane& pane : session.panes()) begun = begun && !pane.start.translation.empty();
    if (begun) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const std::vector<std::string> elements = Elements(*session.experiment()->scene);
  ASSERT_EQ(model.rowCount(), static_cast<int>(elements.size()));
  ASSERT_EQ(model.columnCount(), 4);
  for (int row = 0; row < model.rowCount(); ++row) {
    EXPECT_EQ(model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString().toStdString(),
              elements[static_cast<size_t>(row)]);
    const TranslatedElement& first = session.panes()[0].start.translation[static_cast<size_t>(row)];
    EXPECT_EQ(model.index(row, 0).data().toString().toStdString(), ToString(first.fidelity));
    EXPECT_THAT(model.index(row, 0).data(Qt::ToolTipRole).toString().toStdString(),
                HasSubstr(first.reason));
  }
}

TEST(LibraryModelTest, ListsExperimentsScenesAndBundles) {
  const ScratchFolder folder;
  const Experiment experiment = ReadExperiment(kDropFile, {"run.duration=0.01"});
  RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder / "drop", {});
  LibraryModel model;
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  model.Load(".", folder.path());
  ASSERT_EQ(model.rowCount(), 3);
  std::vector<std::string> names;
  const QModelIndex experiments = model.index(0, 0);
  for (int i = 0; i < model.rowCount(experiments); ++i) {
    names.push_back(model.index(i, 0, experiments).data().toString().toStdString());
  }
  EXPECT_THAT(names, Contains("press"));
  const QModelIndex bundle = model.index(0, 0, model.index(0, 0, model.index(2, 0)));
  EXPECT_EQ(bundle.data(LibraryModel::kPathRole).toString().toStdString(),
            (folder / "drop" / "dynamic-ffd").string());
}

TEST(LogModelTest, ForgetsTheOldestLines) {
  LogModel model;
  for (int i = 0; i < 1990; ++i) model.Add(QString::number(i));
  const QAbstractItemModelTester tester(&model,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  for (int i = 1990; i < 2020; ++i) model.Add(QString::number(i));
  EXPECT_LE(model.rowCount(), 2000);
  EXPECT_TRUE(model.index(model.rowCount() - 1, 0).data().toString().endsWith(" 2019"));
}

}  // namespace
}  // namespace pliant
