#include "models/contact/edge_passages.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/collision/continuous.h"
#include "models/contact/solid_surface.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr int kMeetingBoxes = 4096;       // of a search for a meeting
constexpr double kNoCommonNormal = 1e-9;  // sine between edges that have no common normal
constexpr double kAboveMeeting =
    1e-6;  // sine by which a face may rise above the plane of a meeting

// Twice the area, along the normal.
Vector3d DoubleAreaOf(const std::array<int, 3>& face, const PointColumns& x) {
  const Vector3d first = x.col(face[0]);
  return (x.col(face[1]) - first).cross(x.col(face[2]) - first);
}

}  // namespace

std::vector<double> ThicknessOfBodies(const SceneParts& parts, const PointColumns& x) {
  std::vector<double> content(parts.solid.size(), 0.0), border(parts.solid.size(), 0.0);
  if (parts.dimension == 2) {
    for (size_t f = 0; f < parts.faces.size(); ++f)
      content[parts.body_of_face[f]] += 0.5 * DoubleAreaOf(parts.faces[f], x).norm();
    for (size_t e = 0; e < parts.outline.size(); ++e) {
      border[parts.body_of_outline[e]] +=
          (x.col(parts.outline[e][0]) - x.col(parts.outline[e][1])).norm();
    }
  } else {
    for (size_t f = 0; f < parts.faces.size(); ++f) {
      const Vector3d normal = DoubleAreaOf(parts.faces[f], x);
      content[parts.body_of_face[f]] += normal.dot(x.col(parts.faces[f][0])) / 6.0;
      border[parts.body_of_face[f]] += 0.5 * normal.norm();
    }
  }
  for (size_t b = 0; b < content.size(); ++b) {
    const bool takes_space = parts.solid[b] && border[b] > 0.0;
    content[b] = takes_space ? 2.0 * std::abs(content[b]) / border[b] : 0.0;
  }
  return content;
}

double DepthOfWay(const SceneParts& parts, int body, const PointColumns& x, const Vector3d& from,
                  const Vector3d& to) {
  constexpr int kPlaces = 7;
  const SolidSurface surface(parts, body, x);
  double deepest = 0.0;
  for (int k = 1; k <= kPlaces; ++k) {
    const double share = static_cast<double>(k) / (kPlaces + 1);
    deepest = std::max(deepest, -surface.DistanceAt((1.0 - share) * from + share * to));
  }
  return deepest;
}

EdgePassages::EdgePassages(const SceneParts& parts, const PointColumns& start)
    : thickness_(ThicknessOfBodies(parts, start)) {
  if (parts.dimension == 2 || parts.solid.size() < 2) return;
  std::map<std::array<int, 2>, Edge> open;  // with one face so far
  for (size_t f = 0; f < parts.faces.size(); ++f) {
    const std::array<int, 3>& face = parts.faces[f];
    if (!parts.solid[parts.body_of_face[f]]) continue;
    for (int k = 0; k < 3; ++k) {
      const auto [i, j] = std::minmax(face[k], face[(k + 1) % 3]);
      const int beside = face[(k + 2) % 3];
      const auto [known, is_new] = open.try_emplace(
          {i, j}, Edge{{i, j}, {beside, beside}, {face, face}, parts.body_of_face[f]});
      if (is_new) continue;
      known->second.beside[1] = beside;
      known->second.faces[1] = face;
      edges_.push_back(known->second);
      open.erase(known);
    }
  }
  std::vector<Bounds> boxes;
  for (const Edge& edge : edges_) boxes.push_back(BoundsAround(edge.ends, start));
  tree_ = BoxTree(boxes);
}

void EdgePassages::Add(const SceneParts& parts, const PointColumns& before, const PointColumns& x,
                       double tolerance, const std::function<bool(int, int)>& apart,
                       const std::function<void(double, const Vector3d&, int, int)>& report) {
  if (edges_.empty()) return;
  tree_.Refit([&](int e) {
    Bounds box = BoundsAround(edges_[e].ends, before);
    box.Take(BoundsAround(edges_[e].ends, x));
    return box;
  });
  meetings_.clear();
  tree_.ForEachPairWithin([&](int i, int j) {
    if (edges_[i].body != edges_[j].body && apart(edges_[i].body, edges_[j].body))
      FindMeeting(i, j, before, x, tolerance);
  });
  std::ranges::sort(meetings_, [](const Meeting& first, const Meeting& second) {
    return std::tuple(first.at, first.a, first.b) < std::tuple(second.at, second.a, second.b);
  });
  for (const Meeting& meeting : meetings_) Take(meeting, parts, before, x, report);
}

void EdgePassages::FindMeeting(int a, int b, const PointColumns& before, const PointColumns& x,
                               double tolerance) {
  const std::array<int, 2>&of_a = edges_[a].ends, &of_b = edges_[b].ends;
  const auto volume = [&](const PointColumns& y) {
    return SignedVolume(y.col(of_a[0]), y.col(of_a[1]), y.col(of_b[0]), y.col(of_b[1]));
  };
  const double was = volume(before), is = volume(x);
  if (!((was <= 0.0 && is > 0.0) || (was >= 0.0 && is < 0.0))) return;
  const auto moving = [&](const std::array<int, 2>& ends) {
    return std::array<PointMotion, 2>{PointMotion{before.col(ends[0]), x.col(ends[0])},
                                      {before.col(ends[1]), x.col(ends[1])}};
  };
  const auto first = moving(of_a), second = moving(of_b);
  const auto impact = FirstImpact(first, second, {.tolerance = tolerance, .budget = kMeetingBoxes});
  if (!impact || !impact->found) return;
  const double t = impact->contact;
  const Vector3d along_a = first[1].At(t) - first[0].At(t),
                 along_b = second[1].At(t) - second[0].At(t);
  const Vector3d common = along_a.cross(along_b);
  if (!(common.norm() > kNoCommonNormal * along_a.norm() * along_b.norm())) return;
  const auto velocity = [](const std::array<PointMotion, 2>& edge, double share) -> Vector3d {
    return (1.0 - share) * (edge[0].end - edge[0].start) + share * (edge[1].end - edge[1].start);
  };
  const Vector3d relative = velocity(first, impact->u) - velocity(second, impact->v);
  const Vector3d place = (1.0 - impact->u) * first[0].At(t) + impact->u * first[1].At(t);
  const auto at = [&](int corner) -> Vector3d {
    return (1.0 - t) * before.col(corner) + t * x.col(corner);
  };
  // As an edge of one body that meets a side of the other, and the other way round.
  for (const auto& [mine, other, share] :
       {std::tuple(a, b, impact->v), std::tuple(b, a, impact->u)}) {
    const Edge& edge = edges_[other];
    Vector3d normal = common.normalized();
    Vector3d outwards = Vector3d::Zero();
    for (const auto& face : edge.faces) {
      outwards += (at(face[1]) - at(face[0])).cross(at(face[2]) - at(face[0])).normalized();
    }
    if (normal.dot(outwards) < 0.0) normal = -normal;
    const bool is_side = std::ranges::all_of(edge.beside, [&](int corner) {
      const Vector3d to = at(corner) - place;
      return normal.dot(to) <= kAboveMeeting * to.norm();
    });
    if (!is_side) continue;
    const double speed = normal.dot(relative) * (mine == a ? 1.0 : -1.0);
    if (speed != 0.0) meetings_.push_back({mine, other, t, share, speed < 0.0, normal, place});
  }
}

void EdgePassages::Take(const Meeting& meeting, const SceneParts& parts, const PointColumns& before,
                        const PointColumns& x,
                        const std::function<void(double, const Vector3d&, int, int)>& report) {
  const int other = edges_[meeting.b].body;
  const std::array<int, 2> key = {meeting.a, other};
  if (meeting.enters) {
    inside_[key] = {meeting.b, meeting.along, meeting.normal};
    return;
  }
  const auto entry = inside_.find(key);
  if (entry == inside_.end()) return;
  const Entry in = entry->second;
  inside_.erase(entry);
  if (!(in.normal.dot(meeting.normal) < -kFacingAway)) return;
  const Eigen::Matrix3Xd then = (1.0 - meeting.at) * before + meeting.at * x;
  const std::array<int, 2>& ends = edges_[in.b].ends;
  const Vector3d came_in = (1.0 - in.along) * then.col(ends[0]) + in.along * then.col(ends[1]);
  if (DepthOfWay(parts, other, then, came_in, meeting.place) > kThrough * thickness_[other])
    report(meeting.at, meeting.place, edges_[meeting.a].body, other);
}

}  // namespace pliant
