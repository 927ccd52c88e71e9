// Which equilibrium a load step finds where there are several: a shallow arch under a force in its middle, which snaps through at a limit.
// Led by the place of its middle it goes through all equilibria, stable or not; what a force finds is held against these.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

constexpr double kRise = 0.08, kThickness = 0.02;  // m, of a span of 1 m

// Clamped, the left half of it, so that it stays symmetric.
class Arch {
 public:
  Arch()
      : bodies_(Single(
            MappedRectangle(16, 1,
                            [](double s, double t) {
                              const double x = 0.5 * s;
                              return Vector3d(
                                  x, 4.0 * kRise * x * (1.0 - x) + kThickness * (t - 0.5), 0.0);
                            }),
            {ElasticLaw::kStVenantKirchhoff, 1e6, 0.0, Law::Kind::kPlaneStress}, 1e3, 0.1)),
        middle_(NodeAt(bodies_, {0.5, kRise, 0.0})) {
    rows_ = Clamp(bodies_, NodesWhere(bodies_, [](const Vector3d& X) { return X.x() < 1e-9; }));
    for (const int i : NodesWhere(bodies_, [](const Vector3d& X) { return X.x() > 0.5 - 1e-9; })) {
      rows_.push_back({{3 * i, 1.0}});
    }
  }

  struct Curve {
    std::vector<double> w, force;  // m down, N
    size_t limit = 0;              // of the stable part that begins at rest
  };
  // Led through all of them.
  Curve Equilibria() const {
    Curve curve;
    Matrix3Xd q = rest();
    for (int k = 0; k <= 200; ++k) {
      const double w = k * 2.2 * kRise / 200;
      curve.w.push_back(w);
      curve.force.push_back(ForceAt(w, &q));
    }
    while (curve.force[curve.limit + 1] > curve.force[curve.limit]) ++curve.limit;
    return curve;
  }
  // The force that holds the middle w below rest, from an equilibrium nearby.
  double ForceAt(double w, Matrix3Xd* q) const {
    StaticLoad load;
    load.rows = rows_;
    load.rows.push_back({{3 * middle_ + 1, 1.0}});
    load.force = Matrix3Xd::Zero(3, q->cols());
    load.begin = RowsAt(load.rows, *q);
    load.end = load.begin;
    load.end[load.end.size() - 1] = rest()(1, middle_) - w;
    EXPECT_TRUE(SolveStatics(bodies_, load, {}, q).converged) << w;
    return -StaticGradient(bodies_, load, 1.0, *q)(1, middle_);
  }
  // Down, under a force that acts at once, in so many load steps.
  double Under(double force, int steps, Matrix3Xd* q) const {
    StaticLoad load;
    load.rows = rows_;
    load.force = Matrix3Xd::Zero(3, q->cols());
    load.force(1, middle_) = -force;
    load.begin = load.end = RowsAt(load.rows, *q);
    StaticOptions options;
    options.load_steps = steps;
    EXPECT_TRUE(SolveStatics(bodies_, load, options, q).converged) << force;
    return rest()(1, middle_) - (*q)(1, middle_);
  }
  const Matrix3Xd& rest() const { return bodies_.part(0).rest(); }

 private:
  Discretisation bodies_;
  int middle_;
  std::vector<LinearRow> rows_;
};

// Between the limits of snapping there and back each force has three equilibria. In one load step from rest, as in twenty, the one is found
// that the stable ones from rest on lead to: below the limit the force grows with w, so that it is the only one there.
TEST(ShallowArch, BelowItsLimitOneLoadStepFindsTheEquilibriumThatLeadsThere) {
  const Arch arch;
  const Arch::Curve curve = arch.Equilibria();
  ASSERT_LT(curve.limit, curve.w.size() - 2);
  const double limit = curve.force[curve.limit], at_limit = curve.w[curve.limit];
  const auto lowest =
      std::min_element(curve.force.begin() + static_cast<int>(curve.limit), curve.force.end());
  ASSERT_LT(*lowest, 0.5 * limit);
  for (const double part : {0.4, 0.6, 0.8, 0.9, 0.95, 0.99}) {
    for (const int steps : {1, 20}) {
      Matrix3Xd q = arch.rest();
      const double w = arch.Under(part * limit, steps, &q);
      EXPECT_LT(w, at_limit) << part << " " << steps;
      EXPECT_NEAR(arch.ForceAt(w, &q), part * limit, 1e-6 * limit) << part << " " << steps;
    }
  }
}

// Beyond the limit there is one equilibrium, snapped through; from there it stays so under less force, until the other limit.
TEST(ShallowArch, SnapsThroughAtItsLimitAndStaysSoUnderLess) {
  const Arch arch;
  const Arch::Curve curve = arch.Equilibria();
  const double limit = curve.force[curve.limit];
  const auto lowest =
      std::min_element(curve.force.begin() + static_cast<int>(curve.limit), curve.force.end());
  const double snapped = curve.w[lowest - curve.force.begin()];
  Matrix3Xd q = arch.rest();
  EXPECT_GT(arch.Under(1.05 * limit, 1, &q), snapped);
  for (const double force : {0.8 * limit, 0.6 * limit, 1.02 * *lowest}) {
    const double w = arch.Under(force, 1, &q);
    EXPECT_GT(w, snapped) << force;
    EXPECT_NEAR(arch.ForceAt(w, &q), force, 1e-6 * limit) << force;
  }
  EXPECT_LT(arch.Under(0.95 * *lowest, 1, &q), curve.w[curve.limit]);
}

}  // namespace
}  // namespace pliant::finite_elements
