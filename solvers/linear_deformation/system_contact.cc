// Contact of linearly deformable bodies: impulses of a step with obstacles and with one another, and
// what contact keeps over a step.

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
  std::vector<int> parent = joined_to_;
  const auto root = [&parent](int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  for (int j = 0; j < places.size(); ++j) {
    const int one = root(BodyOf(places.points[places.first[j]]));
    for (int k = places.first[j]; k < places.first[j + 1]; ++k) {
      parent[root(BodyOf(places.points[k]))] = one;
    }
  }
  std::vector<std::vector<int>> islands;
  std::vector<int> number(bodies_.size(), -1);  // of the island, by the body that stands for it
  for (int j = 0; j < places.size(); ++j) {
    int& island = number[root(BodyOf(places.points[places.first[j]]))];
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
  if (places == touching_ && rigid_.empty()) return contact_response_;
  touching_ = places;
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
  for (const CellContact& contact : finder.contacts()) {
    const double size =
        bodies_.front().world_dimension() == 2 ? contact.extent : std::sqrt(contact.extent);
    if (!(contact.depth > kTouching * size) || contact.push.isZero(0.0)) continue;
    const auto add = [&](int cell, double sign) {
      finder.ForEachWeight(cell, finder.WeightsIn(cell, contact.place),
                           [&](int point, double weight) { places->Add(point, sign * weight); });
    };
    add(contact.cell, 1.0);
    add(contact.partner, -1.0);
    places->End();
    touches->push_back({-1, contact.push, Vector3d::Zero(), contact.depth, contact.restitution,
                        contact.friction, contact.a, -1, contact.b});
  }
}

void LinearDeformationSystem::ApplyContactImpulses(double t, const VectorXd& q, VectorXd* v,
                                                   Exchange* work) {
  if (!contact_by_impulses_) return;
  Points(q, &points_);
  contact_impulses_.setZero(3, points_.cols());
  tallied_impulses_.Begin();
  std::vector<ImpulseTouch> touches = FindTouches(contact_.obstacles(), t, points_);
  for (ImpulseTouch& touch : touches) touch.body = tallied_impulses_.BodyOf(touch.point);
  TouchPlaces places;
  for (const ImpulseTouch& touch : touches) {
    places.Add(touch.point, 1.0);
    places.End();
  }
  if (cells_) AddSurfaceTouches(t, &touches, &places);
  const int with_obstacles = places.size();
  if (!body_contact().empty()) AddBodyTouches(&touches, &places);
  if (touches.empty()) return;
  const ImpulseResponse& response = ContactResponse(q, places);
  const int count = places.size();
  Points(*v, &velocities_);
  Matrix3Xd at(3, count);
  for (int j = 0; j < count; ++j) at.col(j) = places.VelocityOf(j, velocities_);
  const Matrix3Xd solved = SolveImpulses(touches, response, at, feedback_.frequency);
  for (int j = 0; j < count; ++j) places.AddImpulse(j, solved.col(j), &contact_impulses_);
  VectorXd change = VectorXd::Zero(coordinates_);
  AddImpulses(contact_impulses_, &change);
  ConstrainChange(q, &change);
  if (!constraints_.empty()) constraints_.AddReaction(t, q, *v, &workspace_, work);
  *v += change;
  Points(*v, &velocities_);
  // Of the mean of the velocities before and after, relative to the obstacle, which moves on.
  // Bodies exchange momentum with each other alone.
  for (int j = 0; j < count; ++j) {
    const ImpulseTouch& touch = touches[j];
    const Vector3d mean = 0.5 * (at.col(j) + places.VelocityOf(j, velocities_));
    const double passive = solved.col(j).dot(mean - touch.velocity);
    if (touch.obstacle >= 0) {
      tallied_impulses_.AddObstacleForce(touch.body, touch.obstacle, solved.col(j));
    } else {
      tallied_impulses_.AddBodyForce(touch.body, touch.other, solved.col(j));
    }
    if (j < with_obstacles) {
      work->AddContact(places.VelocityOf(j, points_), solved.col(j),
                       solved.col(j).dot(touch.velocity), passive);
    } else {
      (*work)[WorkClass::kContact] += passive;
    }
  }
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
