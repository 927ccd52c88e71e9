// Reproducible random numbers for tests: the same on every platform.

#ifndef PLIANT_TESTS_RANDOM_NUMBERS_H_
#define PLIANT_TESTS_RANDOM_NUMBERS_H_

#include <Eigen/Core>
#include <cstdint>

namespace pliant {

// In [−1, 1), by the generator SplitMix64.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  double Number() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-52 - 1.0;
  }
  Eigen::Vector3d Vector() { return Vectors(1); }
  Eigen::VectorXd Vector(int size) { return Matrix(size, 1); }
  Eigen::Matrix3Xd Vectors(int count) { return Matrix(3, count); }
  // Column by column.
  Eigen::MatrixXd Matrix(int rows, int cols) {
    Eigen::MatrixXd numbers(rows, cols);
    for (double& number : numbers.reshaped()) number = Number();
    return numbers;
  }

 private:
  std::uint64_t state_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_RANDOM_NUMBERS_H_
