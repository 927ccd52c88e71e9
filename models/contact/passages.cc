#include "models/contact/passages.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "models/collision/continuous.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

constexpr double kDeep = 0.5;     // of half the thickness of an obstacle: deeper is through it
constexpr double kStride = 0.02;  // of the same: how closely the depth is followed inside
constexpr double kNear = 1e-7;    // of the size of the scene: what is as near as this touches
constexpr double kLeastOfPlaces = 0x1p-36;  // of coordinates: well above their rounding
constexpr int kBoxes = 4096;  // of a search: where faces have collapsed to lines none of them ends
constexpr int kVisits = 8;    // of a part to one obstacle between two times

}  // namespace

Passages::Passages(std::shared_ptr<const Scene> scene)
    : scene_(std::move(scene)),
      parts_(*scene_),
      thickness_(ThicknessOfBodies(parts_, scene_->InitialPoints())),
      edges_(parts_, scene_->InitialPoints()) {
  const Eigen::Matrix3Xd start = scene_->InitialPoints();
  std::vector<Bounds> boxes;
  for (const SceneParts::Part& part : parts_.parts) {
    boxes.push_back(part.BoundsAt(start));
    if (part.count != 2) continue;
    lone_edges_.push_back({part.corners[0], part.corners[1]});
    body_of_lone_edge_.push_back(part.body);
  }
  part_tree_ = BoxTree(boxes);
  if (parts_.dimension == 2) {
    for (size_t e = 0; e < parts_.outline.size(); ++e) {
      facets_.push_back({parts_.outline[e][0], parts_.outline[e][1], parts_.outline[e][1]});
      body_of_facet_.push_back(parts_.body_of_outline[e]);
    }
    for (size_t e = 0; e < parts_.edges.size(); ++e) {
      if (parts_.solid[parts_.body_of_edge[e]]) continue;
      facets_.push_back({parts_.edges[e][0], parts_.edges[e][1], parts_.edges[e][1]});
      body_of_facet_.push_back(parts_.body_of_edge[e]);
    }
  } else {
    facets_ = parts_.faces;
    body_of_facet_ = parts_.body_of_face;
  }
  facet_tree_ = TreeOf(facets_, start);
  lone_tree_ = TreeOf(lone_edges_, start);
  body_bounds_.assign(scene_->bodies.size(), Bounds::Empty());
  for (const SceneParts::Part& part : parts_.parts) {
    body_bounds_[part.body].Take(part.BoundsAt(start));
  }
  body_tree_ = BoxTree(body_bounds_);
  for (const Attachment& attachment : scene_->attachments) {
    attached_.push_back({attachment.a.body, attachment.b.body});
    attached_.push_back({attachment.b.body, attachment.a.body});
  }
  std::sort(attached_.begin(), attached_.end());
  Bounds all = Bounds::Empty();
  for (Eigen::Index i = 0; i < start.cols(); ++i) all.Take(Vector3d(start.col(i)));
  tolerance_ = kNear * (all.upper - all.lower).norm() + 1e-12;
}

std::vector<Passage>::iterator Passages::Find(int body, int obstacle, int other) {
  return std::find_if(found_.begin(), found_.end(), [&](const Passage& p) {
    return (p.body == body && p.obstacle == obstacle && p.other == other) ||
           (other >= 0 && p.body == other && p.other == body);
  });
}

bool Passages::KnownBefore(int body, int obstacle, int other) {
  const auto known = Find(body, obstacle, other);
  return known != found_.end() && known->time <= time_;
}

void Passages::Keep(const Passage& passage) {
  const auto known = Find(passage.body, passage.obstacle, passage.other);
  if (known == found_.end()) {
    found_.push_back(passage);
  } else if (passage.time < known->time) {
    *known = passage;
  }
}

void Passages::Add(double time, const PointColumns& x) {
  if (started_ && time > time_) {
    part_tree_.Refit([&](int i) {
      Bounds box = parts_.parts[i].BoundsAt(x);
      box.Take(parts_.parts[i].BoundsAt(before_));
      return box;
    });
    for (int o = 0; o < static_cast<int>(scene_->obstacles.size()); ++o) AddObstacle(o, time, x);
    if (scene_->bodies.size() > 1) AddBodies(time, x);
  }
  before_ = x;
  time_ = time;
  started_ = true;
}

void Passages::AddObstacle(int o, double time, const PointColumns& x) {
  const Obstacle& obstacle = scene_->obstacles[o];
  if (PlaneOf(obstacle.shape) != nullptr) return;
  const Eigen::AlignedBox3d box = BoundsOf(obstacle.shape).box;
  Bounds swept = Bounds::Empty();
  for (const double t : {time_, time}) {
    const Vector3d origin = obstacle.motion.At(t).position;
    swept.Take(Bounds{origin + box.min(), origin + box.max()});
  }
  swept.Widen(2.0 * tolerance_);
  part_tree_.ForEachOverlap(swept, [&](int part) {
    if (KnownBefore(parts_.parts[part].body, o, -1)) return;
    Follow(o, time, x, part, &into_obstacles_[{o, part}]);
  });
}

void Passages::Follow(int o, double time, const PointColumns& x, int part, Entry* entry) {
  const ObstacleShape& shape = scene_->obstacles[o].shape;
  const Path& motion = scene_->obstacles[o].motion;
  const PointMotion origin{motion.At(time_).position, motion.At(time).position};
  const PartCorners start = parts_.parts[part].At(before_), end = parts_.parts[part].At(x);
  const auto corners_at = [&](double t) -> PartCorners { return (1.0 - t) * start + t * end; };
  const auto place_at = [&](double t) -> Vector3d {
    const PartCorners now = corners_at(t);
    return now * ClearanceOf(shape, origin.At(t), now).weights.head(now.cols());
  };
  const auto normal_at = [&](double t) {
    return SignedDistance(shape, origin.At(t), place_at(t)).normal;
  };
  const double half = HalfThickness(shape);
  const double speed = std::sqrt(
      ((end - start).colwise() - (origin.end - origin.start)).colwise().squaredNorm().maxCoeff());
  if (!(speed > 0.0)) return;
  double t = 0.0;
  for (int visit = 0; visit < kVisits; ++visit) {
    if (!entry->inside) {
      const auto impact = FirstImpact(shape, {origin.At(t), origin.end}, corners_at(t), end,
                                      {.tolerance = tolerance_, .budget = 1000});
      if (!impact || !impact->found) return;
      t += impact->time * (1.0 - t);
      *entry = {true, 0.0, normal_at(t)};
    }
    for (bool last = false;;) {
      const double depth = -ClearanceOf(shape, origin.At(t), corners_at(t)).distance;
      entry->deepest = std::max(entry->deepest, depth);
      if (depth < -2.0 * tolerance_) break;
      if (last) return;
      t += std::max(depth, kStride * half) / speed;
      last = t >= 1.0;
      t = std::min(t, 1.0);
    }
    entry->inside = false;
    if (entry->deepest > kDeep * half && entry->normal.dot(normal_at(t)) < -kFacingAway) {
      return Keep({std::lerp(time_, time, t), place_at(t), parts_.parts[part].body, o});
    }
  }
}

void Passages::AddBodies(double time, const PointColumns& x) {
  const auto swept = [&](const auto& corners) {
    Bounds box = BoundsAround(corners, x);
    box.Take(BoundsAround(corners, before_));
    return box;
  };
  // Where the bodies as a whole stay apart, nothing is looked at.
  body_bounds_.assign(body_bounds_.size(), Bounds::Empty());
  for (const SceneParts::Part& part : parts_.parts) {
    body_bounds_[part.body].Take(part.BoundsAt(x));
    body_bounds_[part.body].Take(part.BoundsAt(before_));
  }
  body_tree_.Refit([&](int b) { return body_bounds_[b]; });
  std::vector<bool> near(body_bounds_.size(), false);
  body_tree_.ForEachPairWithin([&](int a, int b) { near[a] = near[b] = true; });
  if (std::none_of(near.begin(), near.end(), [](bool n) { return n; })) return;
  const auto apart = [this](int a, int b) {
    return a != b &&
           !std::binary_search(attached_.begin(), attached_.end(), std::array<int, 2>{a, b});
  };
  facet_tree_.Refit([&](int f) { return swept(facets_[f]); });
  for (int p = 0; p < static_cast<int>(x.cols()); ++p) {
    const int body = parts_.body_of_point[p];
    if (!near[body]) continue;
    hits_.clear();
    facet_tree_.ForEachOverlap(swept(std::array<int, 1>{p}), [&](int f) {
      if (apart(body, body_of_facet_[f])) FindHit(p, f, x);
    });
    // One after the other, as the point meets them.
    std::sort(hits_.begin(), hits_.end(), [](const Hit& a, const Hit& b) {
      return a.at != b.at ? a.at < b.at : a.facet < b.facet;
    });
    for (const Hit& hit : hits_) Take(p, hit, time, x);
  }
  edges_.Add(
      parts_, before_, x, tolerance_,
      [&](int a, int b) { return near[a] && near[b] && apart(a, b) && !KnownBefore(a, -1, b); },
      [&](double at, const Vector3d& place, int body, int other) {
        Keep({std::lerp(time_, time, at), place, body, -1, other});
      });
  if (parts_.dimension == 2 || lone_edges_.empty()) return;
  lone_tree_.Refit([&](int e) { return swept(lone_edges_[e]); });
  lone_tree_.ForEachPairWithin([&](int i, int j) {
    const int a = body_of_lone_edge_[i], b = body_of_lone_edge_[j];
    if (!apart(a, b) || parts_.solid[a] || parts_.solid[b] || KnownBefore(a, -1, b)) return;
    const auto volume = [&](const PointColumns& y) {
      return SignedVolume(y.col(lone_edges_[i][0]), y.col(lone_edges_[i][1]),
                          y.col(lone_edges_[j][0]), y.col(lone_edges_[j][1]));
    };
    const double was = volume(before_), is = volume(x);
    if (!((was < 0.0 && is > 0.0) || (was > 0.0 && is < 0.0))) return;
    const auto moving = [&](const std::array<int, 2>& e) {
      return std::array<PointMotion, 2>{PointMotion{before_.col(e[0]), x.col(e[0])},
                                        {before_.col(e[1]), x.col(e[1])}};
    };
    const auto impact =
        FirstImpact(moving(lone_edges_[i]), moving(lone_edges_[j]), {.tolerance = tolerance_});
    if (!impact || !impact->found) return;
    const auto edge = moving(lone_edges_[i]);
    Keep({std::lerp(time_, time, impact->contact),
          (1.0 - impact->u) * edge[0].At(impact->contact) + impact->u * edge[1].At(impact->contact),
          a, -1, b});
  });
}

void Passages::FindHit(int p, int f, const PointColumns& x) {
  const bool planar = parts_.dimension == 2;
  const auto [i, j, k] = facets_[f];
  // > 0 on the outer side, from which corners go round anticlockwise; outlines keep it on the right.
  const auto side = [&, i = i, j = j, k = k](const PointColumns& y) {
    return planar ? -SignedArea(y.col(i), y.col(j), y.col(p))
                  : SignedVolume(y.col(i), y.col(j), y.col(k), y.col(p));
  };
  const double was = side(before_), is = side(x);
  // What is in the plane of a facet of a solid counts as outside; elsewhere both sides are alike, and
  // what begins there has not come from one of them.
  const bool solid = parts_.solid[body_of_facet_[f]];
  const bool enters = (was > 0.0 || (solid && was == 0.0)) && is < 0.0;
  const bool leaves = was < 0.0 && (is > 0.0 || (solid && is == 0.0));
  if (!enters && !leaves) return;
  const PointMotion point{before_.col(p), x.col(p)};
  const std::array<PointMotion, 3> corners = {PointMotion{before_.col(i), x.col(i)},
                                              {before_.col(j), x.col(j)},
                                              {before_.col(k), x.col(k)}};
  // Far away places cannot be told to the tolerance, and the search would spend all of its budget on each pair.
  double farthest = 0.0;
  for (const PointMotion& c : {point, corners[0], corners[1], corners[2]}) {
    farthest = std::max({farthest, c.start.cwiseAbs().maxCoeff(), c.end.cwiseAbs().maxCoeff()});
  }
  const ImpactOptions options{.tolerance = std::max(tolerance_, kLeastOfPlaces * farthest),
                              .budget = kBoxes};
  const auto impact = planar ? FirstImpact(point, std::array{corners[0], corners[1]}, options)
                             : FirstImpact(point, corners, options);
  if (!impact || !impact->found) return;
  const double t = impact->contact;
  const Vector3d along = corners[1].At(t) - corners[0].At(t);
  const Vector3d across = corners[2].At(t) - corners[0].At(t);
  hits_.push_back({t, f, enters,
                   planar ? Vector3d(along.y(), -along.x(), 0.0) : along.cross(across), impact->u,
                   impact->v});
}

void Passages::Take(int p, const Hit& hit, double time, const PointColumns& x) {
  const int body = parts_.body_of_point[p], other = body_of_facet_[hit.facet];
  Entry& entry = into_bodies_[{other, p}];
  const Vector3d place = PointMotion{before_.col(p), x.col(p)}.At(hit.at);
  bool through = !parts_.solid[other];
  if (!through && hit.enters) {
    entry = {true, 0.0, hit.normal, hit.facet, hit.u, hit.v};
  } else if (!through && entry.inside) {
    if (entry.normal.normalized().dot(hit.normal.normalized()) < -kFacingAway) {
      const Eigen::Matrix3Xd then = (1.0 - hit.at) * before_ + hit.at * x;
      const auto [i, j, k] = facets_[entry.facet];
      const Vector3d came_in =
          (1.0 - entry.u - entry.v) * then.col(i) + entry.u * then.col(j) + entry.v * then.col(k);
      through = DepthOfWay(parts_, other, then, came_in, place) > kThrough * thickness_[other];
    }
    entry.inside = false;
  }
  if (through) Keep({std::lerp(time_, time, hit.at), place, body, -1, other});
}

}  // namespace pliant
