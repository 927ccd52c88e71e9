#include "app/workbench/workbench.h"

#include <QApplication>
#include <QStandardPaths>

#include "app/workbench/widgets/palette.h"
#include "app/workbench/window/main_window.h"
#include "models/problem.h"

namespace pliant {

int RunWorkbench(const WorkbenchRequest& request) {
  // Without a display Qt would abort.
  bool display = false;
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
    display = display || !qEnvironmentVariableIsEmpty(name);
  }
  if (!display) {
    throw BadInput({"",
                    "the workbench needs a display, and neither DISPLAY nor WAYLAND_DISPLAY is set",
                    "start it in a desktop session, or use pliant compare"});
  }
  static int argc = 1;
  static char name[] = "pliant";
  static char* argv[] = {name, nullptr};
  QApplication application(argc, argv);
  QApplication::setOrganizationName("pliant");
  QApplication::setApplicationName("workbench");
  QApplication::setApplicationVersion(QString::fromStdString(request.version));
  if (KeptPalette() != PaletteChoice::kDesktop) UsePalette(KeptPalette());
  // Only here: in the folder of QStandardPaths, ~/.local/share/pliant/workbench/work on Linux.
  const QString data = QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation);
  MainWindow window({request.home, request.runs,
                     data.isEmpty() ? "" : std::filesystem::path(data.toStdString()) / "work"});
  window.show();
  window.RestoreLeftWork();
  if (!request.open.empty()) window.Open(request.open);
  return QApplication::exec();
}

}  // namespace pliant
