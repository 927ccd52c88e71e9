// Scenes that the tests of constrained dynamics share, and one way to run them.

#ifndef PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_SCENES_H_
#define PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_SCENES_H_

#include <memory>
#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/linear_deformation/linear_deformation_system.h"
#include "solvers/simulation.h"

namespace pliant::linear_deformation {

// `links` two-point chains of that length and mass each, end to end along +x from the origin, the
// first end nailed there. Planar.
Scene Pendulum(int links, double length = 0.5, double mass = 1.0);

// A free block, turned, stretched, moving and spinning. No gravity.
Scene SpinningBlock();

// A square 9×9 sheet of 2 kg, flat in the plane z = 0 of a 3-D world.
Body Sheet();

// A cube of 0.4 m and 3×3×3 points; number kCentre is in its middle.
Body Block(const std::string& name, const Eigen::Vector3d& position, double mass);
inline constexpr int kCentre = 13;

// A nail that holds a point of the scene where it starts.
Nail NailWhereItStarts(const Scene& scene, const std::string& name, PointRef point);

// A slider, "rail", through the place where the point starts; `direction` of any length.
Slider SliderAt(const Scene& scene, PointRef point, Slider::Kind kind,
                const Eigen::Vector3d& direction);

Translation Translate(const Scene& scene, const ParameterValues& parameters = {});

// Soft bodies, rk4.
extern const ParameterValues kRk4;
// Of a scene that Validate() takes.
std::unique_ptr<Simulation> Start(const Scene& scene, const ParameterValues& parameters = kRk4);

// Advances to `duration` in steps of h; every step must succeed.
Observation RunFor(Simulation* simulation, double duration, double h);

// Kinetic, gravitational, elastic and spring energy [J].
double TotalEnergy(const Scene& scene, const Observation& observation);

// Linear momentum [kg m/s] and angular momentum about the origin [kg m²/s].
Eigen::Vector3d Momentum(const Scene& scene, const Observation& observation);
Eigen::Vector3d Spin(const Scene& scene, const Observation& observation);

// Largest |energy change − work| [J] seen at the end of each step of a run.
double LargestResidual(const Scene& scene, const ParameterValues& parameters, double duration,
                       double h);

// log2 of the error's ratio when the step is halved.
double ObservedOrder(double coarse, double fine);

// A system of the scene with default options, affine bodies and the given material.
std::unique_ptr<LinearDeformationSystem> MakeSystem(
    const Scene& scene, int order = 1, const LinearMaterial& material = {},
    const FeedbackOptions& feedback = {}, InternalEnergy treatment = InternalEnergy::kExplicit);

// J (n_c d × dof) of the constraints, rows ordered by axis: a column of n_c for each. Taken from
// the gaps, which are linear in q.
Eigen::MatrixXd DenseJacobian(const LinearDeformationSystem& system);
// W (dof×dof) of all bodies.
Eigen::MatrixXd DenseInverseMass(const LinearDeformationSystem& system);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_SCENES_H_
