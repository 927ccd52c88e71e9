// The workbench as a program.

#ifndef PLIANT_APP_WORKBENCH_WORKBENCH_H_
#define PLIANT_APP_WORKBENCH_WORKBENCH_H_

#include <filesystem>
#include <string>

namespace pliant {

struct WorkbenchRequest {
  std::filesystem::path open;  // an experiment, a scene, a bundle, a folder of bundles; may be
                               // empty
  std::filesystem::path home;  // folder of the shipped experiments and scenes
  std::filesystem::path runs;  // folder of bundles
  std::string version;
};

// Shows the window until it is closed; returns the exit status. Throws BadInput without a display.
int RunWorkbench(const WorkbenchRequest& request);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WORKBENCH_H_
