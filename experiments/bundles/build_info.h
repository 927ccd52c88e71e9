// The build of this program.

#ifndef PLIANT_EXPERIMENTS_BUNDLES_BUILD_INFO_H_
#define PLIANT_EXPERIMENTS_BUNDLES_BUILD_INFO_H_

#include <string>

namespace pliant {

struct BuildInfo {
  std::string version;   // of Pliant
  std::string commit;    // "unknown" outside git
  std::string dirty;     // "true" when tracked files differ from the commit; "unknown" outside git
  std::string compiler;  // name and version
  std::string flags;     // those that Pliant's own sources were compiled with
};

const BuildInfo& ThisBuild();

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_BUNDLES_BUILD_INFO_H_
