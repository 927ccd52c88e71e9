#include "solvers/dynamic_ffd/planned_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <utility>

#include "models/problem.h"
#include "models/scene/forces.h"
#include "models/scene/number_text.h"
#include "solvers/spacetime/interior_point.h"

namespace pliant::dynamic_ffd {
namespace {

using Eigen::VectorXd;

constexpr double kFlat =
    1e-9;  // of the size of the body: heights and displacements this close are the same

[[noreturn]] void Refuse(const std::string& what, const std::string& mend) {
  throw BadInput({"planned_jump", "the plan of a jump " + what, mend});
}

// Level ground that does not move, the only obstacle.
const Obstacle& GroundOf(const Scene& scene) {
  const char* mend =
      "give the scene one level plane that does not move, with friction, and no other obstacle";
  if (scene.obstacles.size() != 1) Refuse("knows one obstacle, the ground", mend);
  const Obstacle& ground = scene.obstacles.front();
  const Plane* plane = PlaneOf(ground.shape);
  const bool level = plane != nullptr && plane->normal.head<2>().isApprox(Eigen::Vector2d::UnitY());
  if (!level || ground.motion.moves() || !(ground.friction > 0.0))
    Refuse("needs level ground with friction", mend);
  return ground;
}

void RequirePlannable(const Scene& scene, const FfdPart& part, const VectorRef& v) {
  if (scene.dimension != 2) Refuse("is in the plane", "set dimension = 2 in the scene");
  if (scene.bodies.size() != 1) Refuse("is for one body", "leave one body in the scene");
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

// The lowest points at (q), on which the body stands.
std::vector<int> BaseOf(const Eigen::Matrix3Xd& x, double size) {
  const double lowest = x.row(1).minCoeff();
  std::vector<int> base;
  for (int i = 0; i < x.cols(); ++i) {
    if (x(1, i) <= lowest + kFlat * size) base.push_back(i);
  }
  return base;
}

}  // namespace

PlannedModes::PlannedModes(const Scene& scene, const FfdPart& part, const VectorRef& q,
                           const VectorRef& v, const ModeJumpOptions& keys) {
  RequirePlannable(scene, part, v);
  if (NeedsInteriorPoint(keys.method)) RequireInteriorPoint("plan_method");
  const Obstacle& ground = GroundOf(scene);
  const auto gravity = Gravity(scene).Downwards();
  if (!gravity) Refuse("needs gravity along −y", "set gravity = [0, −9.81]");

  const FfdBody& body = part.body;
  const int modes = body.modes();
  Eigen::Matrix3Xd x(3, body.points());
  body.Points(q, x);
  const double size = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).maxCoeff();
  const std::vector<int> base = BaseOf(x, size);
  const auto ends = std::minmax_element(base.begin(), base.end(),
                                        [&x](int a, int b) { return x(0, a) < x(0, b); });
  left_ = *ends.first;
  right_ = *ends.second;
  const double width = x(0, right_) - x(0, left_);
  if (!(width > 0.0))
    Refuse("needs a body that stands on two points or more", "turn the body onto a side");
  origin_ = 0.5 * (x.col(left_) + x.col(right_)).head<2>();
  const double gap = origin_.y() - ground.motion.At(0.0).position.y();
  if (!(std::abs(gap) <= 1e-6 * size)) {
    Refuse("begins on the ground, and the lowest points of the body are " + ThreeDigits(gap) +
               " m above it",
           "place the body on the ground");
  }

  auto problem = std::make_shared<DeformableJumpProblem>();
  DeformableCharacter& character = problem->character;
  character.gravity = *gravity;
  character.half_width = 0.5 * width;
  character.modes = part.mode_names;
  character.mass = body.masses().sum();
  character.stiffness = part.stiffness;
  character.damping = part.damping;
  const double infinite = std::numeric_limits<double>::infinity();
  const bool limited = part.lower.size() > 0;
  character.lower = limited ? part.lower : VectorXd::Constant(modes, -infinite);
  character.upper = limited ? part.upper : VectorXd::Constant(modes, infinite);
  for (const std::string& name : keys.acts) {
    if (std::find(part.mode_names.begin(), part.mode_names.end(), name) != part.mode_names.end())
      continue;
    throw BadInput({"jump_modes", "the body has no mode '" + name + "'",
                    "its modes are those of the table, and of use_modes if that is given"});
  }
  for (const std::string& name : part.mode_names) {
    character.acts.push_back(keys.acts.empty() || std::find(keys.acts.begin(), keys.acts.end(),
                                                            name) != keys.acts.end());
  }

  // Shapes as complex numbers in the axes of the world, seen from the middle of the base.
  const Eigen::Matrix3d turn = body.Rotation(q);
  Eigen::MatrixXcd shapes(body.points(), modes + 1);
  for (int k = 0; k <= modes; ++k) {
    const Eigen::Matrix3Xd shape = turn * body.ShapeAsPoints(k);
    for (int i = 0; i < body.points(); ++i) shapes(i, k) = {shape(0, i), shape(1, i)};
    const std::complex<double> middle = 0.5 * (shapes(left_, k) + shapes(right_, k));
    shapes.col(k).array() -= middle;
    for (const int i : base) {
      if (k == 0 || std::abs(shapes(i, k)) <= kFlat * size) continue;
      Refuse("needs a base that no mode deforms, and mode '" + part.mode_names[k - 1] +
                 "' moves point " + std::to_string(i) + " of it by " +
                 ThreeDigits(std::abs(shapes(i, k))) + " m at amplitude 1, against its middle",
             "use modes that leave the lowest points as they are, such as a stretch along y, a "
             "shear of "
             "y towards x, or values");
    }
  }
  const Eigen::MatrixXcd weighted = body.masses().asDiagonal() * shapes;
  character.first = weighted.colwise().sum().transpose();
  character.second = shapes.adjoint() * weighted;
  problem->start = problem->end = q.tail(modes);
  problem->distance = keys.distance;
  problem->friction = (1.0 - keys.friction_margin) * ground.friction;
  problem->duration = {keys.stance, keys.flight, keys.rest};
  problem->longest = {keys.longest_stance, keys.longest_flight, keys.longest_rest};
  problem->time_weight = keys.time_weight;

  DeformableJumpOptions options;
  options.strategy = keys.method;
  options.step = std::ldexp(keys.step, keys.refinements);
  options.refinements = keys.refinements;
  plan_ = std::make_shared<const DeformableJumpPlan>(SolveDeformableJump(*problem, options));
  problem_ = std::move(problem);
  C_ = D_ = VectorXd::Zero(modes);
  const double omega = 2.0 * std::numbers::pi * keys.tracking_frequency;
  for (int k = 0; k < modes; ++k) {
    if (!problem_->character.acts[k]) continue;
    const double inertia = problem_->character.second(k + 1, k + 1).real();
    C_[k] = inertia * omega * omega;
    D_[k] = 2.0 * keys.tracking_damping_ratio * inertia * omega;
  }
  Place(0.0);
}

void PlannedModes::Place(double time) { plan_->motion.At(problem_->character, time, &sample_); }

double PlannedModes::Force(Eigen::Index mode, const VectorRef& gamma,
                           const VectorRef& gamma_dot) const {
  const Eigen::Index k = 3 + mode;
  return sample_.force[k] - C_[mode] * (gamma[mode] - sample_.q[k]) -
         D_[mode] * (gamma_dot[mode] - sample_.v[k]);
}

double PlannedModes::AddForces(const VectorRef& gamma, const VectorRef& gamma_dot,
                               MutableVectorRef Q) const {
  double power = 0.0;
  for (Eigen::Index mode = 0; mode < C_.size(); ++mode) {
    if (!problem_->character.acts[mode]) continue;
    const double force = Force(mode, gamma, gamma_dot);
    Q[mode] += force;
    power += force * gamma_dot[mode];
  }
  return power;
}

double PlannedModes::PowerAt(const VectorRef& gamma, const VectorRef& gamma_dot,
                             const VectorRef& other) const {
  double power = 0.0;
  for (Eigen::Index mode = 0; mode < C_.size(); ++mode) {
    if (problem_->character.acts[mode]) power += Force(mode, gamma, gamma_dot) * other[mode];
  }
  return power;
}

PlannedModes::Distance PlannedModes::From(double time, const FfdPart& part,
                                          const VectorRef& q) const {
  const DeformableMotion::Sample planned = plan_->motion.At(problem_->character, time);
  Eigen::Matrix3Xd x(3, part.body.points());
  part.body.Points(q, x);
  const Eigen::Vector2d base = 0.5 * (x.col(left_) + x.col(right_)).head<2>() - origin_;
  const int modes = part.body.modes();
  return {(q.tail(modes) - planned.q.tail(modes)).cwiseAbs().maxCoeff(),
          (base - planned.q.head<2>()).norm()};
}

FindingTable PlannedModes::Describe() const {
  const SpacetimeSummary& summary = plan_->summary();
  FindingTable table;
  table.title = "Planned jump";
  table.columns = {"quantity", "value"};
  table.rows.push_back({"cost J", Digits(summary.final_cost, 10)});
  for (const DeformableJumpPlan::Level& level : plan_->levels) {
    table.rows.push_back({"cost J on a mesh of " + ThreeDigits(level.step) + " s",
                          Digits(level.summary.final_cost, 10)});
  }
  static constexpr std::array<const char*, 3> names = {"on the ground", "in the air",
                                                       "on the ground"};
  for (size_t p = 0; p < plan_->motion.phases.size(); ++p) {
    const DeformableMotion::Phase& phase = plan_->motion.phases[p];
    table.rows.push_back(
        {std::string("time ") + names[p] + ", from " + ThreeDigits(phase.start) + " s on [s]",
         ThreeDigits(phase.duration)});
  }
  table.rows.push_back({"found by", std::string(ToString(summary.method))});
  table.rows.push_back({"residual of stationarity", ThreeDigits(summary.residuals.stationarity)});
  table.rows.push_back({"worst scaled violation", ThreeDigits(summary.violation)});
  for (const SpacetimeSummary::Violation& kind : summary.kinds)
    table.rows.push_back({"of it " + kind.name, ThreeDigits(kind.scaled)});
  table.rows.push_back(
      {"share of the momentum of the flight that comes from nowhere between samples",
       ThreeDigits(plan_->momentum_defect)});
  table.rows.push_back({"outer iterations", std::to_string(summary.outer_iterations)});
  table.rows.push_back({"inner iterations", std::to_string(summary.inner_iterations)});
  table.remark = plan_->Message();
  return table;
}

}  // namespace pliant::dynamic_ffd
