#include "models/scene/probe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/problem.h"
#include "models/scene/body_measures.h"
#include "models/scene/contact_pairs.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr const char* kAxes[] = {"x", "y", "z"};

const Body& BodyOf(const Scene& scene, const ProbeSet& set) {
  return scene.bodies[static_cast<size_t>(set.body)];
}

// A component, or the length.
double Part(const Probe& probe, const Vector3d& vector) {
  return probe.component ? vector[*probe.component] : vector.norm();
}

// From a to b: 0 to π, or about an axis anticlockwise. Absent where one of them has no direction.
std::optional<double> AngleBetween(Vector3d a, Vector3d b, const std::optional<Vector3d>& about) {
  if (about) {
    a -= a.dot(*about) * *about;
    b -= b.dot(*about) * *about;
  }
  if (a.norm() == 0.0 || b.norm() == 0.0) return std::nullopt;
  const Vector3d turned = a.cross(b);
  return std::atan2(about ? turned.dot(*about) : turned.norm(), a.dot(b));
}

// The strain of the line between two points of a body.
std::optional<double> LineStrain(const Probe& probe, const Scene& scene, const Vector3d& a,
                                 const Vector3d& b) {
  const Eigen::Matrix3Xd& rest = BodyOf(scene, probe.of[0]).rest;
  const double at_rest = (rest.col(probe.of[1].points[0]) - rest.col(probe.of[0].points[0])).norm();
  return ((b - a).norm() - at_rest) / at_rest;
}

[[noreturn]] void Refuse(const char* key, const std::string& what, const std::string& mend) {
  throw BadInput({key, what, mend});
}

void RequireCount(const Probe& probe, const ProbeKindInfo& info) {
  const size_t given = probe.of.size();
  if (given >= info.fewest && given <= info.most) return;
  const std::string number = info.fewest == info.most
                                 ? std::to_string(info.most)
                                 : std::to_string(info.fewest) + " or " + std::to_string(info.most);
  Refuse(
      "of",
      std::string("'") + info.word + "' is of " + number + (info.most == 1 ? " place" : " places") +
          ", but " + std::to_string(given) + (given == 1 ? " is given" : " are given"),
      info.most == 1 ? "of = {body = \"…\", point = …}" : "of = [{body = \"…\", point = …}, {…}]");
}

void RequireDirections(const Probe& probe) {
  if (probe.kind != ProbeKind::kAngle) {
    if (probe.against) Refuse("against", "'against' applies only to an angle", "remove it");
    if (probe.about) Refuse("about", "'about' applies only to an angle", "remove it");
  } else if (probe.of.size() == 2 && !probe.against) {
    Refuse("of", "the angle of a line needs a direction",
           "add against = [0, -1, 0], or name three places");
  } else if (probe.of.size() == 3 && probe.against) {
    Refuse("against", "the angle between two lines takes no 'against' direction",
           "remove it, or name two places");
  }
}

// What a kind needs of a single body.
void RequireBody(const Scene& scene, const Probe& probe) {
  const Body& body = BodyOf(scene, probe.of[0]);
  const std::string name = "body '" + body.name + "'";
  if (!probe.of[0].points.empty()) {
    Refuse("of", std::string("'") + InfoOf(probe.kind).word + "' with one place needs a whole body",
           "of = {body = \"" + body.name + "\"}");
  }
  if (probe.kind == ProbeKind::kStrain) {
    if (!MeasureEdgeStrain(body, body.rest))
      Refuse("of", name + " has no edges", "name two points");
  } else if (body.faces.empty()) {
    Refuse("of", name + " has no faces", "measure a body with faces");
  } else if (probe.kind == ProbeKind::kVolume && !body.closed) {
    Refuse("of", "the faces of " + name + " enclose no volume", "measure its area");
  }
}

void RequireLine(const Scene& scene, const Probe& probe) {
  const ProbeSet &a = probe.of[0], &b = probe.of[1];
  if (a.points.size() != 1 || b.points.size() != 1) {
    Refuse("of", "a strain is measured between two single points",
           "name one point each, or the whole body alone");
  }
  if (a.body != b.body) {
    Refuse("of",
           "a strain is of two points of one body: the distance of two bodies has no rest length",
           "measure the distance");
  }
  const Eigen::Matrix3Xd& rest = BodyOf(scene, a).rest;
  if (rest.col(a.points[0]) == rest.col(b.points[0])) {
    Refuse("of", "these points have the same place in the rest shape", "name two that are apart");
  }
}

bool IsPairOf(const ContactPair& pair, int body, const ProbeToucher& other) {
  if (other.is_obstacle) return pair.body == body && pair.obstacle == other.index;
  return (pair.body == body && pair.other == other.index) ||
         (pair.other == body && pair.body == other.index);
}

void RequireToucher(const Scene& scene, const Probe& probe) {
  if (!probe.from) return;
  if (!IsOfContact(probe)) Refuse("from", "'from' applies only to contact", "remove it");
  const Body& body = BodyOf(scene, probe.of[0]);
  if (!probe.of[0].points.empty()) {
    Refuse("of", "contact with one obstacle or body is known of a whole body",
           "of = {body = \"" + body.name + "\"}, or remove from");
  }
  const std::vector<ContactPair> pairs = ContactPairs(scene);
  if (std::ranges::any_of(pairs, [&](const ContactPair& pair) {
        return IsPairOf(pair, probe.of[0].body, *probe.from);
      })) {
    return;
  }
  const int own = probe.of[0].body, other = probe.from->index;
  if (probe.from->is_obstacle || (own != other && !ContactOf(scene, own, other).ignored)) {
    Refuse("from",
           "more than " + std::to_string(kMostContactPairs) +
               " pairs may touch in this scene: no pair is counted",
           "measure all contact of the body: remove from");
  }
  Refuse("from", "body '" + body.name + "' and '" + probe.from->name + "' do not meet",
         "name an obstacle or body that meets it");
}

}  // namespace

std::span<const ProbeKindInfo> ProbeKinds() {
  static constexpr ProbeKindInfo kinds[] = {
      {"position", "m", "one component of the place", 1, 1, false, true, true},
      {"displacement", "m", "from the initial position: a component, or the length", 1, 1, false,
       true, false},
      {"velocity", "m/s", "a component, or the speed", 1, 1, false, true, false},
      {"distance", "m", "between two places", 2, 2, false, false, false},
      {"angle", "rad",
       "at the second of three places, or between the direction against and the line from the "
       "first of two places to the second",
       2, 3, false, false, false},
      {"area", "m²", "of the faces of a body", 1, 1, true, false, false},
      {"volume", "m³", "inside the faces of a body", 1, 1, true, false, false},
      {"strain", "1",
       "of the line between two points of a body, or the largest magnitude over the edges of a "
       "body",
       1, 2, true, false, false},
      {"reaction", "N",
       "sum of the forces with which nails, attachments, combinations and sliders hold the points: "
       "a component, or the magnitude",
       1, 1, false, true, false},
      {"contact-force", "N",
       "force of contact on the points, mean since the record before: a component, or the "
       "magnitude",
       1, 1, false, true, false},
      {"contact-impulse", "N s",
       "impulse of contact on the points since the start: a component, or the magnitude", 1, 1,
       false, true, false},
  };
  return kinds;
}

const ProbeKindInfo& InfoOf(ProbeKind kind) { return ProbeKinds()[static_cast<size_t>(kind)]; }

std::string MeaningOf(const Probe& probe) {
  std::string meaning = InfoOf(probe.kind).word;
  if (probe.component) meaning += std::string(" ") + kAxes[*probe.component];
  for (size_t i = 0; i < probe.of.size(); ++i)
    meaning += (i == 0 ? " of " : ", ") + probe.of[i].name;
  if (probe.from) meaning += " from " + probe.from->name;
  if (probe.kind == ProbeKind::kContactForce) meaning += ", mean since the record before";
  return meaning;
}

bool NeedHoldForces(const std::vector<Probe>& probes) {
  return std::ranges::any_of(probes,
                             [](const Probe& probe) { return probe.kind == ProbeKind::kReaction; });
}

bool IsOfContact(const Probe& probe) {
  return probe.kind == ProbeKind::kContactForce || probe.kind == ProbeKind::kContactImpulse;
}

bool NeedContactForces(const std::vector<Probe>& probes) {
  return std::ranges::any_of(probes, IsOfContact);
}

ProbeToucher TouchingNamed(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (size_t o = 0; o < scene.obstacles.size(); ++o) {
    names.push_back(scene.obstacles[o].name);
    if (names.back() == name) return {true, static_cast<int>(o), name};
  }
  for (size_t b = 0; b < scene.bodies.size(); ++b) {
    names.push_back(scene.bodies[b].name);
    if (names.back() == name) return {false, static_cast<int>(b), name};
  }
  Refuse("from", "the scene has no obstacle or body '" + name + "'", DidYouMean(name, names));
}

void RequireMeasurable(const Scene& scene, const Probe& probe) {
  const ProbeKindInfo& info = InfoOf(probe.kind);
  RequireCount(probe, info);
  if (probe.component && !info.may_have_component) {
    Refuse("component", std::string("'") + info.word + "' has no components", "remove it");
  }
  if (!probe.component && info.needs_component) {
    Refuse("", std::string("a ") + info.word + " is one component", "add component = \"y\"");
  }
  RequireDirections(probe);
  RequireToucher(scene, probe);
  if (info.of_whole_body && probe.of.size() == 1) RequireBody(scene, probe);
  if (probe.kind == ProbeKind::kStrain && probe.of.size() == 2) RequireLine(scene, probe);
}

ProbeMeter::ProbeMeter(const Scene& scene, std::vector<Probe> probes)
    : scene_(scene), probes_(std::move(probes)) {
  if (probes_.empty()) return;
  const Eigen::Matrix3Xd start = scene.InitialPoints();
  for (const Probe& probe : probes_) {
    std::vector<Columns>& sets = sets_.emplace_back();
    for (const ProbeSet& set : probe.of) {
      const Body& body = BodyOf(scene, set);
      Columns& columns = sets.emplace_back();
      columns.first = scene.Offset(set.body);
      columns.count = body.size();
      double mass = 0.0;
      const int size = set.points.empty() ? body.size() : static_cast<int>(set.points.size());
      for (int i = 0; i < size; ++i) {
        const int point = set.points.empty() ? i : set.points[static_cast<size_t>(i)];
        columns.points.push_back(columns.first + point);
        columns.fraction.push_back(body.mass[point]);
        mass += body.mass[point];
      }
      for (double& fraction : columns.fraction) fraction /= mass;
      columns.start = columns.Centre(start);
    }
    FindPairs(probe);
  }
}

void ProbeMeter::FindPairs(const Probe& probe) {
  std::vector<SignedPair>& of_body = pairs_.emplace_back();
  if (!IsOfContact(probe) || !probe.of[0].points.empty()) return;
  const int body = probe.of[0].body;
  Eigen::Index number = 0;
  for (const ContactPair& pair : ContactPairs(scene_)) {
    const bool counts =
        probe.from ? IsPairOf(pair, body, *probe.from) : pair.body == body || pair.other == body;
    if (counts) of_body.push_back({number, pair.body == body ? 1.0 : -1.0});
    ++number;
  }
}

// Of a whole body the sum of its pairs, where they are counted; else of its points.
std::optional<Vector3d> ProbeMeter::SumOfContact(size_t index,
                                                 const ContactVectors& vectors) const {
  Vector3d sum = Vector3d::Zero();
  if (vectors.pairs && !pairs_[index].empty()) {
    for (const auto& [number, sign] : pairs_[index]) sum += sign * vectors.pairs->col(number);
    return sum;
  }
  if (probes_[index].from || !vectors.points) return std::nullopt;
  for (const int point : sets_[index][0].points) sum += vectors.points->col(point);
  return sum;
}

Vector3d ProbeMeter::Columns::Centre(const PointsRef& of) const {
  if (points.size() == 1) return of.col(points.front());  // no rounding by the mass
  Vector3d centre = Vector3d::Zero();
  for (size_t i = 0; i < points.size(); ++i) centre += fraction[i] * of.col(points[i]);
  return centre;
}

std::optional<double> ProbeMeter::Measure(size_t index, const PointsRef& x,
                                          const Eigen::Matrix3Xd* velocities,
                                          const ProbeForces* forces) const {
  const Probe& probe = probes_[index];
  const std::vector<Columns>& sets = sets_[index];
  const auto centre = [&](size_t set) { return sets[set].Centre(x); };
  const auto body = [&] { return x.middleCols(sets[0].first, sets[0].count); };
  switch (probe.kind) {
    case ProbeKind::kPosition:
      return Part(probe, centre(0));
    case ProbeKind::kDisplacement:
      return Part(probe, centre(0) - sets[0].start);
    case ProbeKind::kVelocity:
      if (velocities == nullptr) return std::nullopt;
      return Part(probe, sets[0].Centre(*velocities));
    case ProbeKind::kDistance:
      return (centre(1) - centre(0)).norm();
    case ProbeKind::kAngle:
      if (sets.size() == 2) return AngleBetween(*probe.against, centre(1) - centre(0), probe.about);
      return AngleBetween(centre(0) - centre(1), centre(2) - centre(1), probe.about);
    case ProbeKind::kArea:
      return FaceArea(BodyOf(scene_, probe.of[0]), body());
    case ProbeKind::kVolume:
      return EnclosedVolume(BodyOf(scene_, probe.of[0]), body());
    case ProbeKind::kStrain:
      if (sets.size() == 2) return LineStrain(probe, scene_, centre(0), centre(1));
      return MeasureEdgeStrain(BodyOf(scene_, probe.of[0]), body())->max;
    case ProbeKind::kReaction: {
      if (forces == nullptr || !forces->holds) return std::nullopt;
      Vector3d sum = Vector3d::Zero();
      for (const int point : sets[0].points) sum += forces->holds->col(point);
      return Part(probe, sum);
    }
    case ProbeKind::kContactForce:
    case ProbeKind::kContactImpulse: {
      if (forces == nullptr) return std::nullopt;
      const auto sum =
          SumOfContact(index, probe.kind == ProbeKind::kContactForce ? forces->contact_force
                                                                     : forces->contact_impulse);
      return sum ? std::optional(Part(probe, *sum)) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace pliant
