// Drives the window of the workbench, off the screen, as a hand would, for campaigns:
//
//   window_driver edit FOLDER SEED           edits until it is killed; prints "kept N" once edit N is on the disk
//   window_driver restore FOLDER             prints "restored N": of the work that a killed window left; "restored 0": none
//   window_driver soak FOLDER SECONDS SEED   opens, plays, scrubs, edits, drags, searches and looks at pages, over and over
//
// A soak prints after each round of it the memory in use, the descriptors and threads of the program, and the longest that the
// thread of the window worked without looking at events (its time on the processor, whatever else the machine does; the time on the clock is
// printed beside it). It ends with 1 if, in its last third, memory is more than 2 % above that of its second, descriptors or
// threads are more, or the window worked for more than 50 ms.

#include <malloc.h>

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QMouseEvent>
#include <QSettings>
#include <QTimer>
#include <QUndoStack>
#include <QWidget>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "app/workbench/edits/open_experiment.h"
#include "app/workbench/pages/search_page.h"
#include "app/workbench/session/session.h"
#include "app/workbench/window/main_window.h"
#include "app/workbench/window/work_guard.h"
#include "experiments/bundles/storage.h"
#include "experiments/files/experiment.h"

namespace pliant {
namespace {

namespace fs = std::filesystem;

constexpr double kEventEvery = 0.15;   // s
constexpr double kRound = 20.0;        // s
constexpr double kMostHoldUp = 0.050;  // s
constexpr double kMostGrowth = 1.02;

double ThreadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Lets the window live. (processEvents() with a time would not sleep between events.)
void Work(double seconds) {
  QEventLoop loop;
  QTimer::singleShot(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds)),
      Qt::PreciseTimer, &loop, &QEventLoop::quit);
  loop.exec();
}

// The experiment of a file, for `duration` seconds, as a file in `folder`.
fs::path Short(const fs::path& file, const std::string& name, const std::vector<std::string>& set,
               const fs::path& folder) {
  Experiment experiment = ReadExperiment(file, set);
  experiment.name = name;
  const fs::path copy = folder / (name + ".toml");
  WriteFile(copy, ToToml(experiment));
  return copy;
}

// The N-th edit gives this gravity, so that what comes back says how far it goes.
std::string Gravity(int edit) { return "[0.0, " + std::to_string(-10.0 - 0.01 * edit) + "]"; }
int EditOf(const Experiment& experiment) {
  return std::max(0, static_cast<int>(std::lround((-10.0 - experiment.scene->gravity.y()) / 0.01)));
}

int Edit(MainWindow* window, const fs::path& folder, unsigned seed) {
  std::mt19937 random(seed);
  if (!window->Open(Short("experiments/drop.toml", "short", {"run.duration=0.1"}, folder)))
    return 1;
  for (int edit = 1;; ++edit) {
    if (!window->open_experiment().SetValue({"scene", "gravity"}, Gravity(edit))) return 1;
    while (!window->guard().UpToDate()) Work(0.001);
    std::printf("kept %d\n", edit);
    std::fflush(stdout);
    Work(std::uniform_real_distribution<>(0.0, 0.05)(random));
  }
}

int Restore(MainWindow* window) {
  window->RestoreLeftWork();
  const auto& experiment = window->open_experiment().experiment();
  std::printf("restored %d\n", experiment == nullptr ? 0 : EditOf(*experiment));
  std::fflush(stdout);
  std::quick_exit(0);  // as a kill: the work stays
}

// Memory in use [bytes], descriptors and threads of this process, once all panes have ended.
struct Use {
  double memory = 0.0;
  int descriptors = 0, threads = 0;
  double worked = 0.0, waited = 0.0;  // s, the longest without looking at events
  std::string at;                     // what was done meanwhile
};

int CountIn(const char* folder) {
  return static_cast<int>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class Soak {
 public:
  Soak(MainWindow* window, const fs::path& folder, unsigned seed) : window_(window), random_(seed) {
    files_ = {Short("experiments/drop.toml", "drop", {"run.duration=0.5"}, folder),
              Short("experiments/pendulum.toml", "pendulum", {"run.duration=1.0"}, folder),
              Short("experiments/puppet.toml", "puppet", {"run.duration=0.3"}, folder),
              Short("experiments/faloutsos-1995/faloutsos-bounding-speed.toml", "bounding",
                    {"optimize.trials=200", "optimize.restarts=1", "run.duration=0.4"}, folder)};
    clock_.start();
    worked_ = ThreadSeconds();
    QObject::connect(&pulse_, &QTimer::timeout, [this] { Pulse(); });
    pulse_.start(2);
  }

  Use Round() {
    use_ = {};
    for (const fs::path& file : files_) {
      Do("open", [&] {
        UndoAll();
        window_->Open(file);
      });
      QElapsedTimer watch;
      watch.start();
      while (static_cast<double>(watch.elapsed()) <
             1e3 * kRound / static_cast<double>(files_.size())) {
        AnyEvent();
        Work(kEventEvery);
      }
      for (SearchPage* page : window_->findChildren<SearchPage*>()) page->Stop();
    }
    Do("open", [&] {
      UndoAll();
      window_->Open(files_.front());
    });
    Work(2.0);
    // A search that still ends has descriptors and a thread of its own.
    for (SearchPage* page : window_->findChildren<SearchPage*>()) {
      while (page->searching()) Work(kEventEvery);
    }
    malloc_trim(0);
    use_.memory = static_cast<double>(mallinfo2().uordblks);
    use_.descriptors = CountIn("/proc/self/fd");
    use_.threads = CountIn("/proc/self/task");
    return use_;
  }

 private:
  // No dialog then asks about unsaved edits.
  void UndoAll() {
    QUndoStack* history = window_->open_experiment().history();
    while (history->canUndo()) history->undo();
  }
  template <typename Act>
  void Do(const char* name, Act act) {
    now_ = name;
    act();
    QCoreApplication::processEvents();
  }
  void Pulse() {
    const double worked = ThreadSeconds() - worked_;
    if (worked > use_.worked) use_.at = now_;
    use_.worked = std::max(use_.worked, worked);
    use_.waited = std::max(use_.waited, 1e-3 * static_cast<double>(clock_.restart()));
    worked_ = ThreadSeconds();
  }
  int Any(int n) { return std::uniform_int_distribution<>(0, n - 1)(random_); }
  double Share() { return std::uniform_real_distribution<>(0.0, 1.0)(random_); }

  void Mouse(QEvent::Type type, const QPointF& at, Qt::MouseButton button) {
    QWidget& panes = window_->panes();
    QMouseEvent event(type, at, panes.mapToGlobal(at), button, button, Qt::NoModifier);
    QCoreApplication::sendEvent(&panes, &event);
  }
  void Drag() {
    const QPointF from(Share() * window_->panes().width(), Share() * window_->panes().height());
    const auto button = Any(2) == 0 ? Qt::LeftButton : Qt::RightButton;
    Mouse(QEvent::MouseButtonPress, from, button);
    for (int i = 1; i <= 5; ++i) {
      Mouse(QEvent::MouseMove, from + QPointF(8.0 * i, 5.0 * i), button);
      Work(0.02);
    }
    Mouse(QEvent::MouseButtonRelease, from + QPointF(40.0, 25.0), button);
  }
  void AnyEvent() {
    Session& session = window_->session();
    OpenExperiment& open = window_->open_experiment();
    switch (Any(11)) {
      case 0:
        return Do("play", [&] { session.Play(); });
      case 1:
        return Do("pause", [&] { session.Pause(); });
      case 2:
        return Do("scrub", [&] { session.Scrub(Share() * session.RecordedEnd()); });
      case 3:
        return Do("step back", [&] { session.StepBack(); });
      case 4:
        return Do("step", [&] { session.StepForward(); });
      case 5:
        return Do("edit", [&] { open.SetValue({"scene", "gravity"}, Gravity(Any(1000))); });
      case 6:
        return Do("undo", [&] { open.history()->undo(); });
      case 7:
        return Do("redo", [&] { open.history()->redo(); });
      case 8:
        return Do("drag", [&] { Drag(); });
      case 9:
        return Do("page", [&] {
          const auto docks = window_->findChildren<QDockWidget*>();
          docks[Any(static_cast<int>(docks.size()))]->raise();
        });
      default:
        return Do("search", [&] {
          for (SearchPage* page : window_->findChildren<SearchPage*>()) {
            if (!page->WhyNot().isEmpty()) continue;
            if (page->searching()) {
              page->Stop();
            } else {
              page->Start();
            }
          }
        });
    }
  }

  MainWindow* window_;
  std::mt19937 random_;
  std::vector<fs::path> files_;
  QTimer pulse_;
  QElapsedTimer clock_;
  double worked_ = 0.0;  // s, of this thread at the last pulse
  const char* now_ = "";
  Use use_;
};

int RunSoak(MainWindow* window, const fs::path& folder, double seconds, unsigned seed) {
  Soak soak(window, folder, seed);
  std::vector<Use> rounds;
  QElapsedTimer watch;
  watch.start();
  std::printf("%8s %10s %12s %8s %12s %10s  %s\n", "s", "MB", "descriptors", "threads",
              "worked, ms", "clock, ms", "at");
  while (static_cast<double>(watch.elapsed()) < 1e3 * seconds || rounds.size() < 3) {
    const Use use = soak.Round();
    rounds.push_back(use);
    std::printf("%8.0f %10.3f %12d %8d %12.1f %10.1f  %s\n",
                1e-3 * static_cast<double>(watch.elapsed()), 1e-6 * use.memory, use.descriptors,
                use.threads, 1e3 * use.worked, 1e3 * use.waited, use.at.c_str());
    std::fflush(stdout);
  }
  const size_t third = rounds.size() / 3;
  const auto most = [&](size_t from, auto of) {
    double largest = 0.0;
    for (size_t i = from; i < from + third; ++i)
      largest = std::max(largest, static_cast<double>(of(rounds[i])));
    return largest;
  };
  int fell = 0;
  const auto judge = [&](const char* name, double before, double after, double bound) {
    const bool falls = after > bound;
    fell += falls ? 1 : 0;
    std::printf("%s%s: %g, before %g\n", falls ? "FELL " : "", name, after, before);
  };
  const size_t second = rounds.size() - 2 * third, last = rounds.size() - third;
  const auto memory = [](const Use& use) { return use.memory; };
  const auto descriptors = [](const Use& use) { return use.descriptors; };
  const auto threads = [](const Use& use) { return use.threads; };
  const auto worked = [](const Use& use) { return use.worked; };
  judge("bytes in use", most(second, memory), most(last, memory),
        kMostGrowth * most(second, memory));
  judge("descriptors", most(second, descriptors), most(last, descriptors),
        most(second, descriptors));
  judge("threads", most(second, threads), most(last, threads), most(second, threads));
  judge("seconds without looking at events", most(second, worked), most(last, worked), kMostHoldUp);
  return fell > 0 ? 1 : 0;
}

int Main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto usage = [] {
    std::fprintf(stderr,
                 "window_driver edit FOLDER SEED | restore FOLDER | soak FOLDER SECONDS SEED\n");
    return 2;
  };
  if (words.size() < 2) return usage();
  const fs::path folder = fs::absolute(words[1]);
  fs::create_directories(folder);
  QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope,
                     QString::fromStdString((folder / "settings").string()));
  QApplication application(argc, argv);
  QApplication::setOrganizationName("pliant-test");
  QApplication::setApplicationName("workbench");
  MainWindow window({".", folder / "runs", folder / "kept"});
  window.resize(1300, 850);
  window.show();
  if (words[0] == "edit" && words.size() == 3)
    return Edit(&window, folder, static_cast<unsigned>(std::stoul(words[2])));
  if (words[0] == "restore" && words.size() == 2) return Restore(&window);
  if (words[0] == "soak" && words.size() == 4)
    return RunSoak(&window, folder, std::stod(words[2]),
                   static_cast<unsigned>(std::stoul(words[3])));
  return usage();
}

}  // namespace
}  // namespace pliant

int main(int argc, char** argv) { return pliant::Main(argc, argv); }
