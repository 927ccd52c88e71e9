#include "experiments/files/scene_summary.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "models/scene/number_text.h"
#include "models/scene/rigid_motion.h"

namespace pliant {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// "1.5 0 -2", without the z of a planar scene, and without what rounding leaves of 0 among numbers
// of this size.
std::string Along(const Scene& scene, const Vector3d& vector, double size) {
  std::string text;
  for (int axis = 0; axis < scene.dimension; ++axis) {
    const bool is_rounding = std::abs(vector[axis]) < 1e-12 * size;
    text += (axis > 0 ? " " : "") + ThreeDigits(is_rounding ? 0.0 : vector[axis]);
  }
  return text;
}
double SizeOf(const Matrix3Xd& points) { return points.cwiseAbs().maxCoeff(); }

FindingTable TableOfBodies(const Scene& scene, const Matrix3Xd& points) {
  FindingTable table{
      "Bodies at the start",
      {"body", "points", "mass [kg]", "centre [m]", "extent [m]", "moments of inertia [kg m²]"},
      {},
      ""};
  const double size = SizeOf(points);
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const Body& body = scene.bodies[b];
    const auto x = points.middleCols(scene.Offset(b), body.size());
    const Vector3d centre = x * body.mass / body.mass.sum();
    const Eigen::Matrix3d inertia = InertiaOf(body.mass, x.colwise() - centre);
    const Vector3d moments =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(inertia).eigenvalues().cwiseMax(0.0);
    const Vector3d extent = x.rowwise().maxCoeff() - x.rowwise().minCoeff();
    table.rows.push_back({body.name, std::to_string(body.size()), ThreeDigits(body.mass.sum()),
                          Along(scene, centre, size), Along(scene, extent, size),
                          scene.dimension == 2 ? ThreeDigits(inertia(2, 2))
                                               : Along(scene, moments, moments.maxCoeff())});
  }
  return table;
}

// The points of elements that share a name, in the order of the scene.
class NamedPoints {
 public:
  NamedPoints(const Scene& scene, const Matrix3Xd& points) : scene_(scene), points_(points) {}

  void Add(const std::string& name, const PointRef& point) {
    const Vector3d at = points_.col(scene_.Index(point));
    const auto [number, fresh] = number_of_.emplace(name, named_.size());
    if (fresh) named_.push_back({name, 0, at, at});
    Named& named = named_[number->second];
    ++named.count;
    named.lower = named.lower.cwiseMin(at);
    named.upper = named.upper.cwiseMax(at);
  }

  FindingTable Table() const {
    FindingTable table{"Points of elements", {"element", "points", "from [m]", "to [m]"}, {}, ""};
    const double size = SizeOf(points_);
    for (const Named& one : named_) {
      table.rows.push_back({one.name, std::to_string(one.count), Along(scene_, one.lower, size),
                            one.count > 1 ? Along(scene_, one.upper, size) : ""});
    }
    return table;
  }

 private:
  struct Named {
    std::string name;
    int count;
    Vector3d lower, upper;  // m
  };
  const Scene& scene_;
  const Matrix3Xd& points_;
  std::vector<Named> named_;
  std::unordered_map<std::string, size_t> number_of_;  // in named_
};

FindingTable TableOfPoints(const Scene& scene, const Matrix3Xd& points) {
  NamedPoints named(scene, points);
  for (const Nail& nail : scene.nails) named.Add("nail." + nail.name, nail.point);
  for (const Attachment& attachment : scene.attachments) {
    named.Add("attachment." + attachment.name, attachment.a);
    named.Add("attachment." + attachment.name, attachment.b);
  }
  for (const Slider& slider : scene.sliders) named.Add("slider." + slider.name, slider.point);
  for (const Combination& combination : scene.combinations) {
    for (const Combination::Term& term : combination.terms) {
      named.Add("combination." + combination.name, term.point);
    }
  }
  for (const Limit& limit : scene.limits) {
    for (int p = 0; p < limit.size(); ++p) named.Add("limit." + limit.name, limit.points[p]);
  }
  for (const Spring& spring : scene.springs) {
    named.Add("spring." + spring.name, spring.a);
    if (spring.b) named.Add("spring." + spring.name, *spring.b);
  }
  for (const TimedForce& force : scene.forces) named.Add("force." + force.name, force.point);
  for (const Impulse& impulse : scene.impulses) {
    named.Add("impulse." + impulse.name, impulse.point);
  }
  return named.Table();
}

// A cubic path may leave the range of its keys: it is sampled between them.
void AddPath(const Scene& scene, const std::string& name, const Path& path, FindingTable* table) {
  if (!path.moves()) return;
  for (const auto& row : table->rows) {
    if (row[0] == name) return;  // nails of one name move alike
  }
  constexpr int kSamples = 64;  // between two keys
  Vector3d lower = path.keys().rowwise().minCoeff(), upper = path.keys().rowwise().maxCoeff();
  const double size = SizeOf(path.keys());
  double speed = 0.0;
  for (size_t k = 0; k + 1 < path.times().size(); ++k) {
    const double begin = path.times()[k], span = path.times()[k + 1] - begin;
    for (int s = 0; s < kSamples; ++s) {
      const PathPoint at = path.At(begin + span * (s + 0.5) / kSamples);
      lower = lower.cwiseMin(at.position);
      upper = upper.cwiseMax(at.position);
      speed = std::max(speed, at.velocity.norm());
    }
  }
  table->rows.push_back(
      {name, Along(scene, lower, size), Along(scene, upper, size), ThreeDigits(speed)});
}

FindingTable TableOfPaths(const Scene& scene) {
  FindingTable table{
      "Paths", {"element", "least [m]", "greatest [m]", "largest speed [m/s]"}, {}, ""};
  for (const Obstacle& obstacle : scene.obstacles) {
    AddPath(scene, "obstacle." + obstacle.name, obstacle.motion, &table);
  }
  for (const Nail& nail : scene.nails) AddPath(scene, "nail." + nail.name, nail.path, &table);
  for (const Combination& combination : scene.combinations) {
    AddPath(scene, "combination." + combination.name, combination.path, &table);
  }
  return table;
}

}  // namespace

std::vector<FindingTable> SummaryOf(const Scene& scene) {
  const Matrix3Xd points = scene.InitialPoints();
  std::vector<FindingTable> tables;
  for (FindingTable& table : std::vector{TableOfBodies(scene, points), TableOfPoints(scene, points),
                                         TableOfPaths(scene)}) {
    if (!table.rows.empty()) tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<FindingTable> RowsNotIn(const std::vector<FindingTable>& others,
                                    std::vector<FindingTable> tables) {
  for (FindingTable& table : tables) {
    const auto same = std::ranges::find(others, table.title, &FindingTable::title);
    if (same == others.end()) continue;
    std::erase_if(table.rows, [&](const std::vector<std::string>& row) {
      return std::ranges::find(same->rows, row) != same->rows.end();
    });
  }
  std::erase_if(tables, [](const FindingTable& table) { return table.rows.empty(); });
  return tables;
}

}  // namespace pliant
