#include "solvers/finite_elements/contact.h"

#include <algorithm>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3Xd;

Matrix3Xd RestOf(const Discretisation& bodies) {
  Matrix3Xd rest(3, bodies.node_count());
  for (int p = 0; p < bodies.part_count(); ++p) {
    rest.middleCols(bodies.first(p), bodies.part(p).node_count()) = bodies.part(p).rest();
  }
  return rest;
}

}  // namespace

Contact::Contact(const Scene& scene, const Discretisation& bodies, const ContactOptions& options)
    : options_(options),
      places_(scene, bodies),
      obstacles_(scene, places_, options),
      cells_(scene, places_, options),
      pairs_(scene, places_, places_.At(RestOf(bodies)), options) {
  if (options.obstacles == ObstaclesMeet::kPoints && places_.size() > 0) {
    passes_ = WhatPassesBetweenPlaces(scene, places_, places_.At(RestOf(bodies)));
  }
}

template <typename Use>
void Contact::WithPlaces(const NodeMotion& motion, const Use& use) const {
  x0_.noalias() = motion.q0 * places_.nodes_to_places;
  x1_.noalias() = motion.q1 * places_.nodes_to_places;
  use(PointMotion{x0_, x1_, motion.t0, motion.t1});
}

double Contact::Energy(double time, const Matrix3Xd& q) const {
  const Matrix3Xd x = places_.At(q);
  return obstacles_.Energy(time, x) + cells_.Energy(time, x) + pairs_.Energy(x);
}

void Contact::Begin(const NodeMotion& motion) {
  if (pairs_.empty() && cells_.empty()) return;
  WithPlaces(motion, [this](const PointMotion& places) {
    pairs_.Begin(places.x0, places.x1);
    cells_.Begin(places);
  });
}

void Contact::Include(const Matrix3Xd& q) {
  if (pairs_.empty() && cells_.empty()) return;
  const Matrix3Xd x = places_.At(q);
  pairs_.Include(x);
  cells_.Include(x);
}

std::vector<NodeCombination> Contact::Links() const {
  std::vector<NodeCombination> links;
  for (int place = 0; place < places_.size() && !obstacles_.empty(); ++place) {
    links.emplace_back();
    using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
    for (Rows::InnerIterator it(places_.rows, place); it; ++it) {
      links.back().emplace_back(static_cast<int>(it.col()), it.value());
    }
  }
  for (auto& more : {cells_.Links(), pairs_.Links()}) {
    links.insert(links.end(), more.begin(), more.end());
  }
  return links;
}

void Contact::AddForces(double time, const Matrix3Xd& q, Matrix3Xd* forces) const {
  const Matrix3Xd x = places_.At(q);
  Matrix3Xd on_places = Matrix3Xd::Zero(3, x.cols());
  obstacles_.AddForces(time, x, &on_places);
  cells_.AddForces(time, x, &on_places);
  pairs_.AddForces(x, &on_places);
  *forces += places_.OnNodes(on_places);
}

void Contact::AddDiscreteForces(const NodeMotion& motion, Matrix3Xd* forces) const {
  WithPlaces(motion, [&](const PointMotion& places) {
    Matrix3Xd on_places = Matrix3Xd::Zero(3, places.x1.cols());
    obstacles_.AddDiscreteForces(places, &on_places);
    cells_.AddDiscreteForces(places, &on_places);
    pairs_.AddDiscreteForces(places, &on_places);
    *forces += places_.OnNodes(on_places);
  });
}

void Contact::AddFriction(const NodeMotion& motion, bool discrete, Matrix3Xd* forces) const {
  WithPlaces(motion, [&](const PointMotion& places) {
    Matrix3Xd on_places = Matrix3Xd::Zero(3, places.x1.cols());
    obstacles_.AddFriction(places, discrete, &on_places);
    cells_.AddFriction(places, discrete, &on_places);
    pairs_.AddFriction(places, discrete, &on_places);
    *forces += places_.OnNodes(on_places);
  });
}

std::vector<Rub> Contact::Rubs(const NodeMotion& motion, double time, const Matrix3Xd& q) const {
  std::vector<Rub> rubs;
  WithPlaces(motion, [&](const PointMotion& places) {
    const Matrix3Xd x = places_.At(q);
    obstacles_.AddRubs(places, time, x, &rubs);
    cells_.AddRubs(places, time, x, &rubs);
    pairs_.AddRubs(x, &rubs);
  });
  return rubs;
}

Contact::Rubbed Contact::RubbedBy(const std::vector<Rub>& rubs, const NodeMotion& motion) const {
  Rubbed rubbed;
  if (rubs.empty()) return rubbed;
  const double rise = options_.FrictionRise(motion.t1 - motion.t0);
  WithPlaces(motion, [&](const PointMotion& places) {
    for (const Rub& rub : rubs) {
      Eigen::Vector3d moved = -rub.shift;
      for (int i = 0; i < rub.count; ++i) {
        moved += rub.weights[i] * (places.x1.col(rub.places[i]) - places.x0.col(rub.places[i]));
      }
      const Eigen::Vector3d force = FrictionForce(rub.most, rub.normal, moved, rise);
      rubbed.potential += FrictionPotential(rub.most, rub.normal, moved, rise);
      rubbed.lost += force.dot(moved);
      rubbed.from_obstacles += force.dot(rub.shift);
    }
  });
  return rubbed;
}

void Contact::Tally(const NodeMotion& motion, bool discrete, const ContactDurations& durations,
                    ContactTally* tally) const {
  if (empty()) return;
  WithPlaces(motion, [&](const PointMotion& places) {
    obstacles_.Tally(places, discrete, durations, tally);
    cells_.Tally(places, discrete, durations, tally);
    pairs_.Tally(places, discrete, durations, tally);
  });
}

void Contact::AddTangent(const NodeMotion& motion, bool discrete, double factor, int first_link,
                         ReducedMatrix* matrix) const {
  WithPlaces(motion, [&](const PointMotion& places) {
    obstacles_.AddTangent(places, discrete, factor, first_link, matrix);
    const int of_cells = first_link + (obstacles_.empty() ? 0 : places_.size());
    cells_.AddTangent(places, discrete, factor, of_cells, matrix);
    pairs_.AddTangent(places, discrete, factor, of_cells + cells_.near(), matrix);
  });
}

ObstacleContact::Work Contact::WorkOfObstacles(const NodeMotion& motion, bool discrete) const {
  ObstacleContact::Work work;
  WithPlaces(motion, [&](const PointMotion& places) {
    work = obstacles_.WorkOfObstacles(places, discrete);
    cells_.AddWorkOfObstacles(places, discrete, &work);
  });
  return work;
}

double Contact::PushWorkAt(const NodeMotion& motion, double time, const Matrix3Xd& q) const {
  double work = 0.0;
  WithPlaces(motion, [&](const PointMotion& places) {
    const Matrix3Xd x = places_.At(q);
    work = obstacles_.PushWorkAt(places, time, x) + cells_.PushWorkAt(places, time, x);
  });
  return work;
}

double Contact::LargestFraction(double time, const Matrix3Xd& q, const Matrix3Xd& p) {
  if (empty()) return 1.0;
  const Matrix3Xd x = places_.At(q), y = places_.At(p);
  return std::min({obstacles_.LargestFraction(time, x, y), cells_.LargestFraction(time, x, y),
                   pairs_.LargestFraction(x, y)});
}

}  // namespace pliant::finite_elements
