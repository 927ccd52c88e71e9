#include "solvers/contact/surface_contacts.h"

#include <algorithm>
#include <cmath>

#include "models/problem.h"
#include "models/scene/body_contact.h"
#include "models/scene/number_text.h"
#include "solvers/holds/held_points.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Pairs within this many thicknesses are watched from the first sweep on.
constexpr double kWatched = 2.0;
constexpr double kLed = 0.1;      // of the thickness: largest way out of a near point
constexpr double kChosen = 0.05;  // of the narrowest part: a thickness that is not given
constexpr double kOfEdges = 0.1;  // of the thickness: what edges of faces keep from each other
constexpr double kPlace = 0.01;   // of the thickness: to which places of passages are found
constexpr double kLeast = 2.0;    // tolerances: the least thickness that is chosen

// A bound on what a mobility displaces by in any direction.
double LargestOf(const Matrix3d& mobility) {
  return mobility.cwiseAbs().rowwise().sum().maxCoeff();
}

std::array<int, 3> KeyOf(const SurfacePair& pair) {
  return {static_cast<int>(pair.kind), pair.parts[0], pair.parts[1]};
}

std::array<int, 2> BodiesAt(const MeetingSurfaces& surfaces, const SurfacePair& pair) {
  const int a = surfaces.BodyOf(pair.points[0]);
  const int b = surfaces.BodyOf(pair.points[pair.kind == PairKind::kEdgeEdge ? 2 : 1]);
  return {std::min(a, b), std::max(a, b)};
}

[[noreturn]] void Refuse(const std::string& what, const std::string& mend) {
  throw BadInput({"surface_thickness", what, mend});
}

}  // namespace

SurfaceContacts::SurfaceContacts(const Scene& scene, const SurfaceContactOptions& options,
                                 const std::vector<bool>& rigid, const PointsRef& rest,
                                 double tolerance)
    : thickness_(options.thickness),
      tolerance_(tolerance),
      surfaces_(scene, options, rigid, rest),
      outward_(scene, surfaces_) {
  if (options.given() && surfaces_.points().empty()) {
    Refuse("no body has faces or edges", "leave surface_thickness out");
  }
  if (!surfaces_.any()) {
    thickness_ = 0.0;
    return;
  }
  ChooseThickness(scene, rest);
  pushed_.setZero(3, rest.cols());
}

void SurfaceContacts::RefuseUndecided(const Scene& scene, const SurfacePair& pair,
                                      double distance) const {
  const std::array<int, 2> bodies = BodiesAt(surfaces_, pair);
  Refuse(Named(scene, pair) + " starts at " + ThreeDigits(std::max(0.0, distance)) +
             " m, less than the tolerance of the sweeps, " + ThreeDigits(tolerance_) +
             " m, and neither encloses anything: which side each is on cannot be told",
         "move them apart by more than that, or set ignore = true in [" +
             ContactName(scene, BodyContact{bodies[0], bodies[1]}) + "]");
}

void SurfaceContacts::ChooseThickness(const Scene& scene, const PointsRef& rest) {
  const bool given = thickness_ > 0.0;
  const MeetingSurfaces::Narrowest narrowest = surfaces_.FindNarrowest(rest);
  why_ = "as surface_thickness says";
  if (!given) {
    thickness_ = std::max(kChosen * narrowest.width, kLeast * tolerance_);
    why_ = thickness_ > kLeast * tolerance_
               ? "a twentieth of the width of the face or edge at " +
                     NameOfPoint(scene, narrowest.point) + ", the narrowest"
               : "twice the tolerance of the sweeps";
  }
  if (given && thickness_ <= tolerance_) {
    Refuse("the tolerance of the sweeps, " + ThreeDigits(tolerance_) +
               " m, is not less than the thickness",
           "lower the tolerance, or increase surface_thickness");
  }
  // Then a point that is over a face is over its neighbours too, and what bends a little touches itself.
  if (given && thickness_ > narrowest.width) {
    Refuse(WhyTooThick(scene, narrowest, thickness_),
           "reduce surface_thickness below that width, or use fewer points");
  }
  inside_ = std::max(thickness_, kChosen * narrowest.width);
  surfaces_.Begin(rest, 0.0);
  outward_.Begin(surfaces_);
  double nearest = thickness_;
  SurfacePair pair{};
  surfaces_.ForEachNear(rest, thickness_, [&](const SurfacePair& near) {
    Contact contact;
    PairTouch touch;
    if (!Meets(near, rest, thickness_, &contact, &touch)) return;
    if (!given && !near.own && outward_.Know(near, surfaces_, rest)) {
      KeepNearAtRest(near, touch.distance);
    } else if (!given && touch.distance < tolerance_) {
      RefuseUndecided(scene, near, touch.distance);
    }
    if (touch.distance >= nearest) return;
    nearest = touch.distance;
    pair = near;
  });
  if (nearest >= thickness_) return;
  if (!given) {
    thickness_ = std::max(nearest, kLeast * tolerance_);
    why_ = thickness_ > kLeast * tolerance_
               ? "the distance of " + NameOfPart(scene, pair, true) + " from " +
                     NameOfPart(scene, pair, false) + " at the start"
               : "twice the tolerance of the sweeps";
    inside_ = std::max(thickness_ - std::min(0.0, nearest), kChosen * narrowest.width);
    std::erase_if(near_at_rest_, [this](const auto& near) { return near.distance >= thickness_; });
    return;
  }
  Refuse(Named(scene, pair) + " starts at " + ThreeDigits(nearest) +
             " m, closer than the thickness of " + ThreeDigits(thickness_) + " m",
         "reduce surface_thickness below that distance");
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
  velocities_ = start.velocities;
  accelerations_.resize(3, velocities_.cols());
  for (const int p : surfaces_.points()) accelerations_.col(p) = start.acceleration(p);
}

void SurfaceContacts::LeadOut() {
  leads_ = true;
  for (Contact& contact : contacts_) contact.goal = contact.led;
}

double SurfaceContacts::ThicknessOf(const SurfacePair& pair) const {
  if (pair.kind != PairKind::kEdgeEdge || pair.rounded) return thickness_;
  return std::min(thickness_, std::max(kOfEdges * thickness_, kLeast * tolerance_));
}

double SurfaceContacts::ClearanceOf(const SurfacePair& pair) const {
  const double thickness = ThicknessOf(pair);
  if (near_at_rest_.empty()) return thickness;
  const std::array<int, 2> bodies = BodiesAt(surfaces_, pair);
  const auto found = std::ranges::lower_bound(near_at_rest_, bodies, {}, &NearAtRest::bodies);
  const bool near = found != near_at_rest_.end() && found->bodies == bodies;
  return near ? std::min(thickness, found->distance) : thickness;
}

void SurfaceContacts::KeepNearAtRest(const SurfacePair& pair, double distance) {
  const std::array<int, 2> bodies = BodiesAt(surfaces_, pair);
  const auto found = std::ranges::lower_bound(near_at_rest_, bodies, {}, &NearAtRest::bodies);
  if (found == near_at_rest_.end() || found->bodies != bodies) {
    near_at_rest_.insert(found, {bodies, distance});
  } else {
    found->distance = std::min(found->distance, distance);
  }
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
  double pressed = 0.0, change = 0.0;  // m/s², m/s
  for (int i = 0; i < 4; ++i) {
    pressed += std::abs(touch.weights[i]) * accelerations_.col(contact->pair.points[i]).norm();
  }
  if (touch.distance < clearance &&
      approach > kHitOverRest * step_ * std::abs(along(accelerations_))) {
    if (restitution > 0.0) contact->goal = stood + restitution * step_ * approach;
    change = (1.0 + restitution) * approach;
  }
  if (surfaces_.AreRigid(contact->pair)) contact->accuracy = AccuracyOf(step_, pressed, change);
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
  const std::optional<Correction> next = NextOf(*mover, *contact);
  if (!next) return;
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

bool SurfaceContacts::AreResolved(const PointMover& mover) const {
  return std::all_of(contacts_.begin(), contacts_.end(), [&](const Contact& contact) {
    if (contact.accuracy == 0.0 || contact.stuck) return true;
    const std::optional<Correction> next = NextOf(mover, contact);
    return !next || (next->mobility * (next->impulse - contact.impulse)).norm() <= contact.accuracy;
  });
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
