#include "solvers/dynamic_ffd/jump_character.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "models/problem.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

// Of the size of the body: heights and displacements this close are the same; and a body this near to the ground stands on it.
constexpr double kFlat = 1e-9, kOnGround = 1e-6;

[[noreturn]] void Refuse(const std::string& what, const std::string& mend) {
  throw BadInput({"planned_jump", "the plan of a jump " + what, mend});
}

double SizeOf(const Eigen::Matrix3Xd& x) {
  return (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void RequirePlannable(const FfdPart& part, const VectorRef& v) {
  if (part.body.modes() == 0) Refuse("needs modes", "let the body have modes");
  if (part.body.driven() > 0) Refuse("knows no morph", "remove the morph");
  if (part.material) {
    Refuse("knows the quadratic potentials of modes, not the energy of a material",
           "set elasticity = \"modes\", or remove the material");
  }
  if (!part.powers.empty()) Refuse("knows no exponent of modes but 2", "remove the exponents");
  if (part.mode_names.empty()) Refuse("names modes", "remove orthogonal_modes");
  if (!v.isZero(0.0)) Refuse("begins at rest", "remove the velocity, spin and rates of the body");
}

// Shapes as complex numbers in the axes of the world, seen from the middle of the base, points × (1 + modes).
Eigen::MatrixXcd ShapesFrom(const JumpBase& base, const FfdPart& part, const VectorRef& q) {
  const FfdBody& body = part.body;
  const Eigen::Matrix3d turn = body.Rotation(q);
  Eigen::MatrixXcd shapes(body.points(), body.modes() + 1);
  for (int k = 0; k <= body.modes(); ++k) {
    const Eigen::Matrix3Xd shape = turn * body.ShapeAsPoints(k);
    for (int i = 0; i < body.points(); ++i) shapes(i, k) = {shape(0, i), shape(1, i)};
    const std::complex<double> middle = 0.5 * (shapes(base.left, k) + shapes(base.right, k));
    shapes.col(k).array() -= middle;
  }
  return shapes;
}

void RequireThatNoModeDeforms(const JumpBase& base, const Eigen::MatrixXcd& shapes,
                              const FfdPart& part) {
  const double size = SizeOf(part.body.ShapeAsPoints(0));
  for (int k = 1; k <= part.body.modes(); ++k) {
    for (const int i : base.points) {
      const double moved = std::abs(shapes(i, k));
      if (moved <= kFlat * size) continue;
      Refuse("needs a base that no mode deforms, and mode '" + part.mode_names[k - 1] +
                 "' moves point " + std::to_string(i) + " of it by " + ThreeDigits(moved) +
                 " m at amplitude 1, against its middle",
             "use modes that leave the lowest points as they are, such as a stretch along y, a "
             "shear of y towards x, or values");
    }
  }
}

}  // namespace

const Obstacle& JumpGroundOf(const Scene& scene) {
  const char* mend =
      "give the scene one level plane that does not move, with friction, and no other obstacle";
  if (scene.dimension != 2) Refuse("is in the plane", "set dimension = 2 in the scene");
  if (scene.bodies.size() != 1) Refuse("is for one body", "leave one body in the scene");
  if (scene.obstacles.size() != 1) Refuse("knows one obstacle, the ground", mend);
  const Obstacle& ground = scene.obstacles.front();
  const Plane* plane = PlaneOf(ground.shape);
  const bool level = plane != nullptr && plane->normal.head<2>().isApprox(Eigen::Vector2d::UnitY());
  if (!level || ground.motion.moves() || !(ground.friction > 0.0))
    Refuse("needs level ground with friction", mend);
  return ground;
}

JumpBase JumpBaseOf(const FfdPart& part, const VectorRef& q, const Obstacle& ground) {
  Eigen::Matrix3Xd x(3, part.body.points());
  part.body.Points(q, x);
  const double size = SizeOf(x), lowest = x.row(1).minCoeff();
  JumpBase base{};
  for (int i = 0; i < x.cols(); ++i) {
    if (x(1, i) <= lowest + kFlat * size) base.points.push_back(i);
  }
  const auto ends = std::minmax_element(base.points.begin(), base.points.end(),
                                        [&x](int a, int b) { return x(0, a) < x(0, b); });
  base.left = *ends.first;
  base.right = *ends.second;
  base.half_width = 0.5 * (x(0, base.right) - x(0, base.left));
  base.middle = 0.5 * (x.col(base.left) + x.col(base.right)).head<2>();
  if (!(base.half_width > 0.0))
    Refuse("needs a body that stands on two points or more", "turn the body onto a side");
  const double gap = base.middle.y() - ground.motion.At(0.0).position.y();
  if (!(std::abs(gap) <= kOnGround * size)) {
    Refuse("begins on the ground, and the lowest points of the body are " + ThreeDigits(gap) +
               " m above it",
           "place the body on the ground");
  }
  return base;
}

DeformableCharacter JumpCharacterOf(const Scene& scene, const FfdPart& part, const VectorRef& q,
                                    const VectorRef& v, const JumpBase& base,
                                    const std::vector<std::string>& acts) {
  RequirePlannable(part, v);
  const double gravity = Gravity(scene).Downwards().value_or(0.0);
  if (!(gravity > 0.0)) Refuse("needs gravity along −y", "set gravity = [0, −9.81]");
  for (const std::string& name : acts) {
    if (Contains(part.mode_names, name)) continue;
    throw BadInput({"jump_modes", "the body has no mode '" + name + "'",
                    "its modes are those of the table, and of use_modes if that is given"});
  }
  const Eigen::MatrixXcd shapes = ShapesFrom(base, part, q);
  RequireThatNoModeDeforms(base, shapes, part);
  const Eigen::MatrixXcd weighted = part.body.masses().asDiagonal() * shapes;
  DeformableCharacter character;
  character.gravity = gravity;
  character.half_width = base.half_width;
  character.modes = part.mode_names;
  for (const std::string& name : part.mode_names)
    character.acts.push_back(acts.empty() || Contains(acts, name));
  character.mass = part.body.masses().sum();
  character.first = weighted.colwise().sum().transpose();
  character.second = shapes.adjoint() * weighted;
  character.stiffness = part.stiffness;
  character.damping = part.damping;
  const double infinite = std::numeric_limits<double>::infinity();
  const bool limited = part.lower.size() > 0;
  character.lower = limited ? part.lower : VectorXd::Constant(part.body.modes(), -infinite);
  character.upper = limited ? part.upper : VectorXd::Constant(part.body.modes(), infinite);
  return character;
}

}  // namespace pliant::dynamic_ffd
