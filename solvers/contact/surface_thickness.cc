// The thickness that surfaces keep from each other: chosen where it is not given, refused where the scene cannot have it, and
// less between bodies that are nearer at rest.
#include <algorithm>
#include <array>
#include <optional>

#include "models/problem.h"
#include "models/scene/body_contact.h"
#include "models/scene/number_text.h"
#include "solvers/contact/surface_contacts.h"
#include "solvers/holds/held_points.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

constexpr double kChosen = 0.05;  // of the narrowest part: a thickness that is not given
constexpr double kOfEdges = 0.1;  // of the thickness: what edges of faces keep from each other
constexpr double kLeast = 2.0;    // tolerances: the least thickness that is chosen

std::array<int, 2> BodiesAt(const MeetingSurfaces& surfaces, const SurfacePair& pair) {
  const int a = surfaces.BodyOf(pair.points[0]);
  const int b = surfaces.BodyOf(pair.points[pair.kind == PairKind::kEdgeEdge ? 2 : 1]);
  return {std::min(a, b), std::max(a, b)};
}

[[noreturn]] void Refuse(const std::string& what, const std::string& mend) {
  throw BadInput({"surface_thickness", what, mend});
}

}  // namespace

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
  if (given && surfaces_.points().empty()) {
    Refuse("no body has faces or edges", "leave surface_thickness out");
  }
  if (!surfaces_.any()) {
    thickness_ = 0.0;
    return;
  }
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

}  // namespace pliant
