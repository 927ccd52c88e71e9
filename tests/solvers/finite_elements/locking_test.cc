// What elements make of bodies that keep their volume (ν near ½), and of thin ones: against manufactured
// solutions, Cook's membrane and the beams of MacNeal & Harder.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/finite_elements/locking_free_part.h"
#include "models/scene/shapes.h"
#include "solvers/finite_elements/backend.h"
#include "solvers/finite_elements/statics.h"
#include "tests/solvers/finite_elements/meshes.h"
#include "tests/solvers/finite_elements/started.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

enum class Kind { kPointwise, kLockingFree };

Discretisation BodyOf(const SolidMesh& mesh, double E, double nu, Kind kind,
                      ElasticLaw name = ElasticLaw::kLinear) {
  const Law law(name, E, nu,
                DimensionOf(mesh.shape) == 2 ? Law::Kind::kPlaneStrain : Law::Kind::kSolid);
  std::vector<std::unique_ptr<const ElasticPart>> parts;
  parts.push_back(kind == Kind::kPointwise ? MakeSolidPart(mesh, law, 1.0, 1.0)
                                           : MakeLockingFreePart(mesh, law, 1.0, 1.0));
  return Discretisation(std::move(parts));
}

// The same places in tetrahedra: each hexahedron of BoxMesh in Kuhn's six.
SolidMesh TetrahedraOfBox(const Vector3d& size, int n) {
  Matrix3Xd points(3, (n + 1) * (n + 1) * (n + 1));
  std::vector<std::array<int, 4>> cells;
  const auto number = [n](int i, int j, int k) { return i + (n + 1) * (j + (n + 1) * k); };
  for (int k = 0; k <= n; ++k) {
    for (int j = 0; j <= n; ++j) {
      for (int i = 0; i <= n; ++i) {
        points.col(number(i, j, k)) = size.cwiseProduct(Vector3d(i, j, k)) / n;
        if (i == n || j == n || k == n) continue;
        std::array<int, 3> axes = {0, 1, 2};
        bool mirrored = false;
        do {
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> cell = {number(i, j, k), 0, 0, 0};
          for (int corner = 0; corner < 3; ++corner) {
            ++at[axes[corner]];
            cell[corner + 1] = number(at[0], at[1], at[2]);
          }
          mirrored = (axes[0] > axes[1]) ^ (axes[0] > axes[2]) ^ (axes[1] > axes[2]);
          if (mirrored) std::swap(cell[2], cell[3]);
          cells.push_back(cell);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
    }
  }
  return MeshOfCells(points, cells, 1);
}

// A displacement u = ∇ × ψ: it keeps the volume, so that its stress 2 μ ε is free of λ.
Vector3d Isochoric(const Vector3d& X, int dimension) {
  const double x = X.x(), y = X.y(), z = X.z();
  Vector3d u(-2.0 * std::sin(1.5 * x + 0.3) * std::sin(2.0 * y),
             -1.5 * std::cos(1.5 * x + 0.3) * std::cos(2.0 * y), 0.0);
  if (dimension == 3) {
    u += Vector3d(-std::cos(x + 0.2) * std::sin(1.5 * z) * 1.5, 0.0,
                  std::sin(x + 0.2) * std::cos(1.5 * z));
  }
  return 1e-3 * u;
}

Matrix3d GradientOf(const Vector3d& X, int dimension) {
  Matrix3d gradient = Matrix3d::Zero();
  for (int axis = 0; axis < dimension; ++axis) {
    const Vector3d d = 1e-3 * Vector3d::Unit(axis);
    const auto difference = [&](double m) {
      return Vector3d(Isochoric(X + m * d, dimension) - Isochoric(X - m * d, dimension));
    };
    gradient.col(axis) = (45.0 * difference(1) - 9.0 * difference(2) + difference(3)) / 0.06;
  }
  return gradient;
}

struct Errors {
  double displacement = 0.0, gradient = 0.0;  // in L², relative
};

Errors ErrorsOf(SolidMesh mesh, double nu, Kind kind) {
  if (kind == Kind::kLockingFree && mesh.shape == ElementShape::kTriangle6)
    mesh = WithMiddles(mesh);
  const int dimension = DimensionOf(mesh.shape);
  const double E = 1e3, mu = 0.5 * E / (1.0 + nu);
  const Discretisation bodies = BodyOf(mesh, E, nu, kind);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest(), exact = q;
  for (int i = 0; i < q.cols(); ++i) exact.col(i) += Isochoric(q.col(i), dimension);
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-12; }));
  load.begin = RowsAt(load.rows, q);
  load.end = RowsAt(load.rows, exact);
  load.force = Matrix3Xd::Zero(3, q.cols());
  const ElementRule rule = MassRule(mesh.shape);
  const auto for_points = [&](const auto& visit) {
    for (int e = 0; e < mesh.elements.cols(); ++e) {
      const Matrix3Xd X = mesh.nodes(Eigen::all, mesh.elements.col(e));
      for (int g = 0; g < rule.weights.size(); ++g) {
        const ShapeFunctions shape = ShapeFunctionsAt(mesh.shape, rule.points.col(g));
        const Eigen::MatrixXd J = X.topRows(dimension) * shape.derivatives.transpose();
        Matrix3Xd G = Matrix3Xd::Zero(3, X.cols());
        G.topRows(dimension) = J.inverse().transpose() * shape.derivatives;
        visit(e, Vector3d(X * shape.values), shape, G, rule.weights[g] * J.determinant());
      }
    }
  };
  for_points([&](int e, const Vector3d& X, const ShapeFunctions&, const Matrix3Xd& G, double w) {
    const Matrix3d gradient = GradientOf(X, dimension);
    load.force(Eigen::all, mesh.elements.col(e)) += w * mu * (gradient + gradient.transpose()) * G;
  });
  EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
  Errors error, size;
  for_points(
      [&](int e, const Vector3d& X, const ShapeFunctions& shape, const Matrix3Xd& G, double w) {
        const Matrix3Xd u = (q - mesh.nodes)(Eigen::all, mesh.elements.col(e));
        error.displacement += w * (u * shape.values - Isochoric(X, dimension)).squaredNorm();
        error.gradient += w * (u * G.transpose() - GradientOf(X, dimension)).squaredNorm();
        size.displacement += w * Isochoric(X, dimension).squaredNorm();
        size.gradient += w * GradientOf(X, dimension).squaredNorm();
      });
  return {std::sqrt(error.displacement / size.displacement),
          std::sqrt(error.gradient / size.gradient)};
}

SolidMesh UnitMesh(ElementShape shape, int level) {
  const int n = 1 << level;
  switch (shape) {
    case ElementShape::kTetrahedron10:
      return TetrahedraOfBox({1, 1, 1}, n);
    case ElementShape::kHexahedron27:
      return BoxMesh({1, 1, 1}, n, n, n);
    default:
      return MappedRectangle(4 * n, 4 * n, [](double s, double t) { return Vector3d(s, t, 0.0); });
  }
}

// Errors at three refinements and the orders of the last two.
struct Ladder {
  std::array<Errors, 3> errors;
  double displacement_order() const {
    return std::log2(errors[1].displacement / errors[2].displacement);
  }
  double gradient_order() const { return std::log2(errors[1].gradient / errors[2].gradient); }
};
Ladder LadderOf(ElementShape shape, double nu, Kind kind) {
  Ladder ladder;
  for (int level = 0; level < 3; ++level) {
    ladder.errors[level] = ErrorsOf(UnitMesh(shape, level), nu, kind);
  }
  return ladder;
}

constexpr double kNearHalf = 0.4999999;

// Orders 3 and 2, and errors that hardly know ν.
TEST(FiniteElementLocking, OrdersAreFullNearIncompressibility) {
  for (const ElementShape shape : {ElementShape::kTriangle6, ElementShape::kHexahedron27}) {
    const Ladder soft = LadderOf(shape, 0.3, Kind::kLockingFree),
                 near = LadderOf(shape, kNearHalf, Kind::kLockingFree);
    EXPECT_NEAR(soft.displacement_order(), 3.0, 0.1);
    EXPECT_NEAR(soft.gradient_order(), 2.0, 0.1);
    EXPECT_NEAR(near.displacement_order(), 3.0, 0.1);
    EXPECT_NEAR(near.gradient_order(), 2.0, 0.15);
    const double ratio = near.errors[2].displacement / soft.errors[2].displacement;
    EXPECT_LT(ratio, shape == ElementShape::kHexahedron27 ? 1.01 : 2.0);
  }
}

// One order is lost without: what the warning of `check` says. If this ever fails, it can go.
TEST(FiniteElementLocking, PointwiseVolumesLoseAnOrder) {
  for (const ElementShape shape : {ElementShape::kTriangle6, ElementShape::kHexahedron27}) {
    const Ladder ladder = LadderOf(shape, kNearHalf, Kind::kPointwise);
    EXPECT_LT(ladder.displacement_order(), 2.4);
    EXPECT_LT(ladder.gradient_order(), 1.4);
    EXPECT_GT(ladder.errors[2].displacement,
              5.0 * LadderOf(shape, kNearHalf, Kind::kLockingFree).errors[2].displacement);
  }
}

// A constant in each tetrahedron has one order less in the limit, here still more.
TEST(FiniteElementLocking, TetrahedraDoNotLockEither) {
  const Ladder soft = LadderOf(ElementShape::kTetrahedron10, 0.3, Kind::kLockingFree),
               near = LadderOf(ElementShape::kTetrahedron10, kNearHalf, Kind::kLockingFree),
               locked = LadderOf(ElementShape::kTetrahedron10, kNearHalf, Kind::kPointwise);
  EXPECT_GT(near.displacement_order(), 2.0);
  EXPECT_GT(near.gradient_order(), 1.4);
  EXPECT_LT(near.errors[2].displacement, 1.6 * soft.errors[2].displacement);
  EXPECT_LT(locked.gradient_order(), 1.2);
  EXPECT_LT(near.errors[2].displacement, 0.2 * locked.errors[2].displacement);
}

// [Cook 1974]: a tapered panel, clamped on the left, pulled up by an even shear on the right.
std::array<double, 2> CooksMembrane(int n, double E, double nu, double force, Kind kind) {
  const SolidMesh mesh = MappedRectangle(n, n, [](double s, double t) {
    return Vector3d(48.0 * s, 44.0 * s * (1.0 - t) + (44.0 + 16.0 * s) * t, 0.0);
  });
  const Discretisation bodies = BodyOf(mesh, E, nu, kind);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest();
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-9; }));
  load.begin = load.end = RowsAt(load.rows, q);
  load.force = Matrix3Xd::Zero(3, q.cols());
  for (const int node : NodesWhere(bodies, [](const Vector3d& x) { return x.x() > 48.0 - 1e-9; })) {
    const int place = static_cast<int>(std::lround((q(1, node) - 44.0) / 16.0 * 2 * n));
    const double weight = place % 2 == 1 ? 4.0 : place == 0 || place == 2 * n ? 1.0 : 2.0;
    load.force(1, node) = force * weight / (6.0 * n);
  }
  EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
  const auto rise = [&](double y) {
    const int node = NodeAt(bodies, {48.0, y, 0.0});
    return q(1, node) - bodies.part(0).rest()(1, node);
  };
  return {rise(52.0), rise(60.0)};
}

// ν = 0.499999975: 16.442 in the middle of the loaded side [Kasper & Taylor 2000], quoted without the page at hand, so that no
// more than its tenth of a percent is asked. The truth is that of another program: Taylor–Hood elements of GetFEM on 8² to 64²
// quadrilaterals (tests/reference/cooks_membrane.py) have 16.4439 on the finest and point to 16.4524; those of triangles that were
// refined towards the corner have 16.4520, and 17.2419 at the corner. The clamped corner is singular, so that no mesh converges
// at its order.
TEST(FiniteElementLocking, CooksMembrane) {
  constexpr double kPublished = 16.442, kTaylorHood = 16.4520, kCorner = 17.2419;
  std::array<double, 3> free, locked;
  double corner = 0.0;
  for (int level = 0; level < 3; ++level) {
    const int n = 8 << level;
    const auto of = [n](Kind kind) {
      return CooksMembrane(n, 1.12499998125, 0.499999975, 1.0, kind);
    };
    free[level] = of(Kind::kLockingFree)[0];
    corner = of(Kind::kLockingFree)[1];
    locked[level] = of(Kind::kPointwise)[0];
  }
  EXPECT_NEAR(free[0], kPublished, 0.015 * kPublished);
  EXPECT_NEAR(free[2], kPublished, 0.002 * kPublished);
  EXPECT_NEAR(free[2], kTaylorHood, 0.003 * kTaylorHood);
  EXPECT_NEAR(corner, kCorner, 0.005 * kCorner);
  EXPECT_LT(free[0], free[1]);
  EXPECT_LT(free[1], free[2]);
  // 6, 2 and 1 % too stiff: as much as with a mesh half as fine and more.
  EXPECT_NEAR(locked[0], 0.94 * kPublished, 0.01 * kPublished);
  for (int level = 0; level < 3; ++level) {
    EXPECT_GT(kTaylorHood - locked[level], 2.5 * (kTaylorHood - free[level]));
  }
}

// [MacNeal & Harder 1985] A slender beam, 6 × 0.2 × 0.1, of n elements (theirs 6), pulled at its end by 1:
// rectangles, trapezoids or parallelograms from the side. 0.1081 along the height, 0.4321 along the width: the theory of beams
// with shear, which other programs print, too (Altair OptiStruct, OS-V: 0720 Straight Cantilever Beam; midas Gen, example 16).
double TimoshenkoBeam(double height, double width) {
  const double length = 6.0, E = 1e7, G = E / 2.6, inertia = width * std::pow(height, 3) / 12.0;
  return std::pow(length, 3) / (3.0 * E * inertia) + length / (5.0 / 6.0 * G * height * width);
}
double SlenderBeam(int shape, int n, int axis, Kind kind) {
  SolidMesh mesh = BoxMesh({6.0, 0.2, 0.1}, n, 1, 1);
  for (int node = 0; node < mesh.nodes.cols(); ++node) {
    const double x = mesh.nodes(0, node), up = mesh.nodes(1, node) / 0.2 - 0.5;
    const int place = static_cast<int>(std::lround(2.0 * n * x / 6.0));
    if (place == 0 || place == 2 * n) continue;
    // Ends of elements lean by 45°; nodes between stay in the middle.
    const auto lean = [&](int end) {
      return end <= 0 || end >= 6         ? 0.0
             : shape == 0                 ? 0.0
             : shape == 1 && end % 2 == 0 ? -1.0
                                          : 1.0;
    };
    const double shift =
        place % 2 == 0 ? lean(place / 2) : 0.5 * (lean(place / 2) + lean(place / 2 + 1));
    mesh.nodes(0, node) += 0.2 * up * shift;
  }
  const Discretisation bodies = BodyOf(mesh, 1e7, 0.3, kind);
  StaticLoad load;
  Matrix3Xd q = bodies.part(0).rest();
  load.rows = Clamp(bodies, NodesWhere(bodies, [](const Vector3d& x) { return x.x() < 1e-9; }));
  load.begin = load.end = RowsAt(load.rows, q);
  load.force = Matrix3Xd::Zero(3, q.cols());
  for (const int node : NodesWhere(bodies, [](const Vector3d& x) { return x.x() > 6.0 - 1e-9; })) {
    const auto weight = [](double t) { return std::abs(t - 0.5) < 0.1 ? 4.0 / 6.0 : 1.0 / 6.0; };
    load.force(axis, node) = weight(q(1, node) / 0.2) * weight(q(2, node) / 0.1);
  }
  EXPECT_TRUE(SolveStatics(bodies, load, {.tolerance = 1e-9}, &q).converged);
  const int tip = NodeAt(bodies, {6.0, 0.1, 0.05});
  return q(axis, tip) - bodies.part(0).rest()(axis, tip);
}

TEST(FiniteElementLocking, SlenderBeamsOfAnyShapeBend) {
  constexpr std::array<double, 2> kExpected = {0.1081, 0.4321};
  EXPECT_NEAR(kExpected[0], TimoshenkoBeam(0.2, 0.1), 5e-5) << "all printed digits";
  EXPECT_NEAR(kExpected[1], TimoshenkoBeam(0.1, 0.2), 5e-5) << "all printed digits";
  for (const Kind kind : {Kind::kPointwise, Kind::kLockingFree}) {
    for (int shape = 0; shape < 3; ++shape) {
      for (const int axis : {1, 2}) {
        std::array<double, 3> found;
        for (int level = 0; level < 3; ++level) {
          found[level] = SlenderBeam(shape, 6 << level, axis, kind) / kExpected[axis - 1];
        }
        const bool pointwise = kind == Kind::kPointwise;
        EXPECT_NEAR(found[0], 1.0, pointwise ? 0.035 : 0.02) << shape << " " << axis;
        EXPECT_NEAR(found[1], 1.0, pointwise ? 0.0125 : 0.005) << shape << " " << axis;
        // What is left belongs to one element across, and to a clamp that keeps the section as it is.
        EXPECT_NEAR(found[2], 1.0, pointwise ? 0.007 : 0.003) << shape << " " << axis;
      }
    }
  }
}

Scene Arm(double nu) {
  Scene scene;
  scene.name = "arm";
  Body block = MakeBlock("arm", {1.0, 0.2, 0.2}, {5, 2, 2}, 1.0);
  Material material;
  material.density = 1000.0;
  material.youngs_modulus = 4e6;
  material.poisson_ratio = nu;
  block.mass = material.density * VolumeShares(block, 0.0);
  block.material = material;
  scene.bodies = {block};
  for (int p = 0; p < block.rest.cols(); ++p) {
    if (block.rest(0, p) > -0.5 + 1e-9) continue;
    scene.nails.push_back({"wall", {0, p}, Path::Still(block.rest.col(p))});
  }
  return scene;
}

TEST(FiniteElementLocking, CheckWarnsOfWhatLocksAndNamesTheCure) {
  const auto warnings = [](double nu, const ParameterValues& parameters) {
    const auto scene = std::make_shared<const Scene>(Arm(nu));
    return TheBackend().Translate(scene, parameters).warnings;
  };
  EXPECT_TRUE(warnings(0.44, {}).empty());
  EXPECT_TRUE(warnings(0.49, {{"locking_free", true}}).empty());
  ASSERT_EQ(warnings(0.4999, {}).size(), 1U);
  const std::string warning = warnings(0.4999, {})[0];
  EXPECT_NE(warning.find("Poisson's ratio 0.4999"), std::string::npos) << warning;
  EXPECT_NE(warning.find("locking_free = true"), std::string::npos) << warning;
}

// The first numbers of the warning: sag of 1 and 2 elements across against 2 that do not lock.
TEST(FiniteElementLocking, TheWarningSaysHowMuch) {
  const auto sag = [](int refinement, bool locking_free) {
    const auto simulation = Start(Arm(0.4999), {{"time_scheme", std::string("static")},
                                                {"refinement", refinement},
                                                {"locking_free", locking_free}});
    EXPECT_EQ(simulation->Advance(1.0).kind, StepOutcome::Kind::kAdvanced);
    const Observation o = Observe(*simulation);
    return -o.points.row(1).minCoeff() - 0.1;
  };
  const double reference = sag(2, true);
  EXPECT_NEAR(sag(1, false) / reference, 0.75, 0.01);
  EXPECT_NEAR(sag(2, false) / reference, 0.89, 0.01);
}

}  // namespace
}  // namespace pliant::finite_elements
