// The page of matrices and vectors shows and saves what `pliant inspect` does of a bundle of the same run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QListWidget>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <cmath>
#include <memory>

#include "app/plots/canvas.h"
#include "app/workbench/pages/array_page.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/bundle.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment_document.h"
#include "models/scene/number_text.h"
#include "tests/app/workbench/windows.h"
#include "tests/experiments/shipped_file.h"

namespace pliant {
namespace {

using ::testing::HasSubstr;

constexpr double kTime = 0.03;  // s, a record in the middle

class ArrayPageTest : public WindowTest {
 protected:
  ArrayPageTest() {
    EnsureApplication();
    window_ = std::make_unique<MainWindow>(WorkbenchPlaces{".", scratch_.path()});
    window_->resize(1300, 850);
    window_->show();
    const Experiment experiment = ReadExperiment(
        ShippedFile("pendulum"), {"run.duration=0.05", "run.record_every=0.01", "name=\"arrays\""});
    file_ = scratch_ / "arrays.toml";
    WriteFile(file_, ToToml(experiment));
  }
  ArrayPage& page() { return PageOf<ArrayPage>(*window_); }
  Session& session() { return window_->session(); }
  void RunToItsEnd() {
    session().Play();
    ASSERT_TRUE(WaitUntil([&] { return AllPanesEnded(session()) && session().AtEnd(); }));
    session().Scrub(kTime);
    ASSERT_TRUE(WaitUntil([&] { return std::abs(session().time() - kTime) < 1e-12; }));
  }
  void Show(const std::string& label) {
    window_->findChild<QDockWidget*>("Matrices")->raise();
    ASSERT_TRUE(WaitUntil([&] { return page().isVisible(); }));
    auto* panes = page().findChild<QComboBox*>();
    panes->setCurrentText(QString::fromStdString(label));
    ASSERT_EQ(panes->currentText().toStdString(), label);
    page().findChild<QPushButton*>("inspect")->click();
    ASSERT_TRUE(page().works());
    ASSERT_TRUE(WaitUntil([&] { return !page().works(); }));
    ASSERT_NE(page().seen(), nullptr);
  }
  std::string Program(const QStringList& words) {
    QProcess program;
    program.start(PLIANT_CLI, words);
    EXPECT_TRUE(program.waitForFinished(60000));
    EXPECT_EQ(program.exitCode(), 0) << program.readAllStandardError().toStdString();
    return program.readAllStandardOutput().toStdString();
  }
  std::string Bundles() {
    const std::string out = scratch_ / "runs";
    Program({"run", QString::fromStdString(file_.string()), "--out", QString::fromStdString(out)});
    return out + "/arrays";
  }
  // What the page saves is what the program saves of `bundle`, byte for byte.
  void ExpectTheSameFile(const std::string& bundle) {
    const std::filesystem::path by_page = scratch_ / "page.h5",
                                by_program = scratch_ / "program.h5";
    page().Save(by_page);
    const std::string printed =
        Program({"inspect", QString::fromStdString(bundle), "--time", QString::number(kTime),
                 "--out", QString::fromStdString(by_program.string())});
    EXPECT_EQ(ReadFile(by_page), ReadFile(by_program)) << bundle;
    for (const NamedArray& array : page().seen()->arrays) {
      EXPECT_THAT(printed, HasSubstr(TextOf(array, 24, 12)));
    }
  }

  ScratchFolder scratch_;
  std::filesystem::path file_;
  std::unique_ptr<MainWindow> window_;
};

TEST_F(ArrayPageTest, OfRunsIsWhatInspectShowsOfTheirBundles) {
  ASSERT_TRUE(window_->Open(file_));
  RunToItsEnd();
  const std::string bundles = Bundles();
  for (const char* label :
       {"dynamic-ffd", "linear-deformation", "displacement-constraints", "position-based"}) {
    Show(label);
    EXPECT_EQ(page().seen()->time, kTime);
    EXPECT_GT(page().seen()->arrays.size(), 2u);
    ExpectTheSameFile(bundles + "/" + label);
  }
}

TEST_F(ArrayPageTest, OfABundleIsWhatInspectShows) {
  const std::string bundle = Bundles() + "/position-based";
  ASSERT_TRUE(window_->Open(bundle));
  RunToItsEnd();
  Show("position-based");
  ExpectTheSameFile(bundle);
}

TEST_F(ArrayPageTest, TheTableHasTheNumbersAndTheirLabels) {
  ASSERT_TRUE(window_->Open(file_));
  RunToItsEnd();
  Show("dynamic-ffd");
  auto* list = page().findChild<QListWidget*>("inspect list");
  auto* table = page().findChild<QTableView*>("inspect table");
  ASSERT_EQ(list->count(), static_cast<int>(page().seen()->arrays.size()));
  for (int k = 0; k < list->count(); ++k) {
    const NamedArray& array = page().seen()->arrays[static_cast<size_t>(k)];
    list->setCurrentRow(k);
    EXPECT_THAT(list->item(k)->text().toStdString(), HasSubstr(array.group + "/" + array.name));
    ASSERT_EQ(table->model()->rowCount(), array.values.rows());
    ASSERT_EQ(table->model()->columnCount(), array.values.cols());
    for (int i = 0; i < array.values.rows(); ++i) {
      EXPECT_EQ(table->model()->headerData(i, Qt::Vertical).toString().toStdString(),
                LabelOf(array.rows, i));
      for (int j = 0; j < array.values.cols(); ++j) {
        const QModelIndex cell = table->model()->index(i, j);
        EXPECT_NEAR(cell.data().toDouble(), array.values(i, j),
                    1e-5 * std::abs(array.values(i, j)));
        EXPECT_EQ(cell.data(Qt::ToolTipRole).toString().toStdString(),
                  RoundTrip(array.values(i, j)) + " " + array.unit);
      }
    }
  }
  const auto mass = list->findItems("equations/M", Qt::MatchStartsWith);
  ASSERT_FALSE(mass.isEmpty());
  list->setCurrentItem(mass.first());
  QCoreApplication::processEvents();
  KeepScreenshot(window_->grab().toImage(), "matrices");
}

// They are of the time at which they were asked for, and say so, while the clock moves on.
TEST_F(ArrayPageTest, SaysOfWhichTimeTheyAre) {
  ASSERT_TRUE(window_->Open(file_));
  RunToItsEnd();
  Show("linear-deformation");
  const Eigen::VectorXd before = page().seen()->state;
  const auto* state = page().findChild<QLabel*>("inspect state");
  EXPECT_EQ(state->text(), "linear-deformation at 0.03 s");
  session().Scrub(0.01);
  ASSERT_TRUE(WaitUntil([&] { return session().time() < 0.02; }));
  EXPECT_EQ(state->text(), "linear-deformation at 0.03 s");
  Show("linear-deformation");
  EXPECT_EQ(state->text(), "linear-deformation at 0.01 s");
  EXPECT_NE(page().seen()->state, before);
  const std::filesystem::path text = scratch_ / "arrays.txt";
  page().Save(text);
  const NamedArray& first = page().seen()->arrays.front();
  EXPECT_THAT(ReadFile(text), HasSubstr("linear-deformation of arrays at 0.01 s"));
  EXPECT_THAT(ReadFile(text), HasSubstr(TitleOf(first)));
  EXPECT_THAT(ReadFile(text), HasSubstr("\t" + RoundTrip(first.values(0, 0))));
}

TEST_F(ArrayPageTest, WithoutARunThereIsNothingToInspect) {
  EXPECT_FALSE(page().WhyNot().isEmpty());
  page().Begin();
  EXPECT_FALSE(page().works());
}

}  // namespace
}  // namespace pliant
