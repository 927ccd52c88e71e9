#include "tests/solvers/lagrangian/mode_files.h"

#include "experiments/experiment/document.h"
#include "experiments/experiment/matrix_table.h"

namespace pliant {

MatrixTable ModesFrom(const std::string& file) {
  FileValue table = ReadToml(std::string(PLIANT_SOURCE_DIR) + "/data/modes/" + file);
  return ReadMatrixTable(&table);
}

}  // namespace pliant
