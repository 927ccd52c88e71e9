// Levels of a sheet of 9 × 9 points, whole and torn, for the tests of the hierarchy.

#ifndef PLIANT_TESTS_MODELS_DISPLACEMENT_CONSTRAINTS_LEVELS_OF_A_SHEET_H_
#define PLIANT_TESTS_MODELS_DISPLACEMENT_CONSTRAINTS_LEVELS_OF_A_SHEET_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "models/displacement_constraints/hierarchy.h"

namespace pliant::displacement_constraints {

inline constexpr unsigned kSeed = 7;

class Levels : public testing::Test {
 protected:
  Eigen::Matrix3Xd Random(int n) {
    Eigen::Matrix3Xd m(3, n);
    for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = number_(generator_);
    return m;
  }
  // The unit square in the xy-plane.
  static Eigen::Matrix3Xd Flat(const GridSize& grid) {
    Eigen::Matrix3Xd x = Eigen::Matrix3Xd::Zero(3, grid.size());
    for (int v = 0; v < grid.nv; ++v) {
      for (int u = 0; u < grid.nu; ++u) {
        x.col(grid.Index(u, v)) << u / (grid.nu - 1.0), v / std::max(grid.nv - 1.0, 1.0), 0.0;
      }
    }
    return x;
  }

  testing::ScopedTrace trace_{__FILE__, __LINE__, testing::Message() << "seed " << kSeed};
  std::mt19937 generator_{kSeed};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
  const GridSize nine_{9, 9};
  const GridLevels sheet_{{GridSize{9, 9}}, 4};
};

// A sheet cut in two between the columns 2 and 3, with a point and a pair of points cut out of the
// second part.
class TornLevels : public Levels {
 protected:
  TornLevels() { Cut(Eigen::VectorXd::Ones(81)); }
  void Cut(const Eigen::VectorXd& masses) {
    std::vector<char> broken(torn_.Edges(0).size(), 0);
    for (size_t e = 0; e < broken.size(); ++e) {
      broken[e] = PartOf(torn_.Edges(0)[e][0]) != PartOf(torn_.Edges(0)[e][1]);
    }
    torn_.Tear(broken, masses);
  }
  static int PartOf(int point) {
    const int u = point % 9, v = point / 9;
    if (u == 5 && v == 5) return 2;
    if (u == 7 && (v == 5 || v == 6)) return 3;
    return u < 3 ? 0 : 1;
  }

  GridLevels torn_{{GridSize{9, 9}}, 4};
};

}  // namespace pliant::displacement_constraints

#endif  // PLIANT_TESTS_MODELS_DISPLACEMENT_CONSTRAINTS_LEVELS_OF_A_SHEET_H_
