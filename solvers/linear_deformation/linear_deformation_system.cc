#include "solvers/linear_deformation/linear_deformation_system.h"

#include <algorithm>
#include <utility>

#include "models/linear_deformation/kinematics.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::vector<int> FirstCoordinates(const std::vector<LinearBody>& bodies) {
  std::vector<int> first = {0};
  for (const LinearBody& body : bodies) first.push_back(first.back() + body.coordinates());
  return first;
}

std::vector<int> FirstPoints(const Scene& scene) {
  std::vector<int> first;
  int next = 0;
  for (const Body& body : scene.bodies) {
    first.push_back(next);
    next += body.size();
  }
  return first;
}

// Bodies that rows join, directly or through others.
DisjointSets JoinedBodies(size_t bodies, const std::vector<const ConstraintRow*>& rows) {
  DisjointSets joined(static_cast<int>(bodies));
  for (const ConstraintRow* row : rows) {
    for (const Combination::Term& term : row->terms) {
      joined.Join(term.point.body, row->terms.front().point.body);
    }
  }
  return joined;
}

// δ₀ of impulse.h: far above rounding, far below what anyone looks at.
constexpr double kKeptDepth = 1e-6;  // of the largest body

// The longest diagonal of a box around a body at rest [m].
double LargestExtent(const Scene& scene) {
  double largest = 0.0;
  for (const Body& body : scene.bodies) {
    if (body.size() == 0) continue;
    const Vector3d extent = body.rest.rowwise().maxCoeff() - body.rest.rowwise().minCoeff();
    largest = std::max(largest, extent.norm());
  }
  return largest;
}

// Obstacles that give impulses exert no forces on edges and faces either.
PenaltyOptions OfForces(const ContactOptions& contact) {
  PenaltyOptions forces = contact.penalty;
  if (contact.by == ContactBy::kImpulse) forces.obstacles = ObstaclesMeet::kPoints;
  return forces;
}

}  // namespace

bool ContactOptions::Touches(const Scene& scene) const {
  return HasObstacles(scene) || (penalty.between == BodiesMeetBy::kPenalty && SolidsMeet(scene));
}

void ContactOptions::Bind(ParameterBinder& binder) {
  penalty.BindBetween(binder);
  const auto touches = [this](const Scene& scene) { return Touches(scene); };
  binder.OnlyWhen("the scene has obstacles or bodies that meet", touches, [&] {
    binder.Choice(
        "contact", &by, {{"penalty", ContactBy::kPenalty}, {"impulse", ContactBy::kImpulse}},
        "contact with obstacles and between bodies: springs at the points, or in the "
        "cells, that are inside; or impulses at the end of the step in which they enter, "
        "with the restitution of the obstacle or of the pair, and within those in which they stay");
  });
  binder.OnlyWhen(
      "contact = penalty, or contact_between = barrier",
      [this](const Scene&) {
        return by == ContactBy::kPenalty || penalty.between == BodiesMeetBy::kBarrier;
      },
      [&] { penalty.Bind(binder); });
  BindObstacleContact(&penalty.obstacles, binder);
}

LinearDeformationSystem::LinearDeformationSystem(const Scene& scene, std::vector<LinearBody> bodies,
                                                 std::vector<LinearMaterial> materials,
                                                 const ContactOptions& contact,
                                                 const FeedbackOptions& feedback,
                                                 InternalEnergy treatment)
    : bodies_(std::move(bodies)),
      first_(FirstCoordinates(bodies_)),
      first_point_(FirstPoints(scene)),
      coordinates_(first_.back()),
      materials_(std::move(materials)),
      forces_(scene),
      tallied_impulses_(scene),
      contact_(scene, contact.penalty),
      bodies_contact_(scene, OfForces(contact)),
      constraints_(scene.dimension, RowsAtStart(SceneRows(scene)), bodies_, first_),
      rigid_(scene, bodies_, first_),
      feedback_(feedback),
      contact_by_impulses_(contact.by == ContactBy::kImpulse &&
                           (!scene.obstacles.empty() || !body_contact().empty())),
      kept_depth_(kKeptDepth * LargestExtent(scene)),
      supports_(treatment == InternalEnergy::kExplicit),
      has_obstacles_(contact.by == ContactBy::kPenalty && !scene.obstacles.empty()),
      has_body_forces_(barrier() != nullptr ||
                       (contact.by == ContactBy::kPenalty && !bodies_contact_.empty())),
      has_point_forces_(has_obstacles_ || has_body_forces_ || forces_.has_springs() ||
                        forces_.has_timed_forces()),
      points_(Matrix3Xd::Zero(3, scene.PointCount())),
      velocities_(points_),
      point_forces_(points_),
      damping_(points_),
      contact_working_(points_),
      generalized_(VectorXd::Zero(coordinates_)),
      workspace_(constraints_.MakeWorkspace()),
      joined_(JoinedBodies(bodies_.size(), RowsAtStart(SceneRows(scene)))) {
  if (forces_.has_springs() || forces_.has_timed_forces()) acted_on_ = PointsActedOn(scene);
  for (const LinearBody& body : bodies_) moments_.push_back(body.mass_matrix() * body.constant());
  if (contact_by_impulses_ && contact.penalty.obstacles == ObstaclesMeet::kSurface) {
    cells_ = std::make_unique<SurfaceCells>(scene);
  }
  VectorXd velocities;
  InitialState(scene, &start_, &velocities);
  if (AffineStep::WhyNot(scene, bodies_, materials_).empty()) {
    affine_step_ =
        AffineStep::Make(scene, bodies_, materials_, feedback, treatment, constraints_.matrix());
  }
}

bool LinearDeformationSystem::Step(double t, double h, double bound, VectorXd* q, VectorXd* v,
                                   Exchange* work) {
  if (!has_point_forces_ && !support_.acts) {
    return affine_step_->Step(t, h, bound, nullptr, q->data(), v->data(), work);
  }
  Exchange power;
  PointForces(t, *q, *v, &power);
  work->Add(h, power);
  generalized_.setZero();
  for (size_t b = 0; b < bodies_.size(); ++b) AddPointForces(static_cast<int>(b));
  const bool bounded =
      affine_step_->Step(t, h, bound, generalized_.data(), q->data(), v->data(), work);
  Points(*v, &later_);
  later_ = 0.5 * (later_ - velocities_);
  power = {};
  AddPowerOfPointForces(t, later_, &power);
  work->Add(h, power);
  return bounded;
}

void LinearDeformationSystem::AddPointForces(int body) {
  AddGeneralizedForces(bodies_[body],
                       point_forces_.middleCols(first_point_[body], bodies_[body].points()),
                       generalized_.segment(first_[body], bodies_[body].coordinates()));
}

void LinearDeformationSystem::Rates(double t, const VectorXd& q, const VectorXd& v, VectorXd* a,
                                    Exchange* power) {
  const bool at_points = has_point_forces_ || support_.acts;
  if (at_points) PointForces(t, q, v, power);

  a->resize(coordinates_);
  generalized_.setZero();
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const LinearBody& body = bodies_[b];
    const int first = first_[b], size = body.coordinates();
    auto Q = generalized_.segment(first, size);
    if (at_points) AddPointForces(static_cast<int>(b));
    (*power)[WorkClass::kDamping] +=
        AddMaterialForces(body, materials_[b], q.segment(first, size), v.segment(first, size), Q);
    Accelerations(body, Q, a->segment(first, size));
    for (int r = 0; r < body.world_dimension(); ++r) {
      a->segment(first + r * body.columns(), body.columns()) +=
          forces_.gravity().acceleration()[r] * body.constant();
    }
    if (forces_.gravity().acts()) AddWeight(static_cast<int>(b), q, power);
  }
  if (!rigid_.empty()) rigid_.Constrain(t, q, v, feedback_, constraints_, &workspace_, a);
  if (!constraints_.empty()) constraints_.Constrain(t, q, v, feedback_, a, &workspace_, power);
}

void LinearDeformationSystem::AddWeight(int b, const VectorXd& q, Exchange* rates) const {
  const LinearBody& body = bodies_[b];
  const Vector3d& g = forces_.gravity().acceleration();
  Vector3d moment = Vector3d::Zero();  // Σ m x
  for (int r = 0; r < body.world_dimension(); ++r) {
    moment[r] = moments_[b].dot(q.segment(first_[b] + r * body.columns(), body.columns()));
  }
  rates->impulse += body.mass() * g;
  rates->angular_impulse += moment.cross(g);
}

void LinearDeformationSystem::AddPowerAt(double t, const VectorXd& /*q*/, const VectorXd& /*v*/,
                                         const VectorXd& other, Exchange* power) {
  if (has_point_forces_ || support_.acts) {
    Points(other, &later_);
    AddPowerOfPointForces(t, later_, power);
  }
  if (!constraints_.empty()) constraints_.AddPowerLater(other, 0.5 * step_, &workspace_, power);
}

void LinearDeformationSystem::AddPowerOfPointForces(double t, const Matrix3Xd& velocities,
                                                    Exchange* power) {
  const auto power_of = [&](const Matrix3Xd& forces) {
    double sum = 0.0;
    for (int n : acted_on_) sum += forces.col(n).dot(velocities.col(n));
    return sum;
  };
  if (pushes()) {
    (*power)[WorkClass::kContact] += contact_working_.cwiseProduct(velocities).sum();
  }
  if (support_.acts) AddPowerOfSupport(velocities, power);
  if (forces_.has_springs()) (*power)[WorkClass::kDamping] += power_of(damping_);
  if (forces_.has_timed_forces()) {
    point_forces_.setZero();
    forces_.AddTimedForces(t, point_forces_);
    (*power)[WorkClass::kForce] += power_of(point_forces_);
  }
}

void LinearDeformationSystem::PointForces(double t, const VectorXd& q, const VectorXd& v,
                                          Exchange* power) {
  Points(q, &points_);
  Points(v, &velocities_);
  point_forces_.setZero();
  if (forces_.has_timed_forces()) {
    forces_.AddTimedForces(t, point_forces_);
    (*power)[WorkClass::kForce] += point_forces_.cwiseProduct(velocities_).sum();
  }
  if (forces_.has_springs()) {
    forces_.AddSprings(points_, point_forces_);
    damping_.setZero();
    forces_.AddSpringDamping(points_, velocities_, damping_);
    (*power)[WorkClass::kDamping] += damping_.cwiseProduct(velocities_).sum();
    point_forces_ += damping_;
  }
  // What springs between points do to each other cancels.
  for (int n : acted_on_) power->AddForceAt(points_.col(n), point_forces_.col(n));
  if (support_.acts) {
    point_forces_ += support_.forces;
    AddPowerOfSupport(velocities_, power);
    (*power)[WorkClass::kContact] -= support_.active;
    (*power)[WorkClass::kMovedObstacle] += support_.active;
    // What bodies do to each other cancels.
    for (Eigen::Index n = 0; n < points_.cols(); ++n) {
      power->AddForceAt(points_.col(n), support_.of_obstacles.col(n));
    }
  }
  if (pushes()) contact_working_.setZero();
  if (has_obstacles_) {
    contact_.AddForces(t, points_, velocities_, point_forces_, power, &contact_working_);
  }
  if (has_body_forces_) {
    bodies_contact_.AddForces(t, points_, velocities_, point_forces_, power, &contact_working_);
  }
}

void LinearDeformationSystem::InitialState(const Scene& scene, VectorXd* q, VectorXd* v) const {
  q->resize(coordinates_);
  v->resize(coordinates_);
  for (size_t b = 0; b < bodies_.size(); ++b) {
    q->segment(first_[b], bodies_[b].coordinates()) =
        bodies_[b].InitialCoordinates(scene.bodies[b]);
    v->segment(first_[b], bodies_[b].coordinates()) = bodies_[b].InitialRates(scene.bodies[b]);
  }
}

void LinearDeformationSystem::Points(const VectorXd& coordinates, Matrix3Xd* points) const {
  points->resize(3, forces_.masses().size());
  points->row(2).setZero();  // planar bodies leave it
  for (size_t b = 0; b < bodies_.size(); ++b) {
    MapToPoints(bodies_[b], coordinates.segment(first_[b], bodies_[b].coordinates()),
                points->middleCols(first_point_[b], bodies_[b].points()));
  }
}

bool LinearDeformationSystem::has_boxes() const {
  return std::any_of(bodies_.begin(), bodies_.end(),
                     [](const LinearBody& body) { return body.inertia() == Inertia::kBox; });
}

MaterialSums LinearDeformationSystem::Sums(const VectorXd& q, const VectorXd& v) const {
  MaterialSums sums;
  Vector3d moment = Vector3d::Zero();  // ∫ x dm
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const LinearBody& body = bodies_[b];
    const Eigen::MatrixXd& M = body.mass_matrix();
    const auto row = [&](const VectorXd& of, int r) {
      return of.segment(first_[b] + r * body.columns(), body.columns());
    };
    Eigen::Matrix3d products = Eigen::Matrix3d::Zero();  // ∫ x ẋᵀ dm
    for (int j = 0; j < body.world_dimension(); ++j) {
      sums.momentum[j] += moments_[b].dot(row(v, j));
      moment[j] += moments_[b].dot(row(q, j));
      for (int c = 0; c < body.columns(); ++c) {
        const double momentum = M.col(c).dot(row(v, j));
        sums.kinetic_energy += 0.5 * row(v, j)[c] * momentum;
        for (int i = 0; i < body.world_dimension(); ++i) products(i, j) += row(q, i)[c] * momentum;
      }
    }
    sums.angular_momentum +=
        Vector3d(products(1, 2) - products(2, 1), products(2, 0) - products(0, 2),
                 products(0, 1) - products(1, 0));
    sums.mass += body.mass();
  }
  sums.centre = moment / sums.mass;
  sums.gravitational_energy = -forces_.gravity().acceleration().dot(moment);
  return sums;
}

double LinearDeformationSystem::ElasticEnergy(const VectorXd& q) const {
  double energy = 0.0;
  for (size_t b = 0; b < bodies_.size(); ++b) {
    energy += DeformationEnergy(bodies_[b], materials_[b],
                                q.segment(first_[b], bodies_[b].coordinates()));
  }
  return energy;
}

void LinearDeformationSystem::AddImpulses(const Matrix3Xd& impulses, VectorXd* v) {
  VectorXd change(coordinates_);
  generalized_.setZero();
  for (size_t b = 0; b < bodies_.size(); ++b) {
    const LinearBody& body = bodies_[b];
    auto Q = generalized_.segment(first_[b], body.coordinates());
    AddGeneralizedForces(body, impulses.middleCols(first_point_[b], body.points()), Q);
    Accelerations(body, Q, change.segment(first_[b], body.coordinates()));
  }
  *v += change;
}

void LinearDeformationSystem::ApplyImpulses(double t, const Matrix3Xd& impulses, const VectorXd& q,
                                            VectorXd* v, Exchange* work) {
  Points(q, &points_);
  for (Eigen::Index n = 0; n < impulses.cols(); ++n) {
    work->AddForceAt(points_.col(n), impulses.col(n));
  }
  // The work of an impulse uses the mean of the velocities before and after.
  Points(*v, &velocities_);
  (*work)[WorkClass::kImpulse] += 0.5 * impulses.cwiseProduct(velocities_).sum();
  VectorXd change = VectorXd::Zero(coordinates_);
  AddImpulses(impulses, &change);
  ConstrainChange(q, &change);
  if (!constraints_.empty()) constraints_.AddReaction(t, q, *v, &workspace_, work);
  *v += change;
  Points(*v, &velocities_);
  (*work)[WorkClass::kImpulse] += 0.5 * impulses.cwiseProduct(velocities_).sum();
}

void LinearDeformationSystem::MatchVelocities(double begin, double end, const VectorXd& q,
                                              VectorXd* v, Exchange* work) {
  if (!constraints_.empty()) constraints_.MatchVelocities(begin, end, q, v, &workspace_, work);
  if (!rigid_.empty()) rigid_.MatchVelocities(q, constraints_, &workspace_, v);
}

void LinearDeformationSystem::ConstrainChange(const VectorXd& q, VectorXd* change) {
  if (!rigid_.empty()) rigid_.ConstrainChange(q, constraints_, &workspace_, change);
  if (!constraints_.empty()) constraints_.TakeAwayRates(change, &workspace_);
}

double LinearDeformationSystem::Contradiction(double t) {
  if (constraints_.redundant() == 0) return 0.0;
  constraints_.MeasureContradiction(t, start_, &generalized_, &workspace_);
  return workspace_.gap.rowwise().norm().maxCoeff();
}

void LinearDeformationSystem::SetConstraints(const std::vector<const ConstraintRow*>& rows) {
  constraints_ = PointConstraints(bodies_.front().world_dimension(), rows, bodies_, first_);
  workspace_ = constraints_.MakeWorkspace();
  answering_ = {};
  rigid_.PointsChange();
  joined_ = JoinedBodies(bodies_.size(), rows);
}

}  // namespace pliant::linear_deformation
