#include "tests/models/dynamic_ffd/subjects.h"

#include <cmath>

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// d of control point (i, j) by formula.
template <typename Formula>
Matrix3Xd ByFormula(Formula formula) {
  Matrix3Xd d(3, 16);
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i < 4; ++i) d.col(i + 4 * j) = formula(i, j);
  }
  return d;
}

}  // namespace

Body ThesisTable() {
  Body body = {.name = "table", .rest = Matrix3Xd::Zero(3, 11)};
  body.mass.resize(11);
  int n = 0;
  for (double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    body.rest.col(n) << 400.0 * s, 300.0, 0.0;
    body.mass[n++] = 12.0;
  }
  for (double s : {0.125, 0.875}) {
    for (double t : {0.0, 0.3, 0.6}) {
      body.rest.col(n) << 400.0 * s, 300.0 * t, 0.0;
      body.mass[n++] = 8.0;
    }
  }
  return body;
}

Lattice ThesisLattice() { return Lattice({3, 3, 0}, {0, 0, -0.5}, {400, 300, 1}); }

Matrix3Xd VerticalShear() {
  return ByFormula([](int i, int) { return Vector3d(0, -100.0 * (1.0 - 2.0 * i / 3.0), 0); });
}

Matrix3Xd HorizontalBend() {
  const double x[4][4] = {
      {150, 150, -150, -150}, {50, 50, -50, -50}, {-50, -50, 50, 50}, {-150, -150, 150, 150}};
  const double y[4] = {0, 100, 100, 0};
  return ByFormula([&](int i, int j) { return Vector3d(x[j][i], y[i], 0); });
}

Matrix3Xd VerticalSquash() {
  return ByFormula([](int, int j) { return Vector3d(0, -60.0 * j, 0); });
}

Matrix3Xd HorizontalSquash() {
  return ByFormula([](int i, int) { return Vector3d(-60.0 * (i - 1.5), 0, 0); });
}

Matrix3Xd TurnedSquash(double phi) {
  const Vector3d e(std::cos(phi), std::sin(phi), 0);
  return ByFormula([&](int i, int j) -> Vector3d {
    const Vector3d from_centre(400.0 * (i / 3.0 - 0.5), 300.0 * (j / 3.0 - 0.5), 0);
    return -0.6 * from_centre.dot(e) * e;
  });
}

// SplitMix64: the standard library leaves open which numbers its distributions give.
FfdBody InLattice(int dimension, const Body& body, const Lattice& lattice,
                  const std::vector<Matrix3Xd>& displacements, FfdOrigin origin,
                  const std::vector<Matrix3Xd>& driven) {
  Eigen::MatrixXd weights(lattice.size(), body.size());
  for (int n = 0; n < body.size(); ++n) weights.col(n) = lattice.Weights(body.rest.col(n));
  std::vector<Matrix3Xd> moved;
  for (const Matrix3Xd& control : displacements) moved.push_back(control * weights);
  return FfdBody(dimension, body, lattice.corner(), moved, origin, driven);
}

FfdBody RandomFfdBody(int dimension, int points, int modes, FfdOrigin origin,
                      RandomNumbers* random) {
  Body body = {.rest = random->Matrix(3, points)};
  if (dimension == 2) body.rest.row(2).setZero();
  body.mass = random->Vector(points).array() + 1.5;
  const Lattice lattice({3, 2, dimension == 2 ? 0 : 2}, {-1.5, -1.2, -1.1}, {2.7, 2.5, 2.3});
  std::vector<Matrix3Xd> displacements;
  for (int k = 0; k < modes; ++k) displacements.push_back(random->Matrix(3, lattice.size()));
  return InLattice(dimension, body, lattice, displacements, origin);
}

Eigen::VectorXd RandomCoordinates(const FfdBody& body, RandomNumbers* random) {
  Eigen::VectorXd q = random->Vector(body.coordinates());
  q.tail(body.modes()) *= 0.5;
  body.Normalize(q);
  return q;
}

}  // namespace pliant::dynamic_ffd
