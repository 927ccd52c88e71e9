// The parameters of the backend dynamic-ffd.

#ifndef PLIANT_SOLVERS_DYNAMIC_FFD_FFD_OPTIONS_H_
#define PLIANT_SOLVERS_DYNAMIC_FFD_FFD_OPTIONS_H_

#include <algorithm>
#include <string>
#include <vector>

#include "models/dynamic_ffd/body_quadrature.h"
#include "models/dynamic_ffd/ffd_body.h"
#include "solvers/contact/penalty.h"
#include "solvers/control/tables.h"
#include "solvers/dynamic_ffd/constraint_springs.h"
#include "solvers/dynamic_ffd/planned_modes.h"
#include "solvers/integration/second_order.h"
#include "solvers/parameters.h"

namespace pliant::dynamic_ffd {

// What resists and damps the modes of a body with a material.
enum class Elasticity { kMaterial, kModes };
// Which masses make the inertia of a body with a material.
enum class InertiaOf { kPoints, kVolume };

// The parameters of the backend.
struct DynamicFfdOptions {
  MatrixTable modes;
  ControlTable control;
  KeyFrameTable key_frames;
  std::vector<std::string> use_modes;
  std::vector<double> change_modes_at;       // s
  std::vector<std::string> change_modes_to;  // names for each of these, with commas between them
  bool orthogonal_modes = false;
  bool free_lattice = false;
  Elasticity elasticity = Elasticity::kMaterial;
  InertiaOf inertia = InertiaOf::kPoints;
  FfdOrigin origin = FfdOrigin::kCentreOfMass;
  ModeJumpOptions jump;
  IntegratorOptions integrator;
  PenaltyOptions contact;
  ConstraintSpringOptions constraints;
  int threads = 1;

  void Bind(ParameterBinder& binder) {
    binder.Table("modes", &modes,
                 "deformation modes: displacements of the control points of the lattice");
    binder.Table("control", &control, "pose graph whose servos drive the active modes of a body");
    binder.Table(
        "keyframes", &key_frames,
        "key frames that prescribe the motion of a body until the last key; then the body is free");
    binder.Texts("use_modes", &use_modes, "names of the modes to use; empty: all");
    binder.Reals("change_modes_at", &change_modes_at, "s", MoreThan(0.0),
                 "increasing times from which the body moves in other modes of the table");
    binder.Texts("change_modes_to", &change_modes_to,
                 "for each of these times one text: the names of the modes, separated by commas");
    const auto several = [this](const Scene&) { return modes.entries.size() > 1; };
    binder.OnlyWhen("modes lists several modes", several, [&] {
      binder.Boolean("orthogonal_modes", &orthogonal_modes,
                     "combine the modes of each body so that they are orthogonal in the metric of "
                     "its masses; the shapes they span do not change");
    });
    binder.Boolean("free_lattice", &free_lattice,
                   "every control point of the lattice of `modes` moves freely: the modes are all "
                   "its displacements but the rigid ones, and the table lists none");
    const auto material = [](const Scene& scene) {
      return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&scene](const Body& body) {
        return body.material && WhyNoContinuum(body, scene.dimension).empty();
      });
    };
    binder.OnlyWhen("a body with cells (in the plane: faces) has a material", material, [&] {
      binder.Choice(
          "elasticity", &elasticity,
          {{"material", Elasticity::kMaterial}, {"modes", Elasticity::kModes}},
          "what resists and damps the modes of a body with a material: its strain energy, "
          "or the constants that the table gives to each mode");
      binder.Choice("inertia", &inertia,
                    {{"points", InertiaOf::kPoints}, {"volume", InertiaOf::kVolume}},
                    "the inertia of a body whose material is held: that of its points, or of its "
                    "volume, by the quadrature of the strain energy");
    });
    binder.Choice("origin", &origin,
                  {{"centre-of-mass", FfdOrigin::kCentreOfMass},
                   {"lattice-corner", FfdOrigin::kLatticeCorner}},
                  "the point of a body whose position is the translation of its frame; the source "
                  "uses the corner");
    const auto has_bodies = [](const Scene& scene) { return scene.bodies.size() > 1; };
    binder.OnlyWhen("the scene has several bodies", has_bodies, [&] {
      binder.Integer("threads", &threads, "1", Between(1, 256),
                     "number of threads that share the bodies; the results do not change");
    });
    integrator.Bind(binder);
    contact.BindBetween(binder);
    contact.Bind(binder);
    contact.BindBarrier(binder);
    BindObstacleContact(&contact.obstacles, binder);
    constraints.Bind(binder);
    jump.Bind(binder);
  }
};

}  // namespace pliant::dynamic_ffd

#endif  // PLIANT_SOLVERS_DYNAMIC_FFD_FFD_OPTIONS_H_
