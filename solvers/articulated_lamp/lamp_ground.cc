#include "solvers/articulated_lamp/lamp_ground.h"

#include <cmath>
#include <utility>
#include <variant>

#include "models/problem.h"
#include "models/scene/forces.h"

namespace pliant::articulated_lamp {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// A base this close to flat on the ground stands on it [m, rad].
constexpr double kFlat = 1e-5;

bool InThePlane(const Vector3d& vector) { return std::abs(vector.z()) <= 1e-12; }

Vector3d OriginOf(const Obstacle& obstacle) { return obstacle.motion.keys().col(0); }

std::optional<LampFloor> LineOf(const Plane& plane, const Vector3d& origin) {
  if (!InThePlane(plane.normal)) return std::nullopt;
  LampFloor floor;
  floor.normal = plane.normal.head<2>();
  floor.height = plane.normal.dot(origin);
  return floor;
}

std::optional<LampFloor> TopOf(const Box& box, const Vector3d& origin) {
  // One axis is that of the scene, the others are turned about it.
  int across = -1;
  for (int k = 0; k < 3; ++k) {
    if (std::abs(std::abs(box.axes(2, k)) - 1.0) <= 1e-12) across = k;
  }
  if (across < 0) return std::nullopt;
  const int a = (across + 1) % 3, b = (across + 2) % 3;
  const int up = std::abs(box.axes(1, a)) > std::abs(box.axes(1, b)) ? a : b;
  const int along = up == a ? b : a;
  const double sign = box.axes(1, up) > 0.0 ? 1.0 : -1.0;
  LampFloor top;
  top.normal = sign * box.axes.col(up).head<2>();
  const Vector2d middle = origin.head<2>() + box.half_size[up] * top.normal;
  top.height = top.normal.dot(middle);
  const double reach = box.half_size[along] * std::abs(box.axes(0, along));
  top.left = middle.x() - reach;
  top.right = middle.x() + reach;
  return top;
}

// y of the line of a piece of ground at x.
double HeightAt(const LampFloor& floor, double x) {
  return (floor.height - floor.normal.x() * x) / floor.normal.y();
}

// The highest piece of ground below x.
const LampFloor* HighestAt(const std::vector<LampFloor>& ground, double x) {
  const LampFloor* highest = nullptr;
  for (const LampFloor& floor : ground) {
    if (!(floor.normal.y() > 0.0) || x < floor.left || x > floor.right) continue;
    if (highest == nullptr || HeightAt(floor, x) > HeightAt(*highest, x)) highest = &floor;
  }
  return highest;
}

[[noreturn]] void Refuse(const char* parameter, const char* why, const char* hint = "") {
  throw BadInput({parameter, why, hint});
}

// y of the highest point of the lamp as it stands in the scene.
double HighestOf(const LampBody& body) {
  Eigen::Matrix3Xd points(3, body.local.cols());
  body.Place(Lamp(body.parameters), body.q, points);
  return points.row(1).maxCoeff();
}

// A box whose underside is above `top` hangs: the lamp passes below it, and does not land on it.
std::optional<LampJumpProblem::Beam> BeamOf(const Obstacle& obstacle, double top) {
  const auto* box = std::get_if<Box>(&obstacle.shape);
  if (box == nullptr) return std::nullopt;
  const Vector3d origin = OriginOf(obstacle), reach = box->axes.cwiseAbs() * box->half_size;
  const double bottom = origin.y() - reach.y();
  if (!(bottom > top)) return std::nullopt;
  return LampJumpProblem::Beam{obstacle.name, origin.x() - reach.x(), origin.x() + reach.x(),
                               bottom};
}

// The ground on which a base of half width w lands with its middle at x.
const LampFloor* LandingAt(const std::vector<LampFloor>& ground, double x, double w,
                           const char* parameter) {
  const LampFloor* there = HighestAt(ground, x);
  if (there == nullptr || there->normal.y() != 1.0) {
    Refuse(parameter, "the plan of a jump must land on level ground");
  }
  if (HighestAt(ground, x - w) != there || HighestAt(ground, x + w) != there) {
    Refuse(parameter, "the base would land across an edge");
  }
  return there;
}

}  // namespace

std::optional<LampFloor> FloorOf(const Obstacle& obstacle) {
  using Floor = std::optional<LampFloor>;
  const Vector3d origin = OriginOf(obstacle);
  Floor floor = std::visit(Overloaded{
                               [&](const Plane& plane) { return LineOf(plane, origin); },
                               [&](const Box& box) { return TopOf(box, origin); },
                               [](const Sphere&) { return Floor(); },
                               [](const Capsule&) { return Floor(); },
                               [](const Solid&) { return Floor(); },
                           },
                           obstacle.shape);
  if (floor) {
    floor->friction = obstacle.friction;
    floor->restitution = obstacle.restitution;
  }
  return floor;
}

std::vector<LampFloor> GroundOf(const Scene& scene) {
  std::vector<LampFloor> ground;
  for (const Obstacle& obstacle : scene.obstacles) {
    if (const auto floor = FloorOf(obstacle)) ground.push_back(*floor);
  }
  return ground;
}

LampJumpProblem JumpFrom(const Scene& scene, const LampBody& body, double distance,
                         const std::vector<double>& stops) {
  const double top = HighestOf(body);
  std::vector<LampFloor> ground;
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto floor = FloorOf(obstacle);
    if (floor && !BeamOf(obstacle, top)) ground.push_back(*floor);
  }
  const Vector2d start = body.q.head<2>();
  const double w = body.parameters.half_width;
  const char* controller = "controller";
  const LampFloor* under = HighestAt(ground, start.x());
  if (under == nullptr) Refuse(controller, "the plan of a jump needs ground");
  const double slope = std::atan2(under->normal.x(), under->normal.y());
  if (!(slope >= 0.0)) {
    Refuse(controller, "the plan of a jump must begin on level ground or on a downhill slope");
  }
  const bool flat = std::abs(under->normal.dot(start) - under->height) <= kFlat &&
                    std::abs(body.q[2] - slope) <= kFlat;
  if (!flat || !body.v.isZero(0.0)) {
    Refuse(controller, "the plan of a jump must begin at rest, with the base flat on the ground");
  }
  const LampFloor* goal = LandingAt(ground, start.x() + distance, w, "jump_distance");
  if (!(goal->friction > 0.0) || (slope == 0.0 && !(under->friction > 0.0))) {
    Refuse(controller, "the plan of a jump needs ground with friction");
  }

  LampJumpProblem problem;
  problem.lamp = body.parameters;
  problem.gravity = Gravity(scene).Downwards().value();
  problem.start_pose = problem.end_pose = body.q.tail<3>();
  problem.distance = distance;
  problem.end_height = HeightAt(*goal, start.x() + distance) - start.y();
  problem.landing_friction = goal->friction;
  problem.friction = under->friction;
  if (slope > 0.0) {
    const double length = (under->right - start.x()) / std::cos(slope) - w;
    if (!(length > 0.0) || !std::isfinite(length)) {
      Refuse(controller, "a ski jump needs a slope that ends, with room before its edge",
             "let a box end where it takes off");
    }
    problem.in_run = {slope, length, under->friction};
    problem.friction = goal->friction;
  }
  // Below everything the plane, or without one the lowest top.
  problem.floor_height = std::min(0.0, problem.end_height);
  for (const double stop : stops) {
    const double x = start.x() + stop;
    const LampFloor* there = LandingAt(ground, x, w, "jump_stops");
    if (!(there->friction > 0.0)) {
      Refuse("jump_stops", "the plan of a jump needs ground with friction");
    }
    const double height = HeightAt(*there, x) - start.y();
    problem.stops.push_back({.distance = stop, .height = height, .friction = there->friction});
    problem.floor_height = std::min(problem.floor_height, height);
  }
  for (const Obstacle& obstacle : scene.obstacles) {
    const auto floor = FloorOf(obstacle);
    if (!floor) continue;
    if (auto beam = BeamOf(obstacle, top)) {
      beam->left -= start.x();
      beam->right -= start.x();
      beam->bottom -= start.y();
      problem.beams.push_back(*std::move(beam));
      continue;
    }
    const double height = HeightAt(*floor, start.x()) - start.y();
    if (PlaneOf(obstacle.shape) != nullptr) {
      problem.floor_height = std::min(problem.floor_height, height);
      continue;
    }
    const double incline = -floor->normal.x() / floor->normal.y();
    problem.rises.push_back(
        {obstacle.name, floor->left - start.x(), floor->right - start.x(), height, incline});
  }
  return problem;
}

}  // namespace pliant::articulated_lamp
