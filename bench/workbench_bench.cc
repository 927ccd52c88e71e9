// What a user of the workbench waits for. Pictures a second: four panes of a sheet of n × n points,
// painted on a display without a screen by Mesa's software renderer, and read back.

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <algorithm>
#include <map>
#include <memory>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/curve_data.h"
#include "app/workbench/pages/curve_page.h"
#include "app/workbench/session/session.h"
#include "app/workbench/view/pane_views.h"
#include "app/workbench/view/view_state.h"
#include "app/workbench/window/main_window.h"
#include "experiments/bundles/storage.h"
#include "experiments/comparison/comparison.h"
#include "tests/app/workbench/virtual_display.h"
#include "tests/experiments/bundles/scratch.h"

namespace pliant {
namespace {

std::string FourSheets(int points) {
  const std::string n = std::to_string(points);
  std::string text = R"(
[scene]
name = "sheets"
[[scene.body]]
name = "sheet"
shape = "sheet"
size = [2.0, 2.0]
points = [)" + n + ", " +
                     n +
                     R"(]
plane = "xz"
mass = 1.0
velocity = [0, 2, 0]
angular_velocity = [1, 0, 0.5]
[[scene.obstacle]]
name = "floor"
shape = "plane"
position = [0, -1, 0]
[run]
duration = 0.2
step = 0.005
record_every = 0.01
)";
  for (const char* label : {"a", "b", "c", "d"}) {
    text += "[backends." + std::string(label) + "]\nformulation = \"linear-deformation\"\n";
  }
  return text;
}

// All of it recorded, in a window of the usual size.
std::unique_ptr<MainWindow> Recorded(int points, const ScratchFolder& folder) {
  WriteFile(folder / "sheets.toml", FourSheets(points));
  auto window = std::make_unique<MainWindow>(WorkbenchPlaces{folder.path(), folder.path()});
  window->resize(1280, 820);
  window->show();
  window->Open(folder / "sheets.toml");
  Session& session = window->session();
  session.SetSpeed(1000.0);
  session.Play();
  while (session.RecordedEnd() < 0.2) QCoreApplication::processEvents();
  session.Pause();
  return window;
}

void BM_PaintFourPanes(benchmark::State& state) {
  const ScratchFolder folder;
  const auto window = Recorded(static_cast<int>(state.range(0)), folder);
  ViewSettings settings = window->view().settings();
  settings.quantity = state.range(1) != 0 ? Quantity::kStrain : Quantity::kNone;
  window->view().SetSettings(settings);
  double time = 0.0;
  for (auto _ : state) {
    time = time > 0.18 ? 0.0 : time + 0.01;
    window->session().Scrub(time);
    benchmark::DoNotOptimize(
        window->pane_view().Image(state.range(2) != 0).bits());  // what is read is finished
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("items: pictures");
}
BENCHMARK(BM_PaintFourPanes)
    ->ArgsProduct({{17, 65}, {0, 1}, {0, 1}})
    ->ArgNames({"points", "colours", "moving"})
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// Sees that a widget is painted.
class PaintWatch : public QObject {
 public:
  explicit PaintWatch(QWidget* widget) { widget->installEventFilter(this); }
  bool eventFilter(QObject*, QEvent* event) override {
    painted = painted || event->type() == QEvent::Paint;
    return false;
  }
  bool painted = false;
};

// The same in the window itself: from a change of the clock to the picture on the display, with
// curves, pages and all that puts the window together.
void BM_ShowFourPanes(benchmark::State& state) {
  const ScratchFolder folder;
  const auto window = Recorded(static_cast<int>(state.range(0)), folder);
  PaintWatch watch(&window->panes());
  double time = 0.0;
  for (auto _ : state) {
    time = time > 0.18 ? 0.0 : time + 0.01;
    watch.painted = false;
    window->session().Scrub(time);
    while (!watch.painted) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QGuiApplication::sync();  // the display has it
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("items: pictures");
}
BENCHMARK(BM_ShowFourPanes)
    ->Arg(65)
    ->ArgName("points")
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

// How long the window does not answer, at the longest [ms], while a user opens, plays, turns the
// camera, goes through the frames and edits: what the figure in its status line shows.
void BM_HoldUps(benchmark::State& state) {
  const ScratchFolder folder;
  WriteFile(folder / "sheets.toml", FourSheets(static_cast<int>(state.range(0))));
  MainWindow window(WorkbenchPlaces{folder.path(), folder.path()});
  window.resize(1280, 820);
  window.show();
  QElapsedTimer watch;
  double* longest = nullptr;
  auto measured = [&](auto act) {
    watch.restart();
    act();
    *longest = std::max(*longest, 1e-6 * static_cast<double>(watch.nsecsElapsed()));
  };
  auto turns = [&](auto done) {
    while (!done()) measured([] { QCoreApplication::processEvents(); });
  };
  auto turns_for = [&](int milliseconds) {
    QElapsedTimer passed;
    passed.start();
    turns([&] { return passed.elapsed() > milliseconds; });
  };
  std::map<std::string, double> stages;
  auto stage = [&](const char* name) { longest = &stages[name]; };
  for (auto _ : state) {
    Session& session = window.session();
    stage("start_ms");
    turns_for(500);
    stage("open_ms");
    measured([&] { window.Open(folder / "sheets.toml"); });
    turns_for(500);
    stage("play_ms");
    session.SetSpeed(0.1);
    measured([&] { session.Play(); });
    turns_for(1800);  // not to the end: 0.2 s at a tenth of the speed
    session.Pause();
    stage("rest_ms");  // samples are taken
    turns_for(1500);
    stage("orbit_ms");
    for (int i = 0; i < 60; ++i) {
      measured([&] {
        window.view().camera().Orbit(5, 1);
        window.view().CameraMoved();
      });
      turns_for(5);
    }
    stage("scrub_ms");
    for (int i = 0; i < 60; ++i) {
      measured([&] { session.Scrub(0.003 * i); });
      turns_for(5);
    }
    stage("edit_ms");
    measured([&] { window.open_experiment().SetValue({"run", "step"}, "0.0025"); });
    turns_for(1000);
  }
  for (const auto& [name, milliseconds] : stages) state.counters[name] = milliseconds;
}
BENCHMARK(BM_HoldUps)
    ->Arg(17)
    ->Arg(65)
    ->ArgName("points")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// A bundle of so many frames of a sheet of 17 × 17 points, from a click to the last frame.
void BM_OpenBundle(benchmark::State& state) {
  const ScratchFolder folder;
  std::string text = FourSheets(17);
  text.resize(text.find("[backends.b]"));
  WriteFile(folder / "sheet.toml", text);
  const double duration = 0.005 * static_cast<double>(state.range(0) - 1);
  const Experiment experiment =
      ReadExperiment(folder / "sheet.toml", {"run.record_every=0.005", "scene.gravity=[0,0,0]",
                                             "run.duration=" + std::to_string(duration)});
  const BackendRun run =
      RunIntoBundle(experiment, 0, TranslateFor(experiment, 0), folder.path(), {});
  for (auto _ : state) {
    Session session;
    session.OpenBundles({run.bundle});
    while (session.panes()[0].worker != nullptr) session.Tick(0.0);
    if (session.panes()[0].recording.size() != static_cast<size_t>(state.range(0))) {
      state.SkipWithError("frames are missing");
    }
  }
}
BENCHMARK(BM_OpenBundle)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

// Four panes with a quarter of `points` records each; returns the time of the last.
double Record(Session* session, const ScratchFolder& folder, std::int64_t points) {
  WriteFile(folder / "sheets.toml", FourSheets(3));
  const double step = 1e-4, duration = step * static_cast<double>(points / 4 - 1);
  session->Open(std::make_shared<const Experiment>(ReadExperiment(
      folder / "sheets.toml",
      {"run.step=1e-4", "run.record_every=1e-4", "run.duration=" + std::to_string(duration)})));
  session->SetSpeed(1e6);
  session->Play();
  while (session->RecordedEnd() < duration - 0.5 * step) session->Tick(0.1);
  return duration;
}

// A page of curves takes in what is recorded: what holds up the window while so much is there.
void BM_TakeCurves(benchmark::State& state) {
  const ScratchFolder folder;
  Session session;
  Record(&session, folder, state.range(0));
  const CurveChoice choice{"total-energy", "", "", true};
  for (auto _ : state) benchmark::DoNotOptimize(CurvePlot(session.panes(), choice, false));
}
BENCHMARK(BM_TakeCurves)->Arg(100000)->Unit(benchmark::kMillisecond);

// One picture of a curve while it is dragged: four panes with a quarter of the points each.
void BM_PanCurves(benchmark::State& state) {
  const ScratchFolder folder;
  Session session;
  CurvePage page(PageContext{&session, nullptr, nullptr, {}, {}, {}}, "total-energy");
  page.resize(800, 300);
  page.show();
  const double duration = Record(&session, folder, state.range(0));
  page.Redraw();  // takes what was recorded
  double shift = 0.0;
  for (auto _ : state) {
    shift = shift > 0.1 ? 0.0 : shift + 0.003;
    page.ShowWindow(AxisRange{(0.1 + shift) * duration, (0.8 + shift) * duration});
    page.Redraw();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("items: pictures");
}
BENCHMARK(BM_PanCurves)
    ->Arg(100000)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) {
  const pliant::VirtualDisplay display;
  if (display.name().empty()) return 1;
  setenv("DISPLAY", display.name().c_str(), 1);
  setenv("QT_QPA_PLATFORM", "xcb", 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  const pliant::ScratchFolder settings;
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                     QString::fromStdString(settings.path().string()));
  QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
