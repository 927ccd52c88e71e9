#include "tests/laws/scenes.h"

#include "models/scene/shapes.h"
#include "tests/solvers/articulated_lamp/lamp_scene.h"

namespace pliant::laws {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;

const Vector3d kGravity(0.0, -9.81, 0.0);

Body Crate() {
  Body crate;
  crate.name = "crate";
  crate.rest = Matrix3Xd::Zero(3, 8);
  crate.rest.topRows(2) << -0.5, 0.0, 0.5, 0.5, 0.5, 0.0, -0.5, -0.5,  //
      -0.4, -0.4, -0.4, 0.0, 0.4, 0.4, 0.4, 0.0;
  crate.mass = Eigen::VectorXd::Constant(8, 3.0 / 8);
  for (int i = 0; i < 8; ++i) crate.edges.push_back({i, (i + 1) % 8});
  return crate;
}

// The only matter that says what it is made of.
Body Plate() {
  Body plate = MakeSheet("plate", {1.0, 1.0}, {3, 3}, 2.0);
  plate.shape = ShapeKind::kProfile;
  plate.grid = {0, 0, 0};
  Material rubber;
  rubber.density = 20.0;
  rubber.thickness = 0.1;
  rubber.youngs_modulus = 100.0;
  rubber.poisson_ratio = 0.3;
  plate.mass = rubber.density * VolumeShares(plate, rubber.thickness);
  plate.material = rubber;
  return plate;
}

Body BodyOf(Matter matter) {
  switch (matter) {
    case Matter::kSheet:
      return MakeSheet("sheet", {1.0, 1.0}, {5, 5}, 2.0);
    case Matter::kBlock:
      return MakeBlock("block", {1.0, 1.0, 1.0}, {5, 5, 5}, 2.0);
    case Matter::kCrate:
      return Crate();
    case Matter::kPlate:
      return Plate();
    case Matter::kTube:
      return MakeTube("tube", 0.5, 1.0, {12, 5}, 2.0);
    case Matter::kLamp:
      break;
  }
  return articulated_lamp::LampBodyAt(articulated_lamp::RestPose());
}

bool Planar(Matter matter) {
  return matter == Matter::kCrate || matter == Matter::kPlate || matter == Matter::kLamp;
}

// A ball that moves 0.1 m into the face of the body that looks along `outwards` and away again.
Obstacle BallThatPresses(const Scene& scene, const Vector3d& outwards) {
  const Body& body = scene.bodies[0];
  const double radius = 0.3;
  const double face = (outwards.transpose() * body.rest).maxCoeff();
  const Vector3d across = 0.05 * Vector3d(1.0, outwards.y() == 0.0 ? -1.0 : 0.0, 0.0);
  Matrix3Xd keys(3, 3);
  const double places[] = {0.05, -0.1, 0.3};
  for (int k = 0; k < 3; ++k) {
    keys.col(k) = body.position + across + (face + radius + places[k]) * outwards;
  }
  return {"ball", Sphere{radius}, Path({0.0, 0.2, 0.4}, keys, Path::Interpolation::kCubic), 0.0};
}

}  // namespace

Scene Resting(Matter matter) {
  Scene scene;
  scene.name = "laws";
  scene.dimension = Planar(matter) ? 2 : 3;
  scene.gravity.setZero();
  scene.bodies.push_back(BodyOf(matter));
  scene.bodies[0].position = {0.2, 0.1, Planar(matter) ? 0.0 : -0.3};
  return scene;
}

Scene Flying(Matter matter) {
  Scene scene = Resting(matter);
  Body& body = scene.bodies[0];
  body.velocity = {0.5, -0.2, Planar(matter) ? 0.0 : 0.3};
  body.angular_velocity = {0.0, 0.0, 1.5};
  if (matter == Matter::kBlock || matter == Matter::kTube) {
    body.angular_velocity = {1.0, 0.5, 1.5};
  }
  if (matter != Matter::kLamp) body.stretch = Vector3d(1.05, 1.0, 1.0).asDiagonal();
  return scene;
}

Scene Falling(Matter matter) {
  Scene scene = Flying(matter);
  scene.gravity = kGravity;
  return scene;
}

Scene Pressed(Matter matter) {
  if (matter == Matter::kLamp) {
    Scene scene = articulated_lamp::LampScene();
    scene.gravity = kGravity;
    return scene;
  }
  Scene scene = Resting(matter);
  const Matrix3Xd start = scene.InitialPoints();
  for (int i = 0; i < scene.PointCount(); ++i) {
    scene.springs.push_back(
        {.name = "foundation", .a = {0, i}, .b = {}, .anchor = start.col(i), .stiffness = 4.0});
  }
  scene.obstacles.push_back(
      BallThatPresses(scene, matter == Matter::kSheet ? Vector3d::UnitZ() : Vector3d::UnitY()));
  return scene;
}

Scene Driven(Matter matter) {
  Scene scene = Falling(matter);
  const Vector3d middle = scene.bodies[0].position;
  Spring rope;
  rope.name = "rope";
  rope.a = {0, 1};
  rope.anchor = middle + Vector3d(0.0, 1.0, 0.0);
  rope.stiffness = 5.0;
  rope.damping = 0.2;
  rope.rest_length = 1.4;
  if (matter != Matter::kLamp) scene.springs = {rope};  // which it refuses
  TimedForce push;
  push.name = "push";
  push.point = {0, 3};
  push.force = {0.2, 0.4, Planar(matter) ? 0.0 : -0.1};
  scene.forces = {push};
  Impulse kick;
  kick.name = "kick";
  kick.point = {0, 5};
  kick.impulse = {0.02, -0.01, 0.0};
  kick.time = 0.16;
  scene.impulses = {kick};
  return scene;
}

Scene Joined(Matter matter) {
  Scene scene = Resting(matter);
  Body other = scene.bodies[0];
  other.name = "other";
  const int last = other.size() - 1;
  const int a = matter == Matter::kCrate ? 4 : last;  // their corners away from the origin
  other.position += Vector3d(other.rest.col(a) - other.rest.col(0));
  scene.bodies.push_back(other);
  scene.attachments.push_back({"knee", {0, a}, {1, 0}});
  const Vector3d middle = 0.5 * (scene.bodies[0].position + other.position);
  const Vector3d spin = Planar(matter) ? Vector3d(0, 0, 1.5) : Vector3d(0.3, -0.2, 1.5);
  for (Body& body : scene.bodies) {
    body.angular_velocity = spin;
    body.velocity = spin.cross(Vector3d(body.position - middle));
  }
  return scene;
}

Scene Swinging(Matter matter) {
  Scene scene = Resting(matter);
  scene.gravity = kGravity;
  scene.bodies[0].orientation = Eigen::AngleAxisd(
      0.7, Planar(matter) ? Vector3d(Vector3d::UnitZ()) : Vector3d(Vector3d::UnitX()));
  const int last = scene.bodies[0].size() - 1;
  const auto hold = [&scene](const std::string& name, int point) {
    scene.nails.push_back({name, {0, point}, Path::Still(scene.InitialPoints().col(point))});
  };
  // Of the sheet the corners of one side; of others two that are apart.
  hold("left", matter == Matter::kCrate ? 6 : last - 4);
  hold("right", matter == Matter::kCrate ? 4 : last);
  const Vector3d corner = scene.nails[0].path.At(0.0).position;
  const Vector3d way(0.02, -0.05, Planar(matter) ? 0.0 : 0.03);
  Matrix3Xd keys(3, 2);
  keys << corner, corner + way;
  scene.nails[0].path = Path({0.0, 0.5}, keys, Path::Interpolation::kCubic);
  return scene;
}

Scene Carried(const Scene& scene, const Eigen::Isometry3d& motion) {
  const Eigen::Matrix3d turn = motion.linear();
  auto carried_path = [&](const Path& path) {
    Eigen::Matrix3Xd keys = (turn * path.keys()).colwise() + motion.translation();
    return Path(path.times(), keys, path.interpolation());
  };
  Scene moved = scene;
  moved.gravity = turn * scene.gravity;
  for (Body& body : moved.bodies) {
    body.position = motion * body.position;
    body.orientation = Eigen::Quaterniond(turn) * body.orientation;
    body.velocity = turn * body.velocity;
    body.angular_velocity = turn * body.angular_velocity;
  }
  for (Obstacle& obstacle : moved.obstacles) {
    obstacle.motion = carried_path(obstacle.motion);
    std::visit(Overloaded{
                   [&](Plane& plane) { plane.normal = turn * plane.normal; },
                   [](Sphere&) {},
                   [&](Box& box) { box.axes = turn * box.axes; },
                   [&](Capsule& capsule) { capsule.half_axis = turn * capsule.half_axis; },
                   [&](Solid& solid) {
                     for (ConvexPiece& piece : solid.pieces) {
                       piece.vertices = turn * piece.vertices;
                       piece.normals = turn * piece.normals;
                     }
                   },
               },
               obstacle.shape);
  }
  for (Nail& nail : moved.nails) nail.path = carried_path(nail.path);
  for (Spring& spring : moved.springs) spring.anchor = motion * spring.anchor;
  for (TimedForce& force : moved.forces) force.force = turn * force.force;
  for (Impulse& impulse : moved.impulses) impulse.impulse = turn * impulse.impulse;
  return moved;
}

}  // namespace pliant::laws
