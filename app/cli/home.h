// Where the shipped files are: data/, experiments/ and docs/.

#ifndef PLIANT_APP_CLI_HOME_H_
#define PLIANT_APP_CLI_HOME_H_

#include <filesystem>

namespace pliant {

// The folder share/pliant that was installed with the running program, wherever that has been moved to;
// the sources where the program has not been installed.
std::filesystem::path Home();

// An experiment file, or one that ships by its name alone: "press". Throws FileError where there is
// none.
std::filesystem::path ExperimentNamed(const std::filesystem::path& asked);

}  // namespace pliant

#endif  // PLIANT_APP_CLI_HOME_H_
