#include "app/cli/commands.h"
#include "app/cli/home.h"
#include "models/problem.h"
#ifdef PLIANT_QT
#include "app/workbench/workbench.h"
#endif

namespace pliant {

int WorkbenchCommand(const std::filesystem::path& open) {
#ifdef PLIANT_QT
  return RunWorkbench({open, Home(), "runs", PLIANT_VERSION});
#else
  throw BadInput({"", "cannot open '" + open.string() + "': this build has no workbench",
                  "build with Qt: unset PLIANT_QT"});
#endif
}

}  // namespace pliant
