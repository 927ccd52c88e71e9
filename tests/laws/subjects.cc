#include "tests/laws/subjects.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "models/scene/metrics.h"
#include "models/scene/validate.h"
#include "solvers/backends.h"
#include "solvers/control/tables.h"

namespace pliant::laws {
namespace {

using Eigen::Vector3d;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

ParameterValues With(ParameterValues values, const ParameterValues& more) {
  for (const auto& [name, value] : more) values[name] = value;
  return values;
}

// A cubic lattice over a flat unit box: two squashes in the plane and a bend out of it, with the
// displacement of control point (i, j, k) at fractions (s, t, u) given by a formula.
MatrixTable SheetModes() {
  MatrixTable table;
  table.scalars = {{"degree_x", 3}, {"degree_y", 3}, {"degree_z", 3},
                   {"size_x", 1.0}, {"size_y", 1.0}, {"size_z", 1.0}};
  auto add = [&table](const std::string& name, double stiffness, auto displacement) {
    NamedMatrix mode;
    mode.name = name;
    mode.values = Eigen::MatrixXd(3, 64);
    mode.scalars = {{"stiffness", stiffness}, {"damping", 0.0}};
    for (int k = 0; k < 4; ++k) {
      for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
          mode.values.col(i + 4 * (j + 4 * k)) = displacement(i / 3.0 - 0.5, j / 3.0 - 0.5);
        }
      }
    }
    table.entries.push_back(mode);
  };
  add("squash-x", 5.0, [](double s, double) { return Vector3d(s, 0, 0); });
  add("squash-y", 8.0, [](double, double t) { return Vector3d(0, t, 0); });
  add("bend", 3.0, [](double s, double) { return Vector3d(0, 0, 1.0 - 9.0 * s * s); });
  return table;
}

// Of the library: a stretch, a shear and a bend in the xy-plane, which overlap.
MatrixTable LibraryModes(double damping = 0.0) {
  MatrixTable table;
  const auto add = [&](const std::string& shape, const std::string& axis,
                       const std::string& toward) {
    NamedMatrix mode;
    mode.name = shape;
    mode.texts = {{"shape", shape}, {"axis", axis}};
    if (!toward.empty()) mode.texts["toward"] = toward;
    mode.scalars = {{"amount", 0.4}, {"stiffness", 6.0}, {"damping", damping}};
    table.entries.push_back(mode);
  };
  add("stretch", "x", "");
  add("shear", "x", "y");
  add("bend", "x", "y");
  return table;
}

// Two poses that take turns, of servos on these channels.
ControlTable Poses(const Names& channels, double stiffness, double damping, double target) {
  ControlTable table;
  for (const std::string& channel : channels) {
    table.servos.push_back({channel, stiffness, damping, -2.0, 2.0});
  }
  for (const double sign : {1.0, -1.0}) {
    ControlTable::Entry pose;
    pose.name = sign > 0.0 ? "one" : "other";
    for (const std::string& channel : channels) pose.targets[channel] = sign * target;
    pose.duration = 0.08;
    table.poses.push_back(pose);
  }
  return table;
}

// The schemes of solvers/integration/second_order.h. The tolerances of the adaptive one are so wide
// that each step is one substep, which shows its order.
struct NamedScheme {
  std::string name;
  ParameterValues parameters;
  int order;
};
std::vector<NamedScheme> Schemes() {
  const auto of = [](const char* name) {
    return ParameterValues{{"integrator", std::string(name)}};
  };
  return {
      {"semi-implicit-euler", of("semi-implicit-euler"), 1},
      {"implicit-midpoint", of("implicit-midpoint"), 2},
      {"bogacki-shampine",
       With(of("bogacki-shampine"), {{"relative_tolerance", 1e6}, {"absolute_tolerance", 1e6}}), 3},
      {"rk4", of("rk4"), 4}};
}
ParameterValues Rk4() { return {{"integrator", std::string("rk4")}}; }

void AddDynamicFfd(std::vector<Subject>* subjects) {
  const ParameterValues sheet = {{"modes", SheetModes()}, {"contact_damping", 0.5}};
  const ParameterValues crate = {{"modes", LibraryModes()}, {"contact_damping", 0.5}};
  const auto add = [&](const std::string& variant, Matter matter, ParameterValues parameters,
                       Promises promises) {
    subjects->push_back({"dynamic-ffd", variant, matter, std::move(parameters), promises});
  };
  for (const NamedScheme& scheme : Schemes()) {
    add(scheme.name, Matter::kSheet, With(sheet, scheme.parameters), {.order = scheme.order});
    add("planar-" + scheme.name, Matter::kCrate, With(crate, scheme.parameters),
        {.order = scheme.order});
  }
  const Promises fourth = {.order = 4};
  // About the corner of the lattice, as in the source, momentum is one more coordinate.
  const ParameterValues corner = {{"origin", std::string("lattice-corner")}};
  add("corner-semi-implicit-euler", Matter::kSheet, With(sheet, corner),
      {.order = 1, .momentum = Kept::kToItsOrder});
  add("corner-rk4", Matter::kSheet, With(With(sheet, corner), Rk4()),
      {.order = 4, .momentum = Kept::kToItsOrder});
  add("orthogonal", Matter::kCrate, With(With(crate, Rk4()), {{"orthogonal_modes", true}}), fourth);
  add("damped", Matter::kCrate, With({{"modes", LibraryModes(0.3)}}, Rk4()),
      {.order = 4, .energy = Kept::kNotPromised});
  add("barrier", Matter::kSheet,
      With(With(sheet, Rk4()), {{"contact", std::string("barrier")}, {"barrier_length", 0.05}}),
      fourth);
  // The strain energy of the plate's rubber, in all displacements of a lattice or in a few modes of it.
  MatrixTable lattice;
  lattice.scalars = {{"degree_x", 2}, {"degree_y", 1}, {"degree_z", 0}};
  const ParameterValues free = {
      {"modes", lattice}, {"free_lattice", true}, {"contact_damping", 0.5}};
  const ParameterValues volume = {{"inertia", std::string("volume")}};
  add("material-points", Matter::kPlate, With(free, Rk4()), fourth);
  add("material-volume", Matter::kPlate, With(With(free, volume), Rk4()), fourth);
  add("material-modes", Matter::kPlate,
      With(With(crate, volume), {{"integrator", std::string("implicit-midpoint")}}), {.order = 2});
  add("posed", Matter::kCrate,
      With(With(crate, {{"integrator", std::string("implicit-midpoint")}}),
           {{"control", Poses({"stretch", "bend"}, 20.0, 0.5, 0.2)}}),
      {.order = 2, .energy = Kept::kNotPromised});
}

void AddLinearDeformation(std::vector<Subject>* subjects) {
  const ParameterValues sheet = {
      {"stretch_stiffness", 5.0}, {"damping", 0.0}, {"contact_damping", 0.5}};
  const ParameterValues block = With(sheet, {{"volume_stiffness", 5.0}});
  const auto add = [&](const std::string& variant, Matter matter, ParameterValues parameters,
                       Promises promises) {
    subjects->push_back({"linear-deformation", variant, matter, std::move(parameters), promises});
  };
  for (const NamedScheme& scheme : Schemes()) {
    // The schemes that keep quadratic invariants keep the spin of coordinates that are places.
    const Promises promises = {.order = scheme.order,
                               .spin = scheme.order < 3 ? Kept::kToRounding : Kept::kToItsOrder};
    add(scheme.name, Matter::kSheet, With(sheet, scheme.parameters), promises);
    add("block-" + scheme.name, Matter::kBlock, With(block, scheme.parameters), promises);
  }
  const Promises fourth = {.order = 4};
  const Promises damped = {.order = 4, .energy = Kept::kNotPromised};
  const auto rk4 = [&](const ParameterValues& base, const ParameterValues& more) {
    return With(With(base, Rk4()), more);
  };
  const ParameterValues elastic = {{"youngs_modulus", 50.0}, {"thickness", 0.2}};
  const auto material = [&](const char* name) {
    return With(elastic, {{"material", std::string(name)}});
  };
  // On the curved obstacle of the laws the springs of friction are accounted for to first order.
  Promises fourth_in_contact = fourth, damped_in_contact = damped;
  fourth_in_contact.contact_order = damped_in_contact.contact_order = 1.5;
  add("second-order", Matter::kSheet, rk4(sheet, {{"order", std::int64_t{2}}}), fourth_in_contact);
  add("free-form", Matter::kBlock,
      rk4(block, {{"order", std::int64_t{2}}, {"basis", std::string("bernstein")}}), fourth);
  // Its energies and momenta are those of the box, not sums over the points.
  add("box", Matter::kBlock,
      rk4(block, {{"order", std::int64_t{2}}, {"inertia", std::string("box")}}), fourth_in_contact);
  add("st-venant-kirchhoff", Matter::kSheet, rk4(sheet, material("st-venant-kirchhoff")), fourth);
  add("neo-hookean", Matter::kBlock, rk4(block, material("neo-hookean")), fourth);
  add("damped", Matter::kBlock, rk4(block, {{"damping", 2.0}}), damped);
  add("source-damping", Matter::kBlock, rk4(block, {{"source_damping", 0.01}}), damped);
  add("rayleigh-stiffness", Matter::kBlock, rk4(block, {{"rayleigh_stiffness", 0.02}}),
      damped_in_contact);
  // Brakes every motion.
  add("rayleigh-mass", Matter::kBlock, rk4(block, {{"rayleigh_mass", 0.5}}),
      {.order = 4,
       .momentum = Kept::kNotPromised,
       .spin = Kept::kNotPromised,
       .energy = Kept::kNotPromised});
  const Promises first = {.order = 1, .spin = Kept::kToRounding};
  add("contact-by-impulses", Matter::kSheet, With(sheet, {{"contact", std::string("impulse")}}),
      first);
  const ParameterValues implicit = {{"internal_energy", std::string("implicit")}};
  add("implicit", Matter::kSheet, With(sheet, implicit), first);
  add("implicit-block", Matter::kBlock, With(block, implicit), first);
}

void AddDisplaced(std::vector<Subject>* subjects) {
  std::string backend = "displacement-constraints";
  const auto add = [&](const std::string& variant, ParameterValues parameters,
                       Kept momentum = Kept::kToRounding, bool stable = true) {
    Promises promises;
    promises.order = 1;
    promises.momentum = momentum;
    promises.ledger = stable;
    promises.invariant = stable;
    promises.ledger_rounding = 1e-7;
    promises.moments = stable && !parameters.contains("force_fractions") &&
                       !parameters.contains("filter_fraction") &&
                       !parameters.contains("solver_levels");
    // Gaps that are left are velocities of their size over the step.
    parameters.emplace("tolerance", 1e-6);
    subjects->push_back({backend, variant, Matter::kSheet, std::move(parameters), promises});
  };
  const ParameterValues levels = {{"force_fractions", Numbers{0.4, 0.3, 0.3}}};
  add("one-level", {});
  add("three-levels", levels, Kept::kNotPromised);
  add("three-levels-balanced", With(levels, {{"prolongation", std::string("balanced")}}));
  add("source",
      {{"correction", std::string("source")}, {"translation_factor", 0.5}, {"tolerance", 0.1}},
      Kept::kToRounding, false);
  add("euler-cromer", {{"velocity_update", std::string("euler-cromer")}});
  add("shape", {{"shape_stiffness", 40.0}});
  add("warm", {{"warm_start", 0.5}});
  add("filtered", {{"filter_fraction", 0.3}});
  const std::vector<std::pair<std::string, ParameterValues>> of_both = {
      {"rigid", {{"rigid_bodies", Names{"*"}}}},
      {"coloured", {{"order", std::string("coloured")}}},
      {"symmetric", {{"order", std::string("symmetric")}}},
      {"over-relaxed", {{"relaxation", 1.4}}},
      {"solver-levels", {{"solver_levels", std::int64_t{2}}}},
      {"surfaces", {{"surface_thickness", 0.05}}},
      {"breaking", {{"break_force", 1e4}}}};
  for (const auto& [variant, parameters] : of_both) add(variant, parameters);
  backend = "position-based";
  add("one-level", {});
  add("soft", {{"compliance", 1e-4}});
  for (const auto& [variant, parameters] : of_both) add(variant, parameters);
}

void AddFiniteElements(std::vector<Subject>* subjects) {
  const auto add = [&](const char* scheme, Promises promises) {
    promises.ledger_rounding = 1e-9;
    promises.friction = false;
    subjects->push_back({"finite-elements",
                         scheme,
                         Matter::kPlate,
                         {{"time_scheme", std::string(scheme)},
                          {"newton_tolerance", 1e-12},
                          {"contact_thickness", 0.02}},
                         promises});
  };
  add("energy-momentum", {.order = 2, .spin = Kept::kToRounding, .energy = Kept::kToRounding});
  // Promises no ledger: the work of a step is not that of its forces at one time, nor their impulse.
  add("generalised-alpha", {.order = 2, .ledger = false, .impulses = false});
  // At these steps the moment of its contact forces is not first order yet: 2.2e-5, 2.1e-5, 1.6e-5,
  // 1.0e-5 kg m²/s at 2, 1, 0.5, 0.25 ms.
  add("implicit-euler", {.order = 1, .contact_order = 0.8, .angular_impulses = false});
}

// Two bones along the axis of the tube, of which the second bends.
MatrixTable Bones() {
  MatrixTable table;
  const auto add = [&table](const std::string& name, double from, double to) {
    NamedMatrix bone;
    bone.name = name;
    bone.scalars = {{"radius", 0.2}};
    bone.values = Eigen::MatrixXd(2, 3);
    bone.values << 0.2, 0.1, from, 0.2, 0.1, to;
    table.groups["bone"].push_back(bone);
  };
  add("upper", -0.8, -0.3);
  add("lower", -0.3, 0.2);
  table.groups["bone"][1].texts["parent"] = "upper";
  NamedMatrix bend;
  bend.name = "lower";
  bend.weights["axis"] = {{"x", 1.0}};
  bend.values = Eigen::MatrixXd(2, 2);
  bend.values << 0.0, 0.0, 0.3, 1.2;
  table.groups["turn"] = {bend};
  return table;
}

void AddKinematicResponse(std::vector<Subject>* subjects) {
  const auto add = [&](const std::string& variant, Matter matter, ParameterValues parameters,
                       Promises promises) {
    promises.holds = false;
    subjects->push_back({"kinematic-response", variant, matter, std::move(parameters), promises});
  };
  const Promises held = {.order = 0, .inertia = false};
  add("held", Matter::kSheet, {}, held);
  // Shares that differ from level to level, of every sign, and what is left when it is over.
  const ParameterValues viscous = {{"absorption", Numbers{0.1, -0.1, 0.2}},
                                   {"yield", Numbers{0.02}},
                                   {"damping_time", Numbers{0.01}}};
  for (const char* restriction : {"maximum", "average", "full-weighting", "combined"}) {
    for (const char* prolongation : {"linear", "cubic", "subdivision"}) {
      add(std::string(restriction) + "-" + prolongation, Matter::kSheet,
          With(viscous, {{"restriction", std::string(restriction)},
                         {"prolongation", std::string(prolongation)}}),
          held);
    }
  }
  add("rays", Matter::kSheet, {{"casting", std::string("ray")}}, held);
  add("with-inertia", Matter::kSheet, {{"acceleration_limit", Numbers{20.0}}}, held);
  add("layered", Matter::kSheet, {{"layer_thickness", Numbers{0.03}}}, held);
  add("volume-kept", Matter::kSheet, {{"volume_kept", 0.5}}, held);
  add("area-kept", Matter::kSheet, {{"area_kept", 0.5}}, held);
  add("on-foundation", Matter::kSheet, {{"foundation_stiffness", 100.0}}, held);
  add("staged", Matter::kSheet,
      {{"relaxation_time", Numbers{0.3, 0.3, 0.3, 0.01, 0.01, 0.01}},
       {"stage_times", Numbers{0.2}}},
      held);
  add("skin", Matter::kTube,
      {{"skeleton", Bones()},
       {"skeleton_level", std::int64_t{1}},
       {"self_contact_depth", 0.1},
       {"relaxation_time", Numbers{0.1}}},
      {.order = 0, .invariant = false, .inertia = false});
  add("patch", Matter::kBlock,
      {{"lattice_level", std::int64_t{3}},
       {"patch_degree", std::int64_t{2}},
       {"relaxation_time", Numbers{0.05}}},
      held);
  const Promises rides = {.order = 2, .spin = Kept::kToRounding, .angular_impulses = false};
  const ParameterValues riding = {{"rides", std::string("always")}, {"contact_damping", 0.5}};
  add("riding", Matter::kSheet, riding, rides);
  add("riding-yielding", Matter::kCrate, With(riding, {{"yield", Numbers{0.01}}}), rides);
  const ParameterValues affine = With(riding, {{"proxy", std::string("affine")},
                                               {"proxy_stretch_stiffness", 5.0},
                                               {"proxy_volume_stiffness", 5.0},
                                               {"proxy_damping", 0.0}});
  add("riding-affine", Matter::kTube, affine, rides);
  add("riding-affine-planar", Matter::kCrate, affine, rides);
  const ParameterValues free_form =
      With(riding, {{"proxy", std::string("free-form")}, {"proxy_modes", LibraryModes()}});
  const Promises bends = {.order = 2, .angular_impulses = false};
  add("riding-free-form", Matter::kTube, free_form, bends);
  add("riding-free-form-planar", Matter::kCrate, free_form, bends);
}

void AddArticulatedLamp(std::vector<Subject>* subjects) {
  const auto add = [&](const std::string& variant, ParameterValues parameters, Kept momentum,
                       Kept energy) {
    Promises promises;
    promises.order = energy == Kept::kNotPromised && momentum == Kept::kNotPromised ? 0 : 1;
    promises.momentum = momentum;
    promises.spin = momentum;
    promises.energy = energy;
    promises.ledger = promises.order > 0;
    promises.contact_order = 0.5;  // the base lands, slips and sticks within steps
    promises.holds = false;
    subjects->push_back(
        {"articulated-lamp", variant, Matter::kLamp, std::move(parameters), promises});
  };
  const ControlTable poses = Poses({"base hinge", "mid hinge", "head hinge"}, 12.0, 0.6, 0.15);
  add("limp", {{"stop_stiffness", 20.0}, {"stop_damping", 0.1}}, Kept::kToItsOrder,
      Kept::kToItsOrder);
  add("posed", {{"control", poses}}, Kept::kToItsOrder, Kept::kNotPromised);
  // A law that sets velocities makes momentum, and in its dead band a jump in every step.
  add("sign-corrected", {{"control", poses}, {"controller", std::string("sign-corrected")}},
      Kept::kNotPromised, Kept::kNotPromised);
  add("printed", {{"control", poses}, {"controller", std::string("printed")}}, Kept::kNotPromised,
      Kept::kNotPromised);
}

std::vector<Subject> MakeSubjects() {
  std::vector<Subject> subjects;
  AddDynamicFfd(&subjects);
  AddLinearDeformation(&subjects);
  AddDisplaced(&subjects);
  AddKinematicResponse(&subjects);
  AddArticulatedLamp(&subjects);
  AddFiniteElements(&subjects);
  return subjects;
}

}  // namespace

std::string Name(const Subject& subject) {
  std::string name = subject.backend + "_" + subject.variant;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << Name(subject); }

const std::vector<Subject>& Subjects() {
  static const std::vector<Subject> subjects = MakeSubjects();
  return subjects;
}

std::vector<Subject> SubjectsWithInertia() {
  return SubjectsThat([](const Promises& promises) { return promises.inertia; });
}
std::vector<Subject> SubjectsThatHold() {
  return SubjectsThat([](const Promises& promises) { return promises.holds; });
}

MaterialSums SumsOf(const Scene& scene, const Observation& o) {
  if (o.sums) return *o.sums;
  const Eigen::VectorXd m = scene.Masses();
  MaterialSums sums;
  sums.momentum = LinearMomentum(m, *o.velocities);
  sums.angular_momentum = AngularMomentum(m, o.points, *o.velocities, Vector3d::Zero());
  sums.centre = CentreOfMass(m, o.points);
  sums.mass = m.sum();
  return sums;
}

std::unique_ptr<Simulation> Start(const Subject& subject, const Scene& scene) {
  Validate(scene);
  const Backend* backend = FindBackend(subject.backend);
  if (backend == nullptr) {
    ADD_FAILURE() << "no backend " << subject.backend;
    return nullptr;
  }
  Translation translation =
      backend->Translate(std::make_shared<const Scene>(scene), subject.parameters);
  EXPECT_NE(translation.simulation, nullptr) << translation.record.WhyUnsupported();
  return std::move(translation.simulation);
}

Observation RunFor(Simulation* simulation, double h, int steps) {
  for (int i = 0; i < steps; ++i) {
    const StepOutcome outcome = simulation->Advance(h);
    if (outcome.kind == StepOutcome::Kind::kDiverged) {
      ADD_FAILURE() << "diverged at step " << i << ": " << outcome.quantity;
      break;
    }
  }
  Observation observation;
  simulation->Observe(&observation);
  return observation;
}

}  // namespace pliant::laws
