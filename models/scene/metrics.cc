#include "models/scene/metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/scene/body_measures.h"
#include "models/scene/touch.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// Of a planar body, positive where the corners of a face go round anticlockwise.
double SignedArea(const Body& body, const PointsRef& x) {
  double area = 0.0;
  for (const auto& face : body.faces) {
    const Vector3d a = x.col(face[0]), b = x.col(face[1]), c = x.col(face[2]);
    area += 0.5 * (b - a).cross(c - a).z();
  }
  return area;
}

double Extent(const Body& body, const PointsRef& x) {
  return body.closed ? EnclosedVolume(body, x) : FaceArea(body, x);
}

// Calls visit(a, b, c) with the corners of each face, seen from the first point of the body, so that far away
// bodies lose no digits.
template <typename Visit>
void ForEachFace(const Body& body, const PointsRef& x, const Visit& visit) {
  const Vector3d origin = x.col(0);
  for (const auto& face : body.faces) {
    visit(Vector3d(x.col(face[0]) - origin), Vector3d(x.col(face[1]) - origin),
          Vector3d(x.col(face[2]) - origin));
  }
}

// Adds the squares of the strains of the edges to sum->rms. Returns how many edges it counted.
int AddEdges(const Body& body, const PointsRef& x, EdgeStrain* sum) {
  int count = 0;
  for (const auto& edge : body.edges) {
    const double rest = (body.rest.col(edge[1]) - body.rest.col(edge[0])).norm();
    if (rest == 0.0) continue;
    const double now = (x.col(edge[1]) - x.col(edge[0])).norm();
    const double value = (now - rest) / rest;
    sum->max = std::max(sum->max, std::abs(value));
    sum->rms += value * value;
    ++count;
  }
  return count;
}

std::optional<EdgeStrain> MeanOf(EdgeStrain sum, int count) {
  if (count == 0) return std::nullopt;
  sum.rms = std::sqrt(sum.rms / count);
  return sum;
}

// True if the sign of a body's extent shows whether it is turned inside out.
bool HasSignedExtent(const Scene& scene, const Body& body) {
  return !body.faces.empty() && (body.closed || scene.dimension == 2);
}

double SignedExtent(const Body& body, const PointsRef& x) {
  return body.closed ? Extent(body, x) : SignedArea(body, x);
}

// The least determinant of the three edges that leave a corner of a cell of a block, by that at rest.
double SmallestCorner(const Body& block, const PointsRef& x) {
  const auto [nx, ny, nz] = block.grid;
  double least = std::numeric_limits<double>::infinity();
  const auto index = [nx = nx, ny = ny](int i, int j, int k) { return i + nx * (j + ny * k); };
  for (int k = 0; k < nz; ++k) {
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; ++i) {
        for (int corner = 0; corner < 8; ++corner) {
          const int di = (corner & 1) != 0 ? 1 : -1, dj = (corner & 2) != 0 ? 1 : -1,
                    dk = (corner & 4) != 0 ? 1 : -1;
          if (i + di < 0 || i + di >= nx || j + dj < 0 || j + dj >= ny || k + dk < 0 ||
              k + dk >= nz) {
            continue;
          }
          const int at = index(i, j, k), u = index(i + di, j, k), v = index(i, j + dj, k),
                    w = index(i, j, k + dk);
          const auto determinant = [=](const auto& y) {
            return Vector3d(y.col(u) - y.col(at))
                .cross(Vector3d(y.col(v) - y.col(at)))
                .dot(Vector3d(y.col(w) - y.col(at)));
          };
          least = std::min(least, determinant(x) / determinant(block.rest));
        }
      }
    }
  }
  return least;
}

double SmallestFace(const Body& body, const PointsRef& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [i, j, k] : body.faces) {
    const auto area = [i = i, j = j, k = k](const auto& y) {
      return Vector3d(y.col(j) - y.col(i)).cross(Vector3d(y.col(k) - y.col(i))).z();
    };
    if (const double rest = area(body.rest); rest != 0.0) least = std::min(least, area(x) / rest);
  }
  return least;
}

}  // namespace

double KineticEnergy(const Eigen::VectorXd& masses, const PointsRef& velocities) {
  return 0.5 * velocities.colwise().squaredNorm().dot(masses);
}

Vector3d LinearMomentum(const Eigen::VectorXd& masses, const PointsRef& v) { return v * masses; }

Vector3d CentreOfMass(const Eigen::VectorXd& masses, const PointsRef& x) {
  return (x * masses) / masses.sum();
}

Vector3d AngularMomentum(const Eigen::VectorXd& masses, const PointsRef& x, const PointsRef& v,
                         const Vector3d& about) {
  Vector3d momentum = Vector3d::Zero();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    momentum += masses[i] * Vector3d(x.col(i) - about).cross(Vector3d(v.col(i)));
  }
  return momentum;
}

double FaceArea(const Body& body, const PointsRef& x) {
  double area = 0.0;
  ForEachFace(body, x, [&area](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    area += 0.5 * (b - a).cross(c - a).norm();
  });
  return area;
}

double EnclosedVolume(const Body& body, const PointsRef& x) {
  double volume = 0.0;
  ForEachFace(body, x, [&volume](const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    volume += a.dot(b.cross(c)) / 6.0;
  });
  return volume;
}

std::optional<EdgeStrain> MeasureEdgeStrain(const Body& body, const PointsRef& x) {
  EdgeStrain sum;
  const int count = AddEdges(body, x, &sum);
  return MeanOf(sum, count);
}

std::optional<EdgeStrain> MeasureEdgeStrain(const Scene& scene, const PointsRef& x) {
  EdgeStrain sum;
  int count = 0, offset = 0;
  for (const Body& body : scene.bodies) {
    count += AddEdges(body, x.middleCols(offset, body.size()), &sum);
    offset += body.size();
  }
  return MeanOf(sum, count);
}

std::optional<double> ExtentRatio(const Scene& scene, const PointsRef& x) {
  double now = 0.0, rest = 0.0;
  int offset = 0;
  for (const Body& body : scene.bodies) {
    if (!body.faces.empty()) {
      now += Extent(body, x.middleCols(offset, body.size()));
      rest += Extent(body, body.rest);
    }
    offset += body.size();
  }
  if (rest == 0.0) return std::nullopt;
  return now / rest;
}

std::optional<double> SignedExtentRatio(const Scene& scene, const PointsRef& x) {
  double now = 0.0, rest = 0.0;
  int offset = 0;
  for (const Body& body : scene.bodies) {
    if (HasSignedExtent(scene, body)) {
      const double was = SignedExtent(body, body.rest);
      now += std::copysign(1.0, was) * SignedExtent(body, x.middleCols(offset, body.size()));
      rest += std::abs(was);
    }
    offset += body.size();
  }
  if (rest == 0.0) return std::nullopt;
  return now / rest;
}

std::optional<double> SmallestCellRatio(const Scene& scene, const PointsRef& x) {
  double least = std::numeric_limits<double>::infinity();
  int offset = 0;
  for (const Body& body : scene.bodies) {
    const auto now = x.middleCols(offset, body.size());
    if (scene.dimension == 2) {
      least = std::min(least, SmallestFace(body, now));
    } else if (body.shape == ShapeKind::kBlock) {
      least = std::min(least, SmallestCorner(body, now));
    }
    offset += body.size();
  }
  if (!std::isfinite(least)) return std::nullopt;
  return least;
}

std::optional<int> TurnedInsideOut(const Scene& scene, const PointsRef& x) {
  int offset = 0;
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    const Body& body = scene.bodies[b];
    const auto now = x.middleCols(offset, body.size());
    offset += body.size();
    if (!HasSignedExtent(scene, body)) continue;
    const double is = SignedExtent(body, now), was = SignedExtent(body, body.rest);
    if (was != 0.0 && is / was <= 0.0) return static_cast<int>(b);
  }
  return std::nullopt;
}

std::optional<Penetration> MeasurePenetration(const Scene& scene, double time, const PointsRef& x) {
  if (scene.obstacles.empty()) return std::nullopt;
  Penetration penetration;
  Eigen::VectorXd depth = Eigen::VectorXd::Zero(x.cols());
  ForEachTouch(scene.obstacles, time, x, 0.0, [&](const Touch& touch) {
    depth[touch.point] = std::max(depth[touch.point], -touch.at.distance);
  });
  penetration.max = depth.maxCoeff();
  penetration.rms = std::sqrt(depth.squaredNorm() / static_cast<double>(depth.size()));
  return penetration;
}

PointDistance DistanceBetween(const PointsRef& x, const PointsRef& y) {
  const auto squared = (x - y).colwise().squaredNorm();
  return {std::sqrt(squared.mean()), std::sqrt(squared.maxCoeff())};
}

}  // namespace pliant
