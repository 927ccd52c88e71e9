#include "solvers/contact/surface_contacts.h"

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Pairs within this many thicknesses are watched from the first sweep on.
constexpr double kWatched = 2.0;
constexpr double kLed = 0.1;     // of the thickness: largest way out of a near point
constexpr double kPlace = 0.01;  // of the thickness: to which places of passages are found

// A bound on what a mobility displaces by in any direction.
double LargestOf(const Matrix3d& mobility) {
  return mobility.cwiseAbs().rowwise().sum().maxCoeff();
}

std::array<int, 3> KeyOf(const SurfacePair& pair) {
  return {static_cast<int>(pair.kind), pair.parts[0], pair.parts[1]};
}

}  // namespace

SurfaceContacts::SurfaceContacts(const Scene& scene, const SurfaceContactOptions& options,
                                 const std::vector<bool>& rigid, const PointsRef& rest,
                                 double tolerance)
    : thickness_(options.thickness),
      tolerance_(tolerance),
      surfaces_(scene, options, rigid, rest),
      outward_(scene, surfaces_) {
  ChooseThickness(scene, rest);
  if (act()) pushed_.setZero(3, rest.cols());
}

void SurfaceContacts::Begin(const PointsRef& start, double end) {
  surfaces_.Begin(start, end);
  outward_.Begin(surfaces_);
  contacts_.clear();
  known_.clear();
  pushed_.setZero();
  fresh_ = true;
  leads_ = false;
  step_ = 0.0;
}

void SurfaceContacts::Begin(const PointsInMotion& start, double step, double end) {
  Begin(start.positions, end);
  step_ = step;
  rounding_ = RoundingOf(start.positions);
  velocities_ = start.velocities;
  accelerations_.resize(3, velocities_.cols());
  for (const int p : surfaces_.points()) accelerations_.col(p) = start.acceleration(p);
}

void SurfaceContacts::LeadOut() {
  leads_ = true;
  for (Contact& contact : contacts_) contact.goal = contact.led;
}

std::optional<int> SurfaceContacts::OutwardSide(const SurfacePair& pair, const PairCorners& before,
                                                const PairCorners& here,
                                                const PointsRef& now) const {
  if (pair.own) return std::nullopt;
  const auto start = AcrossAt(pair.kind, before);
  if (!start) return std::nullopt;
  const std::optional<int> side =
      outward_.SideOf(pair, start->normal, surfaces_, surfaces_.start());
  if (side.value_or(0) != 0) {
    const double distance = *side * start->distance;
    const bool inside = distance <= 0.0 && distance >= -inside_;
    return inside ? side : std::nullopt;
  }
  if (!side) return std::nullopt;
  const auto end = AcrossAt(pair.kind, here);  // what turns may touch in the end
  const bool turns = end && outward_.SideOf(pair, end->normal, surfaces_, now).value_or(0) != 0;
  return turns ? std::nullopt : side;
}

// Nothing touches along what is in no cone of the two parts, neither at the start of the step nor now.
bool SurfaceContacts::MayTouch(const SurfacePair& pair, const Vector3d& n,
                               const PointsRef& now) const {
  if (pair.own) return true;
  return outward_.SideOf(pair, n, surfaces_, surfaces_.start()) != 0 ||
         outward_.SideOf(pair, n, surfaces_, now).value_or(0) != 0;
}

bool SurfaceContacts::Touches(const PairCorners& here, const PointsRef& now, const Contact& contact,
                              PairTouch* touch) const {
  const SurfacePair& pair = contact.pair;
  return TouchOf(pair.kind, here, contact.side, contact.rim, pair.rounded, touch) &&
         MayTouch(pair, touch->normal, now);
}

void SurfaceContacts::Bound(const PairCorners& here, Contact* contact, PairTouch* touch) const {
  const auto start = AcrossAt(contact->pair.kind, surfaces_.Before(contact->pair));
  const bool on_it = start && std::abs(start->distance) <= tolerance_;
  contact->bounded = !contact->pair.own && (contact->outward || contact->passes || on_it);
  if (!contact->bounded) return;
  contact->bounds = outward_.BoundsOf(contact->pair, surfaces_, surfaces_.start());
  PairTouch& passage = contact->passage;
  if (contact->passes) {
    passage.normal = contact->bounds.Nearest(passage.normal);
    passage.distance =
        passage.normal.dot(WeightedSum(passage.weights, surfaces_.Before(contact->pair)));
  }
  touch->normal = contact->bounds.Nearest(touch->normal);
  touch->distance = touch->normal.dot(WeightedSum(touch->weights, here));
}

// A pair that is over each other where it gets to is followed from there; what goes through the
// other part and is no longer over it, by where it passes.
bool SurfaceContacts::Meets(const SurfacePair& pair, const PointsRef& now, double reach,
                            Contact* contact, PairTouch* touch) const {
  // Within a net the lengths and the edges of its faces together leave sweeps no way out.
  if (pair.own && pair.kind == PairKind::kEdgeEdge && !pair.rounded) return false;
  const PairCorners before = surfaces_.Before(pair), here = MeetingSurfaces::CornersAt(pair, now);
  contact->pair = pair;
  if (const std::optional<int> side = OutwardSide(pair, before, here, now)) {
    contact->side = *side;
    contact->outward = true;
    // (What is beside the other part is apart from it towards its end: there, another part is touched.)
    return *side != 0 && TouchOf(pair.kind, here, contact->side, 0.0, false, touch) &&
           touch->distance < reach;
  }
  bool changed = false, passed = false;
  if (pair.kind == PairKind::kPointFace) {
    const Approach approach = ApproachOf(
        {before[0], here[0], {before[1], before[2], before[3]}, {here[1], here[2], here[3]}},
        thickness_);
    contact->side = approach.side;
    changed = passed = approach.passed;
    contact->rim = passed ? thickness_ : 0.0;
  } else {
    contact->side = SideOf(pair.kind, before);
    changed = contact->side != SideOf(pair.kind, here);
  }
  if (passed || !changed) {
    if (Touches(here, now, *contact, touch)) return touch->distance < reach;
  }
  // Within a body only what has changed sides is looked at: its parts are always near each other.
  if ((changed || !pair.own) && MayMeet(pair.kind, before, here, 0.0)) {
    const auto passage = PassageOf(pair.kind, before, here, kPlace * thickness_);
    if (passage && MayTouch(pair, passage->normal, now)) {
      contact->passes = true;
      contact->passage = *passage;
      *touch = *passage;
      touch->distance = passage->normal.dot(WeightedSum(passage->weights, here));
      return touch->distance < reach;
    }
  }
  if (!changed || passed) return false;
  contact->side = -contact->side;  // beside the other part
  return Touches(here, now, *contact, touch) && touch->distance < reach;
}

void SurfaceContacts::SetGoals(Contact* contact, const PairTouch& touch) const {
  const PairCorners before = surfaces_.Before(contact->pair);
  PairTouch began = touch;
  if (contact->passes) {
    began.distance = contact->passage.distance;
  } else if (contact->rim > 0.0) {  // it may have come from beside the face
    FaceTouch face;
    IsOver({before[1], before[2], before[3]}, before[0], contact->side, 0.0, &face);
    began.distance = face.distance;
  } else if (PairTouch over; TouchOf(contact->pair.kind, before, contact->side, 0.0,
                                     contact->pair.rounded && !contact->outward, &over)) {
    began = over;
  }
  const double stood = std::max(0.0, began.distance), clearance = ClearanceOf(contact->pair);
  contact->goal = std::min(clearance, stood);
  contact->led = std::min(clearance, stood + kLed * clearance);
  if (contact->outward) {
    const double fall = std::max(0.0, began.distance - touch.distance);
    contact->goal = std::min(clearance, began.distance + fall);
    contact->led = std::min(clearance, began.distance + kLed * thickness_);
  }
  const double restitution = contact->pair.law->restitution;
  if (step_ == 0.0) return;
  const auto along = [&](const Eigen::Matrix3Xd& rates) {
    return touch.normal.dot(
        WeightedSum(touch.weights, MeetingSurfaces::CornersAt(contact->pair, rates)));
  };
  const double approach = -along(velocities_);
  double change = 0.0;  // m/s
  if (approach > kHitOverRest * step_ * std::abs(along(accelerations_))) {
    const double from = contact->outward ? began.distance : stood;
    const double rebound = from + restitution * step_ * approach;
    const bool hits = touch.distance < clearance;
    if (hits && restitution > 0.0) contact->goal = rebound;
    if (!hits && restitution > 0.0 && surfaces_.AreRigid(contact->pair)) contact->rebound = rebound;
    change = (1.0 + restitution) * approach;
  }
  if (!surfaces_.AreRigid(contact->pair)) return;
  double pressed = 0.0;  // m/s²
  for (int i = 0; i < 4; ++i) {
    pressed += std::abs(touch.weights[i]) * accelerations_.col(contact->pair.points[i]).norm();
  }
  contact->accuracy = AccuracyOf(step_, pressed, change, rounding_);
}

bool SurfaceContacts::IsKnown(const SurfacePair& pair) const {
  return std::binary_search(known_.begin(), known_.end(), KeyOf(pair));
}

int SurfaceContacts::Find(const PointsRef& now) {
  const double widest = std::max(inside_, fresh_ ? kWatched * thickness_ : thickness_);
  const size_t before = contacts_.size();
  surfaces_.ForEachNear(now, widest, [&](const SurfacePair& pair) {
    Contact contact;
    PairTouch touch;
    const double reach = fresh_ ? kWatched * ThicknessOf(pair) : ClearanceOf(pair) - tolerance_;
    if (IsKnown(pair) || !Meets(pair, now, reach, &contact, &touch)) return;
    Bound(MeetingSurfaces::CornersAt(pair, now), &contact, &touch);
    SetGoals(&contact, touch);
    contacts_.push_back(contact);
  });
  fresh_ = false;
  for (size_t i = before; i < contacts_.size(); ++i) known_.push_back(KeyOf(contacts_[i].pair));
  std::sort(known_.begin(), known_.end());
  return static_cast<int>(contacts_.size() - before);
}

bool SurfaceContacts::TouchNow(const PointMover& mover, const Contact& contact,
                               PairTouch* touch) const {
  PairCorners corners;
  for (int i = 0; i < 4; ++i) corners[i] = mover.Point(WeightedPoint::Of(contact.pair.points[i]));
  if (contact.passes) {
    *touch = contact.passage;
    touch->distance = touch->normal.dot(WeightedSum(touch->weights, corners));
    return true;
  }
  if (!TouchOf(contact.pair.kind, corners, contact.side, contact.rim,
               contact.pair.rounded && !contact.outward, touch)) {
    return false;
  }
  if (contact.bounded) {
    touch->normal = contact.bounds.Nearest(touch->normal);
    touch->distance = touch->normal.dot(WeightedSum(touch->weights, corners));
  }
  return true;
}

void SurfaceContacts::Relax(PointMover* mover) {
  for (Contact& contact : contacts_) Relax(mover, &contact);
}

std::optional<SurfaceContacts::Correction> SurfaceContacts::NextOf(const PointMover& mover,
                                                                   const Contact& contact) const {
  Correction next;
  if (!TouchNow(mover, contact, &next.touch)) return std::nullopt;
  const PairTouch& touch = next.touch;
  if (touch.distance >= contact.goal && contact.impulse.isZero(0.0)) return std::nullopt;
  const auto& points = contact.pair.points;
  next.mobility.setZero();
  Vector3d slip = Vector3d::Zero();
  for (int i = 0; i < 4; ++i) {
    if (touch.weights[i] == 0.0) continue;
    slip += touch.weights[i] *
            (mover.Point(WeightedPoint::Of(points[i])) - surfaces_.start().col(points[i]));
    for (int j = 0; j < 4; ++j) {
      if (touch.weights[j] == 0.0) continue;
      next.mobility += touch.weights[i] * touch.weights[j] * mover.Coupling(points[i], points[j]);
    }
  }
  const Vector3d& n = touch.normal;
  next.impulse = contact.impulse;
  if (!(n.dot(next.mobility * n) > 0.0)) return next;  // no part can move
  const Vector3d way = (contact.goal - touch.distance) * n - (slip - slip.dot(n) * n);
  next.impulse =
      ContactImpulse({next.mobility, LargestOf(next.mobility), n, contact.pair.law->friction}, way,
                     contact.impulse);
  return next;
}

void SurfaceContacts::Relax(PointMover* mover, Contact* contact) {
  std::optional<Correction> next = NextOf(*mover, *contact);
  if (!next) return;
  if (contact->goal < contact->rebound && next->touch.distance < contact->goal) {
    contact->goal = contact->rebound;
    next = NextOf(*mover, *contact);
  }
  const auto& [touch, mobility, impulse] = *next;
  contact->stuck = !(touch.normal.dot(mobility * touch.normal) > 0.0);
  if (contact->stuck) return;
  const Vector3d more = impulse - contact->impulse;
  contact->impulse = impulse;
  contact->last = touch;
  const auto& points = contact->pair.points;
  for (int i = 0; i < 4; ++i) {
    if (touch.weights[i] == 0.0) continue;
    mover->Push(WeightedPoint::Of(points[i]), touch.weights[i] * more);
    if (!leads_) pushed_.col(points[i]) += touch.weights[i] * more;
  }
}

SurfaceContacts::Worst SurfaceContacts::FindWorst(const PointMover& mover) const {
  Worst worst;
  for (size_t i = 0; i < contacts_.size(); ++i) {
    PairTouch touch;
    if (contacts_[i].stuck || !TouchNow(mover, contacts_[i], &touch)) continue;
    const double size = contacts_[i].goal - touch.distance;
    if (size > worst.size) worst = {static_cast<int>(i), size};
  }
  return worst;
}

int SurfaceContacts::FirstUnresolved(const PointMover& mover) const {
  const auto first = std::ranges::find_if(contacts_, [&](const Contact& contact) {
    if (contact.accuracy == 0.0 || contact.stuck) return false;
    const std::optional<Correction> next = NextOf(mover, contact);
    return next && (next->mobility * (next->impulse - contact.impulse)).norm() > contact.accuracy;
  });
  return first == contacts_.end() ? -1 : static_cast<int>(first - contacts_.begin());
}

void SurfaceContacts::AddUnmet(const Scene& scene, double time, const PointsRef& x,
                               std::vector<UnmetConstraint>* unmet) const {
  if (!act()) return;
  SurfaceContacts still = *this;
  still.Begin(x, time);
  still.surfaces_.ForEachNear(x, thickness_, [&](const SurfacePair& pair) {
    Contact contact;
    PairTouch touch;
    const double clearance = ClearanceOf(pair);
    if (!still.Meets(pair, x, clearance - tolerance_, &contact, &touch)) return;
    unmet->push_back({Named(scene, pair), clearance - touch.distance, "m"});
  });
}

std::string SurfaceContacts::Named(const Scene& scene, const SurfacePair& pair) {
  return "contact of " + NameOfPart(scene, pair, true) + " with " + NameOfPart(scene, pair, false);
}

std::string SurfaceContacts::Name(const Scene& scene, int i) const {
  return Named(scene, contacts_[i].pair);
}

}  // namespace pliant
