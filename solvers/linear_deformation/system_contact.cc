// Contact of linearly deformable bodies: bounce and support of a step by impulses (impulse.h) with obstacles and with one
// another, and what contact keeps over a step.

#include <algorithm>
#include <cmath>

#include "solvers/linear_deformation/linear_deformation_system.h"
#include "solvers/state_stream.h"

namespace pliant::linear_deformation {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// A response to an impulse below this fraction of that of the free body is rounding.
constexpr double kHeld = 1e-10;
// Cells that have less than this share of their size in common with a body touch it by rounding.
constexpr double kTouching = 1e-10;
// Two touches of a pair of bodies are one where they are nearer than this, in sizes of a cell, and their normals in rad:
// as a rule those of a cell and of its partner. Almost equal touches answer each other almost alike, and the laws of both would be
// solved with the errors of a difference of 10⁻¹⁰.
constexpr double kSamePlace = 1e-3, kSameWay = 1e-3;
// A velocity that moves by less than this fraction of the kept depth in a step is negligible; impulses are solved to a
// thousandth of it.
constexpr double kNegligible = 1e-6;
constexpr double kSolved = 1e-3;

}  // namespace

Vector3d LinearDeformationSystem::TouchPlaces::VelocityOf(int touch,
                                                          const Matrix3Xd& velocities) const {
  Vector3d velocity = Vector3d::Zero();
  for (int k = first[touch]; k < first[touch + 1]; ++k) {
    velocity += weights[k] * velocities.col(points[k]);
  }
  return velocity;
}

void LinearDeformationSystem::TouchPlaces::AddImpulse(int touch, const Vector3d& impulse,
                                                      Matrix3Xd* impulses) const {
  for (int k = first[touch]; k < first[touch + 1]; ++k) {
    impulses->col(points[k]) += weights[k] * impulse;
  }
}

int LinearDeformationSystem::BodyOf(int point) const {
  const auto next = std::upper_bound(first_point_.begin(), first_point_.end(), point);
  return static_cast<int>(next - first_point_.begin()) - 1;
}

std::vector<std::vector<int>> LinearDeformationSystem::IslandsOf(const TouchPlaces& places) const {
  DisjointSets joined = joined_;
  for (int j = 0; j < places.size(); ++j) {
    const int one = BodyOf(places.points[places.first[j]]);
    for (int k = places.first[j]; k < places.first[j + 1]; ++k) {
      joined.Join(BodyOf(places.points[k]), one);
    }
  }
  std::vector<std::vector<int>> islands;
  std::vector<int> number(bodies_.size(), -1);  // of the island, by the body that stands for it
  for (int j = 0; j < places.size(); ++j) {
    int& island = number[joined.Root(BodyOf(places.points[places.first[j]]))];
    if (island < 0) {
      island = static_cast<int>(islands.size());
      islands.emplace_back();
    }
    islands[island].push_back(j);
  }
  return islands;
}

// Unit impulses act on one touch of every island at once.
const ImpulseResponse& LinearDeformationSystem::ContactResponse(const VectorXd& q,
                                                                const TouchPlaces& places) {
  if (places == answering_ && (rigid_.empty() || q == answering_at_)) return contact_response_;
  answering_ = places;
  if (!rigid_.empty()) answering_at_ = q;
  contact_response_.islands = IslandsOf(places);
  contact_response_.blocks.clear();
  size_t largest = 0;
  for (const std::vector<int>& island : contact_response_.islands) {
    const auto size = 3 * static_cast<Eigen::Index>(island.size());
    contact_response_.blocks.push_back(Eigen::MatrixXd::Zero(size, size));
    largest = std::max(largest, island.size());
  }
  Matrix3Xd impulses = Matrix3Xd::Zero(3, points_.cols());
  Matrix3Xd free;
  VectorXd v(coordinates_);
  for (size_t k = 0; k < largest; ++k) {
    for (int c = 0; c < bodies_.front().world_dimension(); ++c) {
      impulses.setZero();
      for (const std::vector<int>& island : contact_response_.islands) {
        if (k < island.size()) places.AddImpulse(island[k], Vector3d::Unit(c), &impulses);
      }
      v.setZero();
      AddImpulses(impulses, &v);
      Points(v, &velocities_);
      if (!constraints_.empty() || !rigid_.empty()) {
        free = velocities_;
        ConstrainChange(q, &v);
        Points(v, &velocities_);
      }
      for (size_t i = 0; i < contact_response_.islands.size(); ++i) {
        const std::vector<int>& island = contact_response_.islands[i];
        if (k >= island.size()) continue;
        // A point held by constraints does not respond; the remainder is rounding.
        if (!constraints_.empty() && places.VelocityOf(island[k], velocities_).norm() <
                                         kHeld * places.VelocityOf(island[k], free).norm()) {
          continue;
        }
        const auto column = 3 * static_cast<Eigen::Index>(k) + c;
        for (size_t other = 0; other < island.size(); ++other) {
          contact_response_.blocks[i].col(column).segment<3>(3 * static_cast<Eigen::Index>(other)) =
              places.VelocityOf(island[other], velocities_);
        }
      }
    }
  }
  return contact_response_;
}

void LinearDeformationSystem::AddSurfaceTouches(double t, std::vector<ImpulseTouch>* touches,
                                                TouchPlaces* places) {
  cells_->Place(points_);
  const std::vector<Obstacle>& obstacles = contact_.obstacles();
  for (int o = 0; o < static_cast<int>(obstacles.size()); ++o) {
    const Obstacle& obstacle = obstacles[o];
    const PathPoint origin = obstacle.motion.At(t);
    found_.clear();
    cells_->Find(obstacle, o, origin.position, points_, 0.0, &found_);
    for (const SurfacePlace& place : found_) {
      for (int i = 0; i < place.at.count; ++i) places->Add(place.at.point[i], place.at.weight[i]);
      places->End();
      touches->push_back({place.at.point[0], place.normal, origin.velocity, -place.distance,
                          obstacle.restitution, obstacle.friction,
                          tallied_impulses_.BodyOf(place.at.point[0]), o});
    }
  }
}

void LinearDeformationSystem::AddBodyTouches(std::vector<ImpulseTouch>* touches,
                                             TouchPlaces* places) {
  const BodyContacts& finder = bodies_contact_.penalty().FindAt(points_);
  between_.clear();
  const auto first = static_cast<int>(touches->size());
  for (const CellContact& contact : finder.contacts()) {
    const double size =
        bodies_.front().world_dimension() == 2 ? contact.extent : std::sqrt(contact.extent);
    if (!(contact.depth > kTouching * size) || contact.push.isZero(0.0)) continue;
    // Is it there already? Contacts of a pair of bodies follow one another.
    bool there = false;
    for (auto k = static_cast<int>(between_.size()) - 1; k >= 0 && !there; --k) {
      ImpulseTouch& other = (*touches)[first + k];
      const bool same = other.body == contact.a && other.other == contact.b;
      if (!same && !(other.body == contact.b && other.other == contact.a)) break;
      const Vector3d push = same ? contact.push : Vector3d(-contact.push);
      there = (between_[k] - contact.place).norm() < kSamePlace * size &&
              (push - other.normal).norm() < kSameWay;
      if (!there) continue;
      other.normal = (other.normal + push).normalized();
      other.depth = std::max(other.depth, contact.depth);
    }
    if (there) continue;
    const auto add = [&](int cell, double sign) {
      finder.ForEachWeight(cell, finder.WeightsIn(cell, contact.place),
                           [&](int point, double weight) { places->Add(point, sign * weight); });
    };
    add(contact.cell, 1.0);
    add(contact.partner, -1.0);
    places->End();
    between_.push_back(contact.place);
    touches->push_back({-1, contact.push, Vector3d::Zero(), contact.depth, contact.restitution,
                        contact.friction, contact.a, -1, contact.b});
  }
}

Matrix3Xd LinearDeformationSystem::ResponseTo(const Matrix3Xd& impulses) const {
  Matrix3Xd velocities(3, impulses.cols());
  for (size_t i = 0; i < contact_response_.islands.size(); ++i) {
    const std::vector<int>& island = contact_response_.islands[i];
    const auto count = static_cast<Eigen::Index>(island.size());
    Matrix3Xd of_island(3, count);
    for (Eigen::Index k = 0; k < count; ++k) of_island.col(k) = impulses.col(island[k]);
    const VectorXd moved = contact_response_.blocks[i] * of_island.reshaped();
    for (Eigen::Index k = 0; k < count; ++k) velocities.col(island[k]) = moved.segment<3>(3 * k);
  }
  return velocities;
}

const LinearDeformationSystem::Touching& LinearDeformationSystem::FindTouching(double t,
                                                                               const VectorXd& q) {
  Points(q, &points_);
  if (touching_time_ == t && touching_at_.size() > 0 && touching_at_ == q) return touching_;
  touching_time_ = t;
  touching_at_ = q;
  touching_.touches = FindTouches(contact_.obstacles(), t, points_);
  touching_.places = {};
  for (ImpulseTouch& touch : touching_.touches) {
    touch.body = tallied_impulses_.BodyOf(touch.point);
    touching_.places.Add(touch.point, 1.0);
    touching_.places.End();
  }
  if (cells_) AddSurfaceTouches(t, &touching_.touches, &touching_.places);
  touching_.with_obstacles = touching_.size();
  if (!body_contact().empty()) AddBodyTouches(&touching_.touches, &touching_.places);
  return touching_;
}

double LinearDeformationSystem::Negligible(double h) const { return kNegligible * kept_depth_ / h; }

Matrix3Xd LinearDeformationSystem::VelocitiesOf(const Touching& touching, const VectorXd& v) {
  Points(v, &velocities_);
  Matrix3Xd of(3, touching.size());
  for (int j = 0; j < touching.size(); ++j) {
    of.col(j) = touching.places.VelocityOf(j, velocities_);
  }
  return of;
}

void LinearDeformationSystem::BeginTally() {
  contact_impulses_.setZero(3, points_.cols());
  tallied_impulses_.Begin();
}

void LinearDeformationSystem::TallyImpulse(const ImpulseTouch& touch, const Vector3d& impulse) {
  if (touch.obstacle >= 0) {
    tallied_impulses_.AddObstacleForce(touch.body, touch.obstacle, impulse);
  } else {
    tallied_impulses_.AddBodyForce(touch.body, touch.other, impulse);
  }
}

bool LinearDeformationSystem::Bounce(double t, double h, const VectorXd& q, VectorXd* v,
                                     Exchange* work) {
  const Touching& touching = FindTouching(t, q);
  const int count = touching.size();
  if (count == 0) return true;
  const Matrix3Xd before = VelocitiesOf(touching, *v);
  VectorXd least(count);
  bool approaches = false;
  for (int j = 0; j < count; ++j) {
    const ImpulseTouch& touch = touching.touches[j];
    least[j] = touch.LeastAfterBounce(before.col(j));
    if (!supports_) least[j] = std::max(least[j], touch.LeastOnSupport(feedback_.frequency, 0.0));
    const double leaving = (before.col(j) - touch.velocity).dot(touch.normal);
    approaches = approaches || leaving < (supports_ ? 0.0 : least[j]) - Negligible(h);
  }
  if (!approaches) return true;
  const SolvedImpulses solved = SolveImpulses(touching.touches, ContactResponse(q, touching.places),
                                              before, least, kSolved * Negligible(h));
  Matrix3Xd impulses = Matrix3Xd::Zero(3, points_.cols());
  for (int j = 0; j < count; ++j) touching.places.AddImpulse(j, solved.at.col(j), &impulses);
  contact_impulses_ += impulses;
  VectorXd change = VectorXd::Zero(coordinates_);
  AddImpulses(impulses, &change);
  ConstrainChange(q, &change);
  if (!constraints_.empty()) constraints_.AddReaction(t, q, *v, &workspace_, work);
  *v += change;
  const Matrix3Xd after = VelocitiesOf(touching, *v);
  // Of the mean of the velocities before and after, relative to the obstacle, which moves on.
  // Bodies exchange momentum with each other alone.
  for (int j = 0; j < count; ++j) {
    const ImpulseTouch& touch = touching.touches[j];
    const Vector3d impulse = solved.at.col(j), mean = 0.5 * (before.col(j) + after.col(j));
    const double passive = impulse.dot(mean - touch.velocity);
    TallyImpulse(touch, impulse);
    if (j < touching.with_obstacles) {
      work->AddContact(touching.places.VelocityOf(j, points_), impulse, impulse.dot(touch.velocity),
                       passive);
    } else {
      (*work)[WorkClass::kContact] += passive;
    }
  }
  return solved.converged;
}

bool LinearDeformationSystem::BeginSupport(double t, double h, const VectorXd& q) {
  if (!supports_) return false;
  FindTouching(t, q);
  if (touching_.size() == 0) return false;
  support_.step = h;
  support_.impulses.setZero(3, touching_.size());
  // Obstacles move on by their mean velocity.
  for (ImpulseTouch& touch : touching_.touches) {
    if (touch.obstacle < 0) continue;
    const Path& path = contact_.obstacles()[touch.obstacle].motion;
    touch.velocity = (path.At(t + h).position - path.At(t).position) / h;
  }
  touching_at_.resize(0);  // their velocities are no longer those at t
  return true;
}

LinearDeformationSystem::Supported LinearDeformationSystem::AdjustSupport(const VectorXd& q,
                                                                          const VectorXd& v) {
  if (!v.allFinite()) return Supported::kNotConverged;
  const int count = touching_.size();
  const ImpulseResponse& response = ContactResponse(q, touching_.places);
  const Matrix3Xd without = VelocitiesOf(touching_, v) - ResponseTo(support_.impulses);
  VectorXd least(count);
  for (int j = 0; j < count; ++j) {
    least[j] = touching_.touches[j].LeastOnSupport(feedback_.frequency, kept_depth_);
  }
  const double negligible = Negligible(support_.step);
  const SolvedImpulses solved =
      SolveImpulses(touching_.touches, response, without, least, kSolved * negligible);
  const double lacking = ResponseTo(solved.at - support_.impulses).colwise().norm().maxCoeff();
  support_.impulses = solved.at;
  support_.of_obstacles.setZero(3, points_.cols());
  support_.active = 0.0;
  for (int j = 0; j < count; ++j) {
    if (j == touching_.with_obstacles) support_.forces = support_.of_obstacles;
    const Vector3d force = solved.at.col(j) / support_.step;
    const bool of_obstacle = j < touching_.with_obstacles;
    touching_.places.AddImpulse(j, force, of_obstacle ? &support_.of_obstacles : &support_.forces);
    support_.active += force.dot(touching_.touches[j].velocity);
  }
  if (count == touching_.with_obstacles) support_.forces = support_.of_obstacles;
  support_.acts = true;
  if (!solved.converged) return Supported::kNotConverged;
  return lacking <= negligible ? Supported::kYes : Supported::kNotYet;
}

void LinearDeformationSystem::EndSupport() {
  if (!support_.acts) return;
  support_.acts = false;
  contact_impulses_ += support_.step * support_.forces;
  for (int j = 0; j < touching_.size(); ++j) {
    TallyImpulse(touching_.touches[j], support_.impulses.col(j));
  }
}

void LinearDeformationSystem::AddPowerOfSupport(const Matrix3Xd& velocities,
                                                Exchange* power) const {
  (*power)[WorkClass::kContact] += support_.forces.cwiseProduct(velocities).sum();
}

void LinearDeformationSystem::AddContactForces(double t, const VectorXd& q, const VectorXd& v,
                                               MutablePointsRef forces) {
  Points(q, &points_);
  Points(v, &velocities_);
  Exchange unused;
  if (has_obstacles_) contact_.AddForces(t, points_, velocities_, forces, &unused);
  if (has_body_forces_) bodies_contact_.AddForces(t, points_, velocities_, forces, &unused);
}

void LinearDeformationSystem::TallyContactForces(double t, const VectorXd& q, const VectorXd& v,
                                                 ContactTally* tally) {
  Points(q, &points_);
  Points(v, &velocities_);
  if (has_obstacles_) contact_.TallyForces(t, points_, velocities_, tally);
  if (has_body_forces_) bodies_contact_.TallyForces(t, points_, velocities_, tally);
}

double LinearDeformationSystem::ContactEnergy(double t, const PointsRef& x) {
  return (has_obstacles_ ? contact_.Energy(t, x) : 0.0) +
         (has_body_forces_ ? bodies_contact_.Energy(t, x) : 0.0);
}

double LinearDeformationSystem::UpdateContact(double t, const VectorXd& q, const VectorXd& v) {
  if (!pushes()) return 0.0;
  Points(q, &points_);
  Points(v, &velocities_);
  return (has_obstacles_ ? contact_.Update(t, points_, velocities_) : 0.0) +
         (has_body_forces_ ? bodies_contact_.Update(t, points_, velocities_) : 0.0);
}

void LinearDeformationSystem::SaveContact(Eigen::Ref<VectorXd> state) const {
  contact_.Save(state.head(contact_.StateSize()));
  bodies_contact_.Save(state.segment(contact_.StateSize(), bodies_contact_.StateSize()));
  if (!contact_by_impulses_) return;
  StateWriter write(state.tail(TallyStateSize()));
  tallied_impulses_.Save(&write);
}

void LinearDeformationSystem::RestoreContact(const Eigen::Ref<const VectorXd>& state) {
  contact_.Restore(state.head(contact_.StateSize()));
  bodies_contact_.Restore(state.segment(contact_.StateSize(), bodies_contact_.StateSize()));
  if (!contact_by_impulses_) return;
  const Eigen::Ref<const VectorXd> tally = state.tail(TallyStateSize());
  StateReader read(tally);
  tallied_impulses_.Restore(&read);
}

}  // namespace pliant::linear_deformation
