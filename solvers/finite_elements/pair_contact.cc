#include "solvers/finite_elements/pair_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace pliant::finite_elements {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

// Edges whose squared sine of their angle is below this at rest fade out [Li et al. 2020, Eq. 24].
constexpr double kParallel = 1e-3;
// What a step of Newton's iteration leaves of the gap of each pair at least.
constexpr double kGapLeft = 0.1;

// m(c) with c = |u × v|², 1 from `full` on.
double Fade(double c, double full) {
  if (!(c < full)) return 1.0;
  const double y = c / full;
  return y * (2.0 - y);
}

double CrossSquared(const Matrix3d& gram) {
  return gram(1, 1) * gram(2, 2) - gram(1, 2) * gram(1, 2);
}

// ∂|u × v|²/∂C; with the mean of two C it gives their difference exactly.
Matrix3d CrossSlope(const Matrix3d& gram) {
  Matrix3d slope = Matrix3d::Zero();
  slope(1, 1) = gram(2, 2);
  slope(2, 2) = gram(1, 1);
  slope(1, 2) = slope(2, 1) = -gram(1, 2);
  return slope;
}

Matrix3d GramOf(const Eigen::Matrix3d& r) { return r.transpose() * r; }

}  // namespace

PairContact::PairContact(const Scene& scene, const ContactPlaces& places, const Matrix3Xd& rest,
                         const ContactOptions& options)
    : places_(places),
      options_(options),
      barrier_(options.thickness),
      rest_(rest),
      bodies_(static_cast<int>(scene.bodies.size())),
      meetings_(static_cast<size_t>(bodies_) * bodies_) {
  if (places.size() == 0) return;
  for (int a = 0; a < bodies_; ++a) {
    for (int b = a; b < bodies_; ++b) {
      const BodyContact contact = ContactOf(scene, a, b);
      const Meeting meeting = {!contact.ignored, contact.friction};
      meetings_[a * bodies_ + b] = meetings_[b * bodies_ + a] = meeting;
      any_ |= meeting.meets;
    }
  }
  if (!any_) return;
  boxes_.assign(places.size(), Bounds::Empty());
  for (int i = 0; i < places.size(); ++i) boxes_[i].Take(Vector3d(rest.col(i)));
  const auto around = [this](const auto& parts) {
    std::vector<Bounds> boxes;
    for (const auto& part : parts) {
      boxes.push_back(Bounds::Empty());
      for (const int place : part) boxes.back().Take(boxes_[place]);
    }
    return BoxTree(boxes);
  };
  place_tree_ = BoxTree(boxes_);
  face_tree_ = around(places.faces);
  edge_tree_ = around(places.edges);
}

void PairContact::Refit(double room) {
  for (Bounds& box : boxes_) box.Widen(room);
  place_tree_.Refit([this](int i) { return boxes_[i]; });
  const auto around = [this](const auto& part) {
    Bounds box = Bounds::Empty();
    for (const int place : part) box.Take(boxes_[place]);
    return box;
  };
  face_tree_.Refit([&](int f) { return around(places_.faces[f]); });
  edge_tree_.Refit([&](int e) { return around(places_.edges[e]); });
}

template <typename Visit>
void PairContact::ForEachNear(const Visit& visit) const {
  const auto meet = [this](int a, int b) {
    return MeetingOf(places_.body[a], places_.body[b]).meets;
  };
  if (places_.planar) {
    place_tree_.ForEachPair(edge_tree_, [&](int place, int edge) {
      const auto& [a, b] = places_.edges[edge];
      if (place == a || place == b || !meet(place, a)) return;
      visit(PairKind::kPointEdge, std::array{place, a, b, b});
    });
    return;
  }
  place_tree_.ForEachPair(face_tree_, [&](int place, int face) {
    const auto& [a, b, c] = places_.faces[face];
    if (place == a || place == b || place == c || !meet(place, a)) return;
    visit(PairKind::kPointFace, std::array{place, a, b, c});
  });
  edge_tree_.ForEachPairWithin([&](int one, int other) {
    const auto& [a, b] = places_.edges[std::min(one, other)];
    const auto& [c, d] = places_.edges[std::max(one, other)];
    if (a == c || a == d || b == c || b == d || !meet(a, c)) return;
    visit(PairKind::kEdgeEdge, std::array{a, b, c, d});
  });
}

bool PairContact::Neighbours(PairKind kind, const std::array<int, 4>& corners) const {
  const int one = corners[0], other = corners[kind == PairKind::kEdgeEdge ? 2 : 1];
  if (places_.body[one] != places_.body[other]) return false;
  const Matrix3d r = Corners(rest_(Eigen::all, corners)) * PairVectors(kind);
  const double near = 2.0 * barrier_.thickness();
  return GapOf(kind, GramOf(r)).squared < near * near;
}

void PairContact::FindPairs() {
  covered_ = boxes_;
  const double d = barrier_.thickness();
  for (Bounds& box : covered_) box.Widen(0.5 * d);
  Refit(d);  // half a thickness to move, half to be near
  pairs_.clear();
  ForEachNear([this](PairKind kind, const std::array<int, 4>& corners) {
    if (Neighbours(kind, corners)) return;
    const int one = corners[0], other = corners[kind == PairKind::kEdgeEdge ? 2 : 1];
    const bool edges = kind == PairKind::kEdgeEdge;
    double area = places_.areas[one];
    if (edges) area = 0.25 * places_.areas(std::vector<int>(corners.begin(), corners.end())).sum();
    const double modulus = std::min(places_.moduli[one], places_.moduli[other]);
    double parallel = 0.0;
    if (edges) {
      parallel = kParallel * (rest_.col(corners[1]) - rest_.col(corners[0])).squaredNorm() *
                 (rest_.col(corners[3]) - rest_.col(corners[2])).squaredNorm();
    }
    pairs_.push_back({kind, corners, 0.5 * area * modulus,
                      MeetingOf(places_.body[one], places_.body[other]).friction, parallel});
  });
  // Sums do not depend on where the boxes were.
  std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) {
    return std::tie(a.kind, a.corners) < std::tie(b.kind, b.corners);
  });
}

void PairContact::Begin(const Matrix3Xd& x0, const Matrix3Xd& x1) {
  if (!any_) return;
  for (int i = 0; i < places_.size(); ++i) boxes_[i] = Bounds::Of(x0.col(i), x1.col(i));
  FindPairs();
}

bool PairContact::Include(const Matrix3Xd& x) {
  if (!any_) return false;
  bool inside = true;
  for (int i = 0; i < places_.size() && inside; ++i) {
    inside = covered_[i].SquaredDistance(x.col(i)) == 0.0;
  }
  if (inside) return false;
  for (int i = 0; i < places_.size(); ++i) {
    boxes_[i] = covered_[i];
    boxes_[i].Take(Vector3d(x.col(i)));
  }
  const std::vector<Pair> before = pairs_;
  FindPairs();
  return pairs_ != before;
}

std::vector<NodeCombination> PairContact::Links() const {
  std::vector<NodeCombination> links;
  for (const Pair& pair : pairs_) {
    links.push_back(places_.LinkOf(pair.corners));
  }
  return links;
}

PairContact::Corners PairContact::At(const Pair& pair, const Matrix3Xd& x) {
  return x(Eigen::all, pair.corners);
}

double PairContact::EnergyOf(const Pair& pair, const Matrix3d& gram) const {
  const double gap = std::sqrt(GapOf(pair.kind, gram).squared);
  if (gap >= barrier_.thickness()) return 0.0;
  return pair.scale * barrier_.Value(gap) * Fade(CrossSquared(gram), pair.parallel);
}

double PairContact::Energy(const Matrix3Xd& x) const {
  double energy = 0.0;
  for (const Pair& pair : pairs_) {
    energy += EnergyOf(pair, GramOf(At(pair, x) * PairVectors(pair.kind)));
  }
  return energy;
}

bool PairContact::PushOf(const Pair& pair, const Matrix3Xd& x, Push* push) const {
  const PointMotion still{x, x, 0.0, 0.0};
  if (!DiscretePushOf(pair, still, push)) return false;
  push->stiffness *= 2.0;  // a step sees the half of it
  return true;
}

bool PairContact::DiscretePushOf(const Pair& pair, const PointMotion& motion, Push* push) const {
  const auto vectors = PairVectors(pair.kind);
  const Matrix3d r0 = At(pair, motion.x0) * vectors, r1 = At(pair, motion.x1) * vectors;
  const Matrix3d gram0 = GramOf(r0), gram1 = GramOf(r1);
  const PairGap gap0 = GapOf(pair.kind, gram0), gap1 = GapOf(pair.kind, gram1);
  const double near = barrier_.thickness() * barrier_.thickness();
  if (gap0.squared >= near && gap1.squared >= near) return false;
  const Matrix3d mean = 0.5 * (gram0 + gram1), change = gram1 - gram0, r = 0.5 * (r0 + r1);
  const PairGap middle = GapOf(pair.kind, mean);
  const double d0 = std::sqrt(gap0.squared), d1 = std::sqrt(gap1.squared);
  // ΔU/ΔD = Δb/Δd · 1/(d₀ + d₁), and the discrete gradient of D.
  const double sum = d0 + d1;
  const double of_d = pair.scale * barrier_.DividedDifference(d0, d1);
  Matrix3d of_gap = middle.z * middle.z.transpose();
  const double size = mean.squaredNorm(), square = change.squaredNorm();
  const double defect = gap1.squared - gap0.squared - of_gap.cwiseProduct(change).sum();
  constexpr double kLeastChange = 1e-7;  // of C: below it the defect, of third order, is rounding
  of_gap += defect * square / (square * square + std::pow(kLeastChange * size, 2)) * change;
  // And of m.
  const double c0 = CrossSquared(gram0), c1 = CrossSquared(gram1);
  const double m0 = Fade(c0, pair.parallel), m1 = Fade(c1, pair.parallel);
  Matrix3d S = 0.5 * (m0 + m1) * of_d / sum * of_gap;
  if (m0 < 1.0 || m1 < 1.0) {
    double slope;  // Δm/Δc
    if (m0 < 1.0 && m1 < 1.0) {
      slope = (2.0 - (c0 + c1) / pair.parallel) / pair.parallel;
    } else {
      slope = (m1 - m0) / (c1 - c0);
    }
    const double U = 0.5 * pair.scale * (barrier_.Value(d0) + barrier_.Value(d1));
    S += U * slope * CrossSlope(mean);
  }
  push->forces = -2.0 * r * S * vectors.transpose();
  push->weights = vectors * middle.z;
  const Vector3d separation = r * middle.z;
  const double length = separation.norm();
  if (!(length > 0.0)) return false;
  push->normal = separation / length;
  const double pressed = -0.5 * (m0 + m1) * of_d * 2.0 * length / sum;
  push->size = std::max(0.0, pressed);
  push->stiffness = 0.5 * (m0 + m1) * pair.scale * barrier_.DividedSlope(d0, d1);
  return true;
}

void PairContact::AddForces(const Matrix3Xd& x, Matrix3Xd* forces) const {
  Push push;
  for (const Pair& pair : pairs_) {
    if (!PushOf(pair, x, &push)) continue;
    for (int i = 0; i < 4; ++i) forces->col(pair.corners[i]) += push.forces.col(i);
  }
}

void PairContact::AddDiscreteForces(const PointMotion& motion, Matrix3Xd* forces) const {
  Push push;
  for (const Pair& pair : pairs_) {
    if (!DiscretePushOf(pair, motion, &push)) continue;
    for (int i = 0; i < 4; ++i) forces->col(pair.corners[i]) += push.forces.col(i);
  }
}

// Along the separation, times the weight of a corner the force on it [N].
Vector3d PairContact::RubOf(const Pair& pair, const Push& push, const PointMotion& motion) const {
  const double full = options_.FrictionRise(motion.t1 - motion.t0);
  return FrictionForce(pair.friction * push.size, push.normal, MovedOf(pair, push, motion), full);
}

void PairContact::Tally(const PointMotion& motion, bool discrete, const ContactDurations& durations,
                        ContactTally* tally) const {
  const double h = options_.Duration(motion.t1 - motion.t0);
  Push push;
  for (const Pair& pair : pairs_) {
    const int body = places_.body[pair.corners[0]];
    int other = body;
    for (const int corner : pair.corners) {
      if (places_.body[corner] != body) other = places_.body[corner];
    }
    if (other == body || !PushOf(pair, motion, discrete, &push)) continue;
    Vector3d on_body = Vector3d::Zero();
    double share = 0.0;  // of the body in the separation: 1 or −1
    for (int i = 0; i < 4; ++i) {
      if (places_.body[pair.corners[i]] != body) continue;
      on_body += push.forces.col(i);
      share += push.weights[i];
    }
    tally->AddBodyForce(body, other, durations.push * on_body);
    if (pair.friction == 0.0 || durations.friction == 0.0) continue;
    tally->AddBodies(body, other, durations.friction * share * RubOf(pair, push, motion),
                     push.normal, share / h * MovedOf(pair, push, motion));
  }
}

void PairContact::AddFriction(const PointMotion& motion, bool discrete, Matrix3Xd* forces) const {
  Push push;
  for (const Pair& pair : pairs_) {
    if (pair.friction == 0.0 || !PushOf(pair, motion, discrete, &push)) continue;
    const Vector3d force = RubOf(pair, push, motion);
    for (int i = 0; i < 4; ++i) forces->col(pair.corners[i]) += push.weights[i] * force;
  }
}

void PairContact::AddRubs(const Matrix3Xd& x, std::vector<Rub>* rubs) const {
  Push push;
  for (const Pair& pair : pairs_) {
    if (pair.friction == 0.0 || !PushOf(pair, x, &push)) continue;
    rubs->push_back(
        {pair.corners, 4, push.weights, push.normal, pair.friction * push.size, Vector3d::Zero()});
  }
}

void PairContact::AddTangent(const PointMotion& motion, bool discrete, double factor,
                             int first_link, ReducedMatrix* matrix) const {
  Push push;
  const double full = options_.FrictionRise(motion.t1 - motion.t0);
  for (size_t p = 0; p < pairs_.size(); ++p) {
    const Pair& pair = pairs_[p];
    if (!PushOf(pair, motion, discrete, &push)) continue;
    const Matrix3d along = push.normal * push.normal.transpose();
    Matrix3d stiffness = (discrete ? 1.0 : factor) * push.stiffness * along;
    if (pair.friction > 0.0 && full > 0.0) {
      const Vector3d moved = (At(pair, motion.x1) - At(pair, motion.x0)) * push.weights;
      stiffness += FrictionStiffness(pair.friction * push.size, push.normal, moved, full);
    }
    matrix->AddLink(first_link + static_cast<int>(p),
                    places_.Combined(pair.corners, push.weights.data()), stiffness);
  }
}

double PairContact::LargestFraction(const Matrix3Xd& x, const Matrix3Xd& y) {
  if (!any_) return 1.0;
  for (int i = 0; i < places_.size(); ++i) boxes_[i] = Bounds::Of(x.col(i), y.col(i));
  Refit(0.0);
  double way = 1.0;
  ForEachNear([&](PairKind kind, const std::array<int, 4>& corners) {
    Corners from, to;
    for (int i = 0; i < 4; ++i) {
      from.col(i) = x.col(corners[i]);
      to.col(i) = y.col(corners[i]);
    }
    way = FreeWay(kind, from, to, kGapLeft, way);
  });
  return way;
}

double PairContact::SmallestGap(const Matrix3Xd& x) {
  double least = std::numeric_limits<double>::infinity();
  if (!any_) return least;
  Begin(x, x);
  for (const Pair& pair : pairs_) {
    const Matrix3d gram = GramOf(At(pair, x) * PairVectors(pair.kind));
    least = std::min(least, std::sqrt(GapOf(pair.kind, gram).squared));
  }
  return least;
}

}  // namespace pliant::finite_elements
