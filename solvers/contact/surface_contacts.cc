#include "solvers/contact/surface_contacts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/collision/closest.h"
#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/contact/displacement.h"
#include "solvers/holds/held_points.h"
#include "solvers/holds/schedule.h"
#include "solvers/translation.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Pairs within this many thicknesses are watched from the first sweep on.
constexpr double kWatched = 2.0;
constexpr double kLed = 0.1;    // of the thickness: largest way out of a near point
constexpr double kSeam = 1e-6;  // of a face's width: no gap between neighbours by rounding
constexpr int kHalvings = 40;   // of a step, for the instant when a point is in a plane

// A bound on what a mobility displaces by in any direction.
double LargestOf(const Matrix3d& mobility) {
  return mobility.cwiseAbs().rowwise().sum().maxCoeff();
}

Vector3d NormalOf(const std::array<Vector3d, 3>& corners) {
  return (corners[1] - corners[0]).cross(corners[2] - corners[0]);
}

// Point and corners at the fraction t of the step; all move straight.
struct Instant {
  Vector3d point;
  std::array<Vector3d, 3> corners;
  Vector3d normal;  // as long as twice the area

  Instant(const PointAndFace& pair, double t)
      : point((1.0 - t) * pair.point_before + t * pair.point) {
    for (int c = 0; c < 3; ++c) corners[c] = (1.0 - t) * pair.before[c] + t * pair.corners[c];
    normal = NormalOf(corners);
  }
  double Volume() const { return normal.dot(point - corners[0]); }
};

// The least height of a triangle [m].
double WidthOf(const std::array<Vector3d, 3>& corners) {
  double longest = 0.0;
  for (int c = 0; c < 3; ++c) {
    longest = std::max(longest, (corners[(c + 1) % 3] - corners[c]).norm());
  }
  return longest > 0.0 ? NormalOf(corners).norm() / longest : 0.0;
}

// The volume that point and face span changes its sign over the step: when it is 0, is the point no
// farther than `rim` from the face? Of three such instants one is taken.
bool PassesThrough(const PointAndFace& pair, double rim) {
  const double before = Instant(pair, 0.0).Volume();
  double first = 0.0, last = 1.0;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (first + last);
    (before * Instant(pair, middle).Volume() > 0.0 ? first : last) = middle;
  }
  const Instant then(pair, last);
  if (!(then.normal.squaredNorm() > 0.0)) return false;
  return (then.point - PlaceOnTriangle(then.corners, ClosestOnTriangle(then.corners, then.point)))
             .norm() <= rim;
}

}  // namespace

Approach ApproachOf(const PointAndFace& pair, double rim) {
  const double before = Instant(pair, 0.0).Volume(), now = Instant(pair, 1.0).Volume();
  const double side = before < 0.0 ? -1.0 : 1.0;
  if (side * now >= 0.0) return {side, false};
  return PassesThrough(pair, rim) ? Approach{side, true} : Approach{-side, false};
}

bool IsOver(const std::array<Vector3d, 3>& corners, const Vector3d& point, double side, double rim,
            FaceTouch* touch) {
  const Vector3d normal = NormalOf(corners);
  const double area = normal.norm();
  if (!(area > 0.0)) return false;
  touch->normal = (side / area) * normal;
  touch->distance = touch->normal.dot(point - corners[0]);
  touch->weights = ClosestOnTriangle(corners, point);
  const Vector3d foot = point - touch->distance * touch->normal;
  return (foot - PlaceOnTriangle(corners, touch->weights)).norm() <= rim + kSeam * std::sqrt(area);
}

SurfaceContacts::SurfaceContacts(const Scene& scene, const SurfaceContactOptions& options,
                                 const std::vector<bool>& rigid, const PointsRef& rest,
                                 double tolerance)
    : thickness_(options.thickness), friction_(options.friction), tolerance_(tolerance) {
  if (!act()) return;
  const auto refuse = [](const std::string& what, const std::string& mend) {
    throw BadInput({"surface_thickness", what, mend});
  };
  if (scene.dimension == 2) {
    refuse("a planar scene has no surfaces", "give surface_thickness = 0");
  }
  piece_.assign(scene.PointCount(), -1);
  for (int b = 0; b < static_cast<int>(scene.bodies.size()); ++b) {
    const int offset = scene.Offset(b);
    if (rigid[b]) std::fill_n(piece_.begin() + offset, scene.bodies[b].size(), b);
    for (const auto& [i, j, k] : scene.bodies[b].faces) {
      faces_.push_back({offset + i, offset + j, offset + k});
      for (const int corner : faces_.back()) surface_points_.push_back(corner);
    }
  }
  std::sort(surface_points_.begin(), surface_points_.end());
  surface_points_.erase(std::unique(surface_points_.begin(), surface_points_.end()),
                        surface_points_.end());
  if (faces_.empty()) refuse("no body has faces", "give surface_thickness = 0");
  if (thickness_ <= tolerance_) {
    refuse("the tolerance of the sweeps, " + ThreeDigits(tolerance_) +
               " m, is not less than the thickness",
           "lower the tolerance, or increase surface_thickness");
  }
  // Then a point that is over a face is over its neighbours too, and what bends a little touches itself.
  for (const std::array<int, 3>& face : faces_) {
    const double width = WidthOf({rest.col(face[0]), rest.col(face[1]), rest.col(face[2])});
    if (thickness_ <= width) continue;
    refuse("the face at " + NameOfPoint(scene, face[0]) + " is only " + ThreeDigits(width) +
               " m wide, less than the thickness of " + ThreeDigits(thickness_) + " m",
           "reduce surface_thickness below that width, or use fewer points");
  }
  for (const Attachment& attachment : scene.attachments) {
    const int a = scene.Index(attachment.a), b = scene.Index(attachment.b);
    attached_.push_back({{a, b}, attachment.hold});
    attached_.push_back({{b, a}, attachment.hold});
  }
  std::ranges::sort(attached_, {}, &Attached::points);
  start_ = rest;
  pushed_.setZero(3, rest.cols());
  double nearest = thickness_;
  int point = -1, corner = 0;
  ForEachTouch(rest, thickness_, [&](int p, int face, Approach, const FaceTouch& touch) {
    if (touch.distance >= nearest) return;
    nearest = touch.distance;
    point = p;
    corner = faces_[face][0];
  });
  if (point >= 0) {
    refuse(NameOfPoint(scene, point) + " starts " + ThreeDigits(nearest) + " m from the face at " +
               NameOfPoint(scene, corner) + ", closer than the thickness of " +
               ThreeDigits(thickness_) + " m",
           "reduce surface_thickness below that distance");
  }
}

void SurfaceContacts::Tear(const std::vector<std::array<int, 2>>& torn) {
  if (all_faces_.empty()) all_faces_ = faces_;
  std::set<std::array<int, 2>> sides;
  for (const auto [a, b] : torn) sides.insert({std::min(a, b), std::max(a, b)});
  const auto is_torn = [&sides](const std::array<int, 3>& face) {
    for (int c = 0; c < 3; ++c) {
      const int a = face[c], b = face[(c + 1) % 3];
      if (sides.count({std::min(a, b), std::max(a, b)}) > 0) return true;
    }
    return false;
  };
  faces_ = all_faces_;
  std::erase_if(faces_, is_torn);
}

bool SurfaceContacts::CanTouch(int point, int face) const {
  struct ByPoints {
    bool operator()(const Attached& a, const std::array<int, 2>& b) const { return a.points < b; }
    bool operator()(const std::array<int, 2>& a, const Attached& b) const { return a < b.points; }
  };
  for (const int corner : faces_[face]) {
    if (corner == point) return false;
    if (piece_[point] >= 0 && piece_[corner] == piece_[point]) return false;
    if (attached_.empty()) continue;
    const std::array<int, 2> points = {point, corner};
    const auto [first, last] =
        std::equal_range(attached_.begin(), attached_.end(), points, ByPoints());
    const auto acts = [this](const Attached& a) { return HoldsThrough(a.hold, end_); };
    if (std::any_of(first, last, acts)) return false;
  }
  return true;
}

void SurfaceContacts::Begin(const PointsRef& start, double end) {
  start_ = start;
  end_ = end;
  contacts_.clear();
  known_.clear();
  pushed_.setZero();
  fresh_ = true;
  leads_ = false;
}

void SurfaceContacts::LeadOut() {
  leads_ = true;
  for (Contact& contact : contacts_) contact.goal = contact.led;
}

// Motion relative to the mean: a sheet that falls as a whole sweeps over nothing.
void SurfaceContacts::FillHash(const PointsRef& now, double reach) {
  drift_ = (now - start_).rowwise().mean();
  boxes_.clear();
  for (const auto& face : faces_) {
    Bounds box = Bounds::Of(start_.col(face[0]) + drift_, now.col(face[0]));
    for (int c = 1; c < 3; ++c)
      box.Take(Bounds::Of(start_.col(face[c]) + drift_, now.col(face[c])));
    box.Widen(reach);
    boxes_.push_back(box);
  }
  hash_.Fill(boxes_);
}

template <typename Visit>
void SurfaceContacts::ForEachTouch(const PointsRef& now, double reach, const Visit& visit) {
  FillHash(now, std::max(reach, thickness_));
  for (const int point : surface_points_) {
    const Vector3d before = start_.col(point), here = now.col(point);
    hash_.ForEachOverlap(Bounds::Of(before + drift_, here), [&](int face) {
      if (!CanTouch(point, face)) return;
      PointAndFace pair{before, here, {}, {}};
      for (int c = 0; c < 3; ++c) {
        pair.before[c] = start_.col(faces_[face][c]);
        pair.corners[c] = now.col(faces_[face][c]);
      }
      const Approach approach = ApproachOf(pair, thickness_);
      FaceTouch touch;
      const bool over = IsOver(pair.corners, here, approach.side, RimOf(approach), &touch);
      if (over && touch.distance < reach) visit(point, face, approach, touch);
      if (!over && approach.passed && missed_[0] < 0) {  // through the face or beside its border?
        const double seam = kSeam * (pair.corners[1] - pair.corners[0]).norm();
        if (ApproachOf(pair, seam).passed) missed_ = {point, face};
      }
    });
  }
}

int SurfaceContacts::Find(const PointsRef& now) {
  const double reach = fresh_ ? kWatched * thickness_ : thickness_ - tolerance_;
  fresh_ = false;
  missed_ = {-1, -1};
  const size_t before = contacts_.size();
  ForEachTouch(now, reach, [&](int point, int face, Approach approach, const FaceTouch& touch) {
    if (std::binary_search(known_.begin(), known_.end(), std::array<int, 2>{point, face})) return;
    std::array<Vector3d, 3> corners;
    for (int c = 0; c < 3; ++c) corners[c] = start_.col(faces_[face][c]);
    FaceTouch began;
    const bool over = IsOver(corners, start_.col(point), approach.side, 0.0, &began);
    const double stood = std::max(0.0, over || approach.passed ? began.distance : touch.distance);
    contacts_.push_back({point, face, approach, std::min(thickness_, stood),
                         std::min(thickness_, stood + kLed * thickness_)});
  });
  for (size_t i = before; i < contacts_.size(); ++i) {
    known_.push_back({contacts_[i].point, contacts_[i].face});
  }
  std::sort(known_.begin(), known_.end());
  return static_cast<int>(contacts_.size() - before);
}

std::vector<std::string> SurfaceContacts::TakeNews(const Scene& scene) {
  if (told_missed_ || missed_[0] < 0) return {};
  told_missed_ = true;
  return {NameOfPoint(scene, missed_[0]) + " passes through the face at " +
          NameOfPoint(scene, faces_[missed_[1]][0]) +
          " without contact, because it moves farther in a step than the width of the face; a "
          "shorter step would stop it"};
}

bool SurfaceContacts::IsOverNow(const PointMover& mover, const Contact& contact,
                                FaceTouch* touch) const {
  std::array<Vector3d, 3> corners;
  for (int c = 0; c < 3; ++c) corners[c] = mover.Point(WeightedPoint::Of(faces_[contact.face][c]));
  return IsOver(corners, mover.Point(WeightedPoint::Of(contact.point)), contact.approach.side,
                RimOf(contact.approach), touch);
}

void SurfaceContacts::Relax(PointMover* mover) {
  for (Contact& contact : contacts_) Relax(mover, &contact);
}

void SurfaceContacts::Relax(PointMover* mover, Contact* contact) {
  const Vector3d old = contact->impulse;
  FaceTouch touch;
  if (!IsOverNow(*mover, *contact, &touch)) return;
  if (touch.distance >= contact->goal && old.isZero(0.0)) return;
  const auto& face = faces_[contact->face];
  const std::array<int, 4> points = {contact->point, face[0], face[1], face[2]};
  const std::array<double, 4> weights = {1.0, -touch.weights[0], -touch.weights[1],
                                         -touch.weights[2]};
  Matrix3d mobility = Matrix3d::Zero();
  Vector3d slip = Vector3d::Zero();
  for (int i = 0; i < 4; ++i) {
    slip += weights[i] * (mover->Point(WeightedPoint::Of(points[i])) - start_.col(points[i]));
    for (int j = 0; j < 4; ++j) {
      mobility += weights[i] * weights[j] * mover->Coupling(points[i], points[j]);
    }
  }
  const Vector3d& n = touch.normal;
  if (!(n.dot(mobility * n) > 0.0)) return;  // nothing gives
  const Vector3d way = (contact->goal - touch.distance) * n - (slip - slip.dot(n) * n);
  contact->impulse = ContactImpulse({mobility, LargestOf(mobility), n, friction_}, way, old);
  const Vector3d more = contact->impulse - old;
  for (int i = 0; i < 4; ++i) {
    mover->Push(WeightedPoint::Of(points[i]), weights[i] * more);
    if (!leads_) pushed_.col(points[i]) += weights[i] * more;
  }
}

SurfaceContacts::Worst SurfaceContacts::FindWorst(const PointMover& mover) const {
  Worst worst;
  for (size_t i = 0; i < contacts_.size(); ++i) {
    FaceTouch touch;
    if (!IsOverNow(mover, contacts_[i], &touch)) continue;
    const double size = contacts_[i].goal - touch.distance;
    if (size > worst.size) worst = {static_cast<int>(i), size};
  }
  return worst;
}

void SurfaceContacts::AddUnmet(const Scene& scene, double time, const PointsRef& x,
                               std::vector<UnmetConstraint>* unmet) const {
  if (!act()) return;
  SurfaceContacts still = *this;
  still.Begin(x, time);
  still.ForEachTouch(
      x, thickness_ - tolerance_, [&](int point, int face, Approach, const FaceTouch& touch) {
        unmet->push_back({Named(scene, point, faces_[face][0]), thickness_ - touch.distance, "m"});
      });
}

std::string SurfaceContacts::Named(const Scene& scene, int point, int corner) {
  return "contact of " + NameOfPoint(scene, point) + " with the face at " +
         NameOfPoint(scene, corner);
}

std::string SurfaceContacts::Name(const Scene& scene, int i) const {
  return Named(scene, contacts_[i].point, faces_[contacts_[i].face][0]);
}

}  // namespace pliant
