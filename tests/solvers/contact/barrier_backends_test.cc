// dynamic-ffd and linear-deformation with contact_between = "barrier", through the interface of all backends.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>
#include <utility>

#include "models/problem.h"
#include "models/scene/shapes.h"
#include "solvers/backends.h"
#include "solvers/data_table.h"
#include "tests/scenes.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

// A lattice of 1 × 1 × 1 cells without modes: bodies are rigid.
MatrixTable NoModes(int dimension) {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}};
  if (dimension == 3) table.scalars["degree_z"] = 1;
  return table;
}

ParameterValues Parameters(const std::string& backend, int dimension) {
  ParameterValues parameters = {{"contact_between", std::string("barrier")},
                                {"contact_thickness", 0.01},
                                {"contact_stiffness", 1e4},
                                {"contact_damping", 0.0},
                                {"integrator", std::string("rk4")}};
  if (backend == "dynamic-ffd") {
    parameters["modes"] = NoModes(dimension);
  } else {
    parameters["stretch_stiffness"] = 200.0;
    parameters["damping"] = 0.0;
  }
  return parameters;
}

std::unique_ptr<Simulation> Start(const std::string& backend, const Scene& scene,
                                  const ParameterValues& parameters) {
  Translation translation =
      FindBackend(backend)->Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

// A sheet that is shot at another, and one that is turned, so that edges meet edges.
Scene Shot(double speed, double friction = 0.0) {
  Scene scene;
  scene.name = "shot";
  scene.dimension = 3;
  scene.gravity.setZero();
  scene.bodies = {MakeSheet("target", {0.8, 0.8}, {3, 3}, 1.0),
                  MakeSheet("shot", {0.4, 0.4}, {3, 3}, 1.0)};
  scene.bodies[1].position = {0.013, 0.027, 1.333};
  scene.bodies[1].orientation = Eigen::AngleAxisd(0.6, Vector3d(1, 0.1, 0.8).normalized());
  scene.bodies[1].velocity = {0, 0, -speed};
  if (friction > 0.0) scene.contacts = {{0, 1, false, friction, 0.0}};
  return scene;
}

MaterialSums SumsOf(const Scene& scene, const Observation& o) {
  MaterialSums sums;
  const VectorXd mass = scene.Masses();
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    const Vector3d x = o.points.col(i), v = o.velocities->col(i);
    sums.kinetic_energy += 0.5 * mass[i] * v.squaredNorm();
    sums.momentum += mass[i] * v;
    sums.angular_momentum += mass[i] * x.cross(v);
  }
  return sums;
}

class BarrierBackends : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, BarrierBackends, testing::Values("dynamic-ffd", "linear-deformation"),
                         [](const auto& info) {
                           return info.param == "dynamic-ffd" ? "ffd" : "linear";
                         });

Vector3d MiddleOf(const Scene& scene, const Matrix3Xd& x, int body) {
  return x.middleCols(scene.Offset(body), scene.bodies[body].size()).rowwise().mean();
}

// The stages of Runge–Kutta lie half-way of a piece: where one lies close to the target or behind it, its force is that
// of no motion, and a piece that it enters is not accepted.
TEST_P(BarrierBackends, StagesInsideAPieceMakeNoEnergy) {
  const double h = 0.01, speed = 100.0;
  ParameterValues parameters = Parameters(GetParam(), 3);
  if (GetParam() == "linear-deformation") parameters["stretch_stiffness"] = 1.0;
  for (int k = -10; k <= 10; ++k) {
    Scene scene = Shot(speed);
    scene.bodies[1].orientation.setIdentity();
    scene.bodies[1].position.z() =
        0.5 * speed * h + 0.001 * k;  // the first stages within a thickness
    const auto simulation = Start(GetParam(), scene, parameters);
    ASSERT_NE(simulation, nullptr);
    Observation o;
    simulation->Observe(&o);
    const double before = SumsOf(scene, o).kinetic_energy;
    for (int i = 0; i < 2; ++i) simulation->Advance(h);
    simulation->Observe(&o);
    EXPECT_LE(SumsOf(scene, o).kinetic_energy, 1.01 * before) << k;
    EXPECT_GT((MiddleOf(scene, o.points, 1) - MiddleOf(scene, o.points, 0)).z(), 0.0) << k;
  }
}

// A hundred thicknesses a step. Without the barrier the shot is 1 m behind the target after two steps.
TEST_P(BarrierBackends, AThinSheetDoesNotPassAThinSheetAtAHundredThicknessesAStep) {
  const double h = 0.01, speed = 100.0;
  const Scene scene = Shot(speed);
  for (const bool barrier : {false, true}) {
    ParameterValues parameters = Parameters(GetParam(), 3);
    if (!barrier) {
      parameters.erase("contact_between");
      parameters.erase("contact_thickness");
    }
    if (GetParam() == "linear-deformation") parameters["stretch_stiffness"] = 1.0;
    const auto simulation = Start(GetParam(), scene, parameters);
    ASSERT_NE(simulation, nullptr);
    Observation o;
    simulation->Observe(&o);
    const MaterialSums before = SumsOf(scene, o);
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced) << i;
    }
    simulation->Observe(&o);
    const double apart = (MiddleOf(scene, o.points, 1) - MiddleOf(scene, o.points, 0)).z();
    const MaterialSums after = SumsOf(scene, o);
    EXPECT_NEAR((after.momentum - before.momentum).norm(), 0.0, 1e-9 * speed);
    if (barrier) {
      EXPECT_GT(apart, 0.0);
    } else {
      EXPECT_LT(apart, -1.0);
    }
  }
}

// Without damping the energy falls short by the error of the scheme in pieces: first order here, and small.
TEST_P(BarrierBackends, KeepsEnergyAndMomenta) {
  const Scene scene = Shot(1.0);
  double residuals[2];
  for (int level = 0; level < 2; ++level) {
    const auto simulation = Start(GetParam(), scene, Parameters(GetParam(), 3));
    ASSERT_NE(simulation, nullptr);
    Observation o;
    simulation->Observe(&o);
    const MaterialSums before = SumsOf(scene, o);
    const double h = level == 0 ? 4e-4 : 2e-4;
    bool touched = false;
    for (int i = 0; i < static_cast<int>(std::lround(1.8 / h)); ++i) {
      ASSERT_EQ(simulation->Advance(h).kind, StepOutcome::Kind::kAdvanced);
      simulation->Observe(&o);
      touched = touched || *o.contact_energy > 0.0;
    }
    EXPECT_TRUE(touched);
    const MaterialSums after = SumsOf(scene, o);
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-11);
    EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-5);
    residuals[level] = std::abs(after.kinetic_energy + o.elastic_energy.value_or(0.0) +
                                o.contact_energy.value_or(0.0) - before.kinetic_energy);
  }
  EXPECT_LT(residuals[1], 1e-4 * 0.5);
  EXPECT_LT(residuals[1], residuals[0] + 1e-9);
}

// Springs of friction are state.
TEST_P(BarrierBackends, ARestoredStateContinuesAlike) {
  Scene scene = Shot(1.0, 0.4);
  scene.bodies[1].velocity.x() = 0.1;
  const auto simulation = Start(GetParam(), scene, Parameters(GetParam(), 3));
  ASSERT_NE(simulation, nullptr);
  Observation o;
  int steps = 0;
  do {
    simulation->Advance(1e-3);
    simulation->Observe(&o);
  } while (*o.contact_energy == 0.0 && ++steps < 3000);
  ASSERT_GT(*o.contact_energy, 0.0);
  for (int i = 0; i < 3; ++i) simulation->Advance(1e-3);
  const VectorXd state = simulation->Save();
  for (int i = 0; i < 5; ++i) simulation->Advance(1e-3);
  const VectorXd once = simulation->Save();
  const auto other = Start(GetParam(), scene, Parameters(GetParam(), 3));
  other->Restore(state);
  for (int i = 0; i < 5; ++i) other->Advance(1e-3);
  EXPECT_EQ(once, other->Save());
}

TEST_P(BarrierBackends, SaysWhatItDoesAndRefusesBodiesThatTouch) {
  Scene scene = Shot(1.0, 0.4);
  const auto shared = std::make_shared<const Scene>(scene);
  const Translation translation =
      FindBackend(GetParam())->Translate(shared, Parameters(GetParam(), 3));
  bool said = false;
  for (const TranslatedElement& entry : translation.record.Entries()) {
    if (entry.element != "contact.target.shot") continue;
    said = true;
    EXPECT_EQ(entry.fidelity, Fidelity::kApproximated);
    EXPECT_THAT(entry.reason,
                HasSubstr("a barrier between faces, edges and points nearer than 0.01 m"));
  }
  EXPECT_TRUE(said);
  scene.bodies[1].orientation.setIdentity();
  scene.bodies[1].position = {0.1, 0.0, 0.0};
  const auto touching = std::make_shared<const Scene>(scene);
  try {
    (void)FindBackend(GetParam())->Translate(touching, Parameters(GetParam(), 3));
    ADD_FAILURE() << "takes bodies that touch";
  } catch (const BadInput& bad) {
    EXPECT_THAT(bad.what(), HasSubstr("a barrier keeps apart what does not touch"));
  }
}

// A twentieth of the narrowest face, here of one with legs of 0.2 m: 0.05 · 0.2 m/√2; or the distance at the start.
TEST_P(BarrierBackends, SaysWhichThicknessItChooses) {
  Scene far = Shot(1.0), near = far;
  near.bodies[1].orientation.setIdentity();
  near.bodies[1].position = {0.013, 0.027, 0.003};
  for (const auto& [scene, chosen] :
       {std::pair{far, "nearer than 0.00707 m, chosen"}, {near, "nearer than 0.003 m, chosen"}}) {
    ParameterValues parameters = Parameters(GetParam(), 3);
    parameters.erase("contact_thickness");
    const Translation translation =
        FindBackend(GetParam())->Translate(std::make_shared<const Scene>(scene), parameters);
    int said = 0;
    for (const TranslatedElement& entry : translation.record.Entries()) {
      if (entry.element != "contact") continue;
      ++said;
      EXPECT_THAT(entry.reason, HasSubstr(chosen));
    }
    EXPECT_EQ(said, 1);
  }
}

// A block slides along the plank on which it lies, its middle `aside` of that of the plank; at 0 its edges are exactly over edges
// of the plank. How far it goes aside, as seen by someone who turns with the whole scene by `turned` about the vertical.
Vector3d AsideOnAPlank(double speed, double aside, double turned) {
  Body plank = MakeBlock("plank", {1.0, 0.1, 0.6}, {5, 2, 4}, 1.0);
  Body block = MakeBlock("block", {0.2, 0.2, 0.2}, {2, 2, 2}, 0.5);
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(turned, Vector3d::UnitY()));
  const Vector3d start(0.35, 0.151, aside), velocity(-speed, 0.0, 0.0);
  plank.orientation = block.orientation = turn;
  block.position = turn * start;
  block.velocity = turn * velocity;
  Scene scene = SceneOf({plank, block}, 3);
  scene.gravity = {0.0, -9.81, 0.0};
  for (int p = 0; p < plank.size(); ++p) {
    scene.nails.push_back(NailWhereItStarts(scene, "plank", {0, p}));
  }
  ParameterValues parameters = Parameters("linear-deformation", 3);
  parameters.erase("contact_thickness");
  parameters["integrator"] = std::string("semi-implicit-euler");
  parameters["internal_energy"] = std::string("implicit");
  parameters["stretch_stiffness"] = parameters["volume_stiffness"] = 1e3;
  parameters["damping"] = 2.0;
  parameters["contact_stiffness"] = 1e5;
  parameters["contact_damping"] = 200.0;
  const auto simulation = Start("linear-deformation", scene, parameters);
  for (int i = 0; i < 200; ++i) simulation->Advance(1e-3);
  Observation seen;
  simulation->Observe(&seen);
  const Vector3d middle = seen.points.rightCols(8).rowwise().mean();
  return turn.conjugate() * middle - start - 0.2 * velocity;
}

// Where edges lie over edges the block is on a ridge of the sum over pairs, and the diagonals of the faces say to which
// side it leaves: beside it, it goes on straight. No order among parallel edges has a say: turned by half a turn, which exchanges the
// smaller and the larger coordinates, the scene does the same to rounding.
TEST(Barrier, PushesAsideByItsFacesNotByTheirOrder) {
  for (const double speed : {0.1, 0.5}) {
    SCOPED_TRACE(speed);
    const Vector3d on_ridge = AsideOnAPlank(speed, 0.0, 0.0);
    EXPECT_GT(std::abs(on_ridge.z()), 1e-3);
    EXPECT_LT((AsideOnAPlank(speed, 0.0, M_PI) - on_ridge).norm(), 1e-11);
    EXPECT_LT(std::abs(AsideOnAPlank(speed, 1e-3, 0.0).z()), 1e-4);
    EXPECT_LT(std::abs(AsideOnAPlank(speed, -1e-3, 0.0).z()), 2e-4);
  }
}

// A ring that is thrown at a sheet in the plane: contact by cells of faces does not see it, and says so; the barrier meets its
// edges.
TEST(ARingInThePlane, IsMetByTheBarrierAndWarnedOfElsewhere) {
  Scene scene;
  scene.name = "ring";
  scene.dimension = 2;
  scene.gravity.setZero();
  scene.bodies = {MakeRing("ring", 0.1, 12, 1.0), MakeSheet("sheet", {0.5, 0.1}, {6, 2}, 1.0)};
  scene.bodies[0].rigid = scene.bodies[1].rigid = true;
  scene.bodies[0].position = {0, 0.2, 0};
  scene.bodies[0].velocity = {0, -1, 0};
  scene.NumberPoints();
  for (const char* name : {"dynamic-ffd", "linear-deformation"}) {
    for (const bool barrier : {true, false}) {
      ParameterValues parameters = Parameters(name, 2);
      if (!barrier) {
        parameters.erase("contact_between");
        parameters.erase("contact_thickness");
      }
      const Translation translation =
          FindBackend(name)->Translate(std::make_shared<const Scene>(scene), parameters);
      const auto warned = testing::Contains(
          HasSubstr("every body passes through 'ring', which has edges and no faces: write "
                    "contact_between = \"barrier\""));
      if (barrier) {
        EXPECT_THAT(translation.warnings, testing::Not(warned)) << name;
      } else {
        EXPECT_THAT(translation.warnings, warned) << name;
      }
      for (int i = 0; i < 300; ++i) translation.simulation->Advance(1e-3);
      Observation o;
      translation.simulation->Observe(&o);
      const double height = o.points.leftCols(12).row(1).mean();
      if (barrier) {
        EXPECT_GT(height, 0.15 - 1e-3) << name;  // half of the sheet and the radius
      } else {
        EXPECT_NEAR(height, -0.1, 1e-6) << name;
      }
    }
  }
  // Nobody is warned of what shall not meet.
  scene.contacts = {{.a = 0, .b = 1, .ignored = true}};
  ParameterValues parameters = Parameters("dynamic-ffd", 2);
  parameters.erase("contact_between");
  parameters.erase("contact_thickness");
  EXPECT_THAT(FindBackend("dynamic-ffd")
                  ->Translate(std::make_shared<const Scene>(scene), parameters)
                  .warnings,
              testing::Not(testing::Contains(HasSubstr("passes through"))));
}

}  // namespace
}  // namespace pliant
