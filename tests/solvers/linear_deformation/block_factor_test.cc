#include "solvers/linear_deformation/block_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/LU>

namespace pliant::linear_deformation {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Pairs = std::vector<std::pair<int, int>>;
using ::testing::IsEmpty;

// A matrix of B×B blocks on a graph, positive definite, with its blocks and as a whole.
template <int B>
struct Blocks {
  Blocks(int n, const Pairs& pairs, int seed) : whole(MatrixXd::Zero(n * B, n * B)) {
    typename BlockFactor<B>::Block block;
    for (int i = 0; i < n; ++i) {
      for (int e = 0; e < B * B; ++e) block(e) = 0.3 * ((seed + 7 * i + 5 * e) % 11) / 11.0;
      diagonal.push_back(block * block.transpose() + 3.0 * block.Identity());
      whole.template block<B, B>(i * B, i * B) = diagonal.back();
    }
    for (size_t p = 0; p < pairs.size(); ++p) {
      const auto [i, j] = pairs[p];
      for (int e = 0; e < B * B; ++e) block(e) = 0.5 * ((seed + 3 * p + 4 * e) % 7) / 7.0 - 0.2;
      off_diagonal.push_back(block);
      whole.template block<B, B>(i * B, j * B) = block;
      whole.template block<B, B>(j * B, i * B) = block.transpose();
    }
  }
  std::vector<typename BlockFactor<B>::Block> diagonal, off_diagonal;
  MatrixXd whole;
};

const std::vector<std::pair<std::string, Pairs>>& Graphs() {
  static const std::vector<std::pair<std::string, Pairs>> graphs = {
      {"apart", {}},
      {"chain", {{0, 1}, {2, 1}, {2, 3}, {4, 3}, {4, 5}, {6, 5}, {7, 6}, {7, 8}}},
      {"chain out of order", {{3, 7}, {1, 7}, {1, 0}, {5, 0}, {8, 2}, {2, 6}}},
      {"ring", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}, {0, 8}}},
      {"tree", {{4, 0}, {4, 1}, {4, 2}, {5, 4}, {5, 6}, {5, 7}, {8, 7}}},
      {"web", {{0, 8}, {1, 8}, {0, 5}, {1, 2}, {2, 6}, {3, 6}, {3, 5}, {4, 7}, {4, 1}, {6, 8}}}};
  return graphs;
}

template <int B>
void ExpectSolves() {
  for (const auto& [name, pairs] : Graphs()) {
    SCOPED_TRACE(name);
    BlockFactor<B> factor(9, pairs);
    EXPECT_EQ(factor.is_chain(), name == "apart" || name.substr(0, 5) == "chain");
    for (int seed : {1, 4}) {  // the numbers change, the pattern stays
      const Blocks<B> blocks(9, pairs, seed);
      factor.Factorise(blocks.diagonal, blocks.off_diagonal, 1e-10);
      EXPECT_THAT(factor.dependent(), IsEmpty());
      const VectorXd expected = VectorXd::LinSpaced(9 * B, -1.0, 2.0);
      VectorXd x = blocks.whole * expected;
      factor.Solve(x.data(), 1);
      EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm());
    }
  }
}

TEST(BlockFactor, SolvesOnEveryGraph) {
  ExpectSolves<1>();
  ExpectSolves<2>();
  ExpectSolves<3>();
}

// Two equal block rows that also equal each other's coupling: the second is left out, in all its
// directions or in one of them.
TEST(BlockFactor, LeavesOutWhatDependsOnRowsBefore) {
  for (double second : {0.0, 0.7}) {
    MatrixXd rows = MatrixXd::Zero(6, 8);
    for (int i = 0; i < 6; ++i) rows(i, i) = 1.0 + 0.1 * i;
    rows.row(2) = rows.row(0);
    rows.row(3) = rows.row(1);
    rows(3, 7) = second;
    const MatrixXd whole = rows * rows.transpose();
    using Block = BlockFactor<2>::Block;
    const std::vector<Block> diagonal = {whole.block<2, 2>(0, 0), whole.block<2, 2>(2, 2),
                                         whole.block<2, 2>(4, 4)};
    BlockFactor<2> factor(3, {{1, 0}, {2, 1}});
    factor.Factorise(diagonal, {whole.block<2, 2>(2, 0), whole.block<2, 2>(4, 2)}, 1e-10);
    EXPECT_EQ(factor.dependent().size(), 1u);
    const VectorXd b = whole * VectorXd::LinSpaced(6, 1.0, 2.0);
    VectorXd x = b;
    factor.Solve(x.data(), 1);
    EXPECT_LT((whole * x - b).norm(), 1e-12);
  }
}

// Which row of a block depends on those before it is told at any scale: pivots count against their
// own diagonal entries.
template <int B>
void ExpectDependentInside() {
  using Block = typename BlockFactor<B>::Block;
  for (double scale : {1e-4, 1.0, 1e4}) {
    for (int last = 1; last < B; ++last) {
      Block rows = Block::Identity();
      rows(0, 0) = scale;
      rows(1, 0) = 0.3 * scale;
      for (double left : {0.0, 1e-6, 1e-4}) {  // of row `last` beside what the ones before it give
        rows.row(last).setZero();
        rows.row(last).head(last) = rows.topLeftCorner(last, last).colwise().sum();
        const double length = rows.row(last).norm();
        rows(last, last) = left * length;
        const Block whole = rows * rows.transpose();
        BlockFactor<B> factor(1, {});
        factor.Factorise({whole}, {}, 1e-10);
        EXPECT_EQ(factor.dependent().size(), left < 1e-5 ? 1u : 0u)
            << B << " " << scale << " " << last << " " << left;
      }
    }
  }
}

TEST(BlockFactor, LeavesOutWhatDependsInsideABlock) {
  ExpectDependentInside<2>();
  ExpectDependentInside<3>();
}

}  // namespace
}  // namespace pliant::linear_deformation
