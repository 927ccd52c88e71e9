// Where the experiments that Pliant ships are: some stand in experiments/, others in a folder of
// their source below it.

#ifndef PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_
#define PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_

#include <filesystem>
#include <string>

#include "experiments/files/listing.h"

namespace pliant {

inline std::filesystem::path ShippedFile(const std::string& name) {
  return FindExperiment(name, PLIANT_SOURCE_DIR "/experiments");
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_
