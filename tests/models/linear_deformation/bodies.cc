#include "tests/models/linear_deformation/bodies.h"

#include "models/scene/shapes.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// The same number from the same seed with every library, unlike std::uniform_real_distribution.
double Uniform(std::mt19937* generator) {
  return static_cast<double>((*generator)()) / 4294967295.0 * 2.0 - 1.0;
}

Body Uneven(Body body) {
  for (int i = 0; i < body.size(); ++i) body.mass[i] *= 1.0 + 0.3 * ((i * 7) % 5);
  return body;
}

Body Tilted(Body body) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(0.7, Vector3d(1.0, 2.0, -0.5).normalized()).toRotationMatrix();
  body.rest = ((turn * body.rest).colwise() + Vector3d(0.3, -0.2, 0.5)).eval();
  return body;
}

}  // namespace

std::vector<BodyCase> AllBodyCases() {
  const Body flat_line =
      Uneven(MakeChain("line", Vector3d(0.2, 0.1, 0.0), Vector3d(1.0, 0.7, 0.0), 5, 2.0));
  const Body line =
      Uneven(MakeChain("line", Vector3d(0.2, 0.1, 0.4), Vector3d(1.0, 0.7, -0.3), 5, 2.0));
  const Body sheet = Uneven(MakeSheet("sheet", Vector2d(1.0, 0.6), {4, 3}, 3.0));
  const Body block = Uneven(MakeBlock("block", Vector3d(1.0, 0.5, 0.7), {3, 4, 3}, 5.0));
  std::vector<BodyCase> cases;
  for (int order : {1, 2}) {
    const std::string suffix = order == 1 ? "Affine" : "SecondOrder";
    cases.push_back({"Line2D" + suffix, flat_line, 2, order});
    cases.push_back({"Plane2D" + suffix, sheet, 2, order});
    cases.push_back({"Line3D" + suffix, line, 3, order});
    cases.push_back({"Plane3D" + suffix, Tilted(sheet), 3, order});
    cases.push_back({"Solid3D" + suffix, Tilted(block), 3, order});
  }
  cases.push_back({"Line2DThirdOrder", flat_line, 2, 3});
  cases.push_back({"Plane3DThirdOrder",
                   Tilted(Uneven(MakeSheet("sheet", Vector2d(1.0, 0.6), {5, 4}, 3.0))), 3, 3});
  constexpr BasisFamily kBernstein = BasisFamily::kBernstein;
  cases.push_back({"Plane2DBernstein2", sheet, 2, 2, kBernstein});
  cases.push_back({"Solid3DBernstein1", Tilted(block), 3, 1, kBernstein});
  cases.push_back({"Solid3DBernstein2", Tilted(block), 3, 2, kBernstein});
  const Body corners = Tilted(Uneven(MakeBlock("cube", Vector3d(1.0, 0.5, 0.7), {2, 2, 2}, 5.0)));
  cases.push_back(
      {"Corners3DSecondOrderBox", corners, 3, 2, BasisFamily::kPolynomial, Inertia::kBox});
  cases.push_back({"Plane2DBernstein3Box", sheet, 2, 3, kBernstein, Inertia::kBox});
  cases.push_back({"Line3DAffineBox", line, 3, 1, BasisFamily::kPolynomial, Inertia::kBox});
  return cases;
}

VectorXd RandomVector(int n, double size, std::mt19937* generator) {
  VectorXd values(n);
  for (double& value : values) value = size * Uniform(generator);
  return values;
}

VectorXd RandomState(const LinearBody& body, double size, std::mt19937* generator) {
  const Vector3d axis = body.world_dimension() == 2
                            ? Vector3d(Vector3d::UnitZ())
                            : Vector3d(RandomVector(3, 1.0, generator)).normalized();
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(3.0 * Uniform(generator), axis).toRotationMatrix();
  const VectorXd shift = RandomVector(3, 2.0, generator);
  return body.AffineCoordinates(turn, shift) + RandomVector(body.coordinates(), size, generator);
}

Eigen::MatrixXd PointsAt(const LinearBody& body, const VectorXd& q) {
  return Eigen::Map<const RowMajorMatrix>(q.data(), body.world_dimension(), body.columns()) *
         body.terms();
}

}  // namespace pliant::linear_deformation
