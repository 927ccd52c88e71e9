// What the tests of the two treatments of affine_step.h share: bodies of every size, a scene of two
// of them, and ways to run it.

#ifndef PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEPS_H_
#define PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEPS_H_

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "solvers/linear_deformation/affine_step.h"
#include "tests/solvers/linear_deformation/scenes.h"

namespace pliant::linear_deformation {

struct SizeCase {
  std::string name;
  int dimension;
  Body body;
};
void PrintTo(const SizeCase& c, std::ostream* out);

class AffineSteps : public testing::TestWithParam<SizeCase> {
 protected:
  // Two of the body, turned, deformed and moving, joined at a corner, hung from a moving nail and a
  // still one, with a spring.
  static Scene Pair();
};

// A coordinate beyond it ends a run.
inline constexpr double kBound = 1e9;

// The oracle: the equations of motion of all bodies, by the integrator.
void PlainRun(const Scene& scene, const LinearMaterial& material, double h, int steps,
              Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work);

void AffineRun(const Scene& scene, const LinearMaterial& material, InternalEnergy treatment,
               double h, int steps, Eigen::VectorXd* q, Eigen::VectorXd* v, Exchange* work);

// How near the explicit treatment comes to the oracle.
struct Nearness {
  double positions, velocities, energies;
};
// Runs both for `steps` steps of 0.5 ms and compares where they end. Returns the oracle's work.
Exchange ExpectExplicitIsPlain(const Scene& scene, const LinearMaterial& material, int steps,
                               const Nearness& near);

// Every law that bodies with or without a volume may have.
std::vector<LinearMaterial> Laws(bool has_volume);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_TESTS_SOLVERS_LINEAR_DEFORMATION_AFFINE_STEPS_H_
