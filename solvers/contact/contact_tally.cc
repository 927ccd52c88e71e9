#include "solvers/contact/contact_tally.h"

namespace pliant {

using Eigen::Vector3d;

std::array<SeriesColumn, 3> ContactImpulseColumns() {
  return {{{"contact_impulse_x.{pair}_N_s", "N s", "contact impulse on the first of {pair}, x"},
           {"contact_impulse_y.{pair}_N_s", "N s", "contact impulse on the first of {pair}, y"},
           {"contact_impulse_z.{pair}_N_s", "N s", "contact impulse on the first of {pair}, z"}}};
}

ContactTally::ContactTally(const Scene& scene)
    : obstacles_(static_cast<int>(scene.obstacles.size())),
      bodies_(static_cast<int>(scene.bodies.size())) {
  for (int b = 0; b < bodies_; ++b) {
    body_of_point_.insert(body_of_point_.end(), scene.bodies[b].size(), b);
  }
  const std::vector<ContactPair> pairs = ContactPairs(scene);
  if (pairs.empty()) return;
  of_obstacles_.assign(bodies_ * obstacles_, -1);
  of_bodies_.assign(bodies_ * bodies_, -1);
  for (const ContactPair& pair : pairs) {
    const int number = static_cast<int>(pairs_.size());
    pairs_.emplace_back();
    if (pair.obstacle >= 0) {
      of_obstacles_[pair.body * obstacles_ + pair.obstacle] = number;
    } else {
      of_bodies_[pair.body * bodies_ + pair.other] = number;
    }
  }
}

void ContactTally::Begin() {
  for (Pair& pair : pairs_) pair.of_step.setZero();
}

void ContactTally::End(double step) {
  for (Pair& pair : pairs_) {
    pair.impulse += pair.of_step;
    pair.force = pair.of_step.norm() / step;
  }
}

void ContactTally::Add(int pair, double sign, const Vector3d& impulse, const Vector3d& normal,
                       const Vector3d& motion) {
  if (pair < 0) return;
  pairs_[pair].of_step += sign * impulse;
  const Vector3d across = impulse - impulse.dot(normal) * normal;
  // Without friction this is what rounding leaves, and its work would have either sign.
  constexpr double kRounding = 1e-13;
  if (across.norm() <= kRounding * impulse.norm()) return;
  pairs_[pair].friction_work += across.dot(motion);
}

std::vector<std::optional<double>> ContactTally::Forces() const {
  std::vector<std::optional<double>> forces;
  for (const Pair& pair : pairs_) forces.push_back(pair.of_step.norm());
  return forces;
}

void ContactTally::Show(ContactFigures* figures) const {
  for (const Pair& pair : pairs_) {
    figures->impulse_x.push_back(pair.impulse.x());
    figures->impulse_y.push_back(pair.impulse.y());
    figures->impulse_z.push_back(pair.impulse.z());
    figures->force.push_back(pair.force);
    figures->friction_work.push_back(pair.friction_work);
  }
}

void ContactTally::Save(StateWriter* write) const {
  for (const Pair& pair : pairs_) {
    for (const double part : pair.impulse) (*write)(part);
    (*write)(pair.force);
    (*write)(pair.friction_work);
  }
}

void ContactTally::Restore(StateReader* read) {
  for (Pair& pair : pairs_) {
    for (double& part : pair.impulse) part = (*read)();
    pair.force = (*read)();
    pair.friction_work = (*read)();
  }
}

void ContactTally::AddTo(StateBlocks* layout) const {
  layout->Add("contact of pairs: impulse, force, work of friction", numbers(), "N s, N, J");
}

}  // namespace pliant
