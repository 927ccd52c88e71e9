#include "solvers/contact/penalty.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/contact/body_contacts.h"
#include "models/problem.h"
#include "solvers/contact/surface_barrier.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

// exp(−37) is below the rounding of 1.
constexpr double kBarrierReach = 37.0;

// Δ_t to an entry point with its numbers [m].
Vector3d SlipFrom(const Eigen::Matrix<double, 7, 1>& entry, const Touch& touch) {
  const Vector3d d = touch.offset - entry.head<3>(), n = entry.tail<3>();
  return d - n.dot(d) * n;
}

}  // namespace

void PenaltyOptions::BindBetween(ParameterBinder& binder) {
  binder.OnlyWhen("bodies with faces or edges meet", SurfacesMeet, [&] {
    binder.Choice(
        "contact_between", &between,
        {{"penalty", BodiesMeetBy::kPenalty}, {"barrier", BodiesMeetBy::kBarrier}},
        "how bodies act on each other: by springs on the volume that they share (thin bodies share "
        "none and pass through), or by a barrier between surfaces, in steps that are divided so "
        "that nothing goes through");
    const auto is_barrier = [this](const Scene&) { return between == BodiesMeetBy::kBarrier; };
    binder.OnlyWhen("contact_between = barrier", is_barrier, [&] {
      binder.Real(
          "contact_thickness", &thickness, "m", AtLeast(0.0),
          "distance at which surfaces of bodies begin to push each other; 0: a twentieth of the "
          "narrowest face or edge, or their distance at the start");
    });
  });
}

bool PenaltyOptions::BodiesMeet(const Scene& scene) const {
  return between == BodiesMeetBy::kBarrier ? SurfacesMeet(scene) : SolidsMeet(scene);
}

void PenaltyOptions::Bind(ParameterBinder& binder) {
  // Bodies meet by penalty, or by their own barrier, also where obstacles have a barrier.
  const auto touches = [this](const Scene& scene) {
    return HasObstacles(scene) || BodiesMeet(scene);
  };
  const auto is_penalty = [this](const Scene& scene) {
    return law == ContactLaw::kPenalty || BodiesMeet(scene);
  };
  const auto rubs = [this](const Scene& scene) {
    return HasFriction(scene) ||
           (between == BodiesMeetBy::kBarrier ? SurfacesMeetWithFriction(scene)
                                              : SolidsMeetWithFriction(scene));
  };
  binder.OnlyWhen("the scene has obstacles or bodies that meet", touches, [&] {
    binder.OnlyWhen("contact = penalty, or bodies meet", is_penalty, [&] {
      binder.Real("contact_stiffness", &stiffness, "N/m", AtLeast(0.0),
                  "penalty stiffness of a contact point, along the normal");
      binder.Real("contact_damping", &damping, "N s/m", AtLeast(0.0),
                  "penalty damping of a contact point, along the normal");
    });
  });
  binder.OnlyWhen("an obstacle or a contact of bodies has friction", rubs, [&] {
    binder.Real("contact_tangential_stiffness", &tangential_stiffness, "N/m", AtLeast(0.0),
                "stiffness of the spring to the entry point, along the surface");
    binder.Real("contact_tangential_damping", &tangential_damping, "N s/m", AtLeast(0.0),
                "damping of a contact point, along the surface");
  });
}

void PenaltyOptions::BindBarrier(ParameterBinder& binder) {
  binder.OnlyWhen("the scene has obstacles", HasObstacles, [&] {
    binder.Choice("contact", &law,
                  {{"penalty", ContactLaw::kPenalty}, {"barrier", ContactLaw::kBarrier}},
                  "contact law along the normal: a spring and damper inside the obstacle, or the "
                  "potential c exp(−distance/ε) everywhere");
    const auto is_barrier = [this](const Scene&) { return law == ContactLaw::kBarrier; };
    binder.OnlyWhen("contact = barrier", is_barrier, [&] {
      binder.Real("barrier_energy", &barrier_energy, "J", MoreThan(0.0),
                  "c of the barrier: energy of a point on the surface");
      binder.Real("barrier_length", &barrier_length, "m", MoreThan(0.0),
                  "ε of the barrier: distance over which its energy falls to 37 %");
    });
  });
}

void PenaltyOptions::RequireConsistent() const {
  if (obstacles == ObstaclesMeet::kSurface && law == ContactLaw::kBarrier) {
    throw BadInput({"obstacle_contact",
                    "a barrier acts on every point at any distance, and has no deepest place of an "
                    "edge or a face",
                    "give contact = penalty, or obstacle_contact = points"});
  }
}

bool HasObstacles(const Scene& scene) { return !scene.obstacles.empty(); }

bool HasFriction(const Scene& scene) {
  return std::any_of(scene.obstacles.begin(), scene.obstacles.end(),
                     [](const Obstacle& obstacle) { return obstacle.friction > 0.0; });
}

double PenaltyOptions::normal_stiffness() const {
  return law == ContactLaw::kPenalty ? stiffness
                                     : barrier_energy / (barrier_length * barrier_length);
}

PenaltyContact::PenaltyContact(const Scene& scene, const PenaltyOptions& options)
    : obstacles_(scene.obstacles),
      options_(options),
      reach_(options.law == ContactLaw::kPenalty ? 0.0 : kBarrierReach * options.barrier_length),
      points_(scene.PointCount()),
      first_of_(points_, -1),
      near_(obstacles_) {
  for (int o = 0; o < static_cast<int>(obstacles_.size()); ++o) {
    const bool rubs = obstacles_[o].friction > 0.0;
    with_friction_.push_back(rubs ? static_cast<int>(rubbing_++) : -1);
    if (rubs) rubbing_obstacles_.push_back(o);
  }
}

int PenaltyContact::Place(Eigen::Index index) const {
  int place = first_of_[index % points_];
  while (place >= 0 && entries_[place].index < index) place = entries_[place].next;
  return place >= 0 && entries_[place].index == index ? place : -1;
}

const PenaltyContact::Numbers* PenaltyContact::FindEntry(Eigen::Index index) const {
  const int place = Place(index);
  return place >= 0 ? &entries_[place].numbers : nullptr;
}

int PenaltyContact::CountOf(int point) const {
  int count = 0;
  for (int place = first_of_[point]; place >= 0; place = entries_[place].next) ++count;
  return count;
}

int PenaltyContact::Insert(Eigen::Index index, const Numbers& numbers) {
  int place = free_;
  if (place >= 0) {
    free_ = entries_[place].next;
  } else {
    place = static_cast<int>(entries_.size());
    entries_.emplace_back();
  }
  int* link = &first_of_[index % points_];
  while (*link >= 0 && entries_[*link].index < index) link = &entries_[*link].next;
  entries_[place] = {index, numbers, *link, false};
  *link = place;
  return place;
}

void PenaltyContact::Erase(Eigen::Index index) {
  int* link = &first_of_[index % points_];
  while (*link >= 0 && entries_[*link].index < index) link = &entries_[*link].next;
  const int place = *link;
  if (place < 0 || entries_[place].index != index) return;
  *link = entries_[place].next;
  entries_[place].index = -1;
  entries_[place].next = free_;
  free_ = place;
}

std::vector<Eigen::Index> PenaltyContact::Indices() const {
  std::vector<Eigen::Index> indices;
  for (const Entry& entry : entries_) {
    if (entry.index >= 0) indices.push_back(entry.index);
  }
  std::sort(indices.begin(), indices.end());
  return indices;
}

void PenaltyContact::Forget(int obstacle, int point) {
  if (Rubs(obstacle)) Erase(Index(obstacle, point));
}

void PenaltyContact::ForgetAllBut(int obstacle, int point) {
  const Eigen::Index kept = obstacle >= 0 && Rubs(obstacle) ? Index(obstacle, point) : -1;
  for (int place = first_of_[point]; place >= 0;) {
    const Entry& entry = entries_[place];
    place = entry.next;
    if (entry.index != kept) Erase(entry.index);
  }
}

template <typename Visit>
void PenaltyContact::ForEachTouchAt(double time, const PointsRef& x, const Visit& visit) const {
  if (near_.many()) {
    near_.ForEachTouch(obstacles_, time, x, reach_, visit);
  } else {
    ForEachTouch(obstacles_, time, x, reach_, visit);
  }
}

PenaltyContact::NormalForces PenaltyContact::NormalForce(const Touch& touch,
                                                         const Vector3d& relative) const {
  if (is_barrier()) {
    const double epsilon = options_.barrier_length;
    const double push = options_.barrier_energy / epsilon * std::exp(-touch.at.distance / epsilon);
    return {push, push};
  }
  const double spring = -options_.stiffness * touch.at.distance;
  return {std::max(0.0, spring - options_.damping * touch.at.normal.dot(relative)), spring};
}

Vector3d PenaltyContact::Slip(const Touch& touch) const {
  return SlipFrom(*FindEntry(Index(touch.obstacle, touch.point)), touch);
}

PenaltyContact::Answer PenaltyContact::Force(const Touch& touch, const Vector3d& v) const {
  const Vector3d& n = touch.at.normal;
  const Vector3d u = v - touch.velocity;
  const NormalForces normal = NormalForce(touch, u);
  Vector3d spring = Vector3d::Zero();
  const Numbers* entry =
      Rubs(touch.obstacle) ? FindEntry(Index(touch.obstacle, touch.point)) : nullptr;
  if (entry != nullptr) spring = -options_.tangential_stiffness * SlipFrom(*entry, touch);
  Vector3d tangential = spring - options_.tangential_damping * (u - n.dot(u) * n);
  const double cap = obstacles_[touch.obstacle].friction * normal.all;
  const double squared = tangential.squaredNorm();
  if (squared > cap * cap) tangential *= cap / std::sqrt(squared);
  const Vector3d force = normal.all * n + tangential;
  const Vector3d working = (normal.all - normal.spring) * n + tangential - spring;
  return {force, working, force.dot(touch.velocity), working.dot(u)};
}

double PenaltyContact::Energy(const Touch& touch) const {
  double energy = 0.0;
  if (is_barrier()) {
    energy = options_.barrier_energy * std::exp(-touch.at.distance / options_.barrier_length);
  } else if (touch.at.distance < 0.0) {
    energy = 0.5 * options_.stiffness * touch.at.distance * touch.at.distance;
  }
  if (HasSpring(touch)) energy += 0.5 * options_.tangential_stiffness * Slip(touch).squaredNorm();
  return energy;
}

double PenaltyContact::UpdateEntry(const Touch& touch, const Vector3d& v) {
  if (!Rubs(touch.obstacle)) return 0.0;
  const Eigen::Index index = Index(touch.obstacle, touch.point);
  const int place = Place(index);
  if (place >= 0) return Drag(touch, v, &entries_[place].numbers);
  if (!is_dense() && CountOf(touch.point) == kAtOnce) return 0.0;
  Numbers numbers;
  numbers << touch.offset, 1.0, touch.at.normal;
  Insert(index, numbers);
  return 0.0;
}

double PenaltyContact::Drag(const Touch& touch, const Vector3d& v, Numbers* numbers) const {
  Numbers& entry = *numbers;
  // Into the tangent plane of the point.
  const Vector3d& n = touch.at.normal;
  if (n == entry.tail<3>()) {
    entry.head<3>() += n.dot(touch.offset - entry.head<3>()) * n;
  } else {
    const Vector3d slip = SlipFrom(entry, touch);
    entry.head<3>() = touch.offset - Eigen::Quaterniond::FromTwoVectors(entry.tail<3>(), n) * slip;
    entry.tail<3>() = n;
  }
  // Drag the entry point until its spring alone is within the cone.
  const double cap =
      obstacles_[touch.obstacle].friction * NormalForce(touch, v - touch.velocity).all;
  const Vector3d slip = SlipFrom(entry, touch);
  const double pull = options_.tangential_stiffness * slip.norm();
  const double before = 0.5 * pull * slip.norm();
  if (pull <= cap) {
    entry[3] = 1.0 + before;
    return 0.0;
  }
  entry.head<3>() += (1.0 - cap / pull) * slip;
  const double after = 0.5 * cap * cap / options_.tangential_stiffness;
  entry[3] = 1.0 + after;
  return after - before;
}

double PenaltyContact::Leave(int obstacle, int point) {
  if (!HasEntry(obstacle, point)) return 0.0;
  const double stored = (*FindEntry(Index(obstacle, point)))[3] - 1.0;
  Forget(obstacle, point);
  return -stored;
}

void PenaltyContact::AddForces(double time, const PointsRef& x, const PointsRef& v,
                               MutablePointsRef forces, Exchange* rates,
                               Eigen::Matrix3Xd* working) const {
  ForEachTouchAt(time, x, [&](const Touch& touch) {
    const Answer answer = Force(touch, v.col(touch.point));
    forces.col(touch.point) += answer.force;
    rates->AddContact(x.col(touch.point), answer.force, answer.active, answer.passive);
    if (working != nullptr) working->col(touch.point) += answer.working;
  });
}

void PenaltyContact::TallyForces(double time, const PointsRef& x, const PointsRef& v,
                                 ContactTally* tally) const {
  ForEachTouchAt(time, x, [&](const Touch& touch) {
    tally->AddObstacleForce(tally->BodyOf(touch.point), touch.obstacle,
                            Force(touch, v.col(touch.point)).force);
  });
}

void PenaltyContact::LetGoBefore(Eigen::Index index) {
  for (int place = first_of_[index % points_]; place >= 0 && entries_[place].index < index;) {
    const Entry& entry = entries_[place];
    place = entry.next;
    if (entry.seen) continue;
    left_.emplace_back(entry.index, entry.numbers[3] - 1.0);
    Erase(entry.index);
  }
}

double PenaltyContact::Update(double time, const PointsRef& x, const PointsRef& v) {
  if (rubbing_ == 0) return 0.0;
  dragged_.clear();
  left_.clear();
  ForEachTouchAt(time, x, [&](const Touch& touch) {  // by ascending index
    if (!Rubs(touch.obstacle)) return;
    const Eigen::Index index = Index(touch.obstacle, touch.point);
    if (!is_dense()) LetGoBefore(index);
    dragged_.emplace_back(index, UpdateEntry(touch, v.col(touch.point)));
    const int place = Place(index);
    if (place >= 0) entries_[place].seen = true;
  });
  for (Entry& entry : entries_) {
    if (entry.index < 0) continue;
    if (!entry.seen) left_.emplace_back(entry.index, entry.numbers[3] - 1.0);
    entry.seen = false;
  }
  std::sort(left_.begin(), left_.end());
  for (const auto& [index, stored] : left_) Erase(index);
  // The sum does not depend on where entries are.
  double work = 0.0;
  auto left = left_.begin();
  for (const auto& [index, drag] : dragged_) {
    for (; left != left_.end() && left->first < index; ++left) work -= left->second;
    work += drag;
  }
  for (; left != left_.end(); ++left) work -= left->second;
  return work;
}

double PenaltyContact::Energy(double time, const PointsRef& x) const {
  double energy = 0.0;
  ForEachTouchAt(time, x, [&](const Touch& touch) { energy += Energy(touch); });
  return energy;
}

void PenaltyContact::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  state.setZero();
  if (is_dense()) {
    for (const Entry& entry : entries_) {
      if (entry.index >= 0) state.segment<kNumbers>(kNumbers * entry.index) = entry.numbers;
    }
    return;
  }
  for (int point = 0; point < points_; ++point) {
    Eigen::Index at = (1 + kNumbers) * kAtOnce * static_cast<Eigen::Index>(point);
    for (int place = first_of_[point]; place >= 0; place = entries_[place].next) {
      const int obstacle = entries_[place].index / points_;
      state[at] = 1.0 + obstacle;
      state.segment<kNumbers>(at + 1) = entries_[place].numbers;
      at += 1 + kNumbers;
    }
  }
}

void PenaltyContact::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  entries_.clear();
  free_ = -1;
  std::fill(first_of_.begin(), first_of_.end(), -1);
  if (is_dense()) {
    for (Eigen::Index i = 0; i < rubbing_ * points_; ++i) {
      if (state[kNumbers * i + 3] != 0.0) Insert(i, state.segment<kNumbers>(kNumbers * i));
    }
    return;
  }
  for (Eigen::Index slot = 0; slot < static_cast<Eigen::Index>(kAtOnce) * points_; ++slot) {
    const Eigen::Index at = (1 + kNumbers) * slot;
    if (state[at] == 0.0) continue;
    Insert((static_cast<Eigen::Index>(state[at]) - 1) * points_ + slot / kAtOnce,
           state.segment<kNumbers>(at + 1));
  }
}

}  // namespace pliant
