// Levels that keep momentum.

#include <gtest/gtest.h>

#include <vector>

#include "models/geometry/rotation.h"
#include "tests/models/displacement_constraints/levels_of_a_sheet.h"

namespace pliant::displacement_constraints {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A sheet of uneven masses, whole or torn, whose levels pass points on as a simulation does.
class BalancedLevels : public TornLevels {
 protected:
  BalancedLevels() {
    for (double& mass : masses_) mass = 1.0 + 0.5 * number_(generator_);
    whole_.KeepMomentum(masses_);
    torn_ = sheet_;
    torn_.KeepMomentum(masses_);
    Cut(masses_);
  }
  static Matrix3Xd Balanced(const GridLevels& levels, int l, GridLevels::Shift shift,
                            const Matrix3Xd& points) {
    Matrix3Xd balanced = points, scratch(3, points.cols()), coarse(3, levels.PointCount(l + 1));
    levels.Balance(l, shift, balanced, scratch, coarse);
    return balanced;
  }
  static Matrix3Xd Coarse(const GridLevels& levels, int l, const Matrix3Xd& fine) {
    Matrix3Xd coarse(3, levels.PointCount(l + 1));
    levels.Subsample(l, Balanced(levels, l, GridLevels::Shift::kForward, fine), coarse);
    return coarse;
  }
  static Matrix3Xd Carried(const GridLevels& levels, int l, const Matrix3Xd& before,
                           const Matrix3Xd& coarse) {
    Matrix3Xd after(3, before.cols());
    levels.Prolongate(l, Balanced(levels, l, GridLevels::Shift::kForward, before), coarse, after);
    return Balanced(levels, l, GridLevels::Shift::kBack, after);
  }
  static Matrix3Xd Rates(const GridLevels& levels, int l, const Matrix3Xd& fine,
                         const Matrix3Xd& coarse_rates) {
    Matrix3Xd rates(3, fine.cols());
    levels.ProlongateRates(l, Balanced(levels, l, GridLevels::Shift::kForward, fine), coarse_rates,
                           rates);
    return Balanced(levels, l, GridLevels::Shift::kBack, rates);
  }
  // Of the points of each level that coarser ones carry.
  std::vector<VectorXd> MassesOf(const GridLevels& levels) const {
    std::vector<VectorXd> masses = {masses_};
    for (int l = 0; l + 1 < levels.levels(); ++l) {
      MatrixXd fine = masses[l].transpose(), coarse(1, levels.PointCount(l + 1));
      levels.Restrict(l, fine, coarse);
      masses.emplace_back(coarse.transpose());
    }
    return masses;
  }

  VectorXd masses_ = VectorXd::Ones(81);
  GridLevels whole_{{GridSize{9, 9}}, 4};
};

// However far the coarse points move and the offsets turn: what is left out stays.
TEST_F(BalancedLevels, MassGoesWhereTheLevelGoes) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const std::vector<VectorXd> masses = MassesOf(*levels);
    for (int l = 0; l < 3; ++l) {
      const Matrix3Xd before = Random(levels->PointCount(l));
      const Matrix3Xd coarse = Coarse(*levels, l, before);
      VectorXd carried = masses[l];
      for (const int p : levels->LeftOut(l)) carried[p] = 0.0;
      EXPECT_LT((before * carried - coarse * masses[l + 1]).norm(), 1e-13) << l;
      const Matrix3Xd there = coarse + 0.5 * Random(static_cast<int>(coarse.cols()));
      const Matrix3Xd after = Carried(*levels, l, before, there);
      EXPECT_LT((after * carried - there * masses[l + 1]).norm(), 1e-13) << l;
      const Matrix3Xd rates = Random(static_cast<int>(coarse.cols()));
      const Matrix3Xd given = Rates(*levels, l, before, rates);
      EXPECT_LT((given * carried - rates * masses[l + 1]).norm(), 1e-12) << l;
    }
  }
  const Matrix3Xd before = Random(81);
  Matrix3Xd even(3, 25), after(3, 81);
  sheet_.Subsample(0, before, even);
  const Matrix3Xd there = even + 0.5 * Random(25);
  sheet_.Prolongate(0, before, there, after);
  const Vector3d went = (after - before) * masses_;
  EXPECT_GT((went - (there - even) * MassesOf(sheet_)[1]).norm(), 1.0) << "the source's do not";
}

TEST_F(BalancedLevels, ProlongationFollowsEveryRigidMotion) {
  for (const double roughness : {0.0, 0.05, 0.3}) {
    const Matrix3Xd numbers = Random(2);
    const auto moved = [&](const Matrix3Xd& points) {
      Matrix3Xd there = points;
      for (int p = 0; p < points.cols(); ++p) {
        there.col(p) = Rotated(Vector3d(points.col(p)), 3.0 * numbers.col(0)) + numbers.col(1);
      }
      return there;
    };
    std::vector<Matrix3Xd> before = {Flat(nine_) + roughness * Random(81)};
    for (int l = 0; l < 3; ++l) before.push_back(Coarse(whole_, l, before[l]));
    Matrix3Xd there = moved(before[3]);
    for (int l = 2; l >= 0; --l) there = Carried(whole_, l, before[l], there);
    EXPECT_LT((there - moved(before[0])).cwiseAbs().maxCoeff(), 1e-13);

    Matrix3Xd torn = moved(Coarse(torn_, 0, before[0]));
    torn = Carried(torn_, 0, before[0], torn);
    for (int p = 0; p < 81; ++p) {
      if (PartOf(p) > 1) continue;
      EXPECT_LT((torn - moved(before[0])).col(p).norm(), 1e-12) << "point " << p;
    }
  }
}

TEST_F(BalancedLevels, RestoreWhatDidNotMoveAndAreTheEvenPointsOfAFlatSheet) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const Matrix3Xd fine = Random(81);
    EXPECT_LT((Carried(*levels, 0, fine, Coarse(*levels, 0, fine)) - fine).norm(), 1e-12);
  }
  Matrix3Xd even(3, 25);
  whole_.Subsample(0, Flat(nine_), even);
  EXPECT_LT((Coarse(whole_, 0, Flat(nine_)) - even).norm(), 1e-15);
}

TEST_F(BalancedLevels, RatesAreTheDerivative) {
  for (const GridLevels* levels : {&whole_, &torn_}) {
    const Matrix3Xd fine = Flat(nine_) + 0.05 * Random(81), rates = Random(25);
    const Matrix3Xd start = Coarse(*levels, 0, fine);
    const double small = 1e-6;
    const Matrix3Xd ahead = Carried(*levels, 0, fine, start + small * rates);
    const Matrix3Xd behind = Carried(*levels, 0, fine, start - small * rates);
    const Matrix3Xd exact = Rates(*levels, 0, fine, rates);
    EXPECT_LT(((ahead - behind) / (2.0 * small) - exact).cwiseAbs().maxCoeff(), 1e-7);
  }
}

}  // namespace
}  // namespace pliant::displacement_constraints
