#include "models/finite_elements/thin_part.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "models/finite_elements/rod.h"
#include "models/finite_elements/shell.h"
#include "models/geometry/extent.h"
#include "models/problem.h"

namespace pliant::finite_elements {
namespace {

using Eigen::Vector3d;

// Points along an axis of the grid: how many spans, and where on it they are.
struct GridAxis {
  int points;
  bool closed;

  int spans(int refinement) const {
    const int spans = (closed ? points : points - 1) * refinement;
    return closed && spans < 4 ? 2 * spans : spans;  // a triangle, whose points stay knots
  }
  double Parameter(int i) const { return static_cast<double>(i) / (closed ? points : points - 1); }
};

// `at(p)` is where point p of the body should be.
template <typename Place>
void RequireShape(const Body& body, const char* shape, const Place& at) {
  const double size = DiagonalOf(body.rest);
  for (int p = 0; p < body.size(); ++p) {
    if ((body.rest.col(p) - at(p)).norm() > 1e-9 * size) {
      throw BadInput({"shape",
                      "point " + std::to_string(p) + " of body '" + body.name +
                          "' does not lie evenly spaced on a " + shape,
                      "finite elements support sheets, tubes, tori, chains and rings only as "
                      "Pliant generates them"});
    }
  }
}

MiddleSurface SurfaceOf(const Body& body, int refinement) {
  const auto [nu, nv, nw] = body.grid;
  const GridAxis u{nu, body.shape != ShapeKind::kSheet}, v{nv, body.shape == ShapeKind::kTorus};
  const std::array<int, 2> spans = {u.spans(refinement), v.spans(refinement)};
  const char* name = "rectangle";
  MiddleSurface surface{BSplineAxis::Open(1), BSplineAxis::Open(1), {}};
  if (body.shape == ShapeKind::kSheet) {
    const Vector3d origin = body.rest.col(0);
    surface = FlatSurface(origin, body.rest.col(nu - 1) - origin,
                          body.rest.col(nu * (nv - 1)) - origin, spans);
    surface.grid = {nu, nv};
  } else if (body.shape == ShapeKind::kTube) {
    name = "cylinder about z";
    surface = TubeSurface(body.rest(0, 0), body.rest(2, nu * (nv - 1)) - body.rest(2, 0), spans);
  } else {
    name = "torus about z";
    double radius = 0.0;
    for (int j = 0; j < nv; ++j) radius += body.rest(0, nu * j) / nv;
    surface = TorusSurface(radius, body.rest(0, 0) - radius, spans);
  }
  surface.points.resize(2, body.size());
  for (int p = 0; p < body.size(); ++p) {
    surface.points.col(p) << u.Parameter(p % nu), v.Parameter(p / nu);
  }
  RequireShape(body, name, [&surface](int p) {
    return surface.at(surface.points(0, p), surface.points(1, p));
  });
  return surface;
}

CentreLine LineOf(const Body& body, int refinement) {
  const GridAxis axis{body.size(), body.shape == ShapeKind::kRing};
  const int spans = axis.spans(refinement);
  CentreLine line = axis.closed
                        ? CircularLine(body.rest(0, 0), spans)
                        : StraightLine(body.rest.col(0), body.rest.col(body.size() - 1), spans);
  line.points.resize(body.size());
  for (int p = 0; p < body.size(); ++p) line.points(p) = axis.Parameter(p);
  RequireShape(body, axis.closed ? "circle about z" : "straight line",
               [&line](int p) { return line.at(line.points(p)); });
  return line;
}

}  // namespace

bool IsThin(const Body& body) {
  return body.shape == ShapeKind::kSheet || body.shape == ShapeKind::kTube ||
         body.shape == ShapeKind::kTorus || body.shape == ShapeKind::kChain ||
         body.shape == ShapeKind::kRing;
}

std::unique_ptr<ElasticPart> MakeThinPart(const Body& body, int dimension, int refinement) {
  if (!body.material || !(body.material->thickness > 0.0)) {
    throw BadInput({"material", "body '" + body.name + "' has no material with a thickness",
                    "give it [body.material] with density, youngs_modulus and thickness"});
  }
  const Material& material = *body.material;
  const double mass = body.mass.sum();
  if (body.shape == ShapeKind::kChain || body.shape == ShapeKind::kRing) {
    const bool ring = body.shape == ShapeKind::kRing;
    if (ring && dimension == 3) {
      throw BadInput(
          {"shape",
           "the ring '" + body.name +
               "' is curved at rest, so that in space its bending is coupled with twist, "
               "which a rod without rotational degrees of freedom cannot represent",
           "put it into a scene of dimension 2, or make it a torus or a tube"});
    }
    const CentreLine line = LineOf(body, refinement);
    const Rod::Kind kind = dimension == 2 ? Rod::Kind::kInPlane : Rod::Kind::kInSpace;
    RodSection section =
        RodSection::Square(material.density, material.youngs_modulus, material.thickness);
    section.mass_per_length *= mass / Rod(line, section, kind).mass().sum();
    return std::make_unique<Rod>(line, section, kind);
  }
  if (dimension == 2) {
    throw BadInput(
        {"shape", "the surface '" + body.name + "' needs a 3-D scene",
         "set the dimension of the scene to 3, or give its outline as a profile or a plane sheet"});
  }
  const MiddleSurface surface = SurfaceOf(body, refinement);
  ShellSection section = {material.density, material.youngs_modulus, material.poisson_ratio,
                          material.thickness};
  section.density *= mass / Shell(surface, section).mass().sum();
  return std::make_unique<Shell>(surface, section);
}

}  // namespace pliant::finite_elements
