// The workbench as a program.

#ifndef PLIANT_APP_WORKBENCH_WORKBENCH_H_
#define PLIANT_APP_WORKBENCH_WORKBENCH_H_

#include <filesystem>
#include <string>

namespace pliant {

struct WorkbenchRequest {
  std::filesystem::path
      open;  // an experiment, a scene, a bundle, a folder of bundles; may be empty
  std::filesystem::path home;  // of the experiments and scenes that come with the program
  std::filesystem::path runs;  // where bundles are
  std::string version;
};

// Shows the window until it is closed; returns the exit status. Throws BadInput when there is no
// display to show it on.
int RunWorkbench(const WorkbenchRequest& request);

}  // namespace pliant

#endif  // PLIANT_APP_WORKBENCH_WORKBENCH_H_
