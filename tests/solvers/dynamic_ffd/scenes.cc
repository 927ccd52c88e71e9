#include "tests/solvers/dynamic_ffd/scenes.h"

#include "models/scene/metrics.h"
#include "models/scene/validate.h"
#include "solvers/dynamic_ffd/backend.h"
#include "tests/models/dynamic_ffd/subjects.h"
#include "tests/observed.h"
#include "tests/scenes.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Vector3d;

NamedMatrix Entry(const std::string& name, const Eigen::MatrixXd& values, double stiffness,
                  double damping) {
  return {name, values, {{"stiffness", stiffness}, {"damping", damping}}};
}

}  // namespace

Scene TableScene() {
  Scene scene = Weightless({ThesisTable()}, 2);
  scene.bodies[0].rest /= 200.0;
  return scene;
}

MatrixTable TableModes() {
  MatrixTable table;
  table.scalars = {{"size_x", 400.0}, {"size_y", 300.0}};
  table.entries = {Entry("vertical shear", VerticalShear().topRows(2), 400.0, 0.0),
                   Entry("horizontal bend", HorizontalBend().topRows(2), 600.0, 0.0),
                   Entry("vertical squash", VerticalSquash().topRows(2), 900.0, 0.0),
                   Entry("horizontal squash", HorizontalSquash().topRows(2), 700.0, 0.0)};
  return table;
}

Scene SpinningTable() {
  Scene scene = TableScene();
  scene.gravity = {0, -9.81, 0};
  scene.bodies[0].velocity = {1, 2, 0};
  scene.bodies[0].angular_velocity = {0, 0, 1.5};
  return scene;
}

NamedMatrix ShapedMode(const std::string& name, std::map<std::string, std::string> texts,
                       std::map<std::string, double> numbers) {
  return {name, {}, std::move(numbers), std::move(texts), {}};
}

MatrixTable LibraryModes() {
  MatrixTable table;
  auto add = [&table](const char* shape, const char* axis, double stiffness, double initial) {
    table.entries.push_back(ShapedMode(
        shape, {{"shape", shape}, {"axis", axis}},
        {{"stiffness", stiffness}, {"damping", 4.0}, {"initial", initial}, {"amount", 0.4}}));
  };
  add("shear", "x", 300.0, 0.1);
  add("bend", "x", 500.0, -0.3);
  add("squash", "y", 700.0, 0.4);
  return table;
}

MatrixTable SheetModes() {
  MatrixTable table;
  table.scalars = {{"degree_z", 0}};
  auto add = [&table](const std::string& name, double stiffness, double damping, auto formula) {
    Eigen::MatrixXd values(3, 16);
    for (int j = 0; j < 4; ++j) {
      for (int i = 0; i < 4; ++i) values.col(i + 4 * j) = formula(i, j);
    }
    table.entries.push_back(Entry(name, values, stiffness, damping));
  };
  auto inner = [](int i) { return i == 1 || i == 2 ? 1.0 : 0.0; };
  add("dome", 40.0, 0.4, [&](int i, int j) { return Vector3d(0, 0, inner(i) * inner(j)); });
  add("twist", 30.0, 0.3, [](int i, int j) { return Vector3d(0, 0, (i - 1.5) * (j - 1.5)); });
  add("squash x", 90.0, 0.3, [](int i, int) { return Vector3d(i / 3.0 - 0.5, 0, 0); });
  add("squash y", 80.0, 0.3, [](int, int j) { return Vector3d(0, j / 3.0 - 0.5, 0); });
  return table;
}

MatrixTable LinkModes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 1}, {"degree_y", 1}, {"degree_z", 1}};
  Eigen::MatrixXd values(3, 8);
  for (int c = 0; c < 8; ++c) values.col(c) << (c & 1) - 0.5, (c >> 1 & 1) - 0.5, (c >> 2) - 0.5;
  table.entries = {Entry("length", values, 200.0, 2.0)};
  return table;
}

ParameterValues With(const MatrixTable& modes, const std::string& scheme) {
  return {{"modes", modes}, {"integrator", scheme}};
}

Translation Translated(const Scene& scene, const ParameterValues& parameters) {
  Validate(scene);
  Translation translation =
      TheBackend().Translate(std::make_shared<const Scene>(scene), parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return translation;
}

const DynamicFfdSimulation& AsFfd(const Translation& translation) {
  return dynamic_cast<const DynamicFfdSimulation&>(*translation.simulation);
}

Observation RunFor(Simulation* simulation, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    if (outcome.kind != StepOutcome::Kind::kAdvanced) {
      ADD_FAILURE() << "step " << i << ": " << outcome.quantity;
      break;
    }
  }
  return Observed(*simulation);
}

bool StaysBounded(const Scene& scene, const ParameterValues& parameters, double h) {
  const auto simulation = Translated(scene, parameters).simulation;
  for (int i = 0; i < 3000; ++i) {
    if (simulation->Advance(h).kind == StepOutcome::Kind::kDiverged) return false;
  }
  return Observed(*simulation).points.cwiseAbs().maxCoeff() < 100.0;
}

double MechanicalEnergy(const Scene& scene, const Observation& o) {
  const SceneForces forces(scene);
  return KineticEnergy(forces.masses(), *o.velocities) + forces.GravitationalEnergy(o.points) +
         StoredEnergy(o);
}

double Balance(const Scene& scene, const Observation& o) {
  return MechanicalEnergy(scene, o) - o.work->TotalWork();
}

Vector3d CentreOf(const Scene& scene, const Observation& o) {
  return CentreOfMass(scene.Masses(), o.points);
}

Vector3d SpinAboutCentre(const Scene& scene, const Observation& o) {
  return AngularMomentum(scene.Masses(), o.points, *o.velocities, CentreOf(scene, o));
}

}  // namespace pliant::dynamic_ffd
