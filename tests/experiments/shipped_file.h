// Where the experiments that Pliant ships are: some stand in experiments/, others in a folder of
// their source below it.

#ifndef PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_
#define PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_

#include <filesystem>
#include <stdexcept>
#include <string>

#include "experiments/files/listing.h"

namespace pliant {

inline std::filesystem::path ShippedFile(const std::string& name) {
  for (const ListedFile& file : ListExperiments(PLIANT_SOURCE_DIR "/experiments")) {
    if (file.name == name) return file.file;
  }
  throw std::runtime_error("no experiment is called " + name);
}

}  // namespace pliant

#endif  // PLIANT_TESTS_EXPERIMENTS_SHIPPED_FILE_H_
