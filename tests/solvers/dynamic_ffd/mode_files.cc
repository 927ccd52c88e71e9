#include "tests/solvers/dynamic_ffd/mode_files.h"

#include "experiments/files/document.h"
#include "experiments/files/matrix_table.h"

namespace pliant::dynamic_ffd {

MatrixTable ModesFrom(const std::string& file) {
  FileValue table = ReadToml(std::string(PLIANT_SOURCE_DIR) + "/data/modes/" + file);
  return ReadMatrixTable(&table);
}

}  // namespace pliant::dynamic_ffd
