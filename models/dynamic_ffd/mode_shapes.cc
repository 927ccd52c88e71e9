#include "models/dynamic_ffd/mode_shapes.h"

#include <Eigen/Geometry>
#include <cmath>

#include "models/problem.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Components of a direction below this are rounding.
constexpr double kNoComponent = 1e-12;

// Axes along which (p·r)(q·r) has a square that the lattice cannot show.
void RequireSquares(const Vector3d& p, const Vector3d& q, const Lattice& lattice,
                    const std::string& name) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(p[axis] * q[axis]) < kNoComponent || lattice.bases()[axis].degree() != 1) continue;
    throw BadInput({"",
                    "a " + name + " is of second order along " + "xyz"[axis] +
                        ", where the lattice has degree 1",
                    std::string("give the lattice degree 2 or more along ") + "xyz"[axis]});
  }
}

// Coefficients c_ab of the control points for the products r_a r_b of coordinates about the centre:
// Σ c_ab N = r_a r_b. The coefficient of a product of different coordinates is the product of their
// coefficients; that of a square exceeds it by Square − Node². Along an axis of degree 0 r is 0.
class Products {
 public:
  explicit Products(const Lattice& lattice) : lattice_(lattice) {
    const Matrix3Xd points = lattice.ControlPoints();
    places_ = points.colwise() - Vector3d(lattice.corner() + 0.5 * lattice.extent());
    for (int axis = 0; axis < 3; ++axis) {
      if (lattice.bases()[axis].size() == 1) places_.row(axis).setZero();
    }
  }

  auto place(int point) const { return places_.col(point); }

  Matrix3d Of(int point) const {
    const std::array<int, 3> index = {point % Count(0), point / Count(0) % Count(1),
                                      point / (Count(0) * Count(1))};
    Matrix3d products = places_.col(point) * places_.col(point).transpose();
    for (int axis = 0; axis < 3; ++axis) {
      const LatticeBasis& basis = lattice_.bases()[axis];
      if (basis.degree() < 2) continue;
      const double node = basis.Node(index[axis]), extent = lattice_.extent()[axis];
      products(axis, axis) += (basis.Square(index[axis]) - node * node) * extent * extent;
    }
    return products;
  }

 private:
  int Count(int axis) const { return lattice_.bases()[axis].size(); }

  const Lattice& lattice_;
  Matrix3Xd places_;
};

}  // namespace

const std::vector<std::pair<std::string, ModeShapeKind>>& ModeShapeKinds() {
  static const std::vector<std::pair<std::string, ModeShapeKind>> kinds = {
      {"stretch", ModeShapeKind::kStretch}, {"squash", ModeShapeKind::kSquash},
      {"shear", ModeShapeKind::kShear},     {"bend", ModeShapeKind::kBend},
      {"taper", ModeShapeKind::kTaper},     {"twist", ModeShapeKind::kTwist}};
  return kinds;
}

Matrix3Xd ShapeDisplacements(const ModeShape& shape, const Lattice& lattice) {
  const Vector3d& e = shape.axis;
  const Vector3d& f = shape.toward;
  const double a = shape.amount;
  const double half = 0.5 * e.cwiseAbs().dot(lattice.extent());
  const Products products(lattice);
  Matrix3Xd displacements(3, lattice.size());
  switch (shape.kind) {
    case ModeShapeKind::kBend:
      RequireSquares(e, e, lattice, "bend");
      RequireSquares(e, f, lattice, "bend");
      break;
    case ModeShapeKind::kTaper:
      // (e·r) r − (e·r)² e; along an axis of the lattice the squares cancel.
      for (int axis = 0; axis < 3; ++axis) {
        const Vector3d across = Vector3d::Unit(axis) - e[axis] * e;
        RequireSquares(e, across, lattice, "taper");
      }
      break;
    case ModeShapeKind::kTwist:
      for (int axis = 0; axis < 3; ++axis) {
        RequireSquares(e, e.cross(Vector3d::Unit(axis)), lattice, "twist");
      }
      break;
    default:
      break;
  }
  for (int p = 0; p < lattice.size(); ++p) {
    const double along = e.dot(products.place(p));
    const Matrix3d square = products.Of(p);
    auto u = displacements.col(p);
    switch (shape.kind) {
      case ModeShapeKind::kStretch:
        u = a * along * e;
        break;
      case ModeShapeKind::kSquash:
        u = -a * along * e;
        break;
      case ModeShapeKind::kShear:
        u = a * along * f;
        break;
      case ModeShapeKind::kBend:
        u = a / (2.0 * half) * (e.dot(square * e) * f - 2.0 * e.dot(square * f) * e);
        break;
      case ModeShapeKind::kTaper:
        u = a / half * (square * e - e.dot(square * e) * e);
        break;
      case ModeShapeKind::kTwist:
        u = a / half * e.cross(square * e);
        break;
    }
  }
  return displacements;
}

}  // namespace pliant::dynamic_ffd
