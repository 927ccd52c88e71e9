// The surfaces of a scene that may meet: which parts of which bodies are near each other over a
// step, and by which law their bodies meet?
//
// In space points meet faces and edges meet edges; in the plane points meet edges, of a body with
// an area those of its outline. Two bodies meet as the scene says (models/scene/body_contact.h).
// Edges and faces inside a closed body are left out, parts that have a corner in common, parts of
// one rigid body, and parts that an attachment holds together in the present step.
//
// Each body has trees of boxes around what its parts sweep over in the step, seen from the mean
// motion of all points; only those of bodies whose bounds overlap are refitted.

#ifndef PLIANT_SOLVERS_CONTACT_MEETING_SURFACES_H_
#define PLIANT_SOLVERS_CONTACT_MEETING_SURFACES_H_

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "models/collision/box_tree.h"
#include "models/scene/forces.h"
#include "models/scene/scene.h"
#include "solvers/contact/surface_pairs.h"

namespace pliant {

struct SurfaceContactOptions {
  double thickness = 0.0;  // d [m]; 0: chosen by the scene
  double friction = 0.0;   // μ of bodies of which the scene says nothing

  // A given thickness also keeps bodies from themselves, and those that are attached to each other,
  // unless the scene says that they ignore each other.
  bool given() const { return thickness > 0.0; }
};

// Two parts that may touch.
struct SurfacePair {
  PairKind kind;
  std::array<int, 4> points;  // of the scene; the fourth of kPointEdge repeats the third
  std::array<int, 2> parts;   // a point or edge, and a face or edge: with `kind` it names the pair
  const BodyContact* law;     // how their bodies meet
  bool rounded;               // do ends of edges touch?
  bool own;                   // are both of one body?
};

// "point 3 of cloth", "the face at point 0 of cloth", "the edge at …": the first part of a pair, or the second.
std::string NameOfPart(const Scene& scene, const SurfacePair& pair, bool first);

class MeetingSurfaces {
 public:
  // `rigid`: by body, whether it is rigid as a whole. `rest` 3×n.
  MeetingSurfaces(const Scene& scene, const SurfaceContactOptions& options,
                  const std::vector<bool>& rigid, const PointsRef& rest);

  // Are both parts of rigid bodies?
  bool AreRigid(const SurfacePair& pair) const {
    return piece_[pair.points[0]] >= 0 && piece_[pair.points[3]] >= 0;
  }

  // True if any two surfaces, or one and itself, may meet.
  bool any() const { return any_; }

  // The narrowest part: the width of a face, the length of an edge of none [m], and its first point.
  struct Narrowest {
    double width;
    int point;
  };
  Narrowest FindNarrowest(const PointsRef& rest) const;

  // Removes the faces with such a side, and these edges, and keeps all others.
  void Tear(const std::vector<std::array<int, 2>>& torn);

  // A step that ends at `end` [s] begins, with the points at `start`, 3×n [m].
  void Begin(const PointsRef& start, double end);
  const Eigen::Matrix3Xd& start() const { return start_; }

  // Calls visit(pair) once for each pair of parts whose boxes come within `reach` [m] of each other
  // on the straight way from the start of the step to `now`. O(points) far from contact.
  template <typename Visit>
  void ForEachNear(const PointsRef& now, double reach, const Visit& visit);

  // Of all bodies that may meet something.
  const std::vector<std::array<int, 3>>& faces() const { return faces_; }
  const std::vector<std::array<int, 2>>& edges() const { return edges_; }
  const std::vector<int>& points() const { return points_; }
  int BodyOf(int point) const { return body_[point]; }
  // Is the point neither a corner of the face nor held to it, and do their bodies meet?
  bool CanTouch(int point, int face) const;
  bool EdgesCanTouch(int a, int b) const;

  PairCorners Before(const SurfacePair& pair) const { return CornersAt(pair, start_); }
  static PairCorners CornersAt(const SurfacePair& pair, const PointsRef& x) {
    PairCorners corners;
    for (int i = 0; i < 4; ++i) corners[i] = x.col(pair.points[i]);
    return corners;
  }

 private:
  struct Surface {
    int body = 0;
    std::vector<int> points, faces, edges;  // the latter by number in faces_ and edges_
    BoxTree point_tree, face_tree, edge_tree;
    Bounds swept;
    bool fitted = false;
  };
  // A point and what it is held to, and when.
  struct Attached {
    std::array<int, 2> points;
    HoldTime hold;
  };

  void TakeAttachments(const Scene& scene);
  const BodyContact& LawOf(int a, int b) const;
  bool Meet(int a, int b) const { return !LawOf(a, b).ignored; }
  bool Apart(int p, int q) const;  // not one, of one rigid body, or held together now
  Bounds Swept(int point, const PointsRef& now) const {
    return Bounds::Of(start_.col(point) + drift_, now.col(point));
  }
  void Sweep(const PointsRef& now, double reach);  // bounds of bodies and the pairs that overlap
  void Fit(Surface* surface, const PointsRef& now, double reach);
  template <typename Visit>
  void PointsAgainst(const Surface& a, const Surface& b, const BodyContact& law,
                     const Visit& visit) const;
  template <typename Visit>
  void EdgesAgainst(const Surface& a, const Surface& b, const BodyContact& law,
                    const Visit& visit) const;

  bool planar_, any_ = false;
  std::vector<std::array<int, 3>> faces_;
  std::vector<std::array<int, 2>> edges_;
  std::vector<char> torn_faces_, torn_edges_;  // empty until something tears
  std::vector<char> bare_edges_;               // does the edge stand for itself, without a face?
  std::vector<int> points_;                    // of parts, ascending
  std::vector<int> body_;                      // of each point
  std::vector<int> piece_;                     // of each point: the rigid body, −1 for none
  std::vector<Attached> attached_;             // both ways, sorted by points
  std::vector<BodyContact> laws_;              // a ≤ b, sorted
  BodyContact same_, other_;                   // of pairs that are not among them
  std::vector<Surface> surfaces_;
  BoxTree body_tree_;
  std::vector<std::array<int, 2>> overlapping_;      // surfaces, scratch
  double end_ = 0.0;                                 // of the step [s]
  Eigen::Matrix3Xd start_;                           // of the step, 3×n [m]
  Eigen::Vector3d drift_ = Eigen::Vector3d::Zero();  // mean displacement: boxes are seen from there
};

// "the face or edge at point 3 of cloth is only 0.01 m wide, less than the thickness of 0.02 m".
std::string WhyTooThick(const Scene& scene, const MeetingSurfaces::Narrowest& narrowest,
                        double thickness);

template <typename Visit>
void MeetingSurfaces::PointsAgainst(const Surface& a, const Surface& b, const BodyContact& law,
                                    const Visit& visit) const {
  const bool same = &a == &b;
  a.point_tree.ForEachPair(planar_ ? b.edge_tree : b.face_tree, [&](int i, int j) {
    const int p = a.points[i];
    if (planar_) {
      const int e = b.edges[j];
      const auto [c, d] = edges_[e];
      if (!torn_edges_.empty() && torn_edges_[e] != 0) return;
      if ((same && (p == c || p == d)) || !Apart(p, c) || !Apart(p, d)) return;
      visit(SurfacePair{PairKind::kPointEdge, {p, c, d, d}, {p, e}, &law, true, same});
      return;
    }
    const int f = b.faces[j];
    const auto [c, d, e] = faces_[f];
    if (!torn_faces_.empty() && torn_faces_[f] != 0) return;
    if (!Apart(p, c) || !Apart(p, d) || !Apart(p, e)) return;
    visit(SurfacePair{PairKind::kPointFace, {p, c, d, e}, {p, f}, &law, false, same});
  });
}

template <typename Visit>
void MeetingSurfaces::EdgesAgainst(const Surface& a, const Surface& b, const BodyContact& law,
                                   const Visit& visit) const {
  const auto take = [&](int i, int j) {
    const int e = std::min(a.edges[i], b.edges[j]), f = std::max(a.edges[i], b.edges[j]);
    if (!EdgesCanTouch(e, f)) return;
    visit(SurfacePair{PairKind::kEdgeEdge,
                      {edges_[e][0], edges_[e][1], edges_[f][0], edges_[f][1]},
                      {e, f},
                      &law,
                      bare_edges_[e] != 0 || bare_edges_[f] != 0,
                      &a == &b});
  };
  if (&a == &b) {
    a.edge_tree.ForEachPairWithin(take);
  } else {
    a.edge_tree.ForEachPair(b.edge_tree, take);
  }
}

template <typename Visit>
void MeetingSurfaces::ForEachNear(const PointsRef& now, double reach, const Visit& visit) {
  Sweep(now, reach);
  for (const auto& [i, j] : overlapping_) {
    Surface &a = surfaces_[i], &b = surfaces_[j];
    Fit(&a, now, reach);
    Fit(&b, now, reach);
    const BodyContact& law = LawOf(a.body, b.body);
    PointsAgainst(a, b, law, visit);
    if (i != j) PointsAgainst(b, a, law, visit);
    if (!planar_) EdgesAgainst(a, b, law, visit);
  }
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_MEETING_SURFACES_H_
