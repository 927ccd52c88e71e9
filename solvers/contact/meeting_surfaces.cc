#include "solvers/contact/meeting_surfaces.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "models/contact/scene_parts.h"
#include "models/scene/number_text.h"
#include "solvers/holds/held_points.h"
#include "solvers/holds/schedule.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

std::array<int, 2> Ascending(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

std::array<int, 2> BodiesOf(const BodyContact& contact) { return {contact.a, contact.b}; }

// What the scene states of pairs, and what it says of those that are attached without stating more.
std::vector<BodyContact> LawsOf(const Scene& scene, const SurfaceContactOptions& options) {
  std::map<std::array<int, 2>, BodyContact> laws;
  for (const BodyContact& contact : scene.contacts) {
    const auto [a, b] = Ascending(contact.a, contact.b);
    laws.try_emplace({a, b},
                     BodyContact{a, b, contact.ignored, contact.friction, contact.restitution});
  }
  for (const Attachment& attachment : scene.attachments) {
    const auto [a, b] = Ascending(attachment.a.body, attachment.b.body);
    if (!options.given()) laws.try_emplace({a, b}, BodyContact{a, b, true});
  }
  std::vector<BodyContact> sorted;
  for (const auto& [bodies, law] : laws) sorted.push_back(law);
  return sorted;
}

}  // namespace

MeetingSurfaces::MeetingSurfaces(const Scene& scene, const SurfaceContactOptions& options,
                                 const std::vector<bool>& rigid, const PointsRef& rest)
    : planar_(scene.dimension == 2), laws_(LawsOf(scene, options)) {
  same_.ignored = !options.given();
  same_.friction = other_.friction = options.friction;
  if (scene.bodies.size() < 2 && same_.ignored && laws_.empty()) return;

  const SceneParts parts(scene);
  body_ = parts.body_of_point;
  const int bodies = static_cast<int>(scene.bodies.size());
  surfaces_.resize(bodies);
  for (int b = 0; b < bodies; ++b) surfaces_[b].body = b;
  std::vector<char> has_part(scene.PointCount(), 0);
  const auto add_edge = [&](const std::array<int, 2>& edge, int body, bool bare) {
    surfaces_[body].edges.push_back(static_cast<int>(edges_.size()));
    edges_.push_back(edge);
    bare_edges_.push_back(bare ? 1 : 0);
    for (const int end : edge) has_part[end] = 1;
  };
  std::map<std::array<int, 2>, int> faces_at;
  for (size_t f = 0; f < parts.faces.size(); ++f) {
    const auto& face = parts.faces[f];
    for (int s = 0; s < 3; ++s) ++faces_at[Ascending(face[s], face[(s + 1) % 3])];
    if (planar_) continue;
    surfaces_[parts.body_of_face[f]].faces.push_back(static_cast<int>(faces_.size()));
    faces_.push_back(face);
    for (const int corner : face) has_part[corner] = 1;
  }
  for (size_t e = 0; e < parts.edges.size(); ++e) {
    const int body = parts.body_of_edge[e];
    const auto found = faces_at.find(parts.edges[e]);
    const int faces = found == faces_at.end() ? 0 : found->second;
    const bool inside = planar_ ? faces > 1 : faces == 0 && parts.solid[body];
    if (!inside) add_edge(parts.edges[e], body, planar_ || faces == 0);
  }
  for (int p = 0, count = scene.PointCount(); p < count; ++p) {
    if (has_part[p] != 0) points_.push_back(p);
    if (has_part[p] != 0) surfaces_[body_[p]].points.push_back(p);
  }
  std::erase_if(surfaces_, [](const Surface& surface) { return surface.points.empty(); });

  piece_.assign(scene.PointCount(), -1);
  for (int b = 0; b < bodies; ++b) {
    if (rigid[b]) std::fill_n(piece_.begin() + scene.Offset(b), scene.bodies[b].size(), b);
  }
  TakeAttachments(scene);

  std::vector<Bounds> bounds;
  for (Surface& surface : surfaces_) {
    const auto tree_of = [&rest](const std::vector<int>& numbers, const auto& all) {
      std::vector<Bounds> boxes;
      for (const int number : numbers) boxes.push_back(BoundsAround(all[number], rest));
      return BoxTree(boxes);
    };
    std::vector<Bounds> boxes;
    for (const int p : surface.points) boxes.push_back(Bounds::Of(rest.col(p), rest.col(p)));
    surface.point_tree = BoxTree(boxes);
    surface.edge_tree = tree_of(surface.edges, edges_);
    surface.face_tree = tree_of(surface.faces, faces_);
    bounds.push_back(surface.point_tree.bounds());
    const BodyContact& own = LawOf(surface.body, surface.body);
    any_ = any_ || (!own.ignored && !rigid[surface.body]);
  }
  body_tree_ = BoxTree(bounds);
  // Pairs that meet: all but those that ignore each other.
  const auto with = static_cast<std::ptrdiff_t>(surfaces_.size());
  std::ptrdiff_t between = with * (with - 1) / 2;
  std::vector<char> has_surface(bodies, 0);
  for (const Surface& surface : surfaces_) has_surface[surface.body] = 1;
  for (const BodyContact& law : laws_) {
    if (law.a == law.b || has_surface[law.a] == 0 || has_surface[law.b] == 0) continue;
    if (law.ignored) --between;
  }
  any_ = any_ || between > 0;
  start_ = rest;
}

// What is attached to the same point is together as well, while both attachments hold.
void MeetingSurfaces::TakeAttachments(const Scene& scene) {
  for (const Attachment& attachment : scene.attachments) {
    const int a = scene.Index(attachment.a), b = scene.Index(attachment.b);
    attached_.push_back({{a, b}, attachment.hold});
    attached_.push_back({{b, a}, attachment.hold});
  }
  std::ranges::sort(attached_, {}, &Attached::points);
  const size_t direct = attached_.size();
  for (size_t i = 0; i < direct; ++i) {
    for (size_t j = i + 1; j < direct && attached_[j].points[0] == attached_[i].points[0]; ++j) {
      const int a = attached_[i].points[1], b = attached_[j].points[1];
      HoldTime both = attached_[i].hold;
      both.from = std::max(both.from, attached_[j].hold.from);
      both.until = std::min(both.until, attached_[j].hold.until);
      attached_.push_back({{a, b}, both});
      attached_.push_back({{b, a}, both});
    }
  }
  std::ranges::sort(attached_, {}, &Attached::points);
}

MeetingSurfaces::Narrowest MeetingSurfaces::FindNarrowest(const PointsRef& rest) const {
  Narrowest narrowest{std::numeric_limits<double>::infinity(), -1};
  const auto take = [&narrowest](double width, int point) {
    if (width < narrowest.width) narrowest = {width, point};
  };
  for (const auto& face : faces_) {
    take(WidthOf({rest.col(face[0]), rest.col(face[1]), rest.col(face[2])}), face[0]);
  }
  for (size_t e = 0; e < edges_.size(); ++e) {
    const auto [a, b] = edges_[e];
    if (bare_edges_[e] != 0) take((rest.col(b) - rest.col(a)).norm(), a);
  }
  return narrowest;
}

void MeetingSurfaces::Tear(const std::vector<std::array<int, 2>>& torn) {
  std::set<std::array<int, 2>> sides;
  for (const auto [a, b] : torn) sides.insert(Ascending(a, b));
  torn_faces_.assign(faces_.size(), 0);
  torn_edges_.assign(edges_.size(), 0);
  for (size_t f = 0; f < faces_.size(); ++f) {
    for (int c = 0; c < 3; ++c) {
      if (sides.count(Ascending(faces_[f][c], faces_[f][(c + 1) % 3])) > 0) torn_faces_[f] = 1;
    }
  }
  for (size_t e = 0; e < edges_.size(); ++e) {
    if (sides.count(Ascending(edges_[e][0], edges_[e][1])) > 0) torn_edges_[e] = 1;
  }
}

void MeetingSurfaces::Begin(const PointsRef& start, double end) {
  start_ = start;
  end_ = end;
}

const BodyContact& MeetingSurfaces::LawOf(int a, int b) const {
  const std::array<int, 2> bodies = Ascending(a, b);
  const auto found = std::ranges::lower_bound(laws_, bodies, {}, BodiesOf);
  if (found != laws_.end() && BodiesOf(*found) == bodies) return *found;
  return a == b ? same_ : other_;
}

bool MeetingSurfaces::Apart(int p, int q) const {
  if (p == q || (piece_[p] >= 0 && piece_[p] == piece_[q])) return false;
  if (attached_.empty()) return true;
  // Not std::ranges::equal_range: Clang 14 does not read the range that it returns.
  const std::array<int, 2> pair = {p, q};
  auto held = std::ranges::lower_bound(attached_, pair, {}, &Attached::points);
  for (; held != attached_.end() && held->points == pair; ++held) {
    if (HoldsThrough(held->hold, end_)) return false;
  }
  return true;
}

bool MeetingSurfaces::CanTouch(int point, int face) const {
  if (!torn_faces_.empty() && torn_faces_[face] != 0) return false;
  const auto& corners = faces_[face];
  return Meet(body_[point], body_[corners[0]]) && Apart(point, corners[0]) &&
         Apart(point, corners[1]) && Apart(point, corners[2]);
}

bool MeetingSurfaces::EdgesCanTouch(int a, int b) const {
  if (!torn_edges_.empty() && (torn_edges_[a] != 0 || torn_edges_[b] != 0)) return false;
  for (const int p : edges_[a]) {
    for (const int q : edges_[b]) {
      if (!Apart(p, q)) return false;
    }
  }
  return true;
}

// Motion relative to the mean: a sheet that falls as a whole sweeps over nothing. Every box is
// widened by half of the reach.
void MeetingSurfaces::Sweep(const PointsRef& now, double reach) {
  drift_ = (now - start_).rowwise().mean();
  overlapping_.clear();
  for (Surface& surface : surfaces_) {
    surface.fitted = false;
    surface.swept = Bounds::Empty();
    for (const int p : surface.points) surface.swept.Take(Swept(p, now));
    surface.swept.Widen(0.5 * reach);
  }
  body_tree_.Refit([this](int i) { return surfaces_[i].swept; });
  for (int i = 0; i < static_cast<int>(surfaces_.size()); ++i) {
    const int body = surfaces_[i].body;
    const bool bends = piece_[surfaces_[i].points[0]] < 0;
    if (bends && Meet(body, body)) overlapping_.push_back({i, i});
  }
  body_tree_.ForEachPairWithin([this](int i, int j) {
    if (Meet(surfaces_[i].body, surfaces_[j].body)) overlapping_.push_back(Ascending(i, j));
  });
  std::sort(overlapping_.begin(), overlapping_.end());
}

void MeetingSurfaces::Fit(Surface* surface, const PointsRef& now, double reach) {
  if (surface->fitted) return;
  surface->fitted = true;
  const auto around = [&](const auto& corners) {
    Bounds box = Bounds::Empty();
    for (const int corner : corners) box.Take(Swept(corner, now));
    box.Widen(0.5 * reach);
    return box;
  };
  surface->point_tree.Refit([&](int i) { return around(std::array{surface->points[i]}); });
  surface->edge_tree.Refit([&](int i) { return around(edges_[surface->edges[i]]); });
  surface->face_tree.Refit([&](int i) { return around(faces_[surface->faces[i]]); });
}

std::string NameOfPart(const Scene& scene, const SurfacePair& pair, bool first) {
  const bool edges = pair.kind == PairKind::kEdgeEdge;
  const std::string name = NameOfPoint(scene, pair.points[first ? 0 : edges ? 2 : 1]);
  if (first && !edges) return name;
  return (pair.kind == PairKind::kPointFace ? "the face at " : "the edge at ") + name;
}

std::string WhyTooThick(const Scene& scene, const MeetingSurfaces::Narrowest& narrowest,
                        double thickness) {
  return "the face or edge at " + NameOfPoint(scene, narrowest.point) + " is only " +
         ThreeDigits(narrowest.width) + " m wide, less than the thickness of " +
         ThreeDigits(thickness) + " m";
}

}  // namespace pliant
