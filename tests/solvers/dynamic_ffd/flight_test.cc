// Free flight: what must stay constant, and closed forms of two masses on a spring.

#include <cmath>

#include "models/scene/metrics.h"
#include "models/scene/shapes.h"
#include "solvers/dynamic_ffd/ffd_system.h"
#include "solvers/integration/second_order.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/scenes.h"
#include "tests/solvers/dynamic_ffd/point_oracle.h"
#include "tests/solvers/dynamic_ffd/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The table thrown with a spin, deformed in all its modes.
Scene ThrownTable() {
  Scene scene = TableScene();
  scene.bodies[0].velocity = {2.0, 3.0, 0.0};
  scene.bodies[0].angular_velocity = {0.0, 0.0, 4.0};
  return scene;
}
MatrixTable DeformedTableModes() {
  MatrixTable modes = TableModes();
  const double initial[4] = {0.3, -0.2, 0.25, 0.2};
  for (int k = 0; k < 4; ++k) modes.entries[k].scalars["initial"] = initial[k];
  return modes;
}

// A sheet thrown with a spin about no principal axis, stretched.
Scene ThrownSheet() {
  Scene scene = Weightless({MakeSheet("sheet", {1.0, 0.7}, {4, 3}, 2.0)});
  scene.bodies[0].velocity = {1.0, 0.5, -0.3};
  scene.bodies[0].angular_velocity = {2.0, 3.0, 1.0};
  scene.bodies[0].stretch = Vector3d(1.1, 0.95, 1.0).asDiagonal();
  return scene;
}

class FlightTest : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(PlaneAndSpace, FlightTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Space" : "Plane"; });

TEST_P(FlightTest, IsTheSameMotionAboutBothOrigins) {
  const Scene scene = GetParam() ? ThrownSheet() : ThrownTable();
  ParameterValues parameters = With(GetParam() ? SheetModes() : DeformedTableModes(), "rk4");
  const auto centre = Translated(scene, parameters).simulation;
  parameters["origin"] = std::string("lattice-corner");
  const auto corner = Translated(scene, parameters).simulation;
  EXPECT_LT(DistanceBetween(Observed(*centre).points, Observed(*corner).points).max, 1e-14);
  const Observation a = RunFor(centre.get(), 5e-4, 1000), b = RunFor(corner.get(), 5e-4, 1000);
  EXPECT_LT(DistanceBetween(a.points, b.points).max, 1e-8);
}

TEST(Flight, InThePlaneIsTheSameInPlaneAndSpace) {
  Scene plane = ThrownTable();
  plane.gravity = {0.0, -9.81, 0.0};
  plane.obstacles.push_back({"floor", Plane{}, Path::Still({0.0, -0.2, 0.0}), 0.4});
  plane.springs.push_back({.name = "band",
                           .a = {0, 4},
                           .anchor = {3, 2, 0},
                           .stiffness = 300.0,
                           .damping = 5.0,
                           .rest_length = 0.5});
  Scene space = plane;
  space.dimension = 3;
  // A planar table of modes serves both.
  const auto flat = Translated(plane, With(DeformedTableModes(), "rk4")).simulation;
  const auto solid = Translated(space, With(DeformedTableModes(), "rk4")).simulation;
  const Observation a = RunFor(flat.get(), 1e-3, 600), b = RunFor(solid.get(), 1e-3, 600);
  EXPECT_GT(std::abs((*a.work)[WorkClass::kContact]), 1.0);  // it has hit the floor
  EXPECT_LT(DistanceBetween(a.points, b.points).max, 1e-9);
  EXPECT_NEAR((*a.work)[WorkClass::kContact], (*b.work)[WorkClass::kContact], 1e-6);
}

// (4.17) as printed, Σ_ij d_ij without the basis functions, takes a flight off course. The spin
// about the centre of mass is the better witness: here it moves by three quarters, the energy by a
// fifth.
TEST(Flight, PrintedJacobianDerivativeShowsInTheSpinMoreThanInTheEnergy) {
  const Body table = ThesisTable();
  const std::vector<Matrix3Xd> modes = {VerticalShear(), HorizontalBend(), VerticalSquash(),
                                        HorizontalSquash()};
  const FfdBody body = InLattice(2, table, ThesisLattice(), modes, FfdOrigin::kLatticeCorner);
  const VectorXd stiffness = Eigen::Vector4d(4e6, 6e6, 9e6, 7e6);  // J, for 108 kg of 400 m
  struct Flown {
    double energy, spin;  // relative changes in 1 s
  };
  auto fly = [&](bool printed) {
    auto acceleration = [&](const VectorXd& q, const VectorXd& v) -> VectorXd {
      VectorXd force = VectorXd::Zero(7);
      for (int l = 2; l < 7; ++l) {
        Eigen::MatrixXd derivative = Eigen::MatrixXd::Zero(7, 7);
        for (int n = 0; n < body.points(); ++n) {
          Eigen::MatrixXd of_jacobian = JacobianDerivative(body, q, n, l);
          if (printed && l > 2) {
            const Vector3d sum = body.Rotation(q) * modes[l - 3].rowwise().sum();
            of_jacobian.col(2) = Vector3d::UnitZ().cross(sum);
          }
          const Eigen::MatrixXd half =
              body.masses()[n] * body.Jacobian(q, n).transpose() * of_jacobian;
          derivative += half + half.transpose();
        }
        force[l] += 0.5 * v.dot(derivative * v);
        force -= v[l] * derivative * v;
      }
      force.tail(4) -= 2.0 * stiffness.cwiseProduct(q.tail(4));
      return MassMatrixByPoints(body, q).llt().solve(force);
    };
    auto measure = [&](const VectorXd& q, const VectorXd& v) -> Flown {
      Matrix3Xd x(3, body.points()), x_dot(3, body.points());
      body.Points(q, x);
      body.PointVelocities(q, v, x, x_dot);
      const Vector3d spin = AngularMomentum(table.mass, x, x_dot, CentreOfMass(table.mass, x));
      return {KineticEnergy(table.mass, x_dot) + stiffness.dot(q.tail(4).cwiseAbs2()), spin.z()};
    };
    VectorXd q = VectorXd::Zero(7), v(7);
    q.tail(4) << 0.3, -0.2, 0.25, 0.2;
    v = body.Velocities(q, {50, 80, 0}, {0, 0, 0.5}, VectorXd::Zero(body.modes()));
    const Flown start = measure(q, v);
    const double h = 2e-3;
    for (int i = 0; i < 500; ++i) {  // classical Runge–Kutta
      const VectorXd a1 = acceleration(q, v), v2 = v + 0.5 * h * a1;
      const VectorXd a2 = acceleration(q + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
      const VectorXd a3 = acceleration(q + 0.5 * h * v2, v3), v4 = v + h * a3;
      const VectorXd a4 = acceleration(q + h * v3, v4);
      q += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    const Flown end = measure(q, v);
    return Flown{std::abs(end.energy / start.energy - 1.0), std::abs(end.spin / start.spin - 1.0)};
  };
  const Flown mended = fly(false), printed = fly(true);
  EXPECT_LT(mended.energy, 1e-6);
  EXPECT_LT(mended.spin, 1e-6);
  EXPECT_GT(printed.spin, 0.1);
  EXPECT_LT(printed.energy, printed.spin);
}

// The rod of [Faloutsos 1995, App. A]: two masses at heights t₁ H and t₂ H in a lattice of height
// H, and one mode d_y = C j. It has as many coordinates as two free particles.
struct Rod {
  double m = 50.0, width = 4.0, height = 3.0, t1 = 0.2, t2 = 0.9, c = -1.0, stiffness = 0.0;

  DynamicFfdSystem System() const {
    auto scene = std::make_shared<Scene>();
    scene->dimension = 2;
    scene->gravity.setZero();
    Body body = {.name = "rod", .rest = Matrix3Xd::Zero(3, 2)};
    body.rest.row(0).setConstant(0.4 * width);
    body.rest.row(1) << t1 * height, t2 * height;
    body.mass = Eigen::Vector2d(m, m);
    scene->bodies.push_back(body);
    Matrix3Xd stretch = Matrix3Xd::Zero(3, 16);
    for (int j = 0; j < 4; ++j) stretch.block<1, 4>(1, 4 * j).setConstant(c * j);
    const Lattice lattice({3, 3, 0}, {0, 0, 0}, {width, height, 1});
    std::vector<FfdPart> parts;
    parts.push_back({InLattice(2, body, lattice, {stretch}, FfdOrigin::kLatticeCorner),
                     VectorXd::Constant(1, stiffness), VectorXd::Zero(1), nullptr});
    parts[0].inertia = MakeInertia(parts[0].body);
    return DynamicFfdSystem(scene, std::move(parts), {}, {});
  }
  // Equivalent linear spring: V = K a² with the stretch 3 C Δt a.
  double SpringStiffness() const { return 2.0 * stiffness / std::pow(3.0 * c * (t2 - t1), 2); }
  double RestLength() const { return height * (t2 - t1); }
};

constexpr double kStep = 1e-3;

void Advance(DynamicFfdSystem* system, int steps, VectorXd* q, VectorXd* v) {
  Integrator integrator({.scheme = Scheme::kRungeKutta4});
  Exchange work;
  for (int i = 0; i < steps; ++i) integrator.Step(*system, i * kStep, kStep, q, v, &work);
}

const Eigen::Vector4d kRodStart(0.3, -0.2, 0.7, 0.1), kRodVelocity(0.5, 1.0, 1.5, 0.4);

TEST(Rod, WithoutPotentialEachMassMovesOnAStraightLine) {
  DynamicFfdSystem system = Rod().System();
  VectorXd q = kRodStart, v = kRodVelocity;
  Matrix3Xd x0, v0, x;
  system.Points(q, &x0);
  system.PointVelocities(q, v, x0, &v0);
  Advance(&system, 1000, &q, &v);
  system.Points(q, &x);
  EXPECT_LT((x - (x0 + v0)).norm(), 1e-9);
}

TEST(Rod, WithPotentialIsTwoMassesOnALinearSpring) {
  Rod rod;
  rod.stiffness = 2000.0;
  DynamicFfdSystem system = rod.System();
  VectorXd q = kRodStart, v = kRodVelocity;
  Matrix3Xd x, u;
  system.Points(q, &x);
  system.PointVelocities(q, v, x, &u);

  // The two masses by themselves, with a step so short that their own error is out of sight.
  const double k = rod.SpringStiffness(), rest = rod.RestLength();
  auto acceleration = [&](const Matrix3Xd& at) -> Matrix3Xd {
    const Vector3d d = at.col(1) - at.col(0);
    const Vector3d force = k * (d.norm() - rest) * d.normalized();
    Matrix3Xd a(3, 2);
    a << force / rod.m, -force / rod.m;
    return a;
  };
  constexpr int kFine = 5, kQuarter = 250;
  const double h = kStep / kFine;
  double swing = 0.0;
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (int i = 0; i < kQuarter * kFine; ++i) {  // classical Runge–Kutta
      const Matrix3Xd a1 = acceleration(x), a2 = acceleration(x + 0.5 * h * u),
                      a3 = acceleration(x + 0.5 * h * u + 0.25 * h * h * a1),
                      a4 = acceleration(x + h * u + 0.5 * h * h * a2);
      x += h * u + h * h / 6.0 * (a1 + a2 + a3);
      u += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    Advance(&system, kQuarter, &q, &v);
    Matrix3Xd rod_points;
    system.Points(q, &rod_points);
    EXPECT_LT((rod_points - x).norm(), 1e-9);
    swing = std::max(swing, std::abs(q[3] - kRodStart[3]));
  }
  EXPECT_GT(swing, 0.05);  // or the spring has shown nothing
}

}  // namespace
}  // namespace pliant::dynamic_ffd
