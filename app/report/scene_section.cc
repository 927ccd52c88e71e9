// The scene in words: what a reader needs to judge the results without opening a file.

#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>

#include "app/report/page.h"

#include "models/scene/forces.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

std::string Text(double value) { return Digits(std::abs(value) < 1e-12 ? 0.0 : value, 4); }

std::string Text(const Vector3d& v) {
  return "(" + Text(v.x()) + ", " + Text(v.y()) + ", " + Text(v.z()) + ")";
}

std::string Motion(const Path& path) {
  if (!path.moves()) return "still";
  return "moves along " + std::to_string(path.times().size()) + " keys from " +
         Text(path.times().front()) + " s to " + Text(path.times().back()) + " s, " +
         (path.interpolation() == Path::Interpolation::kCubic ? "cubic" : "linear");
}

std::string ShapeOf(const Body& body) {
  switch (body.shape) {
    case ShapeKind::kProfile:
      return "profile";
    case ShapeKind::kChain:
      return "chain";
    case ShapeKind::kSheet:
      return "sheet";
    case ShapeKind::kBlock:
      return "block";
    case ShapeKind::kRing:
      return "ring";
    case ShapeKind::kTube:
      return "tube";
    case ShapeKind::kTorus:
      return "torus";
    case ShapeKind::kMesh:
      return "mesh";
  }
  return "";
}

std::string ShapeOf(const ObstacleShape& shape) {
  return std::visit(
      Overloaded{
          [](const Plane& plane) { return "plane, normal " + Text(plane.normal); },
          [](const Sphere& sphere) { return "sphere, radius " + Text(sphere.radius) + " m"; },
          [](const Box& box) {
            const Eigen::Vector3d size = 2.0 * box.half_size;
            return "box, " + Text(size.x()) + " × " + Text(size.y()) + " × " + Text(size.z()) +
                   " m";
          },
          [](const Capsule& capsule) {
            return "capsule, axis " + Text(2.0 * capsule.half_axis.norm()) + " m, radius " +
                   Text(capsule.radius) + " m";
          },
          [](const Solid& solid) {
            const size_t count = solid.pieces.size();
            return "solid of " + std::to_string(count) +
                   (count == 1 ? " convex piece" : " convex pieces");
          },
      },
      shape);
}

Html BodyLine(const Body& body) {
  std::string points = std::to_string(body.size());
  std::string grid;
  for (const int n : body.grid) {
    if (n > 1) grid += (grid.empty() ? "" : " × ") + std::to_string(n);
  }
  if (grid.find("×") != std::string::npos) points += " (" + grid + ")";
  const Vector3d size =
      body.size() > 0 ? Vector3d(body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff())
                      : Vector3d::Zero();
  std::string start = "at " + Text(body.position) + " m";
  if (!body.velocity.isZero(0.0)) start += ", velocity " + Text(body.velocity) + " m/s";
  if (!body.angular_velocity.isZero(0.0))
    start += ", spin " + Text(body.angular_velocity) + " rad/s";
  if (!body.stretch.isIdentity(0.0)) start += ", stretched";
  return Row({Element("code", "body." + body.name), ShapeOf(body),
              points + " points, " + Text(body.mass.sum()) + " kg, " + Text(size.x()) + " × " +
                  Text(size.y()) + " × " + Text(size.z()) + " m; " + start});
}

// Elements of one name stand in one line: how many, and what the first is like.
template <typename Item>
Html Grouped(const std::vector<Item>& items, const std::string& kind,
             const std::function<std::string(const Item&)>& describe) {
  Html rows;
  std::vector<std::string> seen;
  for (const Item& item : items) {
    if (std::find(seen.begin(), seen.end(), item.name) != seen.end()) continue;
    seen.push_back(item.name);
    const auto count = std::count_if(items.begin(), items.end(),
                                     [&](const Item& other) { return other.name == item.name; });
    const bool alike = std::all_of(items.begin(), items.end(), [&](const Item& other) {
      return other.name != item.name || describe(other) == describe(item);
    });
    rows += Row({Element("code", kind + "." + item.name), kind,
                 (count > 1 ? std::to_string(count) + (alike ? ", each " : ", the first ") : "") +
                     describe(item)});
  }
  return rows;
}

}  // namespace

Html SceneSection(const Scene& scene) {
  Html rows = Element("thead", HeadRow({"element", "kind", "description"}));
  rows += Row({Element("code", "gravity"), "gravity",
               Gravity(scene).acts() ? Text(scene.gravity) + " m/s²" : "none"});
  for (const Body& body : scene.bodies) rows += BodyLine(body);
  for (const Obstacle& obstacle : scene.obstacles) {
    rows += Row({Element("code", "obstacle." + obstacle.name), "obstacle",
                 ShapeOf(obstacle.shape) + "; " + Motion(obstacle.motion) +
                     (obstacle.friction > 0.0 ? "; friction " + Text(obstacle.friction) : "")});
  }
  rows += Grouped<Nail>(scene.nails, "nail", [](const Nail& nail) {
    return nail.path.moves() ? Motion(nail.path) : std::string("holds a point at its position");
  });
  rows += Grouped<Attachment>(scene.attachments, "attachment", [&](const Attachment& attachment) {
    return "joins '" + scene.bodies[attachment.a.body].name + "' to '" +
           scene.bodies[attachment.b.body].name + "'";
  });
  rows += Grouped<Spring>(scene.springs, "spring", [](const Spring& spring) {
    return std::string(spring.b ? "between two points" : "to a fixed position") + ", " +
           Text(spring.stiffness) + " N/m, damping " + Text(spring.damping) +
           " N s/m, rest length " + Text(spring.rest_length) + " m";
  });
  rows += Grouped<TimedForce>(scene.forces, "force", [](const TimedForce& force) {
    return Text(force.force) + " N from " + Text(force.from) + " s" +
           (std::isfinite(force.until) ? " to " + Text(force.until) + " s" : "");
  });
  rows += Grouped<Impulse>(scene.impulses, "impulse", [](const Impulse& impulse) {
    return Text(impulse.impulse) + " N s at " + Text(impulse.time) + " s";
  });
  Html inside;
  if (!scene.description.empty()) inside += Element("p", scene.description);
  inside += Element("p", scene.dimension == 2 ? "A planar scene: everything lives in z = 0."
                                              : "A scene in three dimensions; y is up.");
  return SectionOf("scene", "Scene", inside + Table(rows, "scene"));
}

}  // namespace pliant
