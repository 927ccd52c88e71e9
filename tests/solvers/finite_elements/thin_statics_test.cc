// Equilibria of rods and shells by the solver, against published values.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "models/finite_elements/rod.h"
#include "models/finite_elements/shell.h"
#include "solvers/finite_elements/statics.h"
#include "tests/models/finite_elements/elastica.h"
#include "tests/solvers/finite_elements/meshes.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Discretisation OnePart(std::unique_ptr<const ElasticPart> part) {
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  parts.push_back(std::move(part));
  return Discretisation(std::move(parts));
}

// Under `factor` times the force, from rest.
Matrix3Xd Loaded(const Discretisation& bodies, StaticLoad load, double factor, int steps) {
  Matrix3Xd q = bodies.part(0).rest();
  load.force *= factor;
  load.begin = load.end = RowsAt(load.rows, q);
  StaticOptions options;
  options.load_steps = steps;
  const StaticSolution solution = SolveStatics(bodies, load, options, &q);
  EXPECT_TRUE(solution.converged) << "load " << factor;
  return q;
}

// [Bisshopp & Drucker 1945]: α = P L²/(E I), deflection, place and angle of the tip; EI = L = 1, and EA that
// of a section of side L/300, so that the load shortens the rod by less than α · 10⁻⁶.
TEST(ThinStatics, CantileverIsTheElastica) {
  for (const Rod::Kind kind : {Rod::Kind::kInSpace, Rod::Kind::kInPlane}) {
    const Discretisation bodies = OnePart(std::make_unique<Rod>(
        StraightLine(Vector3d::Zero(), Vector3d::UnitX(), 32),
        RodSection::Square(1.0, 12.0 * std::pow(300.0, 4), 1.0 / 300.0), kind));
    const int tip = bodies.node_count() - 1;
    StaticLoad load;
    load.rows = Clamp(bodies, {0});
    load.rows.push_back({{4, 1.0}});  // the tangent along x
    if (kind == Rod::Kind::kInSpace) load.rows.push_back({{5, 1.0}});
    load.force = Matrix3Xd::Zero(3, bodies.node_count());
    load.force(1, tip) = -1.0;
    for (const auto& [alpha, deflection, x, angle] : kElasticaTable) {
      const Matrix3Xd q = Loaded(bodies, load, alpha, 1 + static_cast<int>(2.0 * alpha));
      EXPECT_NEAR(-q(1, tip), deflection, 1e-4) << alpha;
      EXPECT_NEAR(q(0, tip), x, 1e-4) << alpha;
      const Vector3d tangent = q.col(tip) - q.col(tip - 1);
      EXPECT_NEAR(std::atan2(-tangent.y(), tangent.x()), angle, 1e-4) << alpha;
    }
  }
}

// [Sze, Liu & Lo 2004, Sec. 3.1]: P/P_max, −U, W of the tip; three digits.
TEST(ThinStatics, ShellUnderEndShear) {
  constexpr std::array<std::array<double, 3>, 11> kTable = {{{0.05, 0.026, 0.663},
                                                             {0.1, 0.103, 1.309},
                                                             {0.2, 0.381, 2.493},
                                                             {0.3, 0.763, 3.488},
                                                             {0.4, 1.184, 4.292},
                                                             {0.5, 1.604, 4.933},
                                                             {0.6, 2.002, 5.444},
                                                             {0.7, 2.370, 5.855},
                                                             {0.8, 2.705, 6.190},
                                                             {0.9, 3.010, 6.467},
                                                             {1.0, 3.286, 6.698}}};
  MiddleSurface surface =
      FlatSurface(Vector3d::Zero(), 10.0 * Vector3d::UnitX(), Vector3d::UnitY(), {16, 1});
  surface.points.resize(2, 1);
  surface.points << 1.0, 0.5;  // the middle of the tip
  auto strip = std::make_unique<Shell>(surface, ShellSection{1.0, 1.2e6, 0.0, 0.1});
  StaticLoad load;
  // Along the edge of one span each function has a quarter of the width.
  load.force = Matrix3Xd::Zero(3, strip->node_count());
  for (const int i : strip->EdgeRow(Shell::Edge::kUEnd, 0)) load.force(2, i) = 4.0 / 4.0;
  const std::vector<int> edge = strip->EdgeRow(Shell::Edge::kUBegin, 0);
  const std::vector<int> next = strip->EdgeRow(Shell::Edge::kUBegin, 1);
  const Discretisation bodies = OnePart(std::move(strip));
  load.rows = Clamp(bodies, edge);
  for (const int i : next) load.rows.push_back({{3 * i + 2, 1.0}});
  for (const auto& [factor, u, w] : kTable) {
    const Matrix3Xd q = Loaded(bodies, load, factor, 1 + static_cast<int>(10.0 * factor));
    const Vector3d tip = q * bodies.embedding().transpose();
    const double half_digit = 0.0005;
    EXPECT_NEAR(10.0 - tip.x(), u, 0.002 * u + half_digit) << factor;
    EXPECT_NEAR(tip.z(), w, 0.002 * w + half_digit) << factor;
    const Elastica exact(4.0 * factor);  // α = P L²/(E I)
    EXPECT_NEAR(tip.z(), 10.0 * exact.deflection, 0.0005 * tip.z()) << factor;
    EXPECT_NEAR(tip.x(), 10.0 * exact.x, 0.0005 * 10.0) << factor;
  }
}

}  // namespace
}  // namespace pliant::finite_elements
