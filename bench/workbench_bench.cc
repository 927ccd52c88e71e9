// Pictures a second of the workbench: four panes of a sheet of n × n points, painted and put on a
// display without a screen by Mesa's software renderer.

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QSettings>
#include <memory>

#include "app/workbench/main_window.h"
#include "app/workbench/session.h"
#include "app/workbench/view_state.h"
#include "experiments/record/storage.h"
#include "tests/app/workbench/virtual_display.h"
#include "tests/experiments/record/scratch.h"

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
    window->panes().repaint();
  }
  state.SetItemsProcessed(state.iterations());
  state.SetLabel("items: pictures");
}
BENCHMARK(BM_PaintFourPanes)
    ->ArgsProduct({{17, 65}, {0, 1}})
    ->ArgNames({"points", "colours"})
    ->Unit(benchmark::kMillisecond)
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
