#include "solvers/kinematic_response/patch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "models/scene/shapes.h"
#include "solvers/kinematic_response/body_surface.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Points with a smaller weight do not respond to obstacles.
constexpr double kAnswers = 0.5;

int AxisOf(BoxSide side) { return static_cast<int>(side) / 2; }
bool IsUpper(BoxSide side) { return static_cast<int>(side) % 2 == 0; }

Eigen::AlignedBox3d BoxAround(const Body& body) {
  return {Vector3d(body.rest.rowwise().minCoeff()), Vector3d(body.rest.rowwise().maxCoeff())};
}

// The axes along the patch, the same for both sides of the box, since local frames follow the first.
std::array<int, 2> AxesAlong(BoxSide side, int dimension) {
  const int axis = AxisOf(side);
  if (dimension == 2) return {1 - axis, 2};
  return {(axis + 1) % 3, (axis + 2) % 3};
}
// True if a sheet runs against its second axis, so that its front, u × v, is outside.
bool SheetRunsBack(BoxSide side) { return !IsUpper(side); }
// True if a curve runs against its axis, so that its front, its left, is outside.
bool StripsBack(BoxSide side) { return (AxisOf(side) == 0) == IsUpper(side); }

Body SurfaceOn(const Body& body, int dimension, const PatchOptions& options, int level) {
  const Eigen::AlignedBox3d box = BoxAround(body);
  const int side = (1 << level) + 1;
  const auto [u, v] = AxesAlong(options.side, dimension);
  Vector3d corner = box.min();
  const int across = AxisOf(options.side);
  if (IsUpper(options.side)) corner[across] = box.max()[across];
  Body surface = dimension == 2
                     ? MakeChain(body.name, Vector3d::Zero(), Vector3d::UnitX(), side, 1.0)
                     : MakeSheet(body.name, {1, 1}, {side, side}, 1.0);
  for (int i = 0; i < surface.size(); ++i) {
    Vector3d x = corner;
    double along = static_cast<double>(i % side) / (side - 1);
    if (dimension == 2 && StripsBack(options.side)) along = 1.0 - along;
    x[u] = std::lerp(box.min()[u], box.max()[u], along);
    if (dimension == 3) {
      const int row = i / side;
      double up = static_cast<double>(row) / (side - 1);
      if (SheetRunsBack(options.side)) up = 1.0 - up;
      x[v] = std::lerp(box.min()[v], box.max()[v], up);
    }
    surface.rest.col(i) = x;
  }
  surface.position = body.position;
  surface.orientation = body.orientation;
  surface.stretch = body.stretch;
  return surface;
}

CarriedPoints CarriedBy(const Body& body, int dimension, const PatchOptions& options, int level) {
  const Eigen::AlignedBox3d box = BoxAround(body);
  const int side = (1 << level) + 1;
  const auto [u, v] = AxesAlong(options.side, dimension);
  Matrix3Xd along = Matrix3Xd::Zero(3, body.size());
  along.row(0) = (body.rest.row(u).array() - box.min()[u]) / box.sizes()[u];
  if (dimension == 2) {
    if (StripsBack(options.side)) along.row(0) = 1.0 - along.row(0).array();
    return CarriedPoints::OnCurve(side, along.row(0));
  }
  along.row(1) = (body.rest.row(v).array() - box.min()[v]) / box.sizes()[v];
  if (SheetRunsBack(options.side)) along.row(1) = 1.0 - along.row(1).array();
  return CarriedPoints::InLattice({side, side}, Vector2d::Zero(), Vector2d::Ones(), along);
}

}  // namespace

void PatchOptions::Bind(ParameterBinder& binder) {
  binder.Choice("patch_side", &side,
                {{"+x", BoxSide::kPlusX},
                 {"-x", BoxSide::kMinusX},
                 {"+y", BoxSide::kPlusY},
                 {"-y", BoxSide::kMinusY},
                 {"+z", BoxSide::kPlusZ},
                 {"-z", BoxSide::kMinusZ}},
                "the side of a held block or outline, in its frame, that a patch of "
                "2^lattice_level cells a side covers; the opposite side is rigid");
  binder.Integer("patch_degree", &degree, "1", Between(1, 16),
                 "degree of the lattice across the patch: the object follows its patch with the "
                 "power patch_degree of the height above its rigid side");
}

bool Patch::Fits(const Body& body, int dimension) {
  return dimension == 2 ? body.shape == ShapeKind::kProfile : body.shape == ShapeKind::kBlock;
}

std::string Patch::WhyNot(const Body& body, int dimension, const PatchOptions& options) {
  if (dimension == 2 && AxisOf(options.side) == 2) {
    return "a planar outline has no side along z; choose another patch_side";
  }
  const Eigen::AlignedBox3d box = BoxAround(body);
  if ((box.sizes().head(dimension).array() <= 0.0).any()) {
    return "a body without thickness cannot have a lattice";
  }
  return "";
}

Patch::Patch(const Body& body, int dimension, const PatchOptions& options, int level)
    : surface_(SurfaceOn(body, dimension, options, level)),
      fixed_(StartOf(body)),
      weight_(body.size()),
      carried_(CarriedBy(body, dimension, options, level)),
      points_(fixed_),
      ways_(fixed_) {
  const Eigen::AlignedBox3d box = BoxAround(body);
  const int across = AxisOf(options.side);
  for (int i = 0; i < body.size(); ++i) {
    const double up = (body.rest(across, i) - box.min()[across]) / box.sizes()[across];
    weight_[i] = std::pow(IsUpper(options.side) ? up : 1.0 - up, options.degree);
    nearest_.push_back(carried_.Nearest(i));
  }
  carried_.Place(StartOf(surface_).transpose(), &points_);
  fixed_.array() -= points_.array().rowwise() * weight_.transpose().array();
}

void Patch::Place(const GridVectors& patch, Matrix3Xd* points) const {
  carried_.Place(patch, points);
  points->array() = points->array().rowwise() * weight_.transpose().array() + fixed_.array();
}

void Patch::Cast(std::span<const CastObstacle> obstacles, KinematicResponse* response) {
  Place(response->relaxed(), &points_);
  const double shortest = response->shortest_displacement();
  for (int i = 0; i < points_.cols(); ++i) {
    ways_.col(i).setZero();
    if (weight_[i] < kAnswers) continue;
    const Vector3d normal = response->model().Normal(response->relaxed(), nearest_[i]);
    for (const CastObstacle& obstacle : obstacles) {
      const Vector3d d = DisplacementVector(obstacle, points_.col(i), normal) / weight_[i];
      if (d.squaredNorm() > std::max(shortest * shortest, ways_.col(i).squaredNorm())) {
        ways_.col(i) = d;
      }
    }
  }
  carried_.Distribute(ways_, response->displacements());
}

}  // namespace pliant::kinematic_response
