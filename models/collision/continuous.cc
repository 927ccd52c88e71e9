#include "models/collision/continuous.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

using Eigen::Vector3d;

// Bound on the rounding of F as a share of the largest magnitude of a coordinate: F is at most three
// levels of sums of two products, weights up to 1, and a difference; with u = 2⁻⁵³ that is 10 u for
// edges, and for a face, outside of which |1−u−v| + u + v ≤ 3, 24 u.
constexpr double kValueRounding = 32.0 * 0x1p-53;

double LargestOf(const Vector3d& x) { return x.cwiseAbs().maxCoeff(); }

Vector3d Blend(double s, const Vector3d& x, const Vector3d& y) { return (1.0 - s) * x + s * y; }

struct ValueBox {
  Vector3d lower = Vector3d::Constant(std::numeric_limits<double>::infinity());
  Vector3d upper = -lower;
  void Take(const Vector3d& value) {
    lower = lower.cwiseMin(value);
    upper = upper.cwiseMax(value);
  }
};

// Each of the three functions has: its parameters, the bounds (in every coordinate) on its
// derivatives by them, the largest magnitude of what it subtracts, and its values at the corners of
// a box.

struct PointAndFace {
  static constexpr int kSize = 3;
  const PointMotion& p;
  const std::array<PointMotion, 3>& f;

  std::array<double, 3> Slopes() const {
    std::array<double, 3> slopes = {0.0, 0.0, 0.0};
    for (const PointMotion& corner : f) {
      slopes[0] = std::max(slopes[0], LargestOf((p.end - corner.end) - (p.start - corner.start)));
    }
    for (int k = 1; k < 3; ++k) {
      slopes[k] = std::max(LargestOf(f[k].start - f[0].start), LargestOf(f[k].end - f[0].end));
    }
    return slopes;
  }
  Vector3d Magnitude() const {
    Vector3d largest = p.start.cwiseAbs().cwiseMax(p.end.cwiseAbs());
    for (const PointMotion& c : f) {
      largest = largest.cwiseMax(c.start.cwiseAbs()).cwiseMax(c.end.cwiseAbs());
    }
    return largest;
  }
  bool InDomain(const std::array<double, 3>& lower) const { return lower[1] + lower[2] <= 1.0; }
  // The middle of a box, back into the face towards the corner that is in it.
  void Enter(const std::array<double, 3>& lower, std::array<double, 3>* middle) const {
    auto& [t, u, v] = *middle;
    if (u + v <= 1.0) return;
    const double share = (1.0 - lower[1] - lower[2]) / ((u - lower[1]) + (v - lower[2]));
    u = lower[1] + share * (u - lower[1]);
    v = lower[2] + share * (v - lower[2]);
  }
  // Where a box reaches over the third side, by w, the weights of the corners have the sum of
  // magnitudes 1 + 2 w.
  double TimeFactor(const std::array<double, 3>& upper) const {
    return 1.0 + 2.0 * std::max(0.0, upper[1] + upper[2] - 1.0);
  }
  void Take(double t, const std::array<double, 3>& lower, const std::array<double, 3>& upper,
            ValueBox* box) const {
    const Vector3d x = p.At(t), a = f[0].At(t), b = f[1].At(t), c = f[2].At(t);
    for (const double u : {lower[1], upper[1]}) {
      const Vector3d ub = u * b;
      for (const double v : {lower[2], upper[2]}) {
        box->Take(x - (((1.0 - u) - v) * a + ub + v * c));
      }
    }
  }
};

struct EdgeAndEdge {
  static constexpr int kSize = 3;
  const std::array<PointMotion, 2>&a, &b;

  std::array<double, 3> Slopes() const {
    std::array<double, 3> slopes = {0.0, 0.0, 0.0};
    for (const PointMotion& i : a) {
      for (const PointMotion& j : b) {
        slopes[0] = std::max(slopes[0], LargestOf((i.end - j.end) - (i.start - j.start)));
      }
    }
    slopes[1] = std::max(LargestOf(a[1].start - a[0].start), LargestOf(a[1].end - a[0].end));
    slopes[2] = std::max(LargestOf(b[1].start - b[0].start), LargestOf(b[1].end - b[0].end));
    return slopes;
  }
  Vector3d Magnitude() const {
    Vector3d largest = Vector3d::Zero();
    for (const auto* edge : {&a, &b}) {
      for (const PointMotion& end : *edge) {
        largest = largest.cwiseMax(end.start.cwiseAbs()).cwiseMax(end.end.cwiseAbs());
      }
    }
    return largest;
  }
  bool InDomain(const std::array<double, 3>&) const { return true; }
  void Enter(const std::array<double, 3>&, std::array<double, 3>*) const {}
  double TimeFactor(const std::array<double, 3>&) const { return 1.0; }
  void Take(double t, const std::array<double, 3>& lower, const std::array<double, 3>& upper,
            ValueBox* box) const {
    const Vector3d a0 = a[0].At(t), a1 = a[1].At(t), b0 = b[0].At(t), b1 = b[1].At(t);
    const Vector3d x0 = Blend(lower[1], a0, a1), x1 = Blend(upper[1], a0, a1);
    const Vector3d y0 = Blend(lower[2], b0, b1), y1 = Blend(upper[2], b0, b1);
    // The range of a difference of two independent places.
    box->Take(x0.cwiseMin(x1) - y0.cwiseMax(y1));
    box->Take(x0.cwiseMax(x1) - y0.cwiseMin(y1));
  }
};

struct PointAndEdge {
  static constexpr int kSize = 2;
  const PointMotion& p;
  const std::array<PointMotion, 2>& e;

  std::array<double, 2> Slopes() const {
    std::array<double, 2> slopes = {0.0, 0.0};
    for (const PointMotion& end : e) {
      slopes[0] = std::max(slopes[0], LargestOf((p.end - end.end) - (p.start - end.start)));
    }
    slopes[1] = std::max(LargestOf(e[1].start - e[0].start), LargestOf(e[1].end - e[0].end));
    return slopes;
  }
  Vector3d Magnitude() const {
    Vector3d largest = p.start.cwiseAbs().cwiseMax(p.end.cwiseAbs());
    for (const PointMotion& end : e) {
      largest = largest.cwiseMax(end.start.cwiseAbs()).cwiseMax(end.end.cwiseAbs());
    }
    return largest;
  }
  bool InDomain(const std::array<double, 2>&) const { return true; }
  void Enter(const std::array<double, 2>&, std::array<double, 2>*) const {}
  double TimeFactor(const std::array<double, 2>&) const { return 1.0; }
  void Take(double t, const std::array<double, 2>& lower, const std::array<double, 2>& upper,
            ValueBox* box) const {
    const Vector3d x = p.At(t), a = e[0].At(t), b = e[1].At(t);
    box->Take(x - Blend(lower[1], a, b));
    box->Take(x - Blend(upper[1], a, b));
  }
};

// Intervals are halved at most this often: their ends, and 1 − u − v, are exact. (Where the time ends
// at an impact, it is the rounding of 1 − t that the bound above has room for.)
constexpr int kHalvings = 48;

// After this many boxes without an earlier impact, what is looked for ends twice as far before the
// one that is known: where parts touch along a line at one time, boxes along all of that line would
// have to be as small as what is left to tell apart.
constexpr int kPatience = 2048;

template <typename Function>
class Search {
 public:
  Search(const Function& f, const ImpactOptions& options)
      : f_(f),
        options_(options),
        margin_((options.separation + kValueRounding * f.Magnitude().array() + 1e-300).matrix()),
        slopes_(f.Slopes()),
        back_(slopes_[0] > 0.0 ? options.tolerance / slopes_[0] : 1.0) {}

  std::optional<Impact> Run() {
    Box whole;
    whole.lower.fill(0.0);
    whole.upper.fill(1.0);
    if (!Reaches(&whole)) return std::nullopt;
    boxes_[waiting_++] = whole;
    while (waiting_ > 0) {
      Box box = boxes_[--waiting_];
      if (first_ && box.upper[0] > first_->time) {
        if (box.lower[0] >= first_->time) continue;
        box.upper[0] = first_->time;
        if (!Reaches(&box)) continue;
      }
      if (spent_ >= options_.budget) return GiveUp(box);
      Treat(box);
    }
    return first_;
  }

 private:
  static constexpr int kSize = Function::kSize;
  struct Box {
    std::array<double, kSize> lower, upper;
    double away;  // of the middle of the values from 0 [m]
  };

  // Whether the values in the box may reach 0; says how far away they are.
  bool Reaches(Box* box) {
    ++spent_;
    ValueBox values;
    f_.Take(box->lower[0], box->lower, box->upper, &values);
    f_.Take(box->upper[0], box->lower, box->upper, &values);
    box->away = LargestOf(values.lower + values.upper);
    return !((values.lower.array() > margin_.array()) || (values.upper.array() < -margin_.array()))
                .any();
  }

  // Keeps the box as an impact, or its halves as boxes to look at, the nearer one first.
  void Treat(const Box& box) {
    int widest = 0;
    double extent = 0.0, sum = 0.0;
    for (int k = 0; k < kSize; ++k) {
      const double slope = k == 0 ? slopes_[0] * f_.TimeFactor(box.upper) : slopes_[k];
      const double by = slope * (box.upper[k] - box.lower[k]);
      sum += by;
      if (by <= extent) continue;
      extent = by;
      widest = k;
    }
    const double middle = 0.5 * (box.lower[widest] + box.upper[widest]);
    if (sum <= options_.tolerance || box.upper[widest] - box.lower[widest] <= 0x1p-48) {
      Impact impact;
      impact.contact = box.lower[0];
      impact.time = std::max(0.0, impact.contact - back_);
      std::array<double, kSize> place;
      for (int k = 0; k < kSize; ++k) place[k] = 0.5 * (box.lower[k] + box.upper[k]);
      f_.Enter(box.lower, &place);
      impact.u = place[1];
      if constexpr (kSize > 2) impact.v = place[2];
      first_ = impact;
      patience_ = spent_ + kPatience;
      return;
    }
    if (first_ && spent_ >= patience_) {
      back_ *= 2.0;
      first_->time = std::max(0.0, first_->contact - back_);
      patience_ = spent_ + kPatience;
    }
    Box early = box, late = box;
    early.upper[widest] = late.lower[widest] = middle;
    const bool at_early = Reaches(&early), at_late = f_.InDomain(late.lower) && Reaches(&late);
    // Of halves in time the earlier one, unless the later one is much nearer: what touches for long
    // is found where it begins, what touches at one time without all that comes before it.
    const bool early_first = early.away <= (widest == 0 ? 2.0 : 1.0) * late.away;
    if (!early_first && at_early) boxes_[waiting_++] = early;
    if (at_late) boxes_[waiting_++] = late;
    if (early_first && at_early) boxes_[waiting_++] = early;
  }

  // Nothing is known of this box and of those that wait.
  Impact GiveUp(const Box& box) const {
    Impact impact;
    impact.found = false;
    impact.time = box.lower[0];
    impact.u = box.lower[1];
    for (int i = 0; i < waiting_; ++i) impact.time = std::min(impact.time, boxes_[i].lower[0]);
    if (first_) {
      const double time = std::min(impact.time, first_->time);
      impact = *first_;
      impact.time = time;
    }
    return impact;
  }

  const Function& f_;
  const ImpactOptions& options_;
  const Vector3d margin_;
  const std::array<double, kSize> slopes_;
  double back_;
  std::array<Box, kSize * kHalvings + 1> boxes_;  // each halving leaves one behind
  int waiting_ = 0, spent_ = 0, patience_ = 0;
  std::optional<Impact> first_;
};

}  // namespace

std::optional<Impact> FirstImpact(const PointMotion& point, const std::array<PointMotion, 3>& face,
                                  const ImpactOptions& options) {
  const PointAndFace f{point, face};
  return Search(f, options).Run();
}

std::optional<Impact> FirstImpact(const std::array<PointMotion, 2>& a,
                                  const std::array<PointMotion, 2>& b,
                                  const ImpactOptions& options) {
  const EdgeAndEdge f{a, b};
  return Search(f, options).Run();
}

std::optional<Impact> FirstImpact(const PointMotion& point, const std::array<PointMotion, 2>& edge,
                                  const ImpactOptions& options) {
  const PointAndEdge f{point, edge};
  return Search(f, options).Run();
}

}  // namespace pliant
