// Bodies that the tests of linear deformations share, and deformed states of them.

#ifndef PLIANT_TESTS_MODELS_LINEAR_DEFORMATION_BODIES_H_
#define PLIANT_TESTS_MODELS_LINEAR_DEFORMATION_BODIES_H_

#include <Eigen/Core>
#include <random>
#include <string>
#include <vector>

#include "models/linear_deformation/linear_body.h"
#include "models/scene/scene.h"

namespace pliant::linear_deformation {

struct BodyCase {
  std::string name;
  Body body;
  int world_dimension;
  int order;
  BasisFamily family = BasisFamily::kPolynomial;
  Inertia inertia = Inertia::kPoints;

  LinearBody Make() const { return {body, world_dimension, order, family, inertia}; }
};

// Every material dimension in both worlds at first and second order, off centre and with uneven
// masses; third order, free-form bases, and boxes where the masses alone would not do.
std::vector<BodyCase> AllBodyCases();
inline void PrintTo(const BodyCase& c, std::ostream* out) { *out << c.name; }

// n numbers in [−size, size] from a fixed generator.
Eigen::VectorXd RandomVector(int n, double size, std::mt19937* generator);

// Rest coordinates of the body turned by `generator`, with a random deformation of that size.
Eigen::VectorXd RandomState(const LinearBody& body, double size, std::mt19937* generator);

// Points (d×n) at coordinates q.
Eigen::MatrixXd PointsAt(const LinearBody& body, const Eigen::VectorXd& q);

}  // namespace pliant::linear_deformation

#endif  // PLIANT_TESTS_MODELS_LINEAR_DEFORMATION_BODIES_H_
